import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { unlessInvalid } from '../descriptors/fault.ts';
import { keyExpressions, withKeys, withoutSecretKeys } from '../descriptors/keyExpressions.ts';
import type { Descriptor, FixedKey, KeyExpression } from '../descriptors/types.ts';
import { BtcError } from '../errors.ts';
import { derivePath, fingerprintOf } from '../keys/bip32.ts';
import { isHardened } from '../keys/path.ts';

/** Finds the private key of a public key. */
type SecretLookup = (publicKey: Uint8Array) => Uint8Array | undefined;

/** A key expression with the private keys that are found for it. */
export function withSecret(key: KeyExpression, lookup: SecretLookup): KeyExpression {
  if (key.kind === 'musig') return { ...key, participants: key.participants.map((one) => withSecret(one, lookup)) };
  const secretKey = key.kind === 'fixed' ? fixedSecret(key, lookup) : lookup(key.key.publicKey);
  if (!secretKey) return key;
  return key.kind === 'fixed'
    ? withSecretKey({ ...key }, secretKey)
    : { ...key, key: withSecretKey({ ...key.key }, secretKey) };
}

/** The private key of either of the two points that an x-only key stands for. @see Bitcoin Core `GetKeyByXOnly` */
function fixedSecret({ publicKey, isXOnly }: FixedKey, lookup: SecretLookup): Uint8Array | undefined {
  const found = lookup(publicKey);
  if (found || !isXOnly) return found;
  const opposite = publicKey.slice();
  opposite[0] = publicKey[0] === 2 ? 3 : 2;
  return lookup(opposite);
}

/** Whether a key expression is written with its private key, or each participant of an aggregate is. */
export function hasSecret(key: KeyExpression): boolean {
  if (key.kind === 'musig') return key.participants.every(hasSecret);
  return (key.kind === 'fixed' ? key.secretKey : key.key.secretKey) !== undefined;
}

/** A descriptor by which others are compared with it: hardened steps are the same however they are marked. */
export const withoutMarks = (descriptor: Descriptor): Descriptor => withKeys(descriptor, withoutMark);

function withoutMark(key: KeyExpression): KeyExpression {
  return key.kind === 'musig' ? { ...key, participants: key.participants.map(withoutMark) } : { ...key, mark: "'" };
}

/** The private keys that are written in a descriptor, with their public keys. */
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
 * A descriptor, with its private keys, as a public one whose hardened steps are taken: from there on, public keys do.
 * @returns `undefined` where a private key is missing for a hardened step, or the last step of all is hardened
 */
export function normalize(descriptor: Descriptor, ecc: Ecc): Descriptor | undefined {
  return unlessInvalid(() => withKeys(descriptor, (key) => normalizedKey(key, ecc)));
}

function normalizedKey(key: KeyExpression, ecc: Ecc): KeyExpression {
  if (key.kind === 'fixed') return withoutSecretKeys({ ...key, mark: 'h' });
  if (key.kind === 'musig') return { ...key, participants: key.participants.map((one) => normalizedKey(one, ecc)) };
  if (key.wildcard === 'hardened') throw new BtcError('descriptor/underivable', {});
  const path = key.path.flat();
  const last = path.map(isHardened).lastIndexOf(true);
  if (last < 0) return withoutSecretKeys({ ...key, mark: 'h' });
  const taken = path.slice(0, last + 1);
  const fingerprint = key.origin?.fingerprint ?? fingerprintOf(key.key);
  const origin = { fingerprint, path: [...(key.origin?.path ?? []), ...taken] };
  return withoutSecretKeys({
    ...key,
    mark: 'h',
    origin,
    key: derivePath(key.key, taken, ecc),
    path: path.slice(last + 1),
  });
}
