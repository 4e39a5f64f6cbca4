import { encode } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import {
  compactSizeLength,
  createWriter,
  type Writer,
  writeBytes,
  writeCompactSize,
  writeU32,
  written,
} from '../bytes/writer.ts';
import { sha256, sha256d } from '../crypto/hash.ts';
import { instructionAt } from '../script/instructions.ts';
import { OP_CODESEPARATOR, OP_PUSHDATA1 } from '../script/opcodes.ts';
import { outpointCodec, outputsCodec } from '../tx/codec.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import type { BlankInputs } from './blankInputs.ts';
import { inputAt, resolveMidstate, type SighashMidstate } from './midstate.ts';
import { isAnyoneCanPay, outputMode } from './sighashType.ts';

declare const legacyBrand: unique symbol;

/** The digest that an ECDSA signature of a non-witness input signs. */
export type LegacySighash = Uint8Array & { readonly [legacyBrand]: true };

/** The input and hash type of a legacy digest. */
export interface LegacySighashInput {
  readonly tx: Transaction;
  /** 0-based. */
  readonly inputIndex: number;
  /** The scriptPubKey or redeemScript, from after the last executed OP_CODESEPARATOR. */
  readonly scriptCode: Uint8Array;
  /** As in consensus, undefined types have a meaning, too. */
  readonly sighashType: number;
  readonly midstate?: SighashMidstate;
}

const LEGACY_INPUT: OptionNames<LegacySighashInput> = {
  tx: 'needed',
  inputIndex: 'needed',
  scriptCode: 'needed',
  sighashType: 'needed',
  midstate: true,
};

const OUTPOINT_SIZE = 36;
const EMPTY_SCRIPT = new Uint8Array(0);
const BLANK_OUTPUT: TxOut = { value: -1n, scriptPubKey: EMPTY_SCRIPT };

/**
 * Computes the digest that an ECDSA signature of a non-witness input commits to. Expects a `scriptCode` without the
 * signature's own push, and accepts every hash type.
 * @returns the double SHA256 of `legacySigMsg`; the number one, little-endian, for SINGLE without an output
 * @throws `sighash/input-index`, `sighash/midstate`
 * @see Core `SignatureHash`
 */
export function legacySighash(options: LegacySighashInput): LegacySighash {
  assertKnownOptions(options, LEGACY_INPUT);
  const midstate = resolveMidstate({ tx: options.tx, midstate: options.midstate });
  const { inputIndex, scriptCode, sighashType } = options;
  return midstate.ecdsaDigest({ inputIndex, scriptCode, sighashType }, () =>
    hashMessage(messageParts({ ...options, midstate })),
  ) as LegacySighash;
}

function hashMessage(message: LegacyMessage | undefined): Uint8Array {
  if (!message) {
    const digest = new Uint8Array(32);
    digest[0] = 1;
    return digest;
  }
  const { others, inputIndex } = message;
  // The first input has no hash state to share.
  if (!others || inputIndex === 0) return sha256d(wholeMessage(message));
  const rest = createWriter(restSize(message));
  writeRest(rest, message);
  return sha256(others.stateBefore(inputIndex).update(written(rest)).digest());
}

/** Returns the bytes that `legacySighash` hashes; `undefined` for SINGLE without an output. */
export function legacySigMsg(options: LegacySighashInput): Uint8Array | undefined {
  assertKnownOptions(options, LEGACY_INPUT);
  const message = messageParts(options);
  return message && wholeMessage(message);
}

interface LegacyMessage {
  readonly tx: Transaction;
  readonly inputIndex: number;
  readonly input: TxIn;
  readonly scriptCode: SignedScript;
  /** `undefined` with ANYONECANPAY. */
  readonly others: BlankInputs | undefined;
  /** Encoded with their count. */
  readonly outputs: Uint8Array;
  readonly sighashType: number;
}

