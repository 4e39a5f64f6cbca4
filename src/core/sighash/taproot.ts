import { encode, varBytes } from '../bytes/codec.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { createWriter, type Writer, writeBytes, writeU8, writeU32, written } from '../bytes/writer.ts';
import { sha256, taggedHash } from '../crypto/hash.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import { outpointCodec, txOutCodec } from '../tx/codec.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import { inputAt, resolveMidstate, type SighashMidstate } from './midstate.ts';
import {
  isAnyoneCanPay,
  isTaprootSighashType,
  outputMode,
  singleWithoutOutput,
  undefinedSighashType,
} from './sighashType.ts';

declare const taprootBrand: unique symbol;

/** The digest that a Schnorr signature of a taproot input signs. */
export type TaprootSighash = Uint8Array & { readonly [taprootBrand]: true };

/** The input, coins and hash type of a taproot digest. */
export interface TaprootSighashInput {
  readonly tx: Transaction;
  /** The outputs being spent, one per input. */
  readonly prevouts: readonly TxOut[];
  /** 0-based. */
  readonly inputIndex: number;
  /** 0 to 3, or 0x81 to 0x83. */
  readonly sighashType: number;
  /** With its tag 0x50. */
  readonly annex?: Uint8Array;
  /** Omitted for the key path. */
  readonly tapscript?: TapscriptPlace;
  readonly midstate?: SighashMidstate;
}

/** The place in a leaf where a signature is checked. @see BIP342 "Common Signature Message Extension" */
export interface TapscriptPlace {
  readonly leafHash: TapLeafHash;
  /** Of the last executed OP_CODESEPARATOR, counted in instructions; omitted if there was none. */
  readonly codeSeparatorPosition?: number;
}

const TAPROOT_INPUT: OptionNames<TaprootSighashInput> = {
  tx: 'needed',
  prevouts: 'needed',
  inputIndex: 'needed',
  sighashType: 'needed',
  annex: true,
  tapscript: true,
  midstate: true,
};
const TAPSCRIPT: OptionNames<TapscriptPlace> = { leafHash: 'needed', codeSeparatorPosition: true };

const EPOCH = 0x00;
const KEY_VERSION = 0x00;
const NO_CODE_SEPARATOR = 0xffff_ffff;

const hashTapSighash = /* @__PURE__ */ taggedHash('TapSighash');

/**
 * Computes the digest that a Schnorr signature commits to. Does not check that the prevout is a taproot output.
 * @returns the tagged hash "TapSighash" of `taprootSigMsg`
 * @throws `sighash/input-index`, `sighash/prevouts`, `sighash/midstate`, `sighash/type`,
 * `sighash/single-without-output`
 * @see BIP341 "Common signature message"; BIP342 for leaves
 */
export function taprootSighash(options: TaprootSighashInput): TaprootSighash {
  return hashTapSighash(taprootSigMsg(options)) as TaprootSighash;
}

/** Returns the bytes that `taprootSighash` hashes: the epoch, 0x00, and BIP341's SigMsg with BIP342's extension. */
export function taprootSigMsg(options: TaprootSighashInput): Uint8Array {
  assertKnownOptions(options, TAPROOT_INPUT);
  const { tx, inputIndex, sighashType, annex, tapscript } = options;
  if (tapscript) assertKnownOptions(tapscript, TAPSCRIPT, 'tapscript.');
  const input = inputAt(tx, inputIndex);
  const midstate = resolveMidstate(options);
  if (!isTaprootSighashType(sighashType)) throw undefinedSighashType(sighashType, 'taproot');
  const isAlone = isAnyoneCanPay(sighashType);
  const mode = outputMode(sighashType);

  const writer = createWriter(256);
  writeU8(writer, EPOCH);
  writeU8(writer, sighashType);
  writeU32(writer, tx.version);
  writeU32(writer, tx.locktime);
  if (!isAlone) {
    const { prevouts, sequences } = midstate.hashes();
    const { amounts, scriptPubKeys } = midstate.spentHashes();
    for (const hash of [prevouts, amounts, scriptPubKeys, sequences]) writeBytes(writer, hash);
  }
  if (mode === 'all') writeBytes(writer, midstate.hashes().outputs);
  writeU8(writer, (tapscript ? 2 : 0) + (annex ? 1 : 0));
  if (isAlone) {
    outpointCodec.write(writer, input.outpoint);
    writePrevout(writer, options);
    writeU32(writer, input.sequence);
  } else {
    writeU32(writer, inputIndex);
  }
  if (annex) writeBytes(writer, sha256(encode(varBytes, annex)));
  if (mode === 'single') writeBytes(writer, hashSingle(tx, inputIndex));
  if (tapscript) {
    writeBytes(writer, tapscript.leafHash);
    writeU8(writer, KEY_VERSION);
    writeU32(writer, tapscript.codeSeparatorPosition ?? NO_CODE_SEPARATOR);
  }
  return written(writer);
}

function writePrevout(writer: Writer, { prevouts, inputIndex }: TaprootSighashInput): void {
  const prevout = prevouts[inputIndex];
  if (prevout) txOutCodec.write(writer, prevout);
}

function hashSingle(tx: Transaction, inputIndex: number): Uint8Array {
  const output = tx.outputs[inputIndex];
  if (!output) throw singleWithoutOutput(inputIndex, tx.outputs.length);
  return sha256(encode(txOutCodec, output));
}
