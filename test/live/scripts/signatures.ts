import { legacySighash, nobleEcc, segwitV0Sighash, type Transaction } from '../../support/library.ts';
import { concat } from './bytes.ts';

/** A signature to be made once the transaction exists. */
export interface Signature {
  /** Index of the key. */
  readonly secret: number;
  readonly sighashType: number;
  readonly form: SignatureForm;
  /** The offset of its scriptCode in the script; if absent, the enclosing script sets it. */
  readonly codeStart?: number;
}

export interface Signed {
  readonly tx: Transaction;
  readonly inputIndex: number;
  readonly script: Uint8Array;
  readonly value: bigint;
  readonly isWitness: boolean;
}

export const SECRETS: readonly Uint8Array[] = Array.from({ length: 6 }, (_, i) => new Uint8Array(32).fill(i + 1));
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export function sign({ tx, inputIndex, script, value, isWitness }: Signed, signature: Signature): Uint8Array {
  const { sighashType, codeStart = 0 } = signature;
  const given = { tx, inputIndex, scriptCode: script.slice(codeStart), sighashType };
  return signDigest(isWitness ? segwitV0Sighash({ ...given, value }) : legacySighash(given), signature);
}

/** Signs the digest 1 of the SIGHASH_SINGLE bug: it does not depend on the transaction, so a script can contain it. */
export function signNothing(secret: number, sighashType: number): Uint8Array {
  const digest = new Uint8Array(32);
  digest[0] = 1;
  return signDigest(digest, { secret, sighashType, form: 'strict' });
}

function signDigest(digest: Uint8Array, { secret, sighashType, form }: Signature): Uint8Array {
  const signature = nobleEcc.signEcdsa(digest, SECRETS[secret] ?? digest);
  return FORMS[form](signature.slice(0, 32), signature.slice(32), sighashType);
}

const ZERO = new Uint8Array(32);
const OVERFLOW = new Uint8Array(32).fill(0xff);

function trimmed(number: Uint8Array): Uint8Array {
  const start = number.findIndex((byte) => byte !== 0);
  return start < 0 ? Uint8Array.of(0) : number.slice(start);
}

/** Encodes a number minimally as a non-negative DER integer. */
function positive(number: Uint8Array): Uint8Array {
  const bytes = trimmed(number);
  return (bytes[0] ?? 0) > 0x7f ? concat([0], bytes) : bytes;
}

function negated(s: Uint8Array): Uint8Array {
  const hex = (ORDER - BigInt(`0x${Buffer.from(s).toString('hex')}`)).toString(16).padStart(64, '0');
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

const integer = (bytes: Uint8Array): Uint8Array => concat([0x02, bytes.length], bytes);
const der = (r: Uint8Array, s: Uint8Array): Uint8Array => sequence(concat(integer(r), integer(s)));
const sequence = (body: Uint8Array): Uint8Array => concat([0x30, body.length], body);

type Form = (r: Uint8Array, s: Uint8Array, sighashType: number) => Uint8Array;
const written =
  (write: (r: Uint8Array, s: Uint8Array) => Uint8Array): Form =>
  (r, s, sighashType) =>
    concat(write(r, s), [sighashType]);

/** Encodings of a signature: valid, invalid, and ones that OpenSSL once accepted. */
const FORMS = {
  strict: written((r, s) => der(positive(r), positive(s))),
  highS: written((r, s) => der(positive(r), positive(negated(s)))),
  paddedR: written((r, s) => der(concat([0], positive(r)), positive(s))),
  paddedS: written((r, s) => der(positive(r), concat([0, 0], positive(s)))),
  negative: written((r, s) => der(trimmed(r), trimmed(s))),
  negativeHighS: written((r, s) => der(positive(r), trimmed(negated(s)))),
  longTotal: written((r, s) => concat([0x30, 0x81], der(positive(r), positive(s)).slice(1))),
  zerosInTotal: written((r, s) => concat([0x30, 0x83, 0, 0], der(positive(r), positive(s)).slice(1))),
  longLength: written((r, s) =>
    sequence(concat([0x02, 0x85, 0, 0, 0, 0], integer(positive(r)).slice(1), integer(positive(s)))),
  ),
  wrongTotal: written((r, s) => der(positive(r), positive(s)).map((byte, i) => (i === 1 ? byte - 1 : byte))),
  wrongTag: written((r, s) => der(positive(r), positive(s)).map((byte, i) => (i === 0 ? 0x31 : byte))),
  wrongInnerTag: written((r, s) => der(positive(r), positive(s)).map((byte, i) => (i === 2 ? 0x03 : byte))),
  trailing: written((r, s) => concat(der(positive(r), positive(s)), [0, 1])),
  overlong: written((r, s) => der(concat(ZERO, positive(r)), positive(s))),
  cut: written((r, s) => der(positive(r), positive(s)).slice(0, -3)),
  zeroR: written((_, s) => der(trimmed(ZERO), positive(s))),
  zeroS: written((r) => der(positive(r), trimmed(ZERO))),
  noR: written((_, s) => der(new Uint8Array(0), positive(s))),
  overflowR: written((_, s) => der(positive(OVERFLOW), positive(s))),
  overflowS: written((r) => der(positive(r), positive(OVERFLOW))),
  wrong: written((r, s) => der(positive(r.map((byte, i) => (i === 31 ? byte ^ 1 : byte))), positive(s))),
  withoutType: (r, s) => der(positive(r), positive(s)),
  typeOnly: (_r, _s, sighashType) => Uint8Array.of(sighashType),
  empty: () => new Uint8Array(0),
} satisfies Readonly<Record<string, Form>>;

export type SignatureForm = keyof typeof FORMS;
export const SIGNATURE_FORMS = Object.keys(FORMS) as readonly SignatureForm[];

const PLAIN_KEYS = SECRETS.map((secret) => ({
  compressed: nobleEcc.publicKey(secret, true),
  uncompressed: nobleEcc.publicKey(secret, false),
}));

/** Encodings of a public key. */
const KEY_WRITERS = {
  compressed: ({ compressed }) => compressed,
  uncompressed: ({ uncompressed }) => uncompressed,
  hybrid: ({ uncompressed }) => concat([6 + ((uncompressed[64] ?? 0) & 1)], uncompressed.slice(1)),
  wrongHybrid: ({ uncompressed }) => concat([7 - ((uncompressed[64] ?? 0) & 1)], uncompressed.slice(1)),
  /** No point has this x. */
  offCurve: () => concat([2], new Uint8Array(31), [5]),
  offCurveLong: ({ uncompressed }) => uncompressed.map((byte, i) => (i === 64 ? byte ^ 1 : byte)),
  unknownMark: ({ compressed }) => concat([5], compressed.slice(1)),
  wrongLength: ({ uncompressed }) => uncompressed.slice(0, 33),
  long: ({ compressed }) => concat(compressed, [0]),
  empty: () => new Uint8Array(0),
} satisfies Readonly<Record<string, (keys: { compressed: Uint8Array; uncompressed: Uint8Array }) => Uint8Array>>;

export type KeyForm = keyof typeof KEY_WRITERS;
export const KEY_FORMS = Object.keys(KEY_WRITERS) as readonly KeyForm[];

export function publicKey(secret: number, form: KeyForm): Uint8Array {
  const keys = PLAIN_KEYS[secret];
  if (!keys) throw new Error(`no key ${secret}`);
  return KEY_WRITERS[form](keys);
}