function messageParts(options: LegacySighashInput): LegacyMessage | undefined {
  const { tx, inputIndex, sighashType } = options;
  const input = inputAt(tx, inputIndex);
  const mode = outputMode(sighashType);
  if (mode === 'single' && inputIndex >= tx.outputs.length) return undefined;
  const midstate = resolveMidstate({ tx, midstate: options.midstate });
  return {
    tx,
    inputIndex,
    input,
    scriptCode: signedScript(options.scriptCode),
    others: otherInputs(midstate, sighashType),
    outputs: mode === 'all' ? midstate.outputs() : partOfOutputs(mode, tx, inputIndex),
    sighashType,
  };
}

/** The length that is serialized, `size`, may exceed that of `bytes`. */
interface SignedScript {
  readonly size: number;
  readonly bytes: Uint8Array;
}

/**
 * Removes every OP_CODESEPARATOR. Of a push that runs past the end, Core serializes only the opcode and, if complete,
 * its length bytes, although it states the full length. Such a script cannot be spent, but its digest decides which
 * error is reported.
 * @see Core `CTransactionSignatureSerializer::SerializeScriptCode`
 */
function signedScript(script: Uint8Array): SignedScript {
  const kept: Uint8Array[] = [];
  let separators = 0;
  let keptFrom = 0;
  let offset = 0;
  while (offset < script.length) {
    const instruction = instructionAt(script, offset);
    if (!instruction) {
      offset = brokenPushEnd(script, offset);
      break;
    }
    if (instruction.opcode === OP_CODESEPARATOR) {
      kept.push(script.slice(keptFrom, offset));
      keptFrom = instruction.end;
      separators += 1;
    }
    offset = instruction.end;
  }
  if (separators === 0 && offset === script.length) return { size: script.length, bytes: script };
  return { size: script.length - separators, bytes: concatBytes(...kept, script.slice(keptFrom, offset)) };
}

function brokenPushEnd(script: Uint8Array, offset: number): number {
  const opcode = script[offset] ?? 0;
  const lengthBytes = opcode < OP_PUSHDATA1 ? 0 : 1 << (opcode - OP_PUSHDATA1);
  const end = offset + 1 + lengthBytes;
  return end > script.length ? offset + 1 : end;
}

function otherInputs(midstate: SighashMidstate, sighashType: number): BlankInputs | undefined {
  if (isAnyoneCanPay(sighashType)) return undefined;
  return outputMode(sighashType) === 'all' ? midstate.blankInputs() : midstate.blankInputsWithoutSequence();
}

/** Blanks the outputs before that of the input's index, for SINGLE. */
function partOfOutputs(mode: 'none' | 'single', tx: Transaction, inputIndex: number): Uint8Array {
  const outputs = tx.outputs.slice(0, mode === 'none' ? 0 : inputIndex + 1);
  return encode(
    outputsCodec,
    outputs.map((output, i) => (i === inputIndex ? output : BLANK_OUTPUT)),
  );
}

function wholeMessage(message: LegacyMessage): Uint8Array {
  const { tx, others, inputIndex } = message;
  const before = others?.before(inputIndex) ?? EMPTY_SCRIPT;
  const inputCount = others ? tx.inputs.length : 1;
  const writer = createWriter(4 + compactSizeLength(inputCount) + before.length + restSize(message));
  writeU32(writer, tx.version);
  writeCompactSize(writer, inputCount);
  writeBytes(writer, before);
  writeRest(writer, message);
  return written(writer);
}

function writeRest(
  writer: Writer,
  { tx, inputIndex, input, scriptCode, others, outputs, sighashType }: LegacyMessage,
): void {
  outpointCodec.write(writer, input.outpoint);
  writeCompactSize(writer, scriptCode.size);
  writeBytes(writer, scriptCode.bytes);
  writeU32(writer, input.sequence);
  if (others) writeBytes(writer, others.after(inputIndex));
  writeBytes(writer, outputs);
  writeU32(writer, tx.locktime);
  writeU32(writer, sighashType >>> 0);
}

function restSize({ inputIndex, scriptCode, others, outputs }: LegacyMessage): number {
  const own = OUTPOINT_SIZE + compactSizeLength(scriptCode.size) + scriptCode.bytes.length + 4;
  return own + (others?.after(inputIndex).length ?? 0) + outputs.length + 8;
}
