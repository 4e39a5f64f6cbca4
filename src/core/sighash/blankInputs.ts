import { compactSizeLength, createWriter, writeCompactSize, writeU32, written } from '../bytes/writer.ts';
import { type Sha256State, startSha256 } from '../crypto/hash.ts';
import { outpointCodec } from '../tx/codec.ts';
import type { Transaction } from '../tx/types.ts';

const BLANK_INPUT_SIZE = 36 + 1 + 4;

/**
 * Inputs without scripts, as the original sighash serializes those that it does not sign. The part before an input
 * begins with the parts before all earlier ones, so that each is hashed once.
 */
export interface BlankInputs {
  readonly before: (inputIndex: number) => Uint8Array;
  readonly after: (inputIndex: number) => Uint8Array;
  /** The SHA256 state of the message before this input. */
  readonly stateBefore: (inputIndex: number) => Sha256State;
}

/** Encodes the inputs; NONE and SINGLE set the sequences of other inputs to zero. */
export function createBlankInputs(tx: Transaction, keepsSequence: boolean): BlankInputs {
  const count = tx.inputs.length;
  const writer = createWriter(count * BLANK_INPUT_SIZE);
  for (const { outpoint, sequence } of tx.inputs) {
    outpointCodec.write(writer, outpoint);
    writeCompactSize(writer, 0);
    writeU32(writer, keepsSequence ? sequence : 0);
  }
  const bytes = written(writer);
  const slice = (from: number, to: number): Uint8Array =>
    bytes.subarray(from * BLANK_INPUT_SIZE, to * BLANK_INPUT_SIZE);
  const states: Sha256State[] = [];
  return {
    before: (inputIndex) => slice(0, inputIndex),
    after: (inputIndex) => slice(inputIndex + 1, count),
    stateBefore: (inputIndex) => {
      for (let next = states.length; next <= inputIndex; next += 1) {
        states.push(states[next - 1]?.clone().update(slice(next - 1, next)) ?? stateOfHead(tx));
      }
      return states[inputIndex]?.clone() ?? stateOfHead(tx);
    },
  };
}

function stateOfHead({ version, inputs }: Transaction): Sha256State {
  const head = createWriter(4 + compactSizeLength(inputs.length));
  writeU32(head, version);
  writeCompactSize(head, inputs.length);
  return startSha256().update(written(head));
}
