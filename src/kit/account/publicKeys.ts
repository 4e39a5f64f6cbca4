import type { Ecc } from '../../core/crypto/ecc.ts';
import { formatKey } from '../../core/descriptors/formatDescriptor.ts';
import { withKeys, withoutSecretKeys } from '../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../core/descriptors/types.ts';
import { coinType } from '../../core/holder/accounts.ts';
import { derivePath, type ExtendedKey, keyFingerprint, neuter } from '../../core/keys/bip32.ts';
import { HARDENED, isHardened } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';
import { BIP48_SCRIPTS, type SignerKey } from './walletFiles/walletFile.ts';

/** Derives keys through their last hardened step, so that public keys suffice from there on, and drops private keys. */
export function publicDescriptor(descriptor: Descriptor, ecc: Ecc): Descriptor {
  return withKeys(descriptor, (key) => toPublicKey(key, ecc));
}

function toPublicKey(key: KeyExpression, ecc: Ecc): KeyExpression {
  if (key.kind === 'musig') return { ...key, participants: key.participants.map((part) => toPublicKey(part, ecc)) };
  if (key.kind === 'fixed' || !key.key.secretKey) return withoutSecretKeys(key);
  const last = key.path.map((step) => [step].flat().some(isHardened)).lastIndexOf(true);
  const steps = key.path.slice(0, last + 1).flatMap((step) => (typeof step === 'number' ? [step] : []));
  // Hardened steps that differ from chain to chain stay as they are.
  if (steps.length <= last) return withoutSecretKeys(key);
  const above = key.origin ?? { fingerprint: keyFingerprint(key.key), path: [] };
  const origin = last < 0 ? key.origin : { ...above, path: [...above.path, ...steps] };
  const derived = derivePath(key.key, steps, { ecc });
  return { ...key, key: neuter(derived), path: key.path.slice(last + 1), ...(origin && { origin }) };
}

/** Lists the public keys of a master key for multisigs with others; a key that is not a master key is listed alone. */
export function signerKeysOf(
  master: ExtendedKey,
  { network, ecc, account = 0 }: { readonly network: Network; readonly ecc: Ecc; readonly account?: number },
): readonly SignerKey[] {
  const text = (key: ExtendedKey, path?: readonly number[]): string =>
    formatKey(
      {
        kind: 'extended',
        key: neuter(key),
        path: [],
        wildcard: 'none',
        mark: 'h',
        ...(path && { origin: { fingerprint: keyFingerprint(master), path } }),
      },
      { network, isPrivate: false },
    );
  if (master.depth > 0) return [{ text: text(master) }];
  return [...BIP48_SCRIPTS].map(([step, script]) => {
    const path = [48, coinType(network), account, step].map((number) => number + HARDENED);
    return { text: text(derivePath(master, path, { ecc }), path), script };
  });
}
