import type { Ecc } from '../../core/crypto/ecc.ts';
import { unlessRefused } from '../../core/errors.ts';
import { createAccount } from '../../kit/account/account.ts';
import {
  type AddressPlace,
  addressFault,
  INVALID_ADDRESS,
  placeText,
  type SearchedWallet,
  searchedAccount,
  searchedSilent,
  searchedText,
} from '../../kit/open/addressSearch.ts';
import { type Opened, open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import { payableAddress } from '../../kit/payment/paymentUri.ts';
import { silentAddresses, type Wallet, type Wallets } from './pageWallets.ts';
import type { OwnerView, SearchView } from './protocol.ts';
import { sentence } from './refusals.ts';

/** Finds whose an address is. */
export interface AddressSearch {
  /** Takes an address, or a payment URI with one. */
  readonly find: (text: string, count?: number) => SearchView;
  readonly ownerOf: (address: string) => OwnerView | undefined;
}

/** How many indexes of each chain are searched at first, and at most. */
const FIRST = 1000;
const MOST = 100_000;

export function createAddressSearch(wallets: Wallets, ecc: Ecc): AddressSearch {
  const parts = new WeakMap<Wallet, readonly SearchedWallet[]>();
  const partsOf = (wallet: Wallet): readonly SearchedWallet[] => {
    const known = parts.get(wallet) ?? searchedParts(wallet, ecc);
    parts.set(wallet, known);
    return known;
  };
  const findIn = (address: string, count: number): SearchView => {
    const all = ownFirst(wallets.list());
    if (all.length === 0) return fault(address, 'no wallet and no keys are open here: open them, and ask again');
    const reason = addressFault(address, networksOf(all), ({ name, title = name }) => title);
    if (reason !== undefined) return fault(address, reason);
    const searched = all.flatMap((wallet) => partsOf(wallet).map((part) => ({ part, walletId: wallet.view.id })));
    for (const { part, walletId } of searched) {
      const place = part.find(address, count);
      if (place)
        return { kind: 'found', address, owner: { walletId, ...ownPlace(place) }, place: placeText(part, place) };
    }
    const named = searched.map(({ part }) => part);
    const isRanged = named.some(({ kind }) => kind === 'ranged');
    const next = isRanged && count < MOST ? Math.min(MOST, count + FIRST) : undefined;
    return { kind: 'not-found', address, searched: searchedText(named, count), ...(next !== undefined && { next }) };
  };
  return {
    find: (text, count = FIRST) => {
      const sought = soughtAddress(text.trim());
      const limit = Number.isInteger(count) && count > 0 ? Math.min(count, MOST) : FIRST;
      return 'reason' in sought ? fault('', sought.reason) : findIn(sought.address, limit);
    },
    ownerOf: (address) => {
      const found = findIn(address, FIRST);
      return found.kind === 'found' ? found.owner : undefined;
    },
  };
}

const fault = (address: string, reason: string): SearchView => ({ kind: 'fault', address, reason: sentence(reason) });

const ownFirst = (wallets: readonly Wallet[]): readonly Wallet[] =>
  [true, false].flatMap((isOwn) => wallets.filter(({ view }) => view.hasPrivateKeys === isOwn));

const networksOf = (wallets: readonly Wallet[]) => [
  ...new Map(wallets.map(({ parts: { network } }) => [network.name, network])).values(),
];

const ownPlace = ({ chain, index }: AddressPlace): Pick<OwnerView, 'chain' | 'index'> =>
  chain === 'label' ? { chain: 'silent', index } : { chain, index };

function soughtAddress(text: string): { readonly address: string } | { readonly reason: string } {
  const opened = open(text);
  const address = addressIn(opened);
  if (address !== undefined) return { address };
  if (opened.kind === 'payment') return { reason: 'this payment URI has no address on the chain' };
  const what = opened.kind === 'unknown' ? undefined : openedText(opened);
  return { reason: what === undefined ? INVALID_ADDRESS : `this is ${what}, not an address` };
}

function addressIn(opened: Opened): string | undefined {
  if (opened.kind === 'address') return opened.address;
  return opened.kind === 'payment' ? payableAddress(opened.payment) : undefined;
}

/** Lists the wallets of a file, or those of keys. */
function searchedParts(wallet: Wallet, ecc: Ecc): readonly SearchedWallet[] {
  const { account, parts, offered, view } = wallet;
  const { network, keys = [] } = parts;
  const accounts = offered
    // The chains of the account may be two descriptors.
    .filter(({ descriptor }) => descriptor !== parts.chains?.change)
    .map((each) => ({
      name: each.name ?? view.name,
      account:
        each.descriptor === account.descriptors[0] ? account : createAccount({ network, ecc, wallets: [each], keys }),
    }));
  const addressAt = silentAddresses(wallet, ecc);
  return [
    ...accounts
      .filter((each) => unlessRefused(() => each.account.receive(0)))
      .map((each) => searchedAccount(each.account, each.name)),
    ...(addressAt ? [searchedSilent(addressAt, `${view.name}, silent payments`)] : []),
  ];
}
