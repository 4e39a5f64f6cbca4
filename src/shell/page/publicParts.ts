import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { hasPrivateKeys, isRanged } from '../../core/descriptors/derive.ts';
import { formatDescriptor, formatKey } from '../../core/descriptors/formatDescriptor.ts';
import { flatKeys, joinPaths } from '../../core/descriptors/joinPaths.ts';
import { withKeys, withoutSecretKeys } from '../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../core/descriptors/types.ts';
import { unlessRefused } from '../../core/errors.ts';
import { coinType } from '../../core/holder/accounts.ts';
import { fingerprintOf, isExtended, isMaster } from '../../core/holder/heldKey.ts';
import { derivePath, type ExtendedKey, keyFingerprint, neuter } from '../../core/keys/bip32.ts';
import { HARDENED, isHardened } from '../../core/keys/path.ts';
import type { NetworkName } from '../../core/network/networks.ts';
import { hasSilentPayments } from '../../core/silentPayments/address.ts';
import type { Account, AccountParts } from '../../kit/account/account.ts';
import { fingerprintsIn } from '../../kit/account/walletFiles/finishDraft.ts';
import type { WalletView } from './protocol.ts';

/** What a wallet shows by itself, whatever else is open. */
type WalletFacts = Pick<
  WalletView,
  | 'id'
  | 'name'
  | 'network'
  | 'hasPrivateKeys'
  | 'fingerprints'
  | 'descriptors'
  | 'publicKeys'
  | 'firstAddresses'
  | 'hasSilentPayments'
>;

const FIRST_ADDRESSES = [0, 1, 2] as const;

export function walletView(
  { id, name }: Pick<WalletView, 'id' | 'name'>,
  { network, chains, keys = [] }: AccountParts,
  { account, ecc }: { readonly account: Account; readonly ecc: Ecc },
): WalletFacts {
  const { descriptors } = account;
  const joined = chains && joinPaths(chains.receive, chains.change);
  const shownDescriptors = joined ? [joined, ...descriptors.slice(2)] : descriptors;
  const origins = keys.filter(isMaster).map((key) => formatHex(fingerprintOf(key)));
  return {
    id,
    name,
    network: network.name as NetworkName,
    hasPrivateKeys: keys.length > 0 || descriptors.some(hasPrivateKeys),
    fingerprints: [...new Set([...origins, ...fingerprintsIn(descriptors)])],
    descriptors: shownDescriptors.map((descriptor) => formatDescriptor(publicDescriptor(descriptor, ecc), network)),
    publicKeys:
      descriptors.length > 0 ? [] : keys.filter(isExtended).flatMap(({ key }) => multisigKeys(key, { network, ecc })),
    firstAddresses: firstAddresses(account),
    hasSilentPayments: hasSilentPayments(network) && origins.length > 0,
  };
}

function firstAddresses({ descriptors, receive }: Account): readonly string[] {
  const indexes = descriptors.some(isRanged) ? FIRST_ADDRESSES : [0];
  return indexes.flatMap((index) => unlessRefused(() => receive(index).address) || []);
}

/** Derives keys through their last hardened step, so that public keys suffice from there on, and drops private keys. */
function publicDescriptor(descriptor: Descriptor, ecc: Ecc): Descriptor {
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

/** Script types P2SH-P2WSH and P2WSH. @see BIP48 "Script" */
const MULTISIG_SCRIPTS = [1, 2] as const;

/** Lists public keys with origins; a key that is not a master key is listed alone. */
function multisigKeys(
  master: ExtendedKey,
  { network, ecc }: Pick<AccountParts, 'network'> & { readonly ecc: Ecc },
): readonly string[] {
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
  if (master.depth > 0) return [text(master)];
  return MULTISIG_SCRIPTS.map((script) => {
    const path = [48, coinType(network), 0, script].map((step) => step + HARDENED);
    return text(derivePath(master, path, { ecc }), path);
  });
}

/** Copies of the keys may remain in memory. */
export function wipeParts({ keys = [], wallets, chains }: AccountParts): void {
  const written = [
    ...wallets.map(({ descriptor }) => descriptor),
    ...(chains ? [chains.receive, chains.change] : []),
  ].flatMap(flatKeys);
  const extended = written.flatMap((key) => (key.kind === 'extended' ? [key.key] : []));
  for (const { secretKey, chainCode } of [...keys.map(({ key }) => key), ...extended]) {
    secretKey?.fill(0);
    if (secretKey) chainCode?.fill(0);
  }
  for (const key of written) if (key.kind === 'fixed') key.secretKey?.fill(0);
}
