import { encodeTransaction, instructionAt, OP, sha256, sha256d, type Transaction, type TxOut } from './library.ts';

// Digests straight from the rules, without shared hashes, as a reference for the midstates.

export const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const u32 = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const u64 = (value: bigint): Uint8Array => new Uint8Array(new BigInt64Array([value]).buffer);
const withLength = (data: Uint8Array): Uint8Array =>
  concat(data.length < 0xfd ? [data.length] : [0xfd, data.length & 0xff, data.length >> 8], data);
const outputBytes = ({ value, scriptPubKey }: TxOut): Uint8Array => concat(u64(value), withLength(scriptPubKey));

const NOTHING = new Uint8Array(0);
const ZERO = new Uint8Array(32);
const NONE = 2;
const SINGLE = 3;

/** Computes a legacy digest: changes a copy of the transaction, encodes it, appends the sighash type, hashes. */
export function naiveLegacy(tx: Transaction, i: number, scriptCode: Uint8Array, type: number): Uint8Array {
  const base = type & 0x1f;
  if (base === SINGLE && i >= tx.outputs.length) return Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0));
  const opensSequences = base === NONE || base === SINGLE;
  const inputs = tx.inputs.map((input, at) => ({
    ...input,
    witness: [],
    scriptSig: at === i ? withoutCodeSeparators(scriptCode) : NOTHING,
    sequence: at !== i && opensSequences ? 0 : input.sequence,
  }));
  const changed = { ...tx, outputs: legacyOutputs(tx, i, base), inputs: type & 0x80 ? inputs.slice(i, i + 1) : inputs };
  return sha256d(concat(encodeTransaction(changed, { witness: false }), u32(type)));
}

function legacyOutputs({ outputs }: Transaction, i: number, base: number): readonly TxOut[] {
  if (base === NONE) return [];
  const blank = { value: -1n, scriptPubKey: NOTHING };
  return base === SINGLE ? outputs.slice(0, i + 1).map((output, at) => (at === i ? output : blank)) : outputs;
}

function withoutCodeSeparators(script: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let at = 0;
  while (at < script.length) {
    const instruction = instructionAt(script, at);
    const end = instruction?.end ?? script.length;
    if (instruction?.opcode !== OP.CODESEPARATOR) kept.push(...script.slice(at, end));
    at = end;
  }
  return Uint8Array.from(kept);
}

/** Computes a segwit v0 digest item by item. @see BIP143 "Specification" */
export function naiveSegwit(
  tx: Transaction,
  i: number,
  scriptCode: Uint8Array,
  { value, type }: { value: bigint; type: number },
): Uint8Array {
  const base = type & 0x1f;
  const isAlone = (type & 0x80) !== 0;
  const outpoints = tx.inputs.map(({ outpoint }) => concat(outpoint.txid, u32(outpoint.vout)));
  const sequences = tx.inputs.map(({ sequence }) => u32(sequence));
  return sha256d(
    concat(
      u32(tx.version),
      isAlone ? ZERO : sha256d(concat(...outpoints)),
      isAlone || base === NONE || base === SINGLE ? ZERO : sha256d(concat(...sequences)),
      outpoints[i] ?? NOTHING,
      withLength(scriptCode),
      u64(value),
      sequences[i] ?? NOTHING,
      segwitOutputs(tx, i, base),
      u32(tx.locktime),
      u32(type),
    ),
  );
}

function segwitOutputs({ outputs }: Transaction, i: number, base: number): Uint8Array {
  const committed = base === SINGLE ? outputs.slice(i, i + 1) : outputs;
  const isNothing = base === NONE || (base === SINGLE && committed.length === 0);
  return isNothing ? ZERO : sha256d(concat(...committed.map(outputBytes)));
}

/** Computes a taproot digest: the tagged hash of SigMsg, item by item. @see BIP341 "Common signature message" */
export function naiveTaproot(
  tx: Transaction,
  prevouts: readonly TxOut[],
  i: number,
  { type, annex, leafHash }: { type: number; annex?: Uint8Array | undefined; leafHash?: Uint8Array | undefined },
): Uint8Array {
  const base = type & 3;
  const isAlone = (type & 0x80) !== 0;
  const outpoints = tx.inputs.map(({ outpoint }) => concat(outpoint.txid, u32(outpoint.vout)));
  const sequences = tx.inputs.map(({ sequence }) => u32(sequence));
  const own = concat(outpoints[i] ?? NOTHING, ...prevouts.slice(i, i + 1).map(outputBytes), sequences[i] ?? []);
  const amounts = prevouts.map(({ value }) => u64(value));
  const scripts = prevouts.map(({ scriptPubKey }) => withLength(scriptPubKey));
  const shared = [outpoints, amounts, scripts, sequences].map((parts) => sha256(concat(...parts)));
  const tag = sha256(new TextEncoder().encode('TapSighash'));
  const message = concat(
    [0, type],
    u32(tx.version),
    u32(tx.locktime),
    ...(isAlone ? [] : shared),
    base < NONE ? sha256(concat(...tx.outputs.map(outputBytes))) : [],
    [(leafHash ? 2 : 0) + (annex ? 1 : 0)],
    isAlone ? own : u32(i),
    annex ? sha256(withLength(annex)) : [],
    base === SINGLE ? sha256(concat(...tx.outputs.slice(i, i + 1).map(outputBytes))) : [],
    leafHash ? concat(leafHash, [0], u32(0xffff_ffff)) : [],
  );
  return sha256(concat(tag, tag, message));
}
