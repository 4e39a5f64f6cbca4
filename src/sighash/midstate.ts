import { type Codec, encode, i64le, u32le, varBytes } from '../bytes/codec.ts';
import { createWriter, written } from '../bytes/writer.ts';
import { sha256 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import { outpointCodec, outputsCodec, txOutCodec } from '../tx/codec.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import { type BlankInputs, createBlankInputs } from './blankInputs.ts';

/**
 * What the digests of one transaction's inputs have in common, each part computed when it is first asked for and then
 * kept: with it, the digests of all inputs together hash a segwit transaction once, and a legacy one half as often.
 * Made by `sighashMidstate`, and good for that transaction and those prevouts only.
 * @see Bitcoin Core `PrecomputedTransactionData`
 */
export interface SighashMidstate {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[] | undefined;
  /** SHA256 of all outpoints, all sequences and all outputs. @see BIP341 "Common signature message" */
  readonly hashes: () => SharedHashes;
  /** The same, hashed once more. @see BIP143 "Specification" */
  readonly doubleHashes: () => SharedHashes;
  /** SHA256 of all values and all scriptPubKeys being spent. @see BIP341 "Common signature message" */
  readonly spentHashes: () => SpentHashes;
  /** The inputs as the original rules show them to each other. */
  readonly blankInputs: () => BlankInputs;
  /** The same for NONE and SINGLE, where sequences are zero. */
  readonly blankInputsWithoutSequence: () => BlankInputs;
  /** The number of outputs and the outputs, encoded. */
  readonly outputs: () => Uint8Array;
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
 * Starts what the digests of one transaction share. Costs nothing until it is used.
 *
 * - `prevouts`: the outputs being spent, one an input; needed for taproot inputs only
 *
 * @throws `sighash/prevouts` unless there is one for each input
 */
export function sighashMidstate(tx: Transaction, prevouts?: readonly TxOut[]): SighashMidstate {
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
  };
}

/** Computes a value when it is first asked for. */
function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

/** SHA256 of values encoded one after another. */
function hashAll<T>(codec: Codec<T>, values: readonly T[]): Uint8Array {
  const writer = createWriter(values.length * 41);
  for (const value of values) codec.write(writer, value);
  return sha256(written(writer));
}

function assertPrevouts(tx: Transaction, prevouts: readonly TxOut[]): void {
  if (prevouts.length !== tx.inputs.length) {
    throw new BtcError('sighash/prevouts', { expected: tx.inputs.length, found: prevouts.length });
  }
}

/** Whether every output being spent is known. */
export function areAllKnown(prevouts: readonly (TxOut | undefined)[]): prevouts is readonly TxOut[] {
  return prevouts.every((prevout) => prevout !== undefined);
}

/** The input at an index. @throws `sighash/input-index` */
export function inputAt(tx: Transaction, inputIndex: number): TxIn {
  const input = tx.inputs[inputIndex];
  if (!input) throw new BtcError('sighash/input-index', { inputIndex, inputs: tx.inputs.length });
  return input;
}

/**
 * The midstate that a caller passed, if it is of what he signs, else a new one.
 *
 * - `prevouts`: left out where the digest does not depend on them
 *
 * @throws `sighash/midstate`, `sighash/prevouts`
 */
export function midstateOf(given: {
  readonly tx: Transaction;
  readonly prevouts?: readonly TxOut[];
  readonly midstate?: SighashMidstate | undefined;
}): SighashMidstate {
  const { tx, prevouts, midstate } = given;
  if (!midstate) return sighashMidstate(tx, prevouts);
  if (midstate.tx !== tx) throw new BtcError('sighash/midstate', { of: 'another transaction' });
  if (prevouts && midstate.prevouts !== prevouts) throw new BtcError('sighash/midstate', { of: 'other prevouts' });
  return midstate;
}
