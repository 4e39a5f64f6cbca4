import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import type { EcdsaDigest } from '../interpreter/transactionChecker.ts';
import { type TapLeafHash, tapTweakHash } from '../script/tapTree.ts';
import type { Aggregates } from './aggregates.ts';
import { committedLeaves } from './committedLeaves.ts';
import type { Missing } from './missing.ts';
import { aggregateSignature, type SchnorrKey } from './musig2Signing.ts';
import { ecdsaItem, schnorrItem, signLowR } from './signature.ts';
import type { SignatureData } from './signatureData.ts';
import type { KnownKey, SigningProvider } from './signingProvider.ts';

/** Who makes signatures, with their hash types, for one input; or says what it would take. */
export interface SignatureCreator {
  readonly ecdsa: (publicKey: Uint8Array, scriptCode: Uint8Array, sigVersion: EcdsaVersion) => Uint8Array | Missing;
  readonly schnorr: (key: SchnorrKey) => Uint8Array | Missing;
  /** Puts the signature of an aggregate key together, where all participants have signed. */
  readonly aggregate: (known: SignatureData, key: SchnorrKey) => Uint8Array | undefined;
  /** Whether the input may be spent under a lock. */
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
}

/** Without keys, only what is known counts. @see Bitcoin Core `DUMMY_SIGNING_PROVIDER` */
export function signsNothing(
  isMet: SignatureCreator['isMet'],
  aggregate: SignatureCreator['aggregate'] = () => undefined,
): SignatureCreator {
  return { ecdsa: (publicKey) => ({ kind: 'private-key', publicKey }), schnorr: withoutKey, aggregate, isMet };
}

const withoutKey = ({ kind, publicKey }: SchnorrKey): Missing =>
  kind === 'leaf' ? { kind: 'leaf-key', publicKey } : { kind: 'output-key', outputKey: publicKey };

/** What Schnorr signatures of one input sign, and how they are written. */
export interface SchnorrSigning {
  readonly ecc: Ecc;
  readonly schnorrType: number;
  /** For a leaf, or without one for the key path; `undefined` where not all coins are known. */
  readonly schnorrDigest: (leafHash?: TapLeafHash) => Uint8Array | undefined;
  /** Aggregates the signatures of several participants, for a taproot coin of a PSBT. */
  readonly musig2?: { readonly aggregates: Aggregates; readonly outputKey: Uint8Array } | undefined;
}

/** Puts aggregate signatures together, for the key path and for leaves that the coin commits to. @see BIP373 */
export function aggregatesWith({
  ecc,
  schnorrType,
  schnorrDigest,
  musig2,
}: SchnorrSigning): SignatureCreator['aggregate'] {
  if (!musig2) return () => undefined;
  const { aggregates, outputKey } = musig2;
  let leaves: ReadonlySet<string> | undefined;
  const isCommitted = (known: SignatureData, leafHash: TapLeafHash): boolean => {
    leaves ??= committedLeaves(known.taproot, outputKey, ecc);
    return leaves.has(bytesKey(leafHash));
  };
  return (known, key) => {
    if (known.taproot.partialSigs.size === 0) return undefined;
    const leafHash = key.kind === 'leaf' ? key.leafHash : undefined;
    const digest = !leafHash || isCommitted(known, leafHash) ? schnorrDigest(leafHash) : undefined;
    if (!digest) return undefined;
    const root = key.kind === 'internal' && key.merkleRoot ? bytesKey(key.merkleRoot) : '';
    const name = key.kind + bytesKey(key.publicKey) + bytesKey(digest) + root;
    const signature = aggregates.remember(name, () => aggregateSignature(known, key, digest, { ecc, aggregates }));
    return signature && schnorrItem(signature, schnorrType);
  };
}

/** What it takes to sign one input with keys that are at hand. */
export interface LocalSigning extends SchnorrSigning {
  readonly provider: Pick<SigningProvider, 'key' | 'xOnlyKey'>;
  /** Its byte for ECDSA, where DEFAULT is ALL. */
  readonly ecdsaType: number;
  readonly auxRand: Uint8Array;
  readonly digestOf: EcdsaDigest;
  /** Whether segwit's digest can be made: its amount is one that can be. */
  readonly hasAmount: boolean;
  readonly isMet: SignatureCreator['isMet'];
}

