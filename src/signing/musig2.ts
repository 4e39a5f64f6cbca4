import { byteName, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { type AggregateKey, aggregateKeys, tweakAggregateKey } from '../crypto/musig2/keyAggregation.ts';
import { aggregateNonces } from '../crypto/musig2/nonces.ts';
import { musig2Session } from '../crypto/musig2/session.ts';
import { aggregatePartialSignatures } from '../crypto/musig2/signing.ts';
import { type Aggregate, syntheticXpub } from '../descriptors/deriveKey.ts';
import { unlessInvalid } from '../descriptors/fault.ts';
import { deriveTweaked, fingerprintOf } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { isHardened } from '../keys/path.ts';
import { type TapLeafHash, tapTweakHash } from '../script/taproot.ts';
import { type Knowledge, type Musig2Signer, signerName, type TaprootKnowledge } from './knowledge.ts';

/** What a key signs for: an output's key path, before or after its tweak, or a leaf. */
export type SchnorrKey =
  | { readonly kind: 'internal'; readonly publicKey: Uint8Array; readonly merkleRoot: Uint8Array | undefined }
  | { readonly kind: 'output'; readonly publicKey: Uint8Array }
  | { readonly kind: 'leaf'; readonly publicKey: Uint8Array; readonly leafHash: TapLeafHash };

/** An aggregate key that signs for a key of an output, with all tweaks. @see BIP373 */
export interface SigningAggregate {
  readonly aggregate: AggregateKey;
  readonly participants: readonly Uint8Array[];
  readonly leafHash?: TapLeafHash;
}

/**
 * The aggregates behind an x-only key: those that are the key, and those that it is derived from.
 * @see BIP373, BIP328; Bitcoin Core `SignMuSig2`
 */
export function aggregatesOf(taproot: TaprootKnowledge, key: SchnorrKey, ecc: Ecc): readonly SigningAggregate[] {
  const origin = taproot.keys.get(byteName(key.publicKey))?.origin;
  return [...taproot.aggregates.values()].flatMap((one) => {
    const tweaks = tweaksTo(one.aggregatePubkey, key.publicKey, origin, ecc);
    const aggregate = tweaks && unlessInvalid(() => tweakedAggregate(one, tweaks, key));
    if (!aggregate) return [];
    return [{ aggregate, participants: one.participants, ...(key.kind === 'leaf' && { leafHash: key.leafHash }) }];
  });
}

/** The tweaks from an aggregate key to a key that is it, or is derived from it; a record may name any key. */
function tweaksTo(
  publicKey: Uint8Array,
  wanted: Uint8Array,
  origin: KeyOrigin | undefined,
  ecc: Ecc,
): readonly Uint8Array[] | undefined {
  if (equalBytes(publicKey.slice(1), wanted)) return [];
  if (!origin || origin.path.some(isHardened) || !equalBytes(origin.fingerprint, fingerprintOf({ publicKey }))) {
    return undefined;
  }
  return unlessInvalid(() => {
    let key = syntheticXpub(publicKey);
    const tweaks: Uint8Array[] = [];
    for (const child of origin.path) {
      const step = deriveTweaked(key, child, ecc);
      key = step.key;
      tweaks.push(step.tweak);
    }
    return equalBytes(key.publicKey.slice(1), wanted) ? tweaks : undefined;
  });
}

/** As many as keys fit into one leaf's `multi_a`: a record that says more could keep us adding for minutes. */
const MAX_PARTICIPANTS = 999;

/** @returns `undefined` where the participants do not make the key, or are too many @throws `musig2/*` */
function tweakedAggregate(
  { aggregatePubkey, participants }: Aggregate,
  tweaks: readonly Uint8Array[],
  key: SchnorrKey,
): AggregateKey | undefined {
  if (participants.length > MAX_PARTICIPANTS) return undefined;
  const plain = aggregateKeys(participants);
  if (!equalBytes(plain.publicKey, aggregatePubkey)) return undefined;
  const derived = tweaks.reduce((aggregate, tweak) => tweakAggregateKey(aggregate, tweak, 'plain'), plain);
  if (key.kind !== 'internal') return derived;
  return tweakAggregateKey(derived, tapTweakHash(key.publicKey, key.merkleRoot), 'x-only');
}

/** The contributions of all participants in their order; `undefined` where one is missing. */
export function contributionsOf<T>(
  signing: SigningAggregate,
  contributions: ReadonlyMap<string, T>,
): readonly T[] | undefined {
  const found = signing.participants.flatMap(
    (participant) => contributions.get(signerName(signerOf(signing, participant))) ?? [],
  );
  return found.length === signing.participants.length ? found : undefined;
}

/** How a participant's contributions name him and the key. */
export function signerOf({ aggregate, leafHash }: SigningAggregate, participantPubkey: Uint8Array): Musig2Signer {
  return { participantPubkey, aggregatePubkey: aggregate.publicKey, ...(leafHash && { leafHash }) };
}

/**
 * The signature of an aggregate key, where all participants have signed.
 * @returns 64 bytes, not verified
 */
export function aggregateSignature(
  { taproot }: Knowledge,
  key: SchnorrKey,
  digest: Uint8Array,
  ecc: Ecc,
): Uint8Array | undefined {
  if (taproot.partialSigs.size === 0) return undefined;
  for (const signing of aggregatesOf(taproot, key, ecc)) {
    const nonces = contributionsOf(signing, taproot.pubNonces);
    const partials = contributionsOf(signing, taproot.partialSigs);
    const signature =
      nonces && partials && unlessInvalid(() => assembled(signing.aggregate, { nonces, partials, digest }));
    if (signature && ecc.verifySchnorr(signature, digest, signing.aggregate.publicKey.slice(1))) return signature;
  }
  return undefined;
}

/** @throws `musig2/*` */
function assembled(
  aggregate: AggregateKey,
  {
    nonces,
    partials,
    digest,
  }: {
    readonly nonces: readonly { readonly pubNonce: Uint8Array }[];
    readonly partials: readonly { readonly partialSig: Uint8Array }[];
    readonly digest: Uint8Array;
  },
): Uint8Array {
  const aggregateNonce = aggregateNonces(nonces.map(({ pubNonce }) => pubNonce));
  return aggregatePartialSignatures(
    partials.map(({ partialSig }) => partialSig),
    musig2Session({ aggregateNonce, aggregate, message: digest }),
  );
}
