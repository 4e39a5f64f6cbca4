import { encode } from '../bytes/codec.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import {
  compactSizeLength,
  createWriter,
  writeBytes,
  writeI64,
  writeU32,
  writeVarBytes,
  written,
} from '../bytes/writer.ts';
import { sha256d } from '../crypto/hash.ts';
import { outpointCodec, txOutCodec } from '../tx/codec.ts';
import type { Transaction } from '../tx/types.ts';
import { inputAt, resolveMidstate, type SighashMidstate } from './midstate.ts';
import { isAnyoneCanPay, outputMode } from './sighashType.ts';

declare const segwitV0Brand: unique symbol;

/** The digest that an ECDSA signature of a version 0 witness input signs. */
export type SegwitV0Sighash = Uint8Array & { readonly [segwitV0Brand]: true };

/** The input, coin and hash type of a segwit v0 digest. */
export interface SegwitV0SighashInput {
  readonly tx: Transaction;
  /** 0-based. */
  readonly inputIndex: number;
  /** The P2PKH script of a P2WPKH hash, or the witnessScript from after the last executed OP_CODESEPARATOR. */
  readonly scriptCode: Uint8Array;
  /** Of the output being spent, in satoshi. */
  readonly value: bigint;
  /** As in consensus, undefined types have a meaning, too. */
  readonly sighashType: number;
  readonly midstate?: SighashMidstate;
}

const SEGWIT_INPUT: OptionNames<SegwitV0SighashInput> = {
  tx: 'needed',
  inputIndex: 'needed',
  scriptCode: 'needed',
  value: 'needed',
  sighashType: 'needed',
  midstate: true,
};

const ZERO_HASH = new Uint8Array(32);
const FIXED_SIZE = 156;

/**
 * Computes the digest that an ECDSA signature of a version 0 witness input commits to. Accepts every hash type.
 * @returns the double SHA256 of `segwitV0SigMsg`
 * @throws `sighash/input-index`, `sighash/midstate`, `bytes/out-of-range` for a value beyond 64 bits
 * @see BIP143 "Specification"
 */
export function segwitV0Sighash(options: SegwitV0SighashInput): SegwitV0Sighash {
  assertKnownOptions(options, SEGWIT_INPUT);
  const midstate = resolveMidstate(options);
  return midstate.ecdsaDigest(options, () => sha256d(serializeMessage(options, midstate))) as SegwitV0Sighash;
}

/** Returns the bytes that `segwitV0Sighash` hashes. */
export function segwitV0SigMsg(options: SegwitV0SighashInput): Uint8Array {
  assertKnownOptions(options, SEGWIT_INPUT);
  return serializeMessage(options, resolveMidstate(options));
}

function serializeMessage(options: SegwitV0SighashInput, midstate: SighashMidstate): Uint8Array {
  const { tx, inputIndex, scriptCode, value, sighashType } = options;
  const input = inputAt(tx, inputIndex);
  const hashes = midstate.doubleHashes();
  const mode = outputMode(sighashType);
  const isAlone = isAnyoneCanPay(sighashType);

  const writer = createWriter(FIXED_SIZE + compactSizeLength(scriptCode.length) + scriptCode.length);
  writeU32(writer, tx.version);
  writeBytes(writer, isAlone ? ZERO_HASH : hashes.prevouts);
  writeBytes(writer, isAlone || mode !== 'all' ? ZERO_HASH : hashes.sequences);
  outpointCodec.write(writer, input.outpoint);
  writeVarBytes(writer, scriptCode);
  writeI64(writer, value);
  writeU32(writer, input.sequence);
  writeBytes(writer, mode === 'all' ? hashes.outputs : mode === 'none' ? ZERO_HASH : hashSingle(tx, inputIndex));
  writeU32(writer, tx.locktime);
  writeU32(writer, sighashType >>> 0);
  return written(writer);
}

function hashSingle(tx: Transaction, inputIndex: number): Uint8Array {
  const output = tx.outputs[inputIndex];
  return output ? sha256d(encode(txOutCodec, output)) : ZERO_HASH;
}
