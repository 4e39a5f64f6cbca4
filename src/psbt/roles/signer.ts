import { concatBytes, equalBytes } from '../../bytes/compare.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { encodeDer, hasHighS, verifyConsensusEcdsa } from '../../crypto/ecdsa.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { BtcError } from '../../errors.ts';
import { isStrictSignature } from '../../script/signatureEncoding.ts';
import { isTaprootSighashType } from '../../sighash/sighashType.ts';
import type { Missing } from '../../signing/missing.ts';
import type { SignatureRequest } from '../../signing/signatureRequest.ts';
import { CURRENT_RULES } from '../../signing/signingRules.ts';
import type { SessionOptions } from '../../signing/txContext.ts';
import { claimedCoin } from '../format/inputCoin.ts';
import { afterSigning } from '../format/modifiable.ts';
import { isFinal } from '../format/nodeOrder.ts';
import type { Psbt, PsbtInput } from '../format/types.ts';
import { validSignatures, withoutInvalidKeySignature } from '../heldSignatures.ts';
import { recordedRequests, taprootOutputKey } from '../requests.ts';
import { digestsOf, openSession, type PsbtSession } from '../session.ts';
import { agreesOnType, usualType } from '../solveInput.ts';

export interface SignOptions extends SessionOptions {
  /**
   * The hash type to sign with: default DEFAULT for taproot, else ALL. An input that asks for another one is refused, so
   * that nobody signs less than everything without having named it.
   */
  readonly sighashType?: number;
  /**
   * Finds the public key of a hash of 20 bytes, so that inputs whose scripts name a key by its hash can be asked for
   * without a derivation record. Default those that the PSBT shows.
   */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
}

/** What came of an input. `asked`: signatures were wanted; `signed` are the keys of those that came. */
export interface SignedInput {
  readonly status:
    | 'final'
    | 'asked'
    | 'no-coin'
    | 'sighash-mismatch'
    | 'sighash-undefined'
    | 'single-without-output'
    /** A legacy coin, or one that may be, of which the previous transaction is not there. */
    | 'unproven-legacy-coin';
  readonly signed: readonly Uint8Array[];
  /** What else it would take, such as scripts. */
  readonly missing: readonly Missing[];
}

export interface SignedPsbt {
  readonly psbt: Psbt;
  readonly inputs: readonly SignedInput[];
}

/**
 * Signs a PSBT without touching a key: yields what is to be signed, takes the signatures or `undefined`, verifies them
 * and puts them in. Whoever drives it may ask a file, a device, a service or a person, at once or later. Each request
 * stands by itself. After a signature for taproot's key path, its scripts are not asked for.
 * @throws where it is resumed: `signature/invalid` for an answer that is no valid signature
 * @see BIP174 "Signer"
 */
export function* signingRequests(
  psbt: Psbt,
  options: SignOptions = {},
): Generator<SignatureRequest, SignedPsbt, Uint8Array | undefined> {
  const session = openSession(psbt, options);
  let current = psbt;
  const inputs: SignedInput[] = [];
  for (const [index, input] of psbt.inputs.entries()) {
    const { status, requests, missing } = requestsOf(session, input, index, options);
    const signed: Uint8Array[] = [];
    for (const request of requests) {
      const signature = yield request;
      if (!signature) continue;
      current = applySignature(current, request, signature, session.ecc);
      signed.push(request.publicKey);
      if (request.algorithm === 'schnorr' && request.path === 'key') break;
    }
    inputs.push({ status, signed, missing });
  }
  return { psbt: current, inputs };
}

interface Requests extends Pick<SignedInput, 'status' | 'missing'> {
  readonly requests: readonly SignatureRequest[];
}

function requestsOf(session: PsbtSession, input: PsbtInput, index: number, options: SignOptions): Requests {
  const none = (status: SignedInput['status']): Requests => ({ status, requests: [], missing: [] });
  const found = session.coins[index];
  if (isFinal(input)) return none('final');
  if (!found) return none('no-coin');
  const { coin, trust } = found;
  const sighashType = options.sighashType ?? usualType(coin, CURRENT_RULES);
  if (!isTaprootSighashType(sighashType)) return none('sighash-undefined');
  const held = withoutInvalidKeySignature(session, input, index);
  if (!agreesOnType(held, sighashType)) return none('sighash-mismatch');
  const digests = digestsOf(session, index, sighashType);
  if (!digests) return none('no-coin');
  if (digests.isLoneSingle) return none('single-without-output');
  // A signature that is not valid is as good as missing.
  const counts = validSignatures(session, held, index, sighashType);
  const { requests, missing, isWitness } = recordedRequests(held, coin, digests, counts, options.publicKey);
  if (trust === 'claimed' && !isWitness) return { ...none('unproven-legacy-coin'), missing };
  return { status: 'asked', requests, missing };
}

