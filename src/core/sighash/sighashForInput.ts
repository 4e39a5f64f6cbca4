import { assertKnownOptions, assertList, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import { isEcdsaSighashType } from '../script/signatureEncoding.ts';
import {
  ANNEX_TAG,
  computeMerkleRoot,
  isOutputKey,
  parseControlBlock,
  TAPSCRIPT_LEAF_VERSION,
  tapLeafHash,
} from '../script/tapTree.ts';
import { classifyScript, parseWitnessProgram } from '../script/template.ts';
import { assertOutline } from '../tx/assertTransaction.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import { type LegacySighash, legacySighash, legacySigMsg } from './legacy.ts';
import { areAllKnown, inputAt, missingPrevouts, type SighashMidstate } from './midstate.ts';
import { type Commitment, resolveCommitment } from './scriptCode.ts';
import { type SegwitV0Sighash, segwitV0Sighash, segwitV0SigMsg } from './segwitV0.ts';
import { assertSighashType, outputMode, SIGHASH, singleWithoutOutput, undefinedSighashType } from './sighashType.ts';
import { type TaprootSighash, type TapscriptPlace, taprootSighash, taprootSigMsg } from './taproot.ts';

/** An input to sign, and the coins that the transaction spends. */
export interface SighashRequest {
  readonly tx: Transaction;
  /** 0-based. */
  readonly inputIndex: number;
  /** The outputs being spent, one per input. For a taproot input, all must be known. */
  readonly prevouts: readonly (TxOut | undefined)[];
  /** Default: ALL, or DEFAULT for taproot. */
  readonly sighashType?: number;
  /** The witnessScript of P2WSH, also in P2SH, or the redeemScript of any other P2SH. */
  readonly scriptCode?: Uint8Array;
  /** Omitted for the key path. */
  readonly leaf?: {
    readonly script: Uint8Array;
    /** Default: 0xc0, tapscript. */
    readonly leafVersion?: number;
    /** Proves that the coin commits to the leaf. Without it, nothing does. */
    readonly controlBlock?: Uint8Array;
    /** Of the last executed OP_CODESEPARATOR, counted in instructions. */
    readonly codeSeparatorPosition?: number;
  };
  /** With its tag 0x50. */
  readonly annex?: Uint8Array;
  readonly midstate?: SighashMidstate;
  /** Verifies the control block. Default `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Returns the hashed message as well. Default: false. */
  readonly withPreimage?: boolean;
}

const REQUEST: OptionNames<SighashRequest> = {
  tx: 'needed',
  inputIndex: 'needed',
  prevouts: 'needed',
  sighashType: true,
  scriptCode: true,
  leaf: true,
  annex: true,
  midstate: true,
  ecc: true,
  withPreimage: true,
};
const LEAF: OptionNames<NonNullable<SighashRequest['leaf']>> = {
  script: 'needed',
  leafVersion: true,
  controlBlock: true,
  codeSeparatorPosition: true,
};

/**
 * The digest to sign for an input, and the kind of signature.
 *
 * - `algorithm`: `legacy` and `segwit-v0` need an ECDSA signature in DER, `taproot-…` a Schnorr signature
 * - `sighashType`: the byte to append to the signature; for 0, append none
 * - `preimage`: the digest is its double SHA256 or, for taproot, its tagged hash "TapSighash"
 */
export type InputSighash =
  | EcdsaInputSighash<'legacy', LegacySighash>
  | EcdsaInputSighash<'segwit-v0', SegwitV0Sighash>
  | (SighashFacts & {
      readonly algorithm: 'taproot-key-path' | 'taproot-script-path';
      readonly digest: TaprootSighash;
    });

interface SighashFacts {
  readonly sighashType: number;
  readonly preimage?: Uint8Array;
}

interface EcdsaInputSighash<Algorithm, Digest> extends SighashFacts {
  readonly algorithm: Algorithm;
  readonly digest: Digest;
  readonly scriptCode: Uint8Array;
}

/**
 * Computes the digest to sign for one input, for signers that keep their keys elsewhere (hardware, HSM, MPC, KMS). The
 * hash type must be defined, and SINGLE needs an output at the input's index: without one, a signature commits to no
 * output at all, or is reusable for other transactions. Outside tapscript, this is the digest before any
 * OP_CODESEPARATOR is executed.
 * @throws `sighash/input-index`, `sighash/prevouts`, `sighash/type`, `sighash/single-without-output`,
 * `sighash/script-code`, `sighash/leaf`, `sighash/unsignable`, `sighash/midstate`
 * @see Core `SignatureHash`; BIP143; BIP341; BIP342
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex, sighashForInput } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const tx = decodeTransaction(parseHex(hex));
 * const prevouts = [{ value: 5000n, scriptPubKey: parseHex(`0014${'00'.repeat(20)}`) }];
 * sighashForInput({ tx, inputIndex: 0, prevouts }).algorithm; // segwit-v0
 * ```
 */
export function sighashForInput(request: SighashRequest): InputSighash {
  assertKnownOptions(request, REQUEST);
  if (request.leaf) assertKnownOptions(request.leaf, LEAF, 'leaf.');
  assertOutline(request.tx);
  assertList('prevouts', request.prevouts);
  assertSighashType(request.sighashType);
  const { tx, inputIndex, prevouts } = request;
  inputAt(tx, inputIndex);
  const prevout = prevouts[inputIndex];
  if (prevouts.length !== tx.inputs.length || !prevout) throw someMissing(request);
  const commitment = resolveCommitment({ inputIndex, scriptPubKey: prevout.scriptPubKey, script: request.scriptCode });
  const sighashType = request.sighashType ?? (commitment.algorithm === 'taproot' ? SIGHASH.DEFAULT : SIGHASH.ALL);
  if (commitment.algorithm !== 'taproot' && !isEcdsaSighashType(sighashType)) {
    throw undefinedSighashType(sighashType, commitment.algorithm);
  }
  if (outputMode(sighashType) === 'single' && inputIndex >= tx.outputs.length) {
    throw singleWithoutOutput(inputIndex, tx.outputs.length);
  }
  return commitment.algorithm === 'taproot'
    ? taprootDigest(request, sighashType)
    : ecdsaDigest(request, { ...commitment, ...prevout, sighashType });
}

type EcdsaCommitment = Exclude<Commitment, { algorithm: 'taproot' }>;

function ecdsaDigest(
  { tx, inputIndex, midstate, leaf, annex, withPreimage }: SighashRequest,
  { algorithm, scriptCode, scriptPubKey, value, sighashType }: EcdsaCommitment & TxOut & { sighashType: number },
): InputSighash {
  if (leaf || annex) {
    const { type } = classifyScript(scriptPubKey);
    throw new BtcError(
      'sighash/leaf',
      { inputIndex, scriptType: type, reason: 'not-taproot' },
      `Input ${inputIndex} is not taproot: leave out leaf and annex`,
    );
  }
  const digestInput = { tx, inputIndex, scriptCode, sighashType, ...(midstate && { midstate }) };
  const facts = { scriptCode, sighashType };
  if (algorithm === 'segwit-v0') {
    const withValue = { ...digestInput, value };
    const preimage = withPreimage ? { preimage: segwitV0SigMsg(withValue) } : {};
    return { algorithm, digest: segwitV0Sighash(withValue), ...facts, ...preimage };
  }
  const preimage = withPreimage ? legacySigMsg(digestInput) : undefined;
  return { algorithm, digest: legacySighash(digestInput), ...facts, ...(preimage && { preimage }) };
}

function placeIn({ script, leafVersion, codeSeparatorPosition }: NonNullable<SighashRequest['leaf']>): TapscriptPlace {
  const leafHash = tapLeafHash(script, leafVersion);
  return { leafHash, ...(codeSeparatorPosition !== undefined && { codeSeparatorPosition }) };
}

function taprootDigest(request: SighashRequest, sighashType: number): InputSighash {
  const { tx, inputIndex, prevouts, midstate, leaf, annex, withPreimage } = request;
  if (!areAllKnown(prevouts)) throw someMissing(request);
  if (annex && annex[0] !== ANNEX_TAG) {
    throw new BtcError(
      'sighash/leaf',
      { inputIndex, scriptType: 'witness_v1_taproot', reason: 'annex-tag' },
      `The annex of input ${inputIndex} does not begin with 0x50`,
    );
  }
  if (leaf?.controlBlock && !isCommitted(leaf, leaf.controlBlock, request)) {
    throw new BtcError(
      'sighash/leaf',
      { inputIndex, scriptType: 'witness_v1_taproot', reason: 'not-committed' },
      `The coin of input ${inputIndex} does not commit to the leaf by this control block`,
    );
  }
  const digestInput = {
    tx,
    inputIndex,
    prevouts,
    sighashType,
    ...(midstate && { midstate }),
    ...(annex && { annex }),
    ...(leaf && { tapscript: placeIn(leaf) }),
  };
  const preimage = withPreimage ? { preimage: taprootSigMsg(digestInput) } : {};
  const algorithm = leaf ? 'taproot-script-path' : 'taproot-key-path';
  return { algorithm, digest: taprootSighash(digestInput), sighashType, ...preimage };
}

function isCommitted(
  { script, leafVersion = TAPSCRIPT_LEAF_VERSION }: NonNullable<SighashRequest['leaf']>,
  controlBlock: Uint8Array,
  { prevouts, inputIndex, ecc = nobleEcc }: SighashRequest,
): boolean {
  const program = parseWitnessProgram(prevouts[inputIndex]?.scriptPubKey ?? new Uint8Array(0))?.program;
  const block = parseControlBlock(controlBlock);
  if (!program || block?.leafVersion !== leafVersion) return false;
  const merkleRoot = computeMerkleRoot(tapLeafHash(script, leafVersion), block.path);
  return isOutputKey(program, { ...block, merkleRoot }, ecc);
}

function someMissing({ tx, prevouts }: SighashRequest): BtcError {
  return missingPrevouts(tx, prevouts.filter((prevout) => prevout !== undefined).length);
}
