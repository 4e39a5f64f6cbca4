import { copyBytes } from '../../../core/bytes/compare.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { keyExpressions, withKeys, withoutSecretKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, FixedKey, KeyExpression } from '../../../core/descriptors/types.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { derivePath, keyFingerprint } from '../../../core/keys/bip32.ts';
import { isHardened } from '../../../core/keys/path.ts';

type SecretLookup = (publicKey: Uint8Array) => Uint8Array | undefined;

export function withSecret(key: KeyExpression, lookup: SecretLookup): KeyExpression {
  if (key.kind === 'musig')
    return { ...key, participants: key.participants.map((participant) => withSecret(participant, lookup)) };
  const secretKey = key.kind === 'fixed' ? fixedSecret(key, lookup) : lookup(key.key.publicKey);
  if (!secretKey) return key;
  return key.kind === 'fixed'
    ? withSecretKey({ ...key }, secretKey)
    : { ...key, key: withSecretKey({ ...key.key }, secretKey) };
}

/** Looks an x-only key up under either parity. @see Bitcoin Core `GetKeyByXOnly` */
function fixedSecret({ publicKey, isXOnly }: FixedKey, lookup: SecretLookup): Uint8Array | undefined {
  const secretKey = lookup(publicKey);
  if (secretKey || !isXOnly) return secretKey;
  const opposite = copyBytes(publicKey);
  opposite[0] = publicKey[0] === 2 ? 3 : 2;
  return lookup(opposite);
}

/** Requires the private keys of all participants of MuSig2. */
export function hasSecret(key: KeyExpression): boolean {
  if (key.kind === 'musig') return key.participants.every(hasSecret);
  return (key.kind === 'fixed' ? key.secretKey : key.key.secretKey) !== undefined;
}

export function secretsIn(
  descriptor: Descriptor,
): readonly { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array }[] {
  const secretIn = (key: KeyExpression): ReturnType<typeof secretsIn> => {
    if (key.kind === 'musig') return key.participants.flatMap(secretIn);
    const { publicKey, secretKey } = key.kind === 'fixed' ? key : key.key;
    return secretKey ? [withSecretKey({ publicKey }, secretKey)] : [];
  };
  return keyExpressions(descriptor).flatMap(secretIn);
}

/**
 * Derives the keys through their last hardened step, so that public keys suffice from there on, and drops the private
 * keys. A key with a hardened wildcard keeps its steps.
 * @returns `undefined` if a private key for a hardened step is missing
 * @see Bitcoin Core `Descriptor::ToNormalizedString`
 */
export function normalize(descriptor: Descriptor, ecc: Ecc): Descriptor | undefined {
  return unlessRefused(() => withKeys(descriptor, (key) => normalizedKey(key, ecc)));
}

function normalizedKey(key: KeyExpression, ecc: Ecc): KeyExpression {
  if (key.kind === 'fixed') return withoutSecretKeys({ ...key, mark: 'h' });
  if (key.kind === 'musig')
    return { ...key, participants: key.participants.map((participant) => normalizedKey(participant, ecc)) };
  const path = key.path.flat();
  const last = path.map(isHardened).lastIndexOf(true);
  if (last < 0 || key.wildcard === 'hardened') return withoutSecretKeys({ ...key, mark: 'h' });
  const steps = path.slice(0, last + 1);
  const fingerprint = key.origin?.fingerprint ?? keyFingerprint(key.key);
  const origin = { fingerprint, path: [...(key.origin?.path ?? []), ...steps] };
  return withoutSecretKeys({
    ...key,
    mark: 'h',
    origin,
    key: derivePath(key.key, steps, { ecc }),
    path: path.slice(last + 1),
  });
}

/** Replaces miniscript by that of a descriptor of the same form. */
export function withMiniscriptOf(descriptor: Descriptor, other: Descriptor): Descriptor {
  if (descriptor.kind === 'miniscript') return other;
  if ('inner' in descriptor && 'inner' in other) {
    return { ...descriptor, inner: withMiniscriptOf(descriptor.inner, other.inner) };
  }
  if (descriptor.kind !== 'tr' || other.kind !== 'tr') return descriptor;
  const leaves = descriptor.leaves.map(({ depth, script }, i) => ({
    depth,
    script: withMiniscriptOf(script, other.leaves[i]?.script ?? script),
  }));
  return { ...descriptor, leaves };
}
