import { encode, u32le } from '../bytes/codec.ts';
import { equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../bytes/knownOptions.ts';
import { isComputedPair } from '../crypto/computedPairs.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import { type Ecc, signatureFault } from '../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { hash160 } from '../crypto/hash.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { withSignatureCache } from '../crypto/signatureCache.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import { SESSION_OPTIONS, type SessionOptions } from './sessionOptions.ts';
import type { KeyFinder } from './signatureCreator.ts';
import type { KnownKey, SigningProvider } from './signingProvider.ts';
import { outputTweak } from './taprootCommitment.ts';

interface RequestFacts {
  readonly inputIndex: number;
  readonly digest: Uint8Array;
  /** The byte to append to the signature; 0 appends none. */
  readonly sighashType: number;
  readonly origin?: KeyOrigin;
}

/** A request for an ECDSA signature by a key of 33 or 65 bytes. */
export type EcdsaRequest = RequestFacts & { readonly algorithm: 'ecdsa'; readonly publicKey: Uint8Array };

/**
 * A request for a Schnorr signature, valid for the x-only `publicKey`. On the key path, the holder of `internalKey`
 * first adds `tweak` to its secret key.
 */
export type SchnorrRequest = RequestFacts & { readonly algorithm: 'schnorr' } & SchnorrPlace;

export type SchnorrPlace = { readonly publicKey: Uint8Array } & (
  | { readonly path: 'key'; readonly internalKey?: Uint8Array; readonly tweak?: Uint8Array }
  | { readonly path: 'script'; readonly leafHash: TapLeafHash }
);

/** A request for one signature. */
export type SignatureRequest = EcdsaRequest | SchnorrRequest;

/** Answers a request with a signature, of 64 bytes or as scripts hold it, or with `undefined`. */
export interface Signer {
  (request: SignatureRequest): Uint8Array | undefined;
  /** Finds the public key of a HASH160. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
}

export interface KeySigning {
  readonly ecc: Ecc;
  readonly auxRand: Uint8Array;
}

export const NO_ENTROPY: Uint8Array = new Uint8Array(32);

/**
 * Signs with a low r, so that a signature with its hash type takes at most 71 bytes: tries RFC6979 nonces without extra
 * entropy, then with a counter from 1 on.
 * @returns 64 bytes
 * @see Core `CKey::Sign`
 */
export function signLowR(digest: Uint8Array, secretKey: Uint8Array, options: EccOption = {}): Uint8Array {
  const ecc = chosenArithmetic(options);
  let signature = ecc.signEcdsa(digest, secretKey);
  for (let counter = 1; (signature[0] ?? 0) > 0x7f; counter += 1) {
    const entropy = new Uint8Array(32);
    entropy.set(encode(u32le, counter));
    signature = ecc.signEcdsa(digest, secretKey, entropy);
  }
  return signature;
}

/** Checks the signature before it leaves: a faulty one may reveal the key. @throws `ecc/fault` */
function signEcdsa({ ecc }: KeySigning, digest: Uint8Array, key: KnownKey): Uint8Array {
  const signature = signLowR(digest, key.secretKey, { ecc });
  if (!ecc.isOwnEcdsa(signature, digest, key)) throw signatureFault();
  return signature;
}

function signSchnorr({ ecc, auxRand }: KeySigning, digest: Uint8Array, key: KnownKey): Uint8Array {
  const signature = ecc.signSchnorr(digest, key.secretKey, auxRand);
  if (!ecc.isOwnSchnorr(signature, digest, key)) throw signatureFault();
  return signature;
}

/** Trusts the provider to pair secret and public keys. @see Core `MutableTransactionSignatureCreator` */
export function findKeys(provider: Pick<SigningProvider, 'key' | 'xOnlyKey'>, signing: KeySigning): KeyFinder {
  return {
    ecdsa: (publicKey) => {
      const key = provider.key(hash160(publicKey));
      return key && ((digest) => signEcdsa(signing, digest, key));
    },
    schnorr: (target) => {
      const key = provider.xOnlyKey(target.publicKey);
      if (!key) return undefined;
      return (digest) => {
        const tweak = target.kind === 'internal' ? outputTweak(target, signing.ecc) : undefined;
        if (target.kind === 'internal' && !tweak) return undefined;
        const secretKey = tweak ? signing.ecc.tweakSecretKey(key.secretKey, tweak) : key.secretKey;
        const publicKey = target.kind === 'internal' ? target.outputKey : target.publicKey;
        return secretKey && signSchnorr(signing, digest, withSecretKey({ publicKey }, secretKey));
      };
    },
  };
}

/** Options of a signer with private keys at hand. */
export interface KeySignerOptions extends SessionOptions {
  /** 32 bytes for Schnorr signatures. Default: zeros, so that signatures repeat, as Core's do. */
  readonly auxRand?: Uint8Array;
}

const KEY_SIGNER_OPTIONS: OptionNames<KeySignerOptions> = { ...SESSION_OPTIONS, auxRand: true };

/**
 * Creates a signer that has private keys at hand. It checks its signatures, and with the same `cache`, `signPsbt` does
 * not verify them again.
 * @throws when called: `ecc/fault` if a fresh signature is not valid
 *
 * @example
 * ```ts
 * import {
 *   accountFromDescriptors,
 *   buildPsbt,
 *   createDescriptorProvider,
 *   createHolder,
 *   deriveForPsbt,
 *   keySigner,
 *   networks,
 *   signPsbt,
 * } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${xprv}/<0;1>/*)`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const signer = keySigner(createDescriptorProvider(deriveForPsbt(psbt, me.descriptors)));
 * signPsbt(psbt, signer, { holder: createHolder(me.holds) }).inputs[0]?.signed.length; // 1
 * ```
 */
export function keySigner(
  provider: Pick<SigningProvider, 'key' | 'xOnlyKey'> & Partial<Pick<SigningProvider, 'publicKey'>>,
  options: KeySignerOptions = {},
): Signer {
  assertShape(
    'provider',
    isObject(provider) && typeof provider.key === 'function',
    'what createSigningProvider or createDescriptorProvider returns',
  );
  assertKnownOptions(options, KEY_SIGNER_OPTIONS);
  const { ecc: backend = nobleEcc, cache, auxRand = NO_ENTROPY } = options;
  const ecc = cache ? withSignatureCache(backend, cache) : backend;
  const signing: KeySigning = { ecc, auxRand };
  const computePublicKey = publicKeys(ecc);
  const signer = (request: SignatureRequest): Uint8Array | undefined => {
    const isEcdsa = request.algorithm === 'ecdsa';
    const ecdsaKey = isEcdsa ? provider.key(hash160(request.publicKey)) : undefined;
    const key = isEcdsa
      ? ecdsaKey && withSecretKey({ publicKey: computePublicKey(ecdsaKey) }, ecdsaKey.secretKey)
      : schnorrKey(request, provider, { ecc, computePublicKey: computePublicKey });
    if (!key || !equalBytes(key.publicKey, request.publicKey)) return undefined;
    return (isEcdsa ? signEcdsa : signSchnorr)(signing, request.digest, key);
  };
  return Object.assign(signer, provider.publicKey && { publicKey: provider.publicKey });
}

/** Computes public keys, since a cached signature must be valid for the key that made it. */
function publicKeys(ecc: Ecc): (key: KnownKey) => Uint8Array {
  const computed = new Map<KnownKey, Uint8Array>();
  return (key) => {
    if (isComputedPair(key)) return key.publicKey;
    const publicKey = computed.get(key) ?? ecc.publicKey(key.secretKey, key.publicKey.length === 33);
    computed.set(key, publicKey);
    return publicKey;
  };
}

function schnorrKey(
  request: SchnorrRequest,
  provider: Pick<SigningProvider, 'xOnlyKey'>,
  { ecc, computePublicKey }: { readonly ecc: Ecc; readonly computePublicKey: (key: KnownKey) => Uint8Array },
): KnownKey | undefined {
  const { internalKey, tweak } = request.path === 'key' ? request : {};
  const internal = internalKey && tweak && provider.xOnlyKey(internalKey);
  const secretKey = internal && ecc.tweakSecretKey(internal.secretKey, tweak);
  if (secretKey) return withSecretKey({ publicKey: ecc.publicKey(secretKey).slice(1) }, secretKey);
  const key = provider.xOnlyKey(request.publicKey);
  return key && withSecretKey({ publicKey: computePublicKey(key).slice(1) }, key.secretKey);
}
