import { bytesKey } from '../bytes/compare.ts';
import { computedPair } from '../crypto/computedPairs.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { aggregateKeys, sortPublicKeys } from '../crypto/musig2/keyAggregation.ts';
import { BtcError } from '../errors.ts';
import { childDeriver, deriveChild, derivePath, type ExtendedKey, keyFingerprint } from '../keys/bip32.ts';
import { HARDENED, type KeyOrigin } from '../keys/path.ts';
import type { ExtendedKeyExpression, FixedKey, KeyExpression, Musig2Key } from './types.ts';

/** A public key with its origin, and its private key if known. */
export interface DerivedKey {
  /** 33 or 65 bytes. */
  readonly publicKey: Uint8Array;
  readonly origin: KeyOrigin;
  /** Logs show `[secret]`; JSON, clones and spreads leave it out. */
  readonly secretKey?: Uint8Array;
}

/** A MuSig2 aggregate and its sorted participants. @see BIP373 */
export interface Aggregate {
  readonly aggregatePubkey: Uint8Array;
  readonly participants: readonly Uint8Array[];
}

export interface Expansion {
  /** The first expression of a key sets its origin. */
  readonly keys: Map<string, DerivedKey>;
  readonly aggregates: Map<string, Aggregate>;
  readonly scripts: Uint8Array[];
}

/** Also collects the key and any participants. */
export type KeyDeriver = (index: number, expansion: Expansion) => Uint8Array;

/** Maps public to private keys. */
export type Secrets = ReadonlyMap<string, Uint8Array>;

export function collectSecrets(keys: readonly KeyExpression[]): Secrets {
  return new Map(writtenKeys(keys).map(({ publicKey, secretKey }) => [bytesKey(publicKey), secretKey]));
}

/** Lists private keys; extended keys before any derivation step. */
export function writtenKeys(
  keys: readonly KeyExpression[],
): readonly (Pick<DerivedKey, 'publicKey'> & { readonly secretKey: Uint8Array })[] {
  return keys.flatMap((key) => {
    if (key.kind === 'musig') return writtenKeys(key.participants);
    const { publicKey, secretKey } = key.kind === 'extended' ? key.key : key;
    return secretKey ? [withSecretKey({ publicKey }, secretKey)] : [];
  });
}

/** As in Core, a private key written elsewhere (`secrets`) also serves expressions that hold only its public key. */
export function createKeyDeriver(key: KeyExpression, ecc: Ecc, secrets: Secrets = collectSecrets([key])): KeyDeriver {
  if (key.kind === 'musig') return musigDeriver(key, ecc, secrets);
  const at = key.kind === 'fixed' ? () => fixedKey(key) : extendedKeyAt(withSecret(key, secrets), ecc);
  return (index, expansion) => {
    const derived = at(index);
    add(expansion, derived);
    return derived.publicKey;
  };
}

function add({ keys }: Expansion, key: DerivedKey): void {
  const name = bytesKey(key.publicKey);
  const existing = keys.get(name);
  if (!existing) keys.set(name, key);
  else if (key.secretKey && !existing.secretKey) keys.set(name, withSecretKey({ ...existing }, key.secretKey));
}

function extendOrigin(written: KeyOrigin | undefined, fingerprint: Uint8Array, path: readonly number[]): KeyOrigin {
  return written ? { fingerprint: written.fingerprint, path: [...written.path, ...path] } : { fingerprint, path };
}

function fixedKey({ publicKey, secretKey, origin }: FixedKey): DerivedKey {
  const derived = { publicKey, origin: extendOrigin(origin, keyFingerprint({ publicKey }), []) };
  return secretKey ? withSecretKey(derived, secretKey) : derived;
}

function withSecret(expression: ExtendedKeyExpression, secrets: Secrets): ExtendedKeyExpression {
  const { key } = expression;
  const secretKey = secrets.get(bytesKey(key.publicKey));
  return secretKey ? { ...expression, key: withSecretKey({ ...key }, secretKey) } : expression;
}

