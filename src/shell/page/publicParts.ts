import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { hasPrivateKeys, isRanged } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { flatKeys, joinPaths } from '../../core/descriptors/joinPaths.ts';
import { unlessRefused } from '../../core/errors.ts';
import { fingerprintOf, isExtended, isMaster } from '../../core/holder/heldKey.ts';
import type { NetworkName } from '../../core/network/networks.ts';
import { hasSilentPayments } from '../../core/silentPayments/address.ts';
import type { Account, AccountParts } from '../../kit/account/account.ts';
import { publicDescriptor, signerKeysOf } from '../../kit/account/publicKeys.ts';
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
      descriptors.length > 0
        ? []
        : keys.filter(isExtended).flatMap(({ key }) => signerKeysOf(key, { network, ecc }).map(({ text }) => text)),
    firstAddresses: firstAddresses(account),
    hasSilentPayments: hasSilentPayments(network) && origins.length > 0,
  };
}

function firstAddresses({ descriptors, receive }: Account): readonly string[] {
  const indexes = descriptors.some(isRanged) ? FIRST_ADDRESSES : [0];
  return indexes.flatMap((index) => unlessRefused(() => receive(index).address) || []);
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
