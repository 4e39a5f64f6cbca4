import { byteName } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { aggregateKeys, sortPublicKeys } from '../crypto/musig2/keyAggregation.ts';
import { BtcError } from '../errors.ts';
import { deriveChild, derivePath, type ExtendedKey, fingerprintOf } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { HARDENED } from '../keys/path.ts';
import type { ExtendedKeyExpression, FixedKey, KeyExpression, Musig2Key } from './types.ts';

/** A public key of a descriptor, where it comes from, and its private key where that is known. */
export interface DerivedKey {
  /** 33 or 65 bytes. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
  /** Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
}

/** A MuSig2 aggregate and its participants, sorted. @see BIP373 */
export interface Aggregate {
  readonly aggregatePubkey: Uint8Array;
  readonly participants: readonly Uint8Array[];
}

/** What is gathered while one index is derived. */
export interface Found {
  /** By the public key's name: of several expressions for one key, the first says where it comes from. */
  readonly keys: Map<string, DerivedKey>;
  readonly aggregates: Map<string, Aggregate>;
  readonly scripts: Uint8Array[];
}

/** The public key at an index; it and what it is made of are added to what was found. */
export type KeyDeriver = (index: number, found: Found) => Uint8Array;

/** Private keys that are written somewhere, by their public keys. */
export type Secrets = ReadonlyMap<string, Uint8Array>;

/** The private keys that are written in key expressions. */
export function secretsOf(keys: readonly KeyExpression[]): Secrets {
  return new Map(writtenKeys(keys).map(({ publicKey, secretKey }) => [byteName(publicKey), secretKey]));
}

/** The private keys that are written in key expressions, extended ones before any step, with their public keys. */
export function writtenKeys(
  keys: readonly KeyExpression[],
): readonly (Pick<DerivedKey, 'publicKey'> & { readonly secretKey: Uint8Array })[] {
  return keys.flatMap((key) => {
    if (key.kind === 'musig') return writtenKeys(key.participants);
    const { publicKey, secretKey } = key.kind === 'extended' ? key.key : key;
    return secretKey ? [withSecretKey({ publicKey }, secretKey)] : [];
  });
}

/**
 * Prepares a key expression: the steps of its path are taken once.
 *
 * - `secrets`: a private key that is written elsewhere serves its public form as well, as it does nodes
 */
export function createKeyDeriver(key: KeyExpression, ecc: Ecc, secrets: Secrets = secretsOf([key])): KeyDeriver {
  if (key.kind === 'musig') return musigDeriver(key, ecc, secrets);
  const at = key.kind === 'fixed' ? () => fixedKey(key) : extendedKeyAt(withSecret(key, secrets), ecc);
  return (index, found) => {
    const derived = at(index);
    add(found, derived);
    return derived.publicKey;
  };
}

function add({ keys }: Found, key: DerivedKey): void {
  const name = byteName(key.publicKey);
  const known = keys.get(name);
  if (!known) keys.set(name, key);
  else if (key.secretKey && !known.secretKey) keys.set(name, withSecretKey({ ...known }, key.secretKey));
}

/** A written origin goes before the key's own path. */
function originOf(written: KeyOrigin | undefined, fingerprint: Uint8Array, path: readonly number[]): KeyOrigin {
  return written ? { fingerprint: written.fingerprint, path: [...written.path, ...path] } : { fingerprint, path };
}

function fixedKey({ publicKey, secretKey, origin }: FixedKey): DerivedKey {
  const derived = { publicKey, origin: originOf(origin, fingerprintOf({ publicKey }), []) };
  return secretKey ? withSecretKey(derived, secretKey) : derived;
}

function withSecret(expression: ExtendedKeyExpression, secrets: Secrets): ExtendedKeyExpression {
  const { key } = expression;
  const secretKey = secrets.get(byteName(key.publicKey));
  return secretKey ? { ...expression, key: withSecretKey({ ...key }, secretKey) } : expression;
}

function extendedKeyAt(expression: ExtendedKeyExpression, ecc: Ecc): (index: number) => DerivedKey {
  const path = expression.path.flat();
  const fingerprint = fingerprintOf(expression.key);
  let parent: ExtendedKey | undefined;
  return (index) => {
    parent ??= derivable(() => derivePath(expression.key, path, ecc));
    const from = parent;
    const last = lastStep(expression, index);
    const { publicKey, secretKey } = last === undefined ? from : derivable(() => deriveChild(from, last, ecc));
    const origin = originOf(expression.origin, fingerprint, last === undefined ? path : [...path, last]);
    return secretKey ? withSecretKey({ publicKey, origin }, secretKey) : { publicKey, origin };
  };
}

function lastStep({ wildcard }: Pick<ExtendedKeyExpression, 'wildcard'>, index: number): number | undefined {
  if (wildcard === 'none') return undefined;
  return wildcard === 'hardened' ? index + HARDENED : index;
}

/** Names the descriptor, not the step, where a private key is wanting. */
function derivable<T>(derive: () => T): T {
  try {
    return derive();
  } catch (error) {
    const isHardened = error instanceof BtcError && error.code === 'xkey/underivable';
    throw isHardened ? new BtcError('descriptor/underivable', {}) : error;
  }
}

/** The chain code of every aggregate key. @see BIP328 "Synthetic xpubs" */
const CHAIN_CODE: Uint8Array = Uint8Array.of(
  ...[0x86, 0x80, 0x87, 0xca, 0x02, 0xa6, 0xf9, 0x74, 0xc4, 0x59, 0x89, 0x24, 0xc3, 0x6b, 0x57, 0x76],
  ...[0x2d, 0x32, 0xcb, 0x45, 0x71, 0x71, 0x67, 0xe3, 0x00, 0x62, 0x2c, 0x71, 0x67, 0xe3, 0x89, 0x65],
);

/** The extended key that keys are derived from an aggregate key with. @see BIP328 */
export function syntheticXpub(aggregatePubkey: Uint8Array): ExtendedKey {
  const publicKey = aggregatePubkey;
  return { depth: 0, parentFingerprint: new Uint8Array(4), childNumber: 0, chainCode: CHAIN_CODE, publicKey };
}

/** @see BIP390, BIP328 */
function musigDeriver({ participants, path, wildcard }: Musig2Key, ecc: Ecc, secrets: Secrets): KeyDeriver {
  const parts = participants.map((part) => createKeyDeriver(part, ecc, secrets));
  let last: (Aggregate & { readonly at: (index: number) => DerivedKey }) | undefined;
  return (index, found) => {
    const sorted = sortPublicKeys(parts.map((part) => part(index, found)));
    // Where no participant has a wildcard, they are the same at every index.
    if (!last || !sorted.every((key, i) => key === last?.participants[i])) {
      const aggregatePubkey = aggregateKeys(sorted).publicKey;
      const expression = { kind: 'extended', key: syntheticXpub(aggregatePubkey), path, wildcard, mark: 'h' } as const;
      last = { aggregatePubkey, participants: sorted, at: extendedKeyAt(expression, ecc) };
    }
    const { at, ...aggregate } = last;
    found.aggregates.set(byteName(aggregate.aggregatePubkey), aggregate);
    const derived = at(index);
    add(found, derived);
    return derived.publicKey;
  };
}