/**
 * Puts a signature into the PSBT that it was asked for if it is valid, and takes back the leave to change what it commits
 * to. What is asked for is taken from the request: one of another PSBT makes a signature that will not do.
 *
 * - `signature`: 64 bytes, r and s or BIP340's form; or as in scripts: DER for ECDSA, with the request's hash type
 *
 * @throws `signature/invalid`
 */
export function applySignature(
  psbt: Psbt,
  request: SignatureRequest,
  signature: Uint8Array,
  ecc: Ecc = nobleEcc,
): Psbt {
  const { inputIndex } = request;
  const input = psbt.inputs[inputIndex];
  if (!input) throw new BtcError('signature/invalid', { inputIndex, reason: 'input' });
  const item = itemOf(request, signature);
  assertValid(request, item, ecc);
  assertOutputKey(psbt, request);
  const next = withSighashType(withSignature(input, request, item), request);
  const inputs = psbt.inputs.map((other, index) => (index === inputIndex ? next : other));
  return afterSigning({ ...psbt, inputs }, request.sighashType);
}

/** @throws `signature/invalid` */
function assertValid({ algorithm, inputIndex, digest, publicKey }: SignatureRequest, item: Uint8Array, ecc: Ecc): void {
  const refuse = (reason: 'encoding' | 'high-s' | 'not-valid'): never => {
    throw new BtcError('signature/invalid', { inputIndex, reason });
  };
  if (algorithm === 'schnorr') {
    if (!ecc.verifySchnorr(item.slice(0, 64), digest, publicKey)) refuse('not-valid');
    return;
  }
  const der = item.subarray(0, -1);
  if (!isStrictSignature(item)) refuse('encoding');
  if (hasHighS(der)) refuse('high-s');
  if (!verifyConsensusEcdsa(ecc, der, digest, publicKey)) refuse('not-valid');
}

/** Refuses a key path request for another key than the one that the coin commits to. @throws `signature/invalid` */
function assertOutputKey(psbt: Psbt, request: SignatureRequest): void {
  if (request.algorithm !== 'schnorr' || request.path !== 'key') return;
  const { inputIndex, publicKey } = request;
  const outputKey = taprootOutputKey(claimedCoin(psbt, inputIndex)?.scriptPubKey);
  if (outputKey && equalBytes(outputKey, publicKey)) return;
  throw new BtcError('signature/invalid', { inputIndex, reason: 'not-valid' });
}

/** Adds a signature, or replaces the one of the same key. */
function withSignature(input: PsbtInput, request: SignatureRequest, signature: Uint8Array): PsbtInput {
  const { publicKey: pubkey } = request;
  if (request.algorithm === 'ecdsa') {
    const others = input.partialSigs?.filter((other) => !equalBytes(other.pubkey, pubkey)) ?? [];
    return { ...input, partialSigs: [...others, { pubkey, signature }] };
  }
  if (request.path === 'key') return { ...input, tapKeySig: signature };
  const { leafHash } = request;
  const others = input.tapScriptSigs?.filter(
    (other) => !equalBytes(other.pubkey, pubkey) || !equalBytes(other.leafHash, leafHash),
  );
  return { ...input, tapScriptSigs: [...(others ?? []), { pubkey, leafHash, signature }] };
}

/** A signature with its hash type, as scripts hold it. */
function itemOf({ inputIndex, algorithm, sighashType }: SignatureRequest, signature: Uint8Array): Uint8Array {
  const type = sighashType === 0 ? new Uint8Array(0) : Uint8Array.of(sighashType);
  if (signature.length === 64) return concatBytes(algorithm === 'ecdsa' ? encodeDer(signature) : signature, type);
  const isWhole = algorithm === 'ecdsa' || signature.length === 65;
  if (isWhole && type.length > 0 && signature.at(-1) === sighashType) return signature;
  throw new BtcError('signature/invalid', { inputIndex, reason: 'sighash-type' });
}

/** The type is written down unless it goes without saying. */
function withSighashType(input: PsbtInput, { algorithm, sighashType }: SignatureRequest): PsbtInput {
  const isUsual = sighashType === (algorithm === 'ecdsa' ? 1 : 0);
  return isUsual ? input : { ...input, sighashType };
}
