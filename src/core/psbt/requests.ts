import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';
import type { SchnorrPlace, SignatureRequest } from '../signing/keySigner.ts';
import type { SchnorrKey } from '../signing/musig2Signing.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { createSignatures, type InputDigests, type KeyFinder } from '../signing/signatureCreator.ts';
import { forgetSignatures, type Missing, type SignatureData } from '../signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { commitsToLeaf, outputTweak } from '../signing/taprootCommitment.ts';
import type { PsbtInput } from './format/types.ts';
import { inputSignatureData } from './inputSignatureData.ts';
import { type PushedKeys, pushedKeys } from './namedKeys.ts';
import { computeDigests, type SessionInput } from './session.ts';
import { findSilentSpend } from './silentPayments/spends.ts';

/** Lists all signatures that an input could use for a hash type, held or not. */
export function wantedSignatures(
  { session, input, index }: SessionInput,
  sighashType: number,
  publicKey?: SigningProvider['publicKey'],
): readonly SignatureRequest[] {
  const scriptPubKey = session.coins[index]?.coin.scriptPubKey;
  const digests = computeDigests(session, index, sighashType);
  if (!scriptPubKey || !digests) return [];
  return recordedRequests(input, digests, { scriptPubKey, counts: () => false, publicKey }).requests;
}

interface Recorded {
  readonly requests: readonly SignatureRequest[];
  readonly missing: readonly Missing[];
  readonly isWitness: boolean;
}

interface RecordingOptions {
  readonly scriptPubKey: Uint8Array;
  readonly counts: (signature: Uint8Array) => boolean;
  readonly publicKey?: SigningProvider['publicKey'] | undefined;
}

export function recordedRequests(
  input: PsbtInput,
  digests: InputDigests,
  { scriptPubKey, counts, publicKey = NO_PROVIDER.publicKey }: RecordingOptions,
): Recorded {
  const data = inputSignatureData(input);
  forgetSignatures(data, counts);
  const requests: SignatureRequest[] = [];
  const names = new Set<string>();
  const { outputKey, ecc } = digests;
  const silent = outputKey && findSilentSpend(input, outputKey, ecc);
  const keys = recordingKeys(digests, data, (recorded) => {
    const isOutputKey = recorded.algorithm === 'schnorr' && recorded.path === 'key' && !recorded.internalKey;
    const request = silent && isOutputKey ? { ...recorded, ...silent } : recorded;
    // Several solutions may need one signature, as do an output key and its internal key.
    const name = bytesKey(request.digest) + bytesKey(request.publicKey);
    if (!names.has(name)) requests.push(request);
    names.add(name);
  });
  const { isWitness, isSolved } = produceSignature(
    {
      provider: { ...NO_PROVIDER, publicKey },
      data,
      creator: createSignatures(digests, keys),
      rules: CURRENT_RULES,
    },
    scriptPubKey,
  );
  if (!isSolved) askPushedKeys(pushedKeys(scriptPubKey, input), { digests, keys, known: data });
  const missing = data.missing.filter(({ kind }) => !['private-key', 'output-key', 'leaf-key'].includes(kind));
  return { requests, missing, isWitness };
}

/** Requests signatures of pushed keys; the wallet that reads the script finalizes it. */
function askPushedKeys(
  pushed: readonly PushedKeys[],
  {
    digests,
    keys,
    known: data,
  }: { readonly digests: InputDigests; readonly keys: KeyFinder; readonly known: SignatureData },
): void {
  for (const place of pushed) {
    const { isSigned, find, compute } =
      'script' in place
        ? {
            isSigned: (publicKey: Uint8Array) => data.signatures.has(bytesKey(publicKey)),
            find: keys.ecdsa,
            compute: () => digests.ecdsaDigest(place.script.scriptCode, digests.ecdsaType, place.script.version),
          }
        : {
            isSigned: (publicKey: Uint8Array) =>
              data.taproot.signatures.has(bytesKey(publicKey) + bytesKey(place.leafHash)),
            find: (publicKey: Uint8Array) => keys.schnorr({ kind: 'leaf', publicKey, leafHash: place.leafHash }),
            compute: () => digests.schnorrDigest(place.leafHash),
          };
    const unsigned = place.publicKeys.filter((publicKey) => !isSigned(publicKey));
    const digest = unsigned.length > 0 ? compute() : undefined;
    if (digest) for (const publicKey of unsigned) find(publicKey)?.(digest);
  }
}

export function taprootOutputKey(scriptPubKey: Uint8Array = new Uint8Array(0)): Uint8Array | undefined {
  const template = classifyScript(scriptPubKey);
  return template.type === 'witness_v1_taproot' ? template.program : undefined;
}

/**
 * Records a request for every key; for Schnorr only if the coin itself is taproot, as consensus does not run a taproot
 * program within P2SH.
 * @see BIP341 "Script validation rules"
 */
function recordingKeys(
  { inputIndex, ecc, ecdsaType, schnorrType, outputKey }: InputDigests,
  data: SignatureData,
  record: (request: SignatureRequest) => void,
): KeyFinder {
  const findOrigin = (keys: SignatureData['keys'], publicKey: Uint8Array): Pick<SignatureRequest, 'origin'> => {
    const origin = keys.get(bytesKey(publicKey))?.origin;
    return origin ? { origin } : {};
  };
  const isCommitted = outputKey && commitsToLeaf(data.taproot, outputKey, ecc);
  return {
    ecdsa: (publicKey) => (digest) => {
      const origin = findOrigin(data.keys, publicKey);
      record({ algorithm: 'ecdsa', inputIndex, publicKey, digest, sighashType: ecdsaType, ...origin });
      return undefined;
    },
    schnorr: (key) => (digest) => {
      const place = isCommitted && schnorrPlace(key, ecc, isCommitted);
      const origin = findOrigin(data.taproot.keys, key.publicKey);
      if (place) record({ algorithm: 'schnorr', inputIndex, digest, sighashType: schnorrType, ...origin, ...place });
      return undefined;
    },
  };
}

/** Returns where a key signs; `undefined` unless it tweaks to the output key, or the coin commits to its leaf. */
export function schnorrPlace(
  key: SchnorrKey,
  ecc: Ecc,
  isCommitted: (leafHash: TapLeafHash) => boolean,
): SchnorrPlace | undefined {
  const { publicKey } = key;
  if (key.kind === 'leaf') {
    return isCommitted(key.leafHash) ? { path: 'script', publicKey, leafHash: key.leafHash } : undefined;
  }
  if (key.kind === 'output') return { path: 'key', publicKey };
  const tweak = outputTweak(key, ecc);
  return tweak && { path: 'key', publicKey: key.outputKey, internalKey: publicKey, tweak };
}