/**
 * Signs with keys that are at hand. Each signature is checked before it is given away.
 * @throws by its functions: `ecc/fault`
 * @see Bitcoin Core `MutableTransactionSignatureCreator`
 */
export function signsLocally(signing: LocalSigning): SignatureCreator {
  const { provider, isMet } = signing;
  return {
    ecdsa: (publicKey, scriptCode, sigVersion) => {
      const key = provider.key(hash160(publicKey));
      if (!key) return { kind: 'private-key', publicKey };
      if (sigVersion === 'witness-v0' && key.publicKey.length !== 33) return { kind: 'compressed-key', publicKey };
      if (sigVersion === 'witness-v0' && !signing.hasAmount) return { kind: 'amount' };
      return signEcdsa(signing, key, signing.digestOf(scriptCode, signing.ecdsaType, sigVersion));
    },
    schnorr: (wanted) => {
      const key = provider.xOnlyKey(wanted.publicKey);
      if (!key) return withoutKey(wanted);
      const digest = signing.schnorrDigest(wanted.kind === 'leaf' ? wanted.leafHash : undefined);
      if (!digest) return { kind: 'other-coins' };
      const signer = keyFor(wanted, key, signing.ecc);
      return signer ? signSchnorr(signing, signer, digest) : withoutKey(wanted);
    },
    aggregate: aggregatesWith(signing),
    isMet,
  };
}

function signEcdsa({ ecc, ecdsaType }: LocalSigning, key: KnownKey, digest: Uint8Array): Uint8Array {
  const signature = signLowR(ecc, digest, key.secretKey);
  if (!ecc.isOwnEcdsa(signature, digest, key)) throw new BtcError('ecc/fault', {});
  return ecdsaItem(signature, ecdsaType);
}

/** `key.publicKey` is x-only here. */
function signSchnorr({ ecc, auxRand, schnorrType }: LocalSigning, key: KnownKey, digest: Uint8Array): Uint8Array {
  const signature = ecc.signSchnorr(digest, key.secretKey, auxRand);
  if (!ecc.isOwnSchnorr(signature, digest, key)) throw new BtcError('ecc/fault', {});
  return schnorrItem(signature, schnorrType);
}

/** Tweaks the key that is to sign; `undefined` for an internal key that does not make the output key. */
function keyFor(wanted: SchnorrKey, { secretKey }: KnownKey, ecc: Ecc): KnownKey | undefined {
  if (wanted.kind !== 'internal') return withSecretKey({ publicKey: wanted.publicKey }, secretKey);
  const tweak = outputTweak(wanted, ecc);
  const secret = tweak && ecc.tweakSecretKey(secretKey, tweak);
  return secret && withSecretKey({ publicKey: wanted.outputKey }, secret);
}

/**
 * Computes the tweak that turns an internal key into its output key.
 * @returns `undefined` where they are not of one output: a signature with it would not be valid for the coin
 * @see BIP341 "Constructing and spending Taproot outputs"
 */
export function outputTweak(
  { publicKey, merkleRoot, outputKey }: Extract<SchnorrKey, { kind: 'internal' }>,
  ecc: Pick<Ecc, 'tweakPublicKey'>,
): Uint8Array | undefined {
  const tweak = tapTweakHash(publicKey, merkleRoot);
  const tweaked = ecc.tweakPublicKey(publicKey, tweak);
  return tweaked && equalBytes(tweaked.publicKey, outputKey) ? tweak : undefined;
}

/** The sizes of an ordinary signature: r and s of 32 bytes. */
const DUMMY_ECDSA: Uint8Array = /* @__PURE__ */ (() => {
  const signature = new Uint8Array(71);
  signature.set([0x30, 68, 0x02, 32, 0x01]);
  signature.set([0x02, 32, 0x01], 36);
  signature[70] = 0x01;
  return signature;
})();

/** Makes signatures of the right size that are worth nothing, to see what an input will weigh. @see Core `DummySignatureCreator` */
export const signsForSize: SignatureCreator = {
  ecdsa: () => DUMMY_ECDSA,
  schnorr: () => new Uint8Array(64),
  aggregate: () => undefined,
  isMet: () => true,
};
