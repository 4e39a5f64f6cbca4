import { equalBytes } from '../../bytes/compare.ts';
import { withSecretKey } from '../../crypto/concealed.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { hash160 } from '../../crypto/hash.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { withSignatureCache } from '../../crypto/signatureCache.ts';
import { BtcError } from '../../errors.ts';
import { signLowR } from '../../signing/signature.ts';
import type { KnownKey, SigningProvider } from '../../signing/signingProvider.ts';
import type { SchnorrRequest, SignatureRequest } from '../requests.ts';
import type { SessionOptions } from '../session.ts';
import type { Signer } from './signer.ts';

const NO_ENTROPY = new Uint8Array(32);

export interface KeySignerOptions extends SessionOptions {
  /** 32 bytes for Schnorr signatures; default zeros, as nodes have it, so that signatures repeat. */
  readonly auxRand?: Uint8Array;
}

/**
 * Answers with private keys that are at hand: from `createSigningProvider` for single keys, or `createDescriptorProvider`.
 *
 * Each signature is checked with its secret key. With the `cache` that is passed to `signPsbt` as well, it is not verified
 * again.
 * @throws by its answers: `ecc/fault` where a signature that was just made is not valid
 */
export function keySigner(
  provider: Pick<SigningProvider, 'key' | 'xOnlyKey'> & Partial<Pick<SigningProvider, 'publicKey'>>,
  { ecc: given = nobleEcc, cache, auxRand = NO_ENTROPY }: KeySignerOptions = {},
): Signer {
  const ecc = cache ? withSignatureCache(given, cache) : given;
  const publicKeyOf = publicKeys(ecc);
  const answer = (request: SignatureRequest): Uint8Array | undefined => {
    const { digest } = request;
    if (request.algorithm === 'ecdsa') {
      const key = provider.key(hash160(request.publicKey));
      if (!key || !equalBytes(publicKeyOf(key), request.publicKey)) return undefined;
      const signature = signLowR(ecc, digest, key.secretKey);
      return ecc.isOwnEcdsa(signature, digest, key) ? signature : fault();
    }
    const key = schnorrKey(request, provider, { ecc, publicKeyOf });
    if (!key || !equalBytes(key.publicKey, request.publicKey)) return undefined;
    const signature = ecc.signSchnorr(digest, key.secretKey, auxRand);
    return ecc.isOwnSchnorr(signature, digest, key) ? signature : fault();
  };
  return Object.assign(answer, provider.publicKey && { publicKey: provider.publicKey });
}

/** What is remembered as valid must be so for the public key of the secret key, whatever the provider says it is. */
function publicKeys(ecc: Ecc): (key: KnownKey) => Uint8Array {
  const known = new Map<KnownKey, Uint8Array>();
  return (key) => {
    const publicKey = known.get(key) ?? ecc.publicKey(key.secretKey, key.publicKey.length === 33);
    known.set(key, publicKey);
    return publicKey;
  };
}

const fault = (): never => {
  throw new BtcError('ecc/fault', {});
};

/** Finds the key of a request: on the key path the internal key, tweaked, else the output key itself. */
function schnorrKey(
  request: SchnorrRequest,
  provider: Pick<SigningProvider, 'xOnlyKey'>,
  { ecc, publicKeyOf }: { readonly ecc: Ecc; readonly publicKeyOf: (key: KnownKey) => Uint8Array },
): KnownKey | undefined {
  const { internalKey, tweak } = request.path === 'key' ? request : {};
  const internal = internalKey && tweak && provider.xOnlyKey(internalKey);
  const secretKey = internal && ecc.tweakSecretKey(internal.secretKey, tweak);
  if (secretKey) return withSecretKey({ publicKey: ecc.publicKey(secretKey).slice(1) }, secretKey);
  const key = provider.xOnlyKey(request.publicKey);
  return key && withSecretKey({ publicKey: publicKeyOf(key).slice(1) }, key.secretKey);
}
