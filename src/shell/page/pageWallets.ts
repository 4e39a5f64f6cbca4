import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { createDeriver, isRanged, singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { comparedText } from '../../core/descriptors/joinPaths.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { unlessRefused } from '../../core/errors.ts';
import { derivePath, type ExtendedKey, keyFingerprint } from '../../core/keys/bip32.ts';
import type { KeyOrigin } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';
import type { DescriptorSource, SearchedDescriptors } from '../../core/review/ownership.ts';
import { createReviewedWallets } from '../../core/review/wallets.ts';
import { formatSilentPaymentAddress, isSilentPaymentText } from '../../core/silentPayments/address.ts';
import { MAX_LABEL } from '../../core/silentPayments/labels.ts';
import { type Account, type AccountParts, createAccount } from '../../kit/account/account.ts';
import { usualDescriptors, usualName } from '../../kit/account/accountKeys.ts';
import { type AccountKeys, joinProviders } from '../../kit/account/accountPsbt.ts';
import { masterReceiver, USUAL_LABELS } from '../../kit/account/silentOwner.ts';
import type { WalletFile } from '../../kit/account/walletFiles/walletFile.ts';
import { type NamedParts, namedFile, openKeys } from './openKeys.ts';
import type { AddressRange, AddressView, KeysForm, OwnerView, WalletView } from './protocol.ts';
import { walletView, wipeParts } from './publicParts.ts';
import { refuse } from './refusals.ts';

interface Wallet {
  readonly account: Account;
  readonly parts: AccountParts;
  /** Includes a master key's other usual kinds of addresses. */
  readonly descriptors: readonly Descriptor[];
  readonly sources: readonly DescriptorSource[];
  readonly isFile: boolean;
  readonly view: Omit<WalletView, keyof Sharing>;
}

interface AllKeys {
  readonly keys: AccountKeys;
  readonly owners: readonly number[];
}

export interface Wallets {
  readonly addFile: (file: WalletFile, name: string | undefined) => WalletView;
  readonly addKeys: (form: KeysForm & { readonly text: string }) => WalletView;
  readonly views: () => readonly WalletView[];
  readonly view: (id: number) => WalletView;
  readonly remove: (id: number) => void;
  readonly keysFor: (network: Network) => AllKeys;
  readonly addresses: (range: AddressRange) => readonly AddressView[];
  readonly find: (address: string) => OwnerView | undefined;
  readonly wipe: () => void;
}

/** Each wallet slows every review. */
const MOST_WALLETS = 50;

export function createWallets(ecc: Ecc): Wallets {
  let wallets: readonly Wallet[] = [];
  let lastId = 0;
  const findWallet = (id: number): Wallet =>
    wallets.find(({ view }) => view.id === id) ?? refuse('This wallet is no longer open');
  const toView = (wallet: Wallet): WalletView => {
    const masters = wallets.flatMap(({ parts }) => parts.masters ?? []);
    return { ...wallet.view, ...judgeSharing(withSources(wallet, wallets), masters, ecc) };
  };
  const add = (named: NamedParts): WalletView => {
    const names = new Set(wallets.map(({ view }) => view.name));
    const wallet = walletFromParts({ ...named, name: freeName(named.name, names) }, lastId + 1, ecc);
    const same = wallets.find((other) => isSame(other, wallet));
    if (same) return toView(same);
    if (wallets.length >= MOST_WALLETS) refuse(`At most ${MOST_WALLETS} wallets can be open: close one first`);
    lastId += 1;
    wallets = [...wallets, wallet];
    return toView(wallet);
  };
  return {
    addFile: (file, name) => add(namedFile(file, name, { ecc })),
    addKeys: (form) => add(openKeys(form, ecc)),
    views: () => wallets.map(toView),
    view: (id) => toView(findWallet(id)),
    remove: (id) => {
      wipeWallet(findWallet(id));
      wallets = wallets.filter(({ view }) => view.id !== id);
    },
    keysFor: (network) => joinKeys(wallets, { network, ecc }),
    addresses: (range) => listAddresses(findWallet(range.walletId), range, ecc),
    find: (address) => findIn(wallets, address, ecc),
    wipe: () => {
      for (const wallet of wallets) wipeWallet(wallet);
      wallets = [];
    },
  };
}

/** Counts the keys of a wallet file as others' keys beside other private keys: the file's maker has them, too. */
function withSources(
  { view: { id }, descriptors, sources, isFile }: Wallet,
  wallets: readonly Wallet[],
): Required<SearchedDescriptors> {
  const hasOthersKeys = isFile && wallets.some((other) => other.view.id !== id && other.view.hasPrivateKeys);
  return { descriptors, sources: hasOthersKeys ? sources.map((source) => ({ ...source, hasOthersKeys })) : sources };
}

type Sharing = Pick<WalletView, 'isShared' | 'othersLater'>;

/** Tells whether a descriptor has a key at hand and another that can spend without it. */
function judgeSharing(wallet: SearchedDescriptors, masters: readonly ExtendedKey[], ecc: Ecc): Sharing {
  const publicKeyAt = ({ fingerprint, path }: KeyOrigin): Uint8Array | undefined => {
    const master = masters.find((key) => equalBytes(keyFingerprint(key), fingerprint));
    return master && unlessRefused(() => derivePath(master, path, { ecc }).publicKey);
  };
  const wallets = createReviewedWallets(wallet, { publicKeyAt }, ecc);
  const judged = wallet.descriptors.map((_, descriptor) => wallets.at({ descriptor, position: 0, index: 0 }));
  const othersLater = judged.flatMap((each) => each.othersLater ?? [])[0];
  return {
    isShared: judged.some(({ control, hasOwnKey }) => control === 'strangers' && hasOwnKey),
    ...(othersLater !== undefined && { othersLater }),
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let [free, count] = [name, 1];
  while (taken.has(free)) {
    count += 1;
    free = `${name} (${count})`;
  }
  return free;
}

/** @throws `descriptor/underivable`, `descriptor/range` for descriptors that need a private key */
function walletFromParts({ parts: baseParts, name, isFile }: NamedParts, id: number, ecc: Ecc): Wallet {
  const parts = { ...baseParts, ecc };
  const { network, masters = [] } = parts;
  for (const single of parts.descriptors.flatMap(singlePaths)) createDeriver(single, { ecc })(0);
  const usual = masters.flatMap((key) => usualDescriptors(key, { network, ecc }));
  const comparedTexts = new Set(parts.descriptors.map(comparedText));
  const descriptors = [...parts.descriptors, ...usual.filter((other) => !comparedTexts.has(comparedText(other)))];
  const account = createAccount(parts);
  const sources = descriptors.map((descriptor) => ({
    name: masters.length > 0 ? `${name}, ${usualName(descriptor)}` : name,
    ...(parts.gapLimit !== undefined && { gapLimit: parts.gapLimit }),
  }));
  return { account, parts, descriptors, sources, isFile, view: walletView({ id, name }, parts, { account, ecc }) };
}

const wipeWallet = ({ parts, descriptors }: Wallet): void => wipeParts({ ...parts, descriptors });

function isSame(a: Wallet, b: Wallet): boolean {
  const [first, second] = [a, b].map(({ parts: { network, descriptors, masters = [] } }) => [
    network.name,
    ...descriptors.map((descriptor) => formatDescriptor(descriptor, network, { isPrivate: true })),
    ...masters.map(({ publicKey, chainCode }) => formatHex(concatBytes(publicKey, chainCode))),
  ]);
  return first?.join() === second?.join();
}

function joinKeys(wallets: readonly Wallet[], base: Pick<AccountKeys, 'network' | 'ecc'>): AllKeys {
  const owners = wallets.flatMap(({ descriptors, view }) => descriptors.map(() => view.id));
  const others = wallets.flatMap(({ parts }) => parts.others ?? []);
  const keys: AccountKeys = {
    ...base,
    masters: wallets.flatMap(({ parts }) => parts.masters ?? []),
    ...(others.length > 0 && { others: others.reduce(joinProviders) }),
    descriptors: wallets.flatMap(({ descriptors }) => descriptors),
    sources: wallets.flatMap((wallet) => withSources(wallet, wallets).sources),
  };
  return { keys, owners };
}

const MOST_ADDRESSES = 1000;

function listAddresses(wallet: Wallet, { chain, from, count }: AddressRange, ecc: Ecc): readonly AddressView[] {
  const { account } = wallet;
  if (!Number.isInteger(from) || from < 0) refuse('The first index must be 0 or more');
  if (!Number.isInteger(count) || count < 0 || count > MOST_ADDRESSES) {
    refuse(`At most ${MOST_ADDRESSES} addresses can be shown at a time`);
  }
  if (chain === 'silent') {
    const addressAt = silentAddresses(wallet, ecc) ?? refuse('This wallet has no silent payment addresses');
    const length = Math.max(0, Math.min(count, MAX_LABEL + 1 - from));
    return Array.from({ length }, (_, i) => ({ index: from + i, address: addressAt(from + i) }));
  }
  const end = account.descriptors.some(isRanged) ? from + count : Math.min(1, from + count);
  return Array.from({ length: Math.max(0, end - from) }, (_, i) => {
    const { index, address } = account[chain](from + i);
    return { index, address };
  });
}

/** Returns the address with a label, or without one for 0. */
function silentAddresses({ parts: { masters = [], network }, view }: Wallet, ecc: Ecc) {
  const receivers = view.hasSilentPayments ? masters.flatMap((key) => masterReceiver(key, network, ecc) ?? []) : [];
  const [receiver] = receivers;
  return receiver && ((label: number) => formatSilentPaymentAddress(receiver.address(label || undefined), network));
}

function findSilentIn(wallets: readonly Wallet[], address: string, ecc: Ecc): OwnerView | undefined {
  for (const wallet of wallets) {
    const addressAt = silentAddresses(wallet, ecc);
    for (let index = 0; addressAt && index <= USUAL_LABELS.length; index += 1) {
      if (addressAt(index) === address.trim().toLowerCase())
        return { walletId: wallet.view.id, chain: 'silent', index };
    }
  }
  return undefined;
}

function findIn(wallets: readonly Wallet[], address: string, ecc: Ecc): OwnerView | undefined {
  if (isSilentPaymentText(address)) return findSilentIn(wallets, address, ecc);
  for (const { account, view } of wallets) {
    const place = unlessRefused(() => account.find(address));
    if (place) return { walletId: view.id, chain: place.chain, index: place.index };
  }
  return undefined;
}
