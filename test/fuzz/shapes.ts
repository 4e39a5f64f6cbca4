import { nobleEcc, OP, type Outpoint, parseTxid, type Transaction, type TxIn, type TxOut } from '../support/library.ts';
import type { Source } from './source.ts';

// Parts that several targets are made of: keys, scripts, transactions.

const NOTHING = new Uint8Array(0);

/** Secret keys, and their public keys in all forms: few, so that the same key occurs in several places. */
export const SECRET_KEYS: readonly Uint8Array[] = Array.from({ length: 12 }, (_, i) => new Uint8Array(32).fill(i + 1));
export const COMPRESSED_KEYS: readonly Uint8Array[] = SECRET_KEYS.map((key) => nobleEcc.publicKey(key));
const KEYS: readonly Uint8Array[] = [
  ...COMPRESSED_KEYS,
  ...SECRET_KEYS.slice(0, 3).map((key) => nobleEcc.publicKey(key, false)),
  Uint8Array.from(nobleEcc.publicKey(SECRET_KEYS[3] ?? NOTHING, false), (byte, i) => (i === 0 ? 6 : byte)),
  new Uint8Array(33).fill(2),
];

export const joined = (...parts: readonly ArrayLike<number>[]): Uint8Array => {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
};

/** Encodes a push of some bytes, in the shortest form with a size. */
export function push(data: Uint8Array): Uint8Array {
  if (data.length < OP.PUSHDATA1) return joined([data.length], data);
  return data.length < 0x100
    ? joined([OP.PUSHDATA1, data.length], data)
    : joined([OP.PUSHDATA2, data.length & 0xff, data.length >> 8], data);
}

const EDGES = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_fffd, 0xffff_fffe, 0xffff_ffff, 499_999_999, 500_000_000];

/** Returns 32 bits, often an edge. */
export const word = (source: Source): number => (source.once(2) ? source.pick(EDGES) : source.next(0x1_0000_0000));

const AMOUNTS = [
  0n,
  1n,
  546n,
  100_000_000n,
  2_100_000_000_000_000n,
  2_100_000_000_000_001n,
  -1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
export const amount = (source: Source): bigint =>
  source.once(2) ? source.pick(AMOUNTS) : BigInt(source.next(2_000_000_000)) * BigInt(1 + source.next(1_000_000));

const small = (n: number): number => (n === 0 ? 0 : OP.RESERVED + Math.min(n, 16));

/** Encodes a number as scripts push it. */
function number(source: Source): Uint8Array {
  if (source.once(2)) return Uint8Array.of(small(source.next(17)));
  return push(source.bytes(source.next(6)));
}

function multisig(source: Source): Uint8Array {
  const count = source.next(source.once(6) ? 21 : 4);
  const keys = Array.from({ length: count }, () => push(source.pick(KEYS)));
  return joined([small(source.next(4))], ...keys, count > 16 ? [1, count] : [small(count)], [OP.CHECKMULTISIG]);
}

/** The opcodes that scripts consist of, the common ones more often. */
const OPCODES: readonly number[] = Object.values(OP).filter((opcode) => opcode > OP['16']);

function operations(source: Source): Uint8Array {
  return joined(
    ...Array.from({ length: source.next(source.once(8) ? 40 : 9) }, () => {
      switch (source.next(7)) {
        case 0:
          return push(source.pick(KEYS));
        case 1:
          return push(source.bytes(source.next(source.once(10) ? 600 : 40)));
        case 2:
        case 3:
          return number(source);
        case 4:
          return source.bytes(1);
        default:
          return [source.pick(OPCODES)];
      }
    }),
  );
}

/** Makes a script of a type that Core distinguishes, or nonsense. */
export function script(source: Source): Uint8Array {
  switch (source.next(13)) {
    case 0:
      return joined([OP.DUP, OP.HASH160, 20], source.bytes(20), [OP.EQUALVERIFY, OP.CHECKSIG]);
    case 1:
      return joined([OP.HASH160, 20], source.bytes(20), [OP.EQUAL]);
    case 2:
      return joined([0, 20], source.bytes(20));
    case 3:
      return joined([0, 32], source.bytes(32));
    case 4:
      return joined([OP['1'], 32], source.once(2) ? source.bytes(32) : source.pick(COMPRESSED_KEYS).slice(1));
    case 5:
      return joined([small(source.next(18)), 2 + source.next(40)], source.bytes(2 + source.next(40)));
    case 6:
      return joined(push(source.pick(KEYS)), [OP.CHECKSIG]);
    case 7:
      return multisig(source);
    case 8:
      return joined([OP.RETURN], push(source.bytes(source.next(90))));
    case 9:
      return source.bytes(source.next(40));
    default:
      return operations(source);
  }
}

const outpoint = (source: Source): Outpoint => ({
  txid: parseTxid((source.once(3) ? '00' : `${'0123456789abcdef'[source.next(16)]}a`).repeat(32)),
  vout: source.once(3) ? source.next(3) : word(source),
});

function txIn(source: Source, isSigned: boolean): TxIn {
  const items = isSigned && source.once(2) ? source.next(5) : 0;
  return {
    outpoint: outpoint(source),
    scriptSig: isSigned && source.once(2) ? operations(source) : NOTHING,
    sequence: word(source),
    witness: Array.from({ length: items }, () => source.bytes(source.next(source.once(5) ? 300 : 40))),
  };
}

export const txOut = (source: Source): TxOut => ({ value: amount(source), scriptPubKey: script(source) });

/** Makes a transaction; `isSigned`: whether its inputs may have scripts and witnesses. */
export function transaction(source: Source, isSigned = true): Transaction {
  return {
    version: source.once(3) ? word(source) : 2,
    inputs: Array.from({ length: 1 + source.next(4) }, () => txIn(source, isSigned)),
    outputs: Array.from({ length: source.next(5) }, () => txOut(source)),
    locktime: source.once(2) ? 0 : word(source),
  };
}
