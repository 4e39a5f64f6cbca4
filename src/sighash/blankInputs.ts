import { createWriter, writeCompactSize, writeU32, written } from '../bytes/writer.ts';
import { type Sha256State, startSha256 } from '../crypto/hash.ts';
import { outpointCodec } from '../tx/codec.ts';
import type { Transaction } from '../tx/types.ts';

/** An outpoint, the length of an empty script, a sequence. */
const BLANK_INPUT_SIZE = 36 + 1 + 4;

/**
 * A transaction's inputs without scripts, as the original rules show an input those of others: what comes before an
 * input is the same for all that come later, so it is hashed once.
 */
export interface BlankInputs {
  /** Version, number of inputs, and the inputs before this one. */
  readonly bytesBefore: (inputIndex: number) => Uint8Array;
  /** The same, hashed so far; the caller's to go on with. */
  readonly stateBefore: (inputIndex: number) => Sha256State;
  /** The inputs after this one. */
  readonly bytesAfter: (inputIndex: number) => Uint8Array;
}

/**
 * Writes a transaction's inputs without scripts.
 *
 * - `keepsSequence`: false for NONE and SINGLE, where others may change theirs
 */
export function createBlankInputs(tx: Transaction, keepsSequence: boolean): BlankInputs {
  const writer = createWriter(9 + tx.inputs.length * BLANK_INPUT_SIZE);
  writeU32(writer, tx.version);
  writeCompactSize(writer, tx.inputs.length);
  const headSize = writer.offset;
  for (const { outpoint, sequence } of tx.inputs) {
    outpointCodec.write(writer, outpoint);
    writeCompactSize(writer, 0);
    writeU32(writer, keepsSequence ? sequence : 0);
  }
  const bytes = written(writer);
  const startOf = (inputIndex: number): number => headSize + inputIndex * BLANK_INPUT_SIZE;
  const states = [startSha256().update(bytes.subarray(0, headSize))];
  return {
    bytesBefore: (inputIndex) => bytes.slice(0, startOf(inputIndex)),
    bytesAfter: (inputIndex) => bytes.subarray(startOf(inputIndex + 1)),
    stateBefore: (inputIndex) => {
      for (let next = states.length; next <= inputIndex; next += 1) {
        const state = states[next - 1]?.clone();
        if (state) states.push(state.update(bytes.subarray(startOf(next - 1), startOf(next))));
      }
      return states[inputIndex]?.clone() ?? startSha256();
    },
  };
}