function extendedKeyAt(expression: ExtendedKeyExpression, ecc: Ecc): (index: number) => DerivedKey {
  const path = expression.path.flat();
  const fingerprint = keyFingerprint(expression.key);
  let kept: { readonly parent: ExtendedKey; readonly childAt: ReturnType<typeof childDeriver> } | undefined;
  return (index) => {
    kept ??= derivable(() => {
      const parent = deriveParent(expression, path, ecc);
      return { parent, childAt: childDeriver(parent, ecc) };
    });
    const { parent, childAt } = kept;
    const last = lastStep(expression, index);
    const { publicKey, secretKey } = last === undefined ? parent : derivable(() => childAt(last).key);
    const origin = extendOrigin(expression.origin, fingerprint, last === undefined ? path : [...path, last]);
    if (!secretKey) return { publicKey, origin };
    const pair = withSecretKey({ publicKey, origin }, secretKey);
    // Without a step, the key is as the descriptor has it, whose parts may not match.
    return last === undefined ? pair : computedPair(pair);
  };
}

function deriveParent({ key, wrapsDepth }: ExtendedKeyExpression, path: readonly number[], ecc: Ecc): ExtendedKey {
  if (!wrapsDepth) return derivePath(key, path, { ecc });
  return atDepth0(path.reduce((parent, step) => deriveChild(atDepth0(parent), step, { ecc }), key));
}

/** The depth changes no child's keys. */
function atDepth0({ secretKey, ...key }: ExtendedKey): ExtendedKey {
  const raised = { ...key, depth: 0 };
  return secretKey ? withSecretKey(raised, secretKey) : raised;
}

function lastStep({ wildcard }: Pick<ExtendedKeyExpression, 'wildcard'>, index: number): number | undefined {
  if (wildcard === 'none') return undefined;
  return wildcard === 'hardened' ? index + HARDENED : index;
}

function derivable<T>(derive: () => T): T {
  try {
    return derive();
  } catch (error) {
    const isHardened = error instanceof BtcError && error.code === 'xkey/underivable';
    throw isHardened ? underivable() : error;
  }
}

export function underivable(): BtcError {
  const message = 'The descriptor has hardened steps, which need its private key: use the descriptor with that key';
  return new BtcError('descriptor/underivable', {}, message);
}

/** @see BIP328 "Synthetic xpubs" */
const CHAIN_CODE: Uint8Array = Uint8Array.of(
  ...[0x86, 0x80, 0x87, 0xca, 0x02, 0xa6, 0xf9, 0x74, 0xc4, 0x59, 0x89, 0x24, 0xc3, 0x6b, 0x57, 0x76],
  ...[0x2d, 0x32, 0xcb, 0x45, 0x71, 0x71, 0x67, 0xe3, 0x00, 0x62, 0x2c, 0x71, 0x67, 0xe3, 0x89, 0x65],
);

/** @see BIP328 */
export function syntheticXpub(aggregatePubkey: Uint8Array): ExtendedKey {
  const publicKey = aggregatePubkey;
  return { depth: 0, parentFingerprint: new Uint8Array(4), childNumber: 0, chainCode: CHAIN_CODE, publicKey };
}

/** @see BIP390 */
function musigDeriver({ participants, path, wildcard }: Musig2Key, ecc: Ecc, secrets: Secrets): KeyDeriver {
  const parts = participants.map((part) => createKeyDeriver(part, ecc, secrets));
  let last: (Aggregate & { readonly at: (index: number) => DerivedKey }) | undefined;
  return (index, expansion) => {
    const sorted = sortPublicKeys(parts.map((part) => part(index, expansion)));
    if (!last || !sorted.every((key, i) => key === last?.participants[i])) {
      const aggregatePubkey = aggregateKeys(sorted).publicKey;
      const expression = { kind: 'extended', key: syntheticXpub(aggregatePubkey), path, wildcard, mark: 'h' } as const;
      last = { aggregatePubkey, participants: sorted, at: extendedKeyAt(expression, ecc) };
    }
    const { at, ...aggregate } = last;
    expansion.aggregates.set(bytesKey(aggregate.aggregatePubkey), aggregate);
    const derived = at(index);
    add(expansion, derived);
    return derived.publicKey;
  };
}
