import { byteName, concatBytes, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { encodeDer, hasHighS, verifyConsensusEcdsa } from '../crypto/ecdsa.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';
import { type TapLeafHash, tapTweakHash } from '../script/taproot.ts';
import { isTaprootSighashType } from '../sighash/sighashType.ts';
import { aggregatesWith, type SignatureCreator } from '../signing/creator.ts';
import { forgetSignatures, type Knowledge } from '../signing/knowledge.ts';
import type { Missing } from '../signing/missing.ts';
import { produce } from '../signing/produce.ts';
import { NO_PROVIDER } from '../signing/provider.ts';
import { CURRENT_RULES } from '../signing/rules.ts';
import type { TxOut } from '../tx/types.ts';
import { isFinal } from './canonical.ts';
import { type InputDigests, inputDigests } from './inputDigests.ts';
import { knowledgeOfInput } from './knowledge.ts';
import { afterSigning } from './modifiable.ts';
import { openSession, type PsbtSession, type SessionOptions } from './session.ts';
import { agreesOnType, usualType } from './solveInput.ts';
import type { Psbt, PsbtInput } from './types.ts';

interface RequestFacts {
  readonly inputIndex: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  /** The byte that goes behind the signature; none does for 0. */
  readonly sighashType: number;
  /** Where the key comes from, if the PSBT says so. */
  readonly origin?: KeyOrigin;
}

/** An ECDSA signature that is wanted, of a key of 33 or 65 bytes. */
export type EcdsaRequest = RequestFacts & { readonly algorithm: 'ecdsa'; readonly publicKey: Uint8Array };

/**
 * A Schnorr signature that is wanted, valid for the x-only `publicKey`. On the key path that is the output key: whoever
 * holds `internalKey` adds the tweak to his secret key first.
 */
export type SchnorrRequest = RequestFacts & { readonly algorithm: 'schnorr'; readonly publicKey: Uint8Array } & (
    | { readonly path: 'key'; readonly internalKey?: Uint8Array; readonly tweak?: Uint8Array }
    | { readonly path: 'script'; readonly leafHash: TapLeafHash }
  );

/** What a signer is asked for. */
export type SignatureRequest = EcdsaRequest | SchnorrRequest;

export interface SignOptions extends SessionOptions {
  /**
   * The hash type to sign with: default DEFAULT for taproot, else ALL. An input that asks for another one is refused, so
   * that nobody signs less than everything without having named it.
   */
  readonly sighashType?: number;
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

/** Who answers requests: with a signature, or not. */
export type Answerer = (request: SignatureRequest) => Uint8Array | undefined;

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
  if (!agreesOnType(input, sighashType)) return none('sighash-mismatch');
  const digests = inputDigests(session, index, sighashType);
  if (!digests) return none('no-coin');
  if (digests.isLoneSingle) return none('single-without-output');
  const { requests, missing, isWitness } = recorded(input, coin, digests);
  if (trust === 'claimed' && !isWitness) return { ...none('unproven-legacy-coin'), missing };
  return { status: 'asked', requests, missing };
}

/** All signatures that an input could take for a hash type, whatever it asks for and holds, and whoever may be trusted. */
export function wantedSignatures(
  session: PsbtSession,
  input: PsbtInput,
  index: number,
  sighashType: number,
): readonly SignatureRequest[] {
  const coin = session.coins[index]?.coin;
  const digests = inputDigests(session, index, sighashType);
  return coin && digests ? recorded(input, coin, digests, { isBlank: true }).requests : [];
}

function recorded(
  input: PsbtInput,
  { scriptPubKey }: TxOut,
  digests: InputDigests,
  { isBlank = false }: { isBlank?: boolean } = {},
): Pick<Requests, 'requests' | 'missing'> & { readonly isWitness: boolean } {
  const known = knowledgeOfInput(input);
  if (isBlank) forgetSignatures(known);
  const requests: SignatureRequest[] = [];
  const names = new Set<string>();
  const creator = recording(digests, known, (request) => {
    // A script may be solved in more than one way.
    const name = byteName(request.digest) + byteName(request.publicKey);
    if (!names.has(name)) requests.push(request);
    names.add(name);
  });
  const { isWitness } = produce({ provider: NO_PROVIDER, known, creator, rules: CURRENT_RULES }, scriptPubKey);
  const missing = known.missing.filter(({ kind }) => !['private-key', 'output-key', 'leaf-key'].includes(kind));
  return { requests, missing, isWitness };
}

/** Writes down what a signer would be asked for. */
function recording(
  digests: InputDigests,
  known: Knowledge,
  record: (request: SignatureRequest) => void,
): SignatureCreator {
  const { inputIndex, digestOf, ecdsaType, schnorrType, schnorrDigest, isMet } = digests;
  return {
    isMet,
    aggregate: aggregatesWith(digests),
    ecdsa: (publicKey, scriptCode, sigVersion) => {
      if (sigVersion === 'witness-v0' && publicKey.length !== 33) return { kind: 'compressed-key', publicKey };
      const digest = digestOf(scriptCode, ecdsaType, sigVersion);
      const origin = known.keys.get(byteName(publicKey))?.origin;
      record({ algorithm: 'ecdsa', inputIndex, publicKey, digest, sighashType: ecdsaType, ...(origin && { origin }) });
      return { kind: 'private-key', publicKey };
    },
    schnorr: (key) => {
      const { publicKey } = key;
      const isLeaf = key.kind === 'leaf';
      // Where the internal key is known, it is asked for, not the output key.
      const isOther = key.kind === 'output' && known.taproot.internalKey !== undefined;
      const digest = isOther ? undefined : schnorrDigest(isLeaf ? key.leafHash : undefined);
      if (!digest) return isOther ? { kind: 'output-key', outputKey: publicKey } : { kind: 'other-coins' };
      const origin = known.taproot.keys.get(byteName(publicKey))?.origin;
      const facts = { inputIndex, digest, sighashType: schnorrType, ...(origin && { origin }) };
      record({ algorithm: 'schnorr', ...facts, ...placeOf(key, digests.ecc) });
      return isLeaf ? { kind: 'leaf-key', publicKey } : { kind: 'output-key', outputKey: publicKey };
    },
  };
}

function placeOf(key: Parameters<SignatureCreator['schnorr']>[0], ecc: Ecc) {
  const { publicKey } = key;
  if (key.kind === 'leaf') return { path: 'script', publicKey, leafHash: key.leafHash } as const;
  if (key.kind === 'output') return { path: 'key', publicKey } as const;
  const tweak = tapTweakHash(publicKey, key.merkleRoot);
  const outputKey = ecc.tweakPublicKey(publicKey, tweak)?.publicKey ?? publicKey;
  return { path: 'key', publicKey: outputKey, internalKey: publicKey, tweak } as const;
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

/** One that is there for the same key gives way. */
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
