import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { createDeriver, isRanged, singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { comparedText } from '../../core/descriptors/joinPaths.ts';
import { printable } from '../../core/encoding/printable.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { findStatedContradictions } from '../../core/holder/contradictions.ts';
import { walletControl } from '../../core/holder/control.ts';
import { heldKeyName, isExtended } from '../../core/holder/heldKey.ts';
import type { HeldWallet, OfferedWallet, WalletFault } from '../../core/holder/heldWallets.ts';
import { createHolder, type Holder, hasKeys } from '../../core/holder/holder.ts';
import { silentWalletsOf } from '../../core/holder/silentWallets.ts';
import { keyFingerprint } from '../../core/keys/bip32.ts';
import type { Network, NetworkName } from '../../core/network/networks.ts';
import { controlTexts } from '../../core/report/ageText.ts';
import { contradictionText } from '../../core/report/findingParts.ts';
import { formatSilentPaymentAddress } from '../../core/silentPayments/address.ts';
import { MAX_LABEL } from '../../core/silentPayments/labels.ts';
import { type Account, type AccountParts, createAccount } from '../../kit/account/account.ts';
import { usualDescriptors, usualName } from '../../kit/account/accountKeys.ts';
import { parseWalletFile } from '../../kit/account/walletFiles/parseWalletFile.ts';
import type { WalletFile } from '../../kit/account/walletFiles/walletFile.ts';
import { proposeWallet, registerProposal, type WalletProposal } from '../../kit/policies/registerWallet.ts';
import { type NamedParts, namedFile, openTypedKeys } from './openKeys.ts';
import type {
  AddressRange,
  AddressView,
  KeysForm,
  ProposalView,
  RegisterForm,
  WalletStanding,
  WalletView,
} from './protocol.ts';
import { walletView, wipeParts } from './publicParts.ts';
import { refuse } from './refusals.ts';

/** An open wallet, with its keys. */
export interface Wallet {
  readonly account: Account;
  readonly parts: AccountParts;
  /** Those of the parts, and a master key's other usual kinds of addresses. */
  readonly offered: readonly OfferedWallet[];
  readonly file?: WalletFile;
  /** What registering it in this session gave. */
  readonly registration?: string;
  readonly view: Omit<WalletView, keyof Judgement>;
}

interface PageHolder {
  readonly holder: Holder;
  /** The wallet of each descriptor that the holder was offered. */
  readonly owners: readonly number[];
}

export interface Wallets {
  readonly addFile: (file: WalletFile, name: string | undefined) => WalletView;
  readonly addKeys: (form: KeysForm & { readonly text: string }) => WalletView;
  readonly views: () => readonly WalletView[];
  readonly view: (id: number) => WalletView;
  readonly propose: (id: number) => ProposalView;
  readonly register: (form: RegisterForm) => WalletView;
  /** The file of a wallet that was registered in this session. */
  readonly registration: (id: number) => string;
  readonly remove: (id: number) => void;
  readonly holderFor: (network: Network) => PageHolder;
  readonly addresses: (range: AddressRange) => readonly AddressView[];
  /** All that are open. */
  readonly list: () => readonly Wallet[];
  readonly wipe: () => void;
}

/** Each wallet slows every review. */
const MOST_WALLETS = 50;

export function createWallets(ecc: Ecc): Wallets {
  let wallets: readonly Wallet[] = [];
  let lastId = 0;
  const holders = new Map<string, PageHolder>();
  const setWallets = (next: readonly Wallet[]): void => {
    wallets = next;
    holders.clear();
  };
  const findWallet = (id: number): Wallet =>
    wallets.find(({ view }) => view.id === id) ?? refuse('This wallet is no longer open');
  const holderFor = (network: Network): PageHolder => {
    const holder = holders.get(network.name) ?? joinWallets(wallets, network, ecc);
    holders.set(network.name, holder);
    return holder;
  };
  const join = ({ parts: { network } }: Wallet): PageHolder => holderFor(network);
  const toView = (wallet: Wallet): WalletView => ({ ...wallet.view, ...judgeWallet(wallet, join(wallet)) });
  const create = (named: NamedParts, id: number): Wallet => {
    const names = new Set(wallets.flatMap(({ view }) => (view.id === id ? [] : view.name)));
    return walletFromParts({ ...named, name: freeName(named.name, names) }, id, ecc);
  };
  const add = (named: NamedParts): WalletView => {
    const wallet = create(named, lastId + 1);
    const same = wallets.find((other) => isSame(other, wallet));
    if (same) return toView(same);
    if (wallets.length >= MOST_WALLETS) refuse(`At most ${MOST_WALLETS} wallets can be open: close one first`);
    if (wallet.file && wallet.view.hasPrivateKeys && wallets.some((other) => other.view.hasPrivateKeys)) {
      refuse(
        'This file holds private keys, which its author has, too: close the other keys first, or open public descriptors',
      );
    }
    lastId += 1;
    setWallets([...wallets, wallet]);
    return toView(wallet);
  };
  return {
    addFile: (file, name) => add(namedFile(file, name, { ecc })),
    addKeys: (form) => add(openTypedKeys(form, ecc)),
    views: () => wallets.map(toView),
    view: (id) => toView(findWallet(id)),
    propose: (id) => {
      const wallet = findWallet(id);
      return proposalView(proposeIn(wallet, join(wallet)));
    },
    register: ({ walletId, name, replaces }) => {
      const wallet = findWallet(walletId);
      const { holder } = join(wallet);
      const proposal = proposeIn(wallet, { holder });
      const content = registerProposal(proposal, { name, replaces });
      const file = parseWalletFile(content, { network: holder.network, ecc });
      const registered = { ...create(namedFile(file, undefined, { ecc }), walletId), registration: content };
      setWallets(wallets.map((other) => (other === wallet ? registered : other)));
      return toView(registered);
    },
    registration: (id) => findWallet(id).registration ?? refuse('This wallet was not registered in this session'),
    remove: (id) => {
      wipeWallet(findWallet(id));
      setWallets(wallets.filter(({ view }) => view.id !== id));
    },
    holderFor,
    addresses: (range) => listAddresses(findWallet(range.walletId), range, ecc),
    list: () => wallets,
    wipe: () => {
      for (const wallet of wallets) wipeWallet(wallet);
      setWallets([]);
    },
  };
}

type Judgement = Pick<
  WalletView,
  'control' | 'isShared' | 'provenFingerprints' | 'standing' | 'contradiction' | 'canRegister' | 'hasRegistrationFile'
>;

/** Says which keys of a wallet are proven to be the user's, what makes it theirs, and what others can do with its coins. */
function judgeWallet(wallet: Wallet, { holder, owners }: PageHolder): Judgement {
  const { view, file, registration } = wallet;
  const own = holder.wallets.filter(({ positions }) => positions.some((position) => owners[position] === view.id));
  const standing = standingOf(own, wallet, holder);
  const [contradiction] = findStatedContradictions(holder, own);
  const mine = own.flatMap((wallet) => [...wallet.mine]);
  const proven = mine.map((key) =>
    formatHex(key.origin?.fingerprint ?? keyFingerprint(key.kind === 'fixed' ? key : key.key)),
  );
  // Whoever registers a wallet accepts what others can do.
  const unregistered = standing.kind === 'registered' ? [] : own;
  const [shared] = unregistered.filter(({ oneKey, mine: { size } }) => !oneKey && size > 0).map(walletControl);
  return {
    provenFingerprints: [...new Set(proven)],
    isShared: shared !== undefined && shared.others !== Number.POSITIVE_INFINITY && shared.others <= shared.alone,
    ...(shared && { control: controlTexts(shared) }),
    standing,
    ...(contradiction && { contradiction: contradictionText(contradiction) }),
    canRegister:
      file !== undefined &&
      !view.hasPrivateKeys &&
      hasKeys(holder) &&
      standing.kind !== 'registered' &&
      standing.kind !== 'keys',
    hasRegistrationFile: registration !== undefined,
  };
}

const SEVERITY: Readonly<Record<WalletFault, number>> = { 'other-root': 0, 'shares-key': 1, forged: 2 };

function standingOf(
  own: readonly HeldWallet[],
  { file, view }: Pick<Wallet, 'file' | 'view'>,
  holder: Holder,
): WalletStanding {
  const registered = own.find(({ root }) => root === 'registered');
  if (registered) return { kind: 'registered', title: registered.title };
  const isGiven = !file && view.hasPrivateKeys;
  if (isGiven || (own.length > 0 && own.every(({ oneKey }) => oneKey?.root))) return { kind: 'keys' };
  if (!hasKeys(holder)) return { kind: 'listed' };
  const [worst] = own.flatMap(({ fault }) => fault ?? []).sort((a, b) => SEVERITY[b] - SEVERITY[a]);
  // A key that takes no part in a wallet cannot tell whether another registered it.
  const isCarried = (file?.registered?.registrations.length ?? 0) > 0;
  return { kind: worst ?? (isCarried ? 'other-root' : 'none') };
}

const proposeIn = ({ file }: Wallet, { holder }: Pick<PageHolder, 'holder'>): WalletProposal =>
  proposeWallet(file ?? refuse('Keys need no registration: only a wallet that was opened as a file does'), holder);

function proposalView({ control, walletKeys, network, suggestedName, carried, ...proposal }: WalletProposal) {
  const { id, template, hashes, addresses, related } = proposal;
  return {
    ...{ id, template, hashes, addresses, related },
    network: network.name as NetworkName,
    control: controlTexts(control),
    keys: walletKeys,
    ...quorumOf(template),
    ...(suggestedName !== undefined && { suggestedName: shownName(suggestedName) }),
    ...(carried && { carried: { name: shownName(carried.name), count: carried.registrations.length } }),
  };
}

/** A multisig of one script, whose keys all have the usual chains. */
const MULTISIG = /^(?:wsh|sh|sh\(wsh)\((?:sorted)?multi\((\d+),[@\d/*,]+\)+$/;

function quorumOf(template: string): Pick<ProposalView, 'quorum'> {
  const [, required] = MULTISIG.exec(template) ?? [];
  return required === undefined ? {} : { quorum: { required: Number(required) } };
}

/** The maker of a file may have written anything, also a secret by mistake. */
const shownName = (name: string): string => printable(withoutSecrets(name));

function freeName(name: string, taken: ReadonlySet<string>): string {
  let [free, count] = [name, 1];
  while (taken.has(free)) {
    count += 1;
    free = `${name} (${count})`;
  }
  return free;
}

/** @throws `descriptor/underivable`, `descriptor/range` for descriptors that need a private key */
function walletFromParts({ parts: baseParts, name, file }: NamedParts, id: number, ecc: Ecc): Wallet {
  const parts = { ...baseParts, ecc };
  const { network, keys = [] } = parts;
  const account = createAccount(parts);
  for (const single of account.descriptors.flatMap(singlePaths)) createDeriver(single, { ecc })(0);
  const masters = keys.filter(isExtended);
  const usual = file ? [] : masters.flatMap(({ key }) => usualDescriptors(key, { network, ecc }));
  const comparedTexts = new Set(account.descriptors.map(comparedText));
  const others = usual.filter((other) => !comparedTexts.has(comparedText(other)));
  const offered = [...parts.wallets, ...others.map((descriptor) => ({ descriptor }))].map((wallet) => ({
    ...wallet,
    name: masters.length > 0 && !file ? `${name}, ${usualName(wallet.descriptor)}` : name,
  }));
  return {
    account,
    parts,
    offered,
    ...(file && { file }),
    view: walletView({ id, name }, parts, { account, ecc }),
  };
}

const wipeWallet = ({ parts, offered }: Wallet): void => wipeParts({ ...parts, wallets: offered });

function isSame(a: Wallet, b: Wallet): boolean {
  const [first, second] = [a, b].map(({ parts: { network, wallets, keys = [] }, file }) => [
    network.name,
    ...wallets.map(({ descriptor }) => formatDescriptor(descriptor, network, { isPrivate: true })),
    ...keys.map(heldKeyName),
    JSON.stringify(file?.registered),
  ]);
  return first?.join() === second?.join();
}

/** The keys of a file count as the user's only while no others are open: whoever made the file has them, too. */
function joinWallets(wallets: readonly Wallet[], network: Network, ecc: Ecc): PageHolder {
  const given = wallets.filter(({ file }) => !file).flatMap(({ parts }) => parts.keys ?? []);
  const inFiles = wallets.filter(({ file }) => file).flatMap(({ parts }) => parts.keys ?? []);
  const holder = createHolder({
    network,
    ecc,
    wallets: wallets.flatMap(({ offered }) => offered),
    keys: given.length > 0 ? given : inFiles,
  });
  return { holder, owners: wallets.flatMap(({ offered, view }) => offered.map(() => view.id)) };
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
    return Array.from({ length }, (_, i) => ({ index: from + i, address: addressAt(from + i || undefined) }));
  }
  const end = account.descriptors.some(isRanged) ? from + count : Math.min(1, from + count);
  return Array.from({ length: Math.max(0, end - from) }, (_, i) => {
    const { index, address } = account[chain](from + i);
    return { index, address };
  });
}

/** The addresses of silent payments, each with a label or without one. */
export function silentAddresses({ parts: { keys = [], network }, view }: Wallet, ecc: Ecc) {
  const [wallet] = view.hasSilentPayments ? silentWalletsOf(keys, network, ecc) : [];
  return wallet && ((label?: number) => formatSilentPaymentAddress(wallet.receiver.address(label), network));
}
