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
  | {
      readonly kind: 'internal';
      readonly publicKey: Uint8Array;
      readonly merkleRoot: Uint8Array | undefined;
      /** The key that the coin commits to, which the tweaked `publicKey` must be. */
      readonly outputKey: Uint8Array;
    }
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
 *
 * - `isWanted`: spares the work for participants who are of no use
 *
 * @see BIP373, BIP328; Bitcoin Core `SignMuSig2`
 */
export function aggregatesOf(
  taproot: TaprootKnowledge,
  key: SchnorrKey,
  ecc: Ecc,
  isWanted: (participants: readonly Uint8Array[]) => boolean = () => true,
): readonly SigningAggregate[] {
  const origin = taproot.keys.get(byteName(key.publicKey))?.origin;
  return [...taproot.aggregates.values()].flatMap((one) => {
    if (!isWanted(one.participants)) return [];
    const tweaks = tweaksTo(one.aggregatePubkey, key.publicKey, origin, ecc);
    const plain = tweaks && plainAggregate(taproot, one);
    const aggregate = plain && unlessInvalid(() => tweakedAggregate(plain, tweaks, key));
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

/**
 * What participants add up to, which is computed once: many keys may name one aggregate.
 * @returns `undefined` where they do not make the key, or are too many
 */
function plainAggregate({ sums }: TaprootKnowledge, one: Aggregate): AggregateKey | undefined {
  if (!sums.has(one)) {
    const sum =
      one.participants.length > MAX_PARTICIPANTS ? undefined : unlessInvalid(() => aggregateKeys(one.participants));
    sums.set(one, sum && equalBytes(sum.publicKey, one.aggregatePubkey) ? sum : undefined);
  }
  return sums.get(one);
}

/** @returns `undefined` where an internal key is not the one of the output. @throws `musig2/*` */
function tweakedAggregate(
  plain: AggregateKey,
  tweaks: readonly Uint8Array[],
  key: SchnorrKey,
): AggregateKey | undefined {
  const derived = tweaks.reduce((aggregate, tweak) => tweakAggregateKey(aggregate, tweak, 'plain'), plain);
  if (key.kind !== 'internal') return derived;
  const tweaked = tweakAggregateKey(derived, tapTweakHash(key.publicKey, key.merkleRoot), 'x-only');
  return equalBytes(tweaked.publicKey.slice(1), key.outputKey) ? tweaked : undefined;
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

/** Tells of participants whether all have signed for a key, by the names of what they have contributed alone. */
function createHasSigned(
  { partialSigs }: TaprootKnowledge,
  key: SchnorrKey,
  ecc: Ecc,
): (participants: readonly Uint8Array[]) => boolean {
  const signedFor =
    key.kind === 'internal'
      ? ecc.tweakPublicKey(key.publicKey, tapTweakHash(key.publicKey, key.merkleRoot))?.publicKey
      : key.publicKey;
  if (!signedFor) return () => false;
  const place = key.kind === 'leaf' ? { leafHash: key.leafHash } : {};
  const aggregates = [0x02, 0x03].map((parity) => Uint8Array.of(parity, ...signedFor));
  return (participants) =>
    aggregates.some((aggregatePubkey) =>
      participants.every((participantPubkey) =>
        partialSigs.has(signerName({ participantPubkey, aggregatePubkey, ...place })),
      ),
    );
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
  for (const signing of aggregatesOf(taproot, key, ecc, createHasSigned(taproot, key, ecc))) {
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
