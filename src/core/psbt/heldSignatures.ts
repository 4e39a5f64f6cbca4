import { bytesKey } from '../bytes/compare.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import type { SignatureRequest } from '../signing/keySigner.ts';
import type { SigningProvider } from '../signing/signingProvider.ts';
import { ecdsaType, schnorrType } from './format/recordedTypes.ts';
import type { PsbtInput } from './format/types.ts';
import { taprootOutputKey, wantedSignatures } from './requests.ts';
import type { SessionInput } from './session.ts';
import type { FindCause } from './signatureCause.ts';
import { type RecordedSignature, type SignatureVerdict, signatureVerifier } from './signatureVerifier.ts';

export interface HeldSignature extends RecordedSignature {
  readonly verdict: SignatureVerdict;
  /** The request that it answers, valid or not. */
  readonly request?: SignatureRequest;
}

export type ValidSignature = HeldSignature & Required<Pick<HeldSignature, 'publicKey'>>;

export const isValidSignature = (signature: HeldSignature): signature is ValidSignature =>
  signature.verdict.state === 'valid';

export interface InputSignatures {
  readonly recorded: readonly HeldSignature[];
  /** Requests that no valid signature answers. */
  readonly requests: readonly SignatureRequest[];
}

const placeName = (publicKey: Uint8Array, leafHash: Uint8Array | undefined): string =>
  `${bytesKey(publicKey)}${leafHash ? bytesKey(leafHash) : ''}`;
const requestName = (request: SignatureRequest): string =>
  placeName(
    request.publicKey,
    request.algorithm === 'schnorr' && request.path === 'script' ? request.leafHash : undefined,
  );

interface SignatureOptions {
  readonly sighashType: number;
  /** Asked only about invalid signatures. */
  readonly findCause: FindCause;
  readonly publicKey?: SigningProvider['publicKey'];
}

/** Verifies each signature of an input for its own key and hash type, even if the script does not ask for that key. */
export function inputSignatures(
  sessionInput: SessionInput,
  { sighashType, findCause, publicKey: keyOfHash }: SignatureOptions,
): InputSignatures {
  const requests = wantedSignatures(sessionInput, sighashType, keyOfHash);
  const byName = new Map(requests.map((request) => [requestName(request), request]));
  const recorded = verifiedSignatures(sessionInput).map((signature) => {
    const { publicKey, leafHash } = signature;
    const request = publicKey && byName.get(placeName(publicKey, leafHash));
    const cause = signature.verdict.state === 'invalid' ? findCause(signature) : undefined;
    return {
      ...signature,
      ...(request && { request }),
      ...(cause && { verdict: { state: 'invalid', cause } as const }),
    };
  });
  const answered = new Set(
    recorded.filter(isValidSignature).map(({ publicKey, leafHash }) => placeName(publicKey, leafHash)),
  );
  return { recorded, requests: requests.filter((request) => !answered.has(requestName(request))) };
}

/** Tells whether a signature counts. Takes the very array that the input holds. */
export type CountsSignature = (signature: Uint8Array) => boolean;

export function validSignatures(sessionInput: SessionInput): CountsSignature {
  const valid = verifiedSignatures(sessionInput).filter(isValidSignature);
  const signatures = new Set(valid.map(({ signature }) => signature));
  return (signature) => signatures.has(signature);
}

/**
 * Drops a key path signature that is invalid for the coin, so that valid ones can replace it. Keeps it if not all coins
 * are known.
 */
export function withoutInvalidKeySignature({ session, input, index }: SessionInput): PsbtInput {
  const { tapKeySig, ...rest } = input;
  const outputKey = taprootOutputKey(session.coins[index]?.coin.scriptPubKey);
  if (!tapKeySig || !outputKey || !session.prevouts) return input;
  const isInvalid = verifiedSignatures({ session, input: { tapKeySig }, index }).some(
    ({ verdict }) => verdict.state === 'invalid',
  );
  return isInvalid ? rest : input;
}

function verifiedSignatures(sessionInput: SessionInput): readonly HeldSignature[] {
  const { session, input, index } = sessionInput;
  const recorded = signaturesIn(input, taprootOutputKey(session.coins[index]?.coin.scriptPubKey));
  if (recorded.length === 0) return [];
  const verify = signatureVerifier(sessionInput);
  return recorded.map((signature) => ({ ...signature, verdict: verify(signature) }));
}

/** A key path signature has the key that the coin commits to. */
function signaturesIn(
  { partialSigs = [], tapKeySig, tapScriptSigs = [] }: PsbtInput,
  outputKey?: Uint8Array,
): readonly RecordedSignature[] {
  const [ecdsa, schnorr] = [{ algorithm: 'ecdsa' }, { algorithm: 'schnorr' }] as const;
  return [
    ...partialSigs.map(({ pubkey, signature }) => {
      return { ...ecdsa, publicKey: pubkey, signature, sighashType: ecdsaType(signature) };
    }),
    ...(tapKeySig
      ? [
          {
            ...schnorr,
            ...(outputKey && { publicKey: outputKey }),
            signature: tapKeySig,
            sighashType: schnorrType(tapKeySig),
          },
        ]
      : []),
    ...tapScriptSigs.map(({ pubkey, leafHash, signature }) => ({
      ...schnorr,
      publicKey: pubkey,
      leafHash: leafHash as TapLeafHash,
      signature,
      sighashType: schnorrType(signature),
    })),
  ];
}
