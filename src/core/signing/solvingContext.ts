import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import type { SignatureCreator } from './signatureCreator.ts';
import {
  addTapKey,
  type KeyWithOrigin,
  keyOfHash,
  type Missing,
  type SignatureData,
  tapKeyOfHash,
} from './signatureData.ts';
import type { SigningProvider } from './signingProvider.ts';
import type { SigningRules } from './signingRules.ts';

export interface SolvingContext {
  readonly provider: SigningProvider;
  readonly data: SignatureData;
  readonly creator: SignatureCreator;
  readonly rules: SigningRules;
}

function publicKeyOfHash({ data, provider }: SolvingContext, hash: Uint8Array): Uint8Array | undefined {
  const tapKey = (): Uint8Array | undefined => {
    const xOnly = tapKeyOfHash(data.taproot, hash);
    return xOnly && Uint8Array.of(0x02, ...xOnly);
  };
  return keyOfHash(data, hash) ?? tapKey() ?? provider.publicKey(hash);
}

/** @see Core `Satisfier` */
export function publicKeyOrMissing(context: SolvingContext, hash: Uint8Array): Uint8Array | undefined {
  const publicKey = publicKeyOfHash(context, hash);
  if (!publicKey) context.data.missing.push({ kind: 'key', hash });
  return publicKey;
}

/** Adds the origins of the participants of aggregate keys. @see Core `SignMuSig2` */
export function addParticipants(context: SolvingContext, leafHash?: TapLeafHash): void {
  const { taproot } = context.data;
  const { size } = taproot.aggregates;
  // Every key that may sign needs the origins.
  if (taproot.participants?.ofAggregates !== size) {
    taproot.participants = { ofAggregates: size, known: knownParticipants(context) };
  }
  for (const { publicKey, origin } of taproot.participants.known) {
    addTapKey(taproot, { publicKey: publicKey.slice(1), origin }, leafHash);
  }
}

function knownParticipants({ provider, data }: SolvingContext): readonly KeyWithOrigin[] {
  const participants = [...data.taproot.aggregates.values()].flatMap((aggregate) => aggregate.participants);
  const distinct = new Map(participants.map((publicKey) => [bytesKey(publicKey), publicKey]));
  return [...distinct.values()].flatMap((publicKey) => {
    const origin = provider.origin(publicKey);
    return origin ? [{ publicKey, origin }] : [];
  });
}

export function scriptOfHash({ provider, data }: SolvingContext, hash: Uint8Array): Uint8Array | undefined {
  const isWanted = (script: Uint8Array): boolean => equalBytes(hash160(script), hash);
  return provider.script(hash) ?? [data.redeemScript, data.witnessScript].find(isWanted);
}

export type SignWithKey = (publicKey: Uint8Array) => Uint8Array | undefined;

/** Signs a script with a key, unless there is a signature of any hash type. @see Core `CreateSig` */
export function scriptSigner(
  { data, provider, creator }: SolvingContext,
  scriptCode: Uint8Array,
  sigVersion: EcdsaVersion,
): SignWithKey {
  return (publicKey) => {
    const key = bytesKey(publicKey);
    const existing = data.signatures.get(key);
    if (existing) return existing.signature;
    const origin = provider.origin(publicKey);
    if (origin && !data.keys.has(key)) data.keys.set(key, { publicKey, origin });
    const signature = recordResult(data, creator.ecdsa(publicKey, scriptCode, sigVersion), publicKey);
    if (signature) data.signatures.set(key, { publicKey, signature });
    return signature;
  };
}

/** @see Core `CreateTaprootScriptSig` */
export function obtainLeafSignature(
  context: SolvingContext,
  publicKey: Uint8Array,
  leafHash: TapLeafHash,
): Uint8Array | undefined {
  const { data, provider, creator } = context;
  const origin = provider.xOnlyOrigin(publicKey);
  if (origin) addTapKey(data.taproot, { publicKey, origin }, leafHash);
  const name = bytesKey(publicKey) + bytesKey(leafHash);
  const existing = data.taproot.signatures.get(name);
  if (existing) return existing.signature;
  const key = { kind: 'leaf', publicKey, leafHash } as const;
  addParticipants(context, leafHash);
  const signature = creator.aggregate(data, key) ?? recordResult(data, creator.schnorr(key), publicKey);
  if (signature) data.taproot.signatures.set(name, { publicKey, leafHash, signature });
  return signature;
}

/** Notes the key that signed, or what was missing. */
export function recordResult(
  { signed, missing }: SignatureData,
  result: Uint8Array | Missing,
  publicKey: Uint8Array,
): Uint8Array | undefined {
  if ('kind' in result) {
    missing.push(result);
    return undefined;
  }
  signed.push(publicKey);
  return result;
}
