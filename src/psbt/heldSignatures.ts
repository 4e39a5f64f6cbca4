import { bytesKey } from '../bytes/compare.ts';
import { hasHighS, verifyConsensusEcdsa } from '../crypto/ecdsa.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';
import { isTaprootSighashType, SIGHASH } from '../sighash/sighashType.ts';
import type { SignatureRequest } from '../signing/keySigner.ts';
import type { SigningProvider } from '../signing/signingProvider.ts';
import type { PsbtInput } from './format/types.ts';
import { taprootOutputKey, wantedSignatures } from './requests.ts';
import { digestsOf, type PsbtSession } from './session.ts';

/** A signature that an input holds, with the request that it answers if its key can sign for the input. */
export interface HeldSignature {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  readonly sighashType: number;
  readonly signature: Uint8Array;
  readonly request?: SignatureRequest;
  readonly isValid: boolean;
}

/** The signatures that an input holds, and the requests for those that it still lacks. */
export interface InputSignatures {
  readonly held: readonly HeldSignature[];
  /** Requests for the given hash type that no valid signature answers. */
  readonly wanted: readonly SignatureRequest[];
}

const placeName = (publicKey: Uint8Array, leafHash: Uint8Array | undefined): string =>
  `${bytesKey(publicKey)}${leafHash ? bytesKey(leafHash) : ''}`;
const requestName = (request: SignatureRequest): string =>
  placeName(
    request.publicKey,
    request.algorithm === 'schnorr' && request.path === 'script' ? request.leafHash : undefined,
  );

/**
 * Finds the signatures of an input and verifies each for the hash type that it names.
 *
 * - `publicKey`: finds the keys that scripts name only by their hash
 */
export function inputSignatures(
  session: PsbtSession,
  input: PsbtInput,
  index: number,
  sighashType: number,
  publicKey?: SigningProvider['publicKey'],
): InputSignatures {
  const byType = new Map<number, ReadonlyMap<string, SignatureRequest>>();
  const requestsOf = (type: number): ReadonlyMap<string, SignatureRequest> => {
    const known = byType.get(type);
    if (known) return known;
    const requests = wantedSignatures(session, input, index, type, publicKey);
    const found = new Map(requests.map((request) => [requestName(request), request]));
    byType.set(type, found);
    return found;
  };
  const outputKey = taprootOutputKey(session.coins[index]?.coin.scriptPubKey);
  const held = signaturesIn(input, outputKey).map(({ publicKey, leafHash, signature, type }) => {
    // Skips undefined hash types: there may be many, and each costs work.
    const request = isWritten(signature, type) ? requestsOf(type).get(placeName(publicKey, leafHash)) : undefined;
    const isValid = request !== undefined && isValidFor(session, request, signature);
    return { publicKey, sighashType: type, signature, isValid, ...(request && { request }) };
  });
  const names = new Set(held.filter(({ isValid }) => isValid).map(({ request }) => request && requestName(request)));
  const wanted = [...requestsOf(sighashType).values()].filter((request) => !names.has(requestName(request)));
  return { held, wanted };
}

/** Lists the hash types of an input's signatures, valid or not, except those in its final fields. */
export function recordedTypes(input: PsbtInput): readonly number[] {
  return signaturesIn(input).map(({ type }) => type);
}

/** Tells whether a signature counts, by its bytes as the input holds them. */
export type CountsSignature = (signature: Uint8Array) => boolean;

/** Returns a test for the signatures of an input that are valid for its coin. */
export function validSignatures(
  session: PsbtSession,
  input: PsbtInput,
  index: number,
  sighashType: number,
): CountsSignature {
  const { partialSigs, tapKeySig, tapScriptSigs } = input;
  if (!partialSigs && !tapKeySig && !tapScriptSigs) return () => false;
  const { held } = inputSignatures(session, input, index, sighashType);
  const valid = new Set(held.filter(({ isValid }) => isValid).map(({ signature }) => signature));
  return (signature) => valid.has(signature);
}

/**
 * Drops a key path signature that is invalid for the coin, so that it does not prevent valid signatures from being made
 * or used. Only the coin's output key decides, whatever keys and roots the input names.
 * @returns the input itself if there is nothing to drop, or if not all coins are known
 */
export function withoutInvalidKeySignature(session: PsbtSession, input: PsbtInput, index: number): PsbtInput {
  const { tapKeySig, ...rest } = input;
  const outputKey = taprootOutputKey(session.coins[index]?.coin.scriptPubKey);
  if (!tapKeySig || !outputKey || !session.prevouts) return input;
  const type = schnorrType(tapKeySig);
  const digest = isWritten(tapKeySig, type) ? digestsOf(session, index, type)?.schnorrDigest() : undefined;
  const isValid = digest !== undefined && session.ecc.verifySchnorr(tapKeySig.slice(0, 64), digest, outputKey);
  return isValid ? input : rest;
}

interface Found {
  readonly publicKey: Uint8Array;
  readonly leafHash?: Uint8Array;
  readonly signature: Uint8Array;
  readonly type: number;
}

/** Lists the signatures of an input. A key path signature counts only for the key that the coin commits to. */
function signaturesIn(
  { partialSigs = [], tapKeySig, tapScriptSigs = [] }: PsbtInput,
  outputKey: Uint8Array = new Uint8Array(32),
): readonly Found[] {
  return [
    ...partialSigs.map(({ pubkey, signature }) => ({ publicKey: pubkey, signature, type: signature.at(-1) ?? 0 })),
    ...(tapKeySig ? [{ publicKey: outputKey, signature: tapKeySig, type: schnorrType(tapKeySig) }] : []),
    ...tapScriptSigs.map(({ pubkey, leafHash, signature }) => {
      return { publicKey: pubkey, leafHash, signature, type: schnorrType(signature) };
    }),
  ];
}

const schnorrType = (signature: Uint8Array): number => signature[64] ?? 0;

/**
 * Tells whether a hash type is defined and encoded correctly: DEFAULT takes no byte.
 * @see BIP341 "Common signature message"
 */
const isWritten = (signature: Uint8Array, type: number): boolean =>
  type === SIGHASH.DEFAULT ? signature.length === 64 : isTaprootSighashType(type);

function isValidFor({ ecc }: PsbtSession, request: SignatureRequest, signature: Uint8Array): boolean {
  const { digest, publicKey } = request;
  if (request.algorithm === 'schnorr') return ecc.verifySchnorr(signature.slice(0, 64), digest, publicKey);
  const der = signature.subarray(0, -1);
  return isStrictSignature(signature) && !hasHighS(der) && verifyConsensusEcdsa(ecc, der, digest, publicKey);
}
