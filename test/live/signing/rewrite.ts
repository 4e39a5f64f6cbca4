import { concat } from '../scripts/bytes.ts';

/** Other encodings of an input's signature, and ways to corrupt it. */

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Tells whether an item resembles a strict DER signature with its sighash type. */
export const looksSigned = (item: Uint8Array): boolean =>
  item.length > 60 && item.length < 74 && item[0] === 0x30 && item[1] === item.length - 3;

interface Parts {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly sighashType: number;
}

function partsOf(item: Uint8Array): Parts {
  const sStart = 6 + (item[3] ?? 0);
  return { r: item.slice(4, sStart - 2), s: item.slice(sStart, -1), sighashType: item.at(-1) ?? 0 };
}

function write({ r, s, sighashType }: Parts): Uint8Array {
  const body = concat([0x02, r.length], r, [0x02, s.length], s);
  return concat([0x30, body.length], body, [sighashType]);
}

/** Returns the negated s, which is equally valid. */
function negated(s: Uint8Array): Uint8Array {
  const hex = (ORDER - BigInt(`0x${Buffer.from(s).toString('hex')}`)).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = new Uint8Array(Buffer.from(even, 'hex'));
  return (bytes[0] ?? 0) > 0x7f ? concat([0], bytes) : bytes;
}

const rewritten =
  (change: (parts: Parts, at: number) => Partial<Parts>) =>
  (item: Uint8Array, at: number): Uint8Array => {
    const parts = partsOf(item);
    return write({ ...parts, ...change(parts, at) });
  };
const withByte = (item: Uint8Array, index: number, change: (byte: number) => number): Uint8Array =>
  item.map((byte, i) => (i === index ? change(byte) : byte));

const TYPES = [0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x00, 0x04, 0x80, 0xff];

const REWRITES = {
  highS: rewritten(({ s }) => ({ s: negated(s) })),
  paddedR: rewritten(({ r }) => ({ r: concat([0], r) })),
  paddedS: rewritten(({ s }) => ({ s: concat([0, 0], s) })),
  /** A high S without its leading zero byte: lax parsers accept it. */
  negative: rewritten(({ s }) => ({ s: negated(s).slice(-32) })),
  retyped: rewritten((_, at) => ({ sighashType: TYPES[at % TYPES.length] ?? 0 })),
  longTotal: (item) => concat([0x30, 0x81], item.slice(1)),
  wrongTotal: (item, at) => withByte(item, 1, (byte) => byte ^ (1 + (at % 255))),
  trailing: (item) => concat(item.slice(0, -1), [0], item.slice(-1)),
  withoutType: (item) => item.slice(0, -1),
  cut: (item, at) => item.slice(0, at % item.length),
  flipped: (item, at) => withByte(item, at % item.length, (byte) => byte ^ (1 << (at % 8))),
} satisfies Readonly<Record<string, (item: Uint8Array, at: number) => Uint8Array>>;

export type Rewrite = keyof typeof REWRITES;
export const REWRITE_NAMES = Object.keys(REWRITES) as readonly Rewrite[];

export function rewrite(item: Uint8Array, how: Rewrite, at: number): Uint8Array {
  return REWRITES[how](item, at);
}
