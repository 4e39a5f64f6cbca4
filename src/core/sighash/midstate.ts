import { type Codec, encode, i64le, u32le, varBytes } from '../bytes/codec.ts';
import { copyBytes, equalBytes } from '../bytes/compare.ts';
import { createWriter, written } from '../bytes/writer.ts';
import { sha256 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import { isEcdsaSighashType } from '../script/signatureEncoding.ts';
import { assertTransaction } from '../tx/assertTransaction.ts';
import { outpointCodec, outputsCodec, txOutCodec } from '../tx/codec.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import { type BlankInputs, createBlankInputs } from './blankInputs.ts';
import { isAnyoneCanPay } from './sighashType.ts';

/**
 * The hashes that the inputs of one transaction share, each computed on first use. Valid only for that transaction and
 * those prevouts.
 * @see Core `PrecomputedTransactionData`
 */
export interface SighashMidstate {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[] | undefined;
  /** SHA256 of all outpoints, all sequences and all outputs. @see BIP341 "Common signature message" */
  readonly hashes: () => SharedHashes;
  readonly doubleHashes: () => SharedHashes;
  readonly spentHashes: () => SpentHashes;
  readonly blankInputs: () => BlankInputs;
  /** For NONE and SINGLE. */
  readonly blankInputsWithoutSequence: () => BlankInputs;
  readonly outputs: () => Uint8Array;
  readonly ecdsaDigest: (of: EcdsaDigestKey, compute: () => Uint8Array) => Uint8Array;
}

interface EcdsaDigestKey {
  readonly inputIndex: number;
  readonly scriptCode: Uint8Array;
  readonly sighashType: number;
  /** Not for legacy digests. */
  readonly value?: bigint | undefined;
}

interface SharedHashes {
  readonly prevouts: Uint8Array;
  readonly sequences: Uint8Array;
  readonly outputs: Uint8Array;
}

interface SpentHashes {
  readonly amounts: Uint8Array;
  readonly scriptPubKeys: Uint8Array;
}

/**
 * Creates the midstate of a transaction, and computes nothing yet.
 *
 * - `prevouts`: one per input; needed only for taproot inputs
 *
 * @throws `sighash/prevouts`
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex, sighashForInput, sighashMidstate } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const tx = decodeTransaction(parseHex(hex));
 * const prevouts = [{ value: 5000n, scriptPubKey: parseHex(`0014${'00'.repeat(20)}`) }];
 * const midstate = sighashMidstate(tx, prevouts);
 * sighashForInput({ tx, inputIndex: 0, prevouts, midstate }).algorithm; // segwit-v0
 * ```
 */
export function sighashMidstate(tx: Transaction, prevouts?: readonly TxOut[]): SighashMidstate {
  assertTransaction(tx);
  if (prevouts) assertPrevouts(tx, prevouts);
  const hashes = once(() => ({
    prevouts: hashAll(
      outpointCodec,
      tx.inputs.map(({ outpoint }) => outpoint),
    ),
    sequences: hashAll(
      u32le,
      tx.inputs.map(({ sequence }) => sequence),
    ),
    outputs: hashAll(txOutCodec, tx.outputs),
  }));
  return {
    tx,
    prevouts,
    hashes,
    doubleHashes: once(() => {
      const single = hashes();
      return {
        prevouts: sha256(single.prevouts),
        sequences: sha256(single.sequences),
        outputs: sha256(single.outputs),
      };
    }),
    spentHashes: once(() => ({
      amounts: hashAll(
        i64le,
        (prevouts ?? []).map(({ value }) => value),
      ),
      scriptPubKeys: hashAll(
        varBytes,
        (prevouts ?? []).map(({ scriptPubKey }) => scriptPubKey),
      ),
    })),
    blankInputs: once(() => createBlankInputs(tx, true)),
    blankInputsWithoutSequence: once(() => createBlankInputs(tx, false)),
    outputs: once(() => encode(outputsCodec, tx.outputs)),
    ecdsaDigest: createDigestCache(),
  };
}

/**
 * Keeps one digest per input and hash type, and one for all undefined types: OP_CHECKMULTISIG needs a digest for every
 * pair of key and signature.
 */
function createDigestCache(): SighashMidstate['ecdsaDigest'] {
  const kept = new Map<number, EcdsaDigestKey & { readonly digest: Uint8Array }>();
  return ({ inputIndex, scriptCode, sighashType, value }, compute) => {
    const place = inputIndex * TYPES + (isEcdsaSighashType(sighashType) ? placeOfType(sighashType) : 0);
    const entry = kept.get(place);
    const isSame = entry?.sighashType === sighashType && entry.value === value;
    if (isSame && equalBytes(entry.scriptCode, scriptCode)) return copyBytes(entry.digest);
    const digest = compute();
    kept.set(place, { inputIndex, sighashType, value, scriptCode: copyBytes(scriptCode), digest: copyBytes(digest) });
    return digest;
  };
}

/** One for all undefined hash types, then two rows of ALL, NONE and SINGLE. */
const TYPES = 8;
const placeOfType = (sighashType: number): number => (sighashType & 3) + (isAnyoneCanPay(sighashType) ? 4 : 0);

function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

function hashAll<T>(codec: Codec<T>, values: readonly T[]): Uint8Array {
  const writer = createWriter(values.length * 41);
  for (const value of values) codec.write(writer, value);
  return sha256(written(writer));
}

export function assertPrevouts(tx: Transaction, prevouts: readonly unknown[]): void {
  if (prevouts.length !== tx.inputs.length) {
    throw missingPrevouts(tx, prevouts.length);
  }
}

export function areAllKnown(prevouts: readonly (TxOut | undefined)[]): prevouts is readonly TxOut[] {
  return prevouts.every((prevout) => prevout !== undefined);
}

export function inputAt(tx: Transaction, inputIndex: number): TxIn {
  const input = tx.inputs[inputIndex];
  if (!input) throw missingInput(inputIndex, tx.inputs.length);
  return input;
}

export function missingInput(inputIndex: number, inputs: number): BtcError {
  const message = `There is no input ${inputIndex}: the transaction has ${inputs}, counted from 0`;
  return new BtcError('sighash/input-index', { inputIndex, inputs }, message);
}

export function missingPrevouts({ inputs: { length: expected } }: Transaction, count: number): BtcError {
  const message = `Each input needs the output that it spends: pass ${expected} prevouts, not ${count}`;
  return new BtcError('sighash/prevouts', { expected, found: count }, message);
}

/**
 * Checks that a given midstate belongs to the transaction. `prevouts` are omitted if the digest does not depend on
 * them.
 */
export function resolveMidstate(options: {
  readonly tx: Transaction;
  readonly prevouts?: readonly TxOut[];
  readonly midstate?: SighashMidstate | undefined;
}): SighashMidstate {
  const { tx, prevouts, midstate } = options;
  if (!midstate) return sighashMidstate(tx, prevouts);
  if (midstate.tx !== tx) throw foreignMidstate('another transaction');
  if (prevouts && midstate.prevouts !== prevouts) throw foreignMidstate('other prevouts');
  return midstate;
}

function foreignMidstate(of: 'another transaction' | 'other prevouts'): BtcError {
  return new BtcError('sighash/midstate', { of }, `The midstate belongs to ${of}: leave it out, or create it again`);
}
