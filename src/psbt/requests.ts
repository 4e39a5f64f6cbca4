import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';
import type { Missing } from '../signing/missing.ts';
import type { SchnorrKey } from '../signing/musig2Signing.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { aggregatesWith, outputTweak, type SignatureCreator } from '../signing/signatureCreator.ts';
import { forgetSignatures, type SignatureData } from '../signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import type { TxOut } from '../tx/types.ts';
import type { PsbtInput } from './format/types.ts';
import { type InputDigests, inputDigests } from './inputDigests.ts';
import { inputSignatureData } from './inputSignatureData.ts';
import type { PsbtSession } from './session.ts';

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
 * A Schnorr signature that is wanted, valid for the x-only `publicKey`. On the key path that is the output key that the
 * coin commits to: the holder of `internalKey` adds `tweak` to its secret key first.
 */
export type SchnorrRequest = RequestFacts & { readonly algorithm: 'schnorr' } & SchnorrPlace;

/** The key that signs, and where it signs: for the output key or for one leaf. */
type SchnorrPlace = { readonly publicKey: Uint8Array } & (
  | { readonly path: 'key'; readonly internalKey?: Uint8Array; readonly tweak?: Uint8Array }
  | { readonly path: 'script'; readonly leafHash: TapLeafHash }
);

/** A signature that a signer is asked for. */
export type SignatureRequest = EcdsaRequest | SchnorrRequest;

/**
 * Lists all signatures that an input could take for a hash type, whatever type it asks for and whatever it holds.
 *
 * - `publicKey`: shows the keys that scripts name by their hash only
 */
export function wantedSignatures(
  session: PsbtSession,
  input: PsbtInput,
  index: number,
  sighashType: number,
  publicKey?: SigningProvider['publicKey'],
): readonly SignatureRequest[] {
  const coin = session.coins[index]?.coin;
  const digests = inputDigests(session, index, sighashType);
  return coin && digests ? recordedRequests(input, coin, digests, () => false, publicKey).requests : [];
}

/** The signatures that an input takes beyond those that it holds. */
interface Recorded {
  readonly requests: readonly SignatureRequest[];
  /** Scripts, preimages and the like that it lacks. */
  readonly missing: readonly Missing[];
  readonly isWitness: boolean;
}

/** Solves an input with the signatures that count, and gathers those that it would take beside them. */
export function recordedRequests(
  input: PsbtInput,
  { scriptPubKey }: TxOut,
  digests: InputDigests,
  counts: (signature: Uint8Array) => boolean,
  publicKey: SigningProvider['publicKey'] = NO_PROVIDER.publicKey,
): Recorded {
  const known = inputSignatureData(input);
  forgetSignatures(known, counts);
  const requests: SignatureRequest[] = [];
  const names = new Set<string>();
  const isTaproot = taprootOutputKey(scriptPubKey) !== undefined;
  const creator = recording(digests, known, (request) => {
    // Within P2SH, no signature is checked of a taproot program. BIP341 "Script validation rules".
    if (request.algorithm === 'schnorr' && !isTaproot) return;
    // A script may be solved in more than one way, and an output key stands for its internal key.
    const name = bytesKey(request.digest) + bytesKey(request.publicKey);
    if (!names.has(name)) requests.push(request);
    names.add(name);
  });
  const { isWitness } = produceSignature(
    { provider: { ...NO_PROVIDER, publicKey }, known, creator, rules: CURRENT_RULES },
    scriptPubKey,
  );
  const missing = known.missing.filter(({ kind }) => !['private-key', 'output-key', 'leaf-key'].includes(kind));
  return { requests, missing, isWitness };
}

/** The key, x-only, that a taproot coin commits to. */
export function taprootOutputKey(scriptPubKey: Uint8Array = new Uint8Array(0)): Uint8Array | undefined {
  const template = classifyScript(scriptPubKey);
  return template.type === 'witness_v1_taproot' ? template.program : undefined;
}

/** Records what a signer would be asked for. */
function recording(
  digests: InputDigests,
  known: SignatureData,
  record: (request: SignatureRequest) => void,
): SignatureCreator {
  const { inputIndex, digestOf, ecdsaType, schnorrType, schnorrDigest, isMet } = digests;
  return {
    isMet,
    aggregate: aggregatesWith(digests),
    ecdsa: (publicKey, scriptCode, sigVersion) => {
      if (sigVersion === 'witness-v0' && publicKey.length !== 33) return { kind: 'compressed-key', publicKey };
      const digest = digestOf(scriptCode, ecdsaType, sigVersion);
      const origin = known.keys.get(bytesKey(publicKey))?.origin;
      record({ algorithm: 'ecdsa', inputIndex, publicKey, digest, sighashType: ecdsaType, ...(origin && { origin }) });
      return { kind: 'private-key', publicKey };
    },
    schnorr: (key) => {
      const { publicKey } = key;
      const isLeaf = key.kind === 'leaf';
      const place = placeOf(key, digests.ecc);
      const digest = schnorrDigest(isLeaf ? key.leafHash : undefined);
      if (!digest) return { kind: 'other-coins' };
      const origin = known.taproot.keys.get(bytesKey(publicKey))?.origin;
      const facts = { inputIndex, digest, sighashType: schnorrType, ...(origin && { origin }) };
      if (place) record({ algorithm: 'schnorr', ...facts, ...place });
      return isLeaf ? { kind: 'leaf-key', publicKey } : { kind: 'output-key', outputKey: publicKey };
    },
  };
}

/** Returns where a key signs; `undefined` for an internal key that does not make the output key. */
export function placeOf(key: SchnorrKey, ecc: Ecc): SchnorrPlace | undefined {
  const { publicKey } = key;
  if (key.kind === 'leaf') return { path: 'script', publicKey, leafHash: key.leafHash };
  if (key.kind === 'output') return { path: 'key', publicKey };
  const tweak = outputTweak(key, ecc);
  return tweak && { path: 'key', publicKey: key.outputKey, internalKey: publicKey, tweak };
}
