import { encode } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { createWriter, writeBytes, writeCompactSize, writeU32, writeVarBytes, written } from '../bytes/writer.ts';
import { type Sha256State, sha256, startSha256 } from '../crypto/hash.ts';
import { findAndDelete } from '../script/findAndDelete.ts';
import { OP } from '../script/opcodes.ts';
import { outpointCodec, outputsCodec } from '../tx/codec.ts';
import type { Transaction } from '../tx/types.ts';
import type { BlankInputs } from './blankInputs.ts';
import { inputAt, midstateOf, type SighashMidstate } from './midstate.ts';
import { isAnyoneCanPay, outputModeOf } from './sighashType.ts';
import type { LegacySighash } from './types.ts';

export interface LegacySighashInput {
  readonly tx: Transaction;
  /** 0-based. */
  readonly inputIndex: number;
  /** The scriptPubKey or redeemScript, from behind the last OP_CODESEPARATOR that was executed. */
  readonly scriptCode: Uint8Array;
  /** 32 bits. Undefined types mean something as well, as in consensus. */
  readonly sighashType: number;
  readonly midstate?: SighashMidstate;
}

const BLANK_VALUE = -1n;
const EMPTY_SCRIPT = new Uint8Array(0);
const CODESEPARATOR = Uint8Array.of(OP.CODESEPARATOR);

/**
 * Computes the digest that an ECDSA signature of a non-witness input commits to.
 *
 * Does not remove the signature's own push from `scriptCode` (`findAndDelete` does), and refuses no hash type.
 * @returns 32 bytes: SHA256 twice of `legacySigMsg`; the number one, little-endian, for SINGLE without an output
 * @throws `sighash/input-index`, `sighash/midstate`
 * @see Bitcoin Core `SignatureHash`, SigVersion::BASE
 */
export function legacySighash(given: LegacySighashInput): LegacySighash {
  const message = messageOf(given);
  if (message) return sha256(message.stateOfHead().update(message.rest).digest()) as LegacySighash;
  // The original rules sign this number where there is nothing to sign.
  const one = new Uint8Array(32);
  one[0] = 1;
  return one as LegacySighash;
}

/** What `legacySighash` hashes; `undefined` for SINGLE without an output, which hashes nothing. */
export function legacySigMsg(given: LegacySighashInput): Uint8Array | undefined {
  const message = messageOf(given);
  return message && concatBytes(message.head(), message.rest);
}

/** What is signed, cut where the digests of several inputs part. */
interface LegacyMessage {
  readonly head: () => Uint8Array;
  readonly stateOfHead: () => Sha256State;
  readonly rest: Uint8Array;
}

function messageOf(given: LegacySighashInput): LegacyMessage | undefined {
  const { tx, inputIndex, scriptCode, sighashType } = given;
  const input = inputAt(tx, inputIndex);
  const mode = outputModeOf(sighashType);
  if (mode === 'single' && inputIndex >= tx.outputs.length) return undefined;
  const midstate = midstateOf({ tx, midstate: given.midstate });
  const others = othersOf(midstate, sighashType);
  const after = others?.bytesAfter(inputIndex) ?? EMPTY_SCRIPT;
  const outputs = mode === 'all' ? midstate.outputs() : partOfOutputs(mode, tx, inputIndex);

  const rest = createWriter(64 + scriptCode.length + after.length + outputs.length);
  outpointCodec.write(rest, input.outpoint);
  writeVarBytes(rest, findAndDelete(scriptCode, CODESEPARATOR));
  writeU32(rest, input.sequence);
  writeBytes(rest, after);
  writeBytes(rest, outputs);
  writeU32(rest, tx.locktime);
  writeU32(rest, sighashType >>> 0);
  if (others) {
    return {
      head: () => others.bytesBefore(inputIndex),
      stateOfHead: () => others.stateBefore(inputIndex),
      rest: written(rest),
    };
  }
  const head = headOfOneInput(tx);
  return { head: () => head, stateOfHead: () => startSha256().update(head), rest: written(rest) };
}

/** The other inputs, unless the signature leaves them open. Their sequences are open as soon as some output is. */
function othersOf(midstate: SighashMidstate, sighashType: number): BlankInputs | undefined {
  if (isAnyoneCanPay(sighashType)) return undefined;
  return outputModeOf(sighashType) === 'all' ? midstate.blankInputs() : midstate.blankInputsWithoutSequence();
}

function headOfOneInput(tx: Transaction): Uint8Array {
  const head = createWriter(8);
  writeU32(head, tx.version);
  writeCompactSize(head, 1);
  return written(head);
}

/** No outputs; or those up to the input's own, all but that blank. */
function partOfOutputs(mode: 'none' | 'single', tx: Transaction, inputIndex: number): Uint8Array {
  const outputs = tx.outputs.slice(0, mode === 'none' ? 0 : inputIndex + 1);
  const blank = { value: BLANK_VALUE, scriptPubKey: EMPTY_SCRIPT };
  return encode(
    outputsCodec,
    outputs.map((output, i) => (i === inputIndex ? output : blank)),
  );
}
