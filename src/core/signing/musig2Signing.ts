import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { type AggregateKey, tweakAggregateKey } from '../crypto/musig2/keyAggregation.ts';
import { aggregateNonces } from '../crypto/musig2/nonces.ts';
import { musig2Session } from '../crypto/musig2/session.ts';
import { aggregatePartialSignatures, verifyPartialSignature } from '../crypto/musig2/signing.ts';
import { unlessRefused } from '../errors.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import type { Aggregates } from './aggregates.ts';
import { type Musig2Signer, type SignatureData, signerName, type TaprootSignatureData } from './signatureData.ts';
import { commitsToLeaf, type InternalKey, outputTweak } from './taprootCommitment.ts';

/** A key and the place it signs for: an output's key path, before or after its tweak, or a leaf. */
export type SchnorrKey =
  | ({ readonly kind: 'internal'; readonly leafHash?: never } & InternalKey)
  | { readonly kind: 'output'; readonly publicKey: Uint8Array; readonly leafHash?: never }
  | { readonly kind: 'leaf'; readonly publicKey: Uint8Array; readonly leafHash: TapLeafHash };

/** An aggregate key that signs for a key of an output, after all tweaks. @see BIP373 */
export interface SigningAggregate {
  readonly aggregate: AggregateKey;
  readonly participants: readonly Uint8Array[];
  readonly leafHash?: TapLeafHash;
}

interface AggregateSigning {
  readonly ecc: Ecc;
  readonly aggregates: Aggregates;
}

interface AggregateSearch extends AggregateSigning {
  /** Skips aggregates before any work. Default: none. */
  readonly isWanted?: (participants: readonly Uint8Array[]) => boolean;
}

/**
 * Finds the aggregates behind an x-only key: those that equal it, and those that it is derived from.
 * @see BIP373, BIP328; Core `SignMuSig2`
 */
export function findAggregates(
  taproot: TaprootSignatureData,
  key: SchnorrKey,
  { ecc, aggregates, isWanted = () => true }: AggregateSearch,
): readonly SigningAggregate[] {
  const origin = taproot.keys.get(bytesKey(key.publicKey))?.origin;
  return aggregates.candidates(taproot, key.publicKey).flatMap((record) => {
    if (!isWanted(record.participants)) return [];
    const derived = aggregates.aggregate(record, key.publicKey, origin);
    const aggregate = derived && unlessRefused(() => tweakedAggregate(derived, key, ecc));
    if (!aggregate) return [];
    return [{ aggregate, participants: record.participants, ...(key.leafHash && { leafHash: key.leafHash }) }];
  });
}

/** Returns `undefined` if an internal key does not tweak to the output key. */
function tweakedAggregate(derived: AggregateKey, key: SchnorrKey, ecc: Ecc): AggregateKey | undefined {
  if (key.kind !== 'internal') return derived;
  const tweak = outputTweak(key, ecc);
  return tweak && tweakAggregateKey(derived, tweak, 'x-only');
}

/** Returns `undefined` unless each participant has a nonce. */
export function collectNonces(
  signing: SigningAggregate,
  { pubNonces }: Pick<TaprootSignatureData, 'pubNonces'>,
): readonly Uint8Array[] | undefined {
  const nonces = signing.participants.flatMap(
    (participant) => pubNonces.get(signerName(toMusig2Signer(signing, participant)))?.pubNonce ?? [],
  );
  return nonces.length === signing.participants.length ? nonces : undefined;
}

/** Looks only at the names of contributions. */
function createHasSigned(
  { partialSigs }: TaprootSignatureData,
  key: SchnorrKey,
): (participants: readonly Uint8Array[]) => boolean {
  const signedFor = key.kind === 'internal' ? key.outputKey : key.publicKey;
  const aggregates = [0x02, 0x03].map((parity) => Uint8Array.of(parity, ...signedFor));
  return (participants) =>
    aggregates.some((aggregatePubkey) =>
      participants.every((participantPubkey) =>
        partialSigs.has(signerName({ participantPubkey, aggregatePubkey, leafHash: key.leafHash })),
      ),
    );
}

export function toMusig2Signer({ aggregate, leafHash }: SigningAggregate, participantPubkey: Uint8Array): Musig2Signer {
  return { participantPubkey, aggregatePubkey: aggregate.publicKey, ...(leafHash && { leafHash }) };
}

/** Returns `undefined` until all participants have signed. */
export type AssembleSignature = (known: SignatureData, key: SchnorrKey) => Uint8Array | undefined;

export type AssemblerOfInput = (
  outputKey: Uint8Array,
  computeDigest: (leafHash?: TapLeafHash) => Uint8Array | undefined,
) => AssembleSignature;

/** Assembles signatures for the key path and for leaves that the coin commits to. @see BIP373 */
export function aggregateAssembler(signing: AggregateSigning): AssemblerOfInput {
  const { ecc, aggregates } = signing;
  return (outputKey, computeDigest) => {
    let isCommitted: ReturnType<typeof commitsToLeaf> | undefined;
    return (data, key) => {
      if (data.taproot.partialSigs.size === 0) return undefined;
      const { leafHash } = key;
      isCommitted ??= commitsToLeaf(data.taproot, outputKey, ecc);
      const digest = !leafHash || isCommitted(leafHash) ? computeDigest(leafHash) : undefined;
      const tweak = key.kind === 'internal' ? outputTweak(key, ecc) : new Uint8Array(0);
      if (!digest || !tweak) return undefined;
      const name = key.kind + bytesKey(key.publicKey) + bytesKey(digest) + bytesKey(tweak);
      return aggregates.remember(name, () => aggregateSignature(data, key, { ...signing, digest }));
    };
  };
}

/** Requires all participants' partial signatures, each valid. @see Core `CreateMuSig2AggregateSig` */
function aggregateSignature(
  { taproot }: SignatureData,
  key: SchnorrKey,
  signing: AggregateSigning & { readonly digest: Uint8Array },
): Uint8Array | undefined {
  const isWanted = createHasSigned(taproot, key);
  for (const candidate of findAggregates(taproot, key, { ...signing, isWanted })) {
    const contributions = collectContributions(candidate, taproot);
    const signature = contributions && unlessRefused(() => assembled(contributions, candidate.aggregate, signing));
    if (signature) return signature;
  }
  return undefined;
}

interface Contribution {
  readonly publicKey: Uint8Array;
  readonly publicNonce: Uint8Array;
  readonly partialSignature: Uint8Array;
}

function collectContributions(
  signing: SigningAggregate,
  { pubNonces, partialSigs }: TaprootSignatureData,
): readonly Contribution[] | undefined {
  const contributions = signing.participants.flatMap((publicKey): readonly Contribution[] => {
    const name = signerName(toMusig2Signer(signing, publicKey));
    const [nonce, partial] = [pubNonces.get(name), partialSigs.get(name)];
    return nonce && partial ? [{ publicKey, publicNonce: nonce.pubNonce, partialSignature: partial.partialSig }] : [];
  });
  return contributions.length === signing.participants.length ? contributions : undefined;
}

/**
 * Verifies the sum first: an invalid one costs a single check. Then verifies each part, because parts that are invalid
 * on their own can still add up, such as two that have changed places.
 */
function assembled(
  contributions: readonly Contribution[],
  aggregate: AggregateKey,
  { ecc, digest }: { readonly ecc: Ecc; readonly digest: Uint8Array },
): Uint8Array | undefined {
  const aggregateNonce = aggregateNonces(contributions.map(({ publicNonce }) => publicNonce));
  const session = musig2Session({ aggregateNonce, aggregate, message: digest });
  const signature = aggregatePartialSignatures(
    contributions.map(({ partialSignature }) => partialSignature),
    session,
  );
  if (!ecc.verifySchnorr(signature, digest, aggregate.publicKey.slice(1))) return undefined;
  return contributions.every((contribution) => verifyPartialSignature({ ...contribution, session }))
    ? signature
    : undefined;
}
