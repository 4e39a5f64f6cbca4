import { formatHex } from '../bytes/hex.ts';
import { formatOrigin } from '../keys/path.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import type { Transaction } from '../tx/types.ts';
import { type AccountPlace, isSearched, placePath } from './accounts.ts';
import { type ClaimedKey, claimedKeys } from './claims.ts';
import { ageText, controlTexts, keyHolderIn, NEVER, ownWays, spendingAges, walletControl } from './control.ts';
import { faultText, type HeldWallet, isAltered } from './heldWallets.ts';
import { type Holder, hasKeys, hasRegistrations } from './holder.ts';
import { type HeldPsbt, isHolders, type Owner, scriptOwner } from './owner.ts';
import type { Refutations } from './refutation.ts';

/**
 * What an output is to the holder: `change` of what is spent, `own` money at another place, or a place that is not near, a
 * `wallet` of the holder that is not spent or must take no change, a `payment`, or `data`.
 */
export type Role = 'change' | 'own' | 'wallet' | 'payment' | 'data';

/** A named fact about an output that its signer should know. */
interface RoleFinding {
  readonly check:
    | 'change-refuted'
    | 'change-unverified'
    | 'change-later'
    | 'wallet-retired'
    | 'wallet-changed'
    | 'wallet-unregistered'
    | 'wallets-mixed'
    | 'wallet-other'
    | 'wallet-foreign'
    | 'account-other'
    | 'path-far'
    | 'path-unusual'
    | 'silent-foreign';
  readonly text: string;
  /** Instead of the default. */
  readonly action?: 'refuse' | 'allow';
}

export interface RoleVerdict {
  readonly owner: Owner;
  readonly role: Role;
  /** True if the amount stays with the holder, once no signature leaves anything open. */
  readonly stays: boolean;
  readonly finding?: RoleFinding;
}

/** A coin of the holder that is spent. */
export interface OwnCoin {
  readonly owner: Owner;
  readonly inputIndex: number;
  /** In satoshi. */
  readonly value: bigint;
}

/**
 * The wallets whose coins are spent: only `accounts` of single keys, one registered or listed `wallet`, one `unregistered`
 * wallet or coins that no wallet derives, or a `mixed` lot.
 */
export interface Spent {
  readonly kind: 'accounts' | 'wallet' | 'unregistered' | 'mixed' | 'none';
  readonly wallet?: HeldWallet;
  /** Names seeds and numbers of accounts. */
  readonly numbers: ReadonlySet<string>;
  /** The place without its index that all coins share. */
  readonly sharedPlace?: string;
  /** The highest index of a number or wallet, by its name. */
  readonly highest: ReadonlyMap<string, number>;
  readonly coins: readonly OwnCoin[];
}

export function spentBy(coins: readonly OwnCoin[]): Spent {
  const own = coins.filter(({ owner }) => isHolders(owner));
  const numbers = new Set(own.flatMap(({ owner }) => numberName(owner) ?? []));
  const places = new Set(own.map(({ owner }) => (owner.kind === 'account' ? placeName(owner.place) : undefined)));
  const [sharedPlace] = places.size === 1 ? places : [];
  const wallets = new Set(own.map(({ owner }) => (owner.kind === 'wallet' ? owner.wallet : undefined)));
  const [wallet] = wallets.size === 1 ? wallets : [];
  return {
    kind: spentKind(own, wallet),
    ...(wallet && { wallet }),
    numbers,
    ...(sharedPlace !== undefined && { sharedPlace }),
    highest: highestIndexes(own),
    coins: own,
  };
}

function spentKind(own: readonly OwnCoin[], wallet: HeldWallet | undefined): Spent['kind'] {
  if (own.length === 0) return 'none';
  if (wallet) return wallet.root === 'none' ? 'unregistered' : 'wallet';
  const kinds = new Set(own.map(({ owner: { kind } }) => (kind === 'silent' ? 'account' : kind)));
  if (kinds.size > 1 || kinds.has('wallet') || listedSeeds(own).size > 1) return 'mixed';
  return kinds.has('key') ? 'unregistered' : 'accounts';
}

/** Names the seeds of listed accounts: that two are of one person is not proven. */
const listedSeeds = (own: readonly OwnCoin[]): ReadonlySet<string> =>
  new Set(own.flatMap(({ owner }) => (owner.kind === 'account' && owner.root === 'listed' ? owner.place.seed : [])));

/** Names the seed and the number of an account that wallets search. */
function numberName(owner: Owner): string | undefined {
  if (owner.kind === 'silent') return `${owner.wallet.seed} ${owner.wallet.number}`;
  return owner.kind === 'account' && owner.place.number !== undefined
    ? `${owner.place.seed} ${owner.place.number}`
    : undefined;
}

/** Names the account of a place with its kind of script: chains 0 and 1 have one name. */
const placeName = ({ seed, account, kind }: AccountPlace): string => `${seed} ${account} ${kind}`;

/** Names what has indexes of its own: the accounts of one number, an odd account, or a wallet. */
function indexName(owner: Owner): string | undefined {
  if (owner.kind === 'wallet') return `wallet ${owner.wallet.positions.join()}`;
  return owner.kind === 'account' ? (numberName(owner) ?? placeName(owner.place)) : undefined;
}

const indexOf = (owner: Owner): number => (owner.kind === 'wallet' || owner.kind === 'account' ? owner.place.index : 0);

/** A dust coin that a stranger sent to a far index makes no index near: the smallest coins, of less than 1 % in all, do not count. */
const COUNTED_SHARE = 100n;

function highestIndexes(own: readonly OwnCoin[]): ReadonlyMap<string, number> {
  const total = own.reduce((sum, { value }) => sum + value, 0n);
  const highest = new Map<string, number>();
  let smaller = 0n;
  for (const { owner, value } of [...own].sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))) {
    smaller += value;
    const name = indexName(owner);
    if (smaller * COUNTED_SHARE < total || name === undefined) continue;
    highest.set(name, Math.max(highest.get(name) ?? 0, indexOf(owner)));
  }
  return highest;
}

/** A restored wallet searches no further beyond the indexes in use. */
const NEAR = 200;

/** What the holder has said to pay. */
export interface Intent {
  /** The names of wallets. */
  readonly wallets: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
}

/** Tells whether the holder has named a wallet. A name that two wallets have names neither. */
export const isNamed = ({ name, sharesName }: HeldWallet, intent: Intent | undefined): boolean =>
  name !== undefined && !sharesName && intent?.wallets.has(name) === true;

export interface RoleContext {
  readonly held: HeldPsbt;
  readonly spent: Spent;
  readonly refutations: Refutations;
  readonly tx: Transaction;
  readonly intent?: Intent | undefined;
}

interface JudgedOutput {
  readonly outputIndex: number;
  readonly scriptPubKey: Uint8Array;
  readonly output: PsbtOutput;
  readonly isData: boolean;
}

/** Judges an output that pays no address of silent payments: the first row that fits counts. */
export function judgeRole(judged: JudgedOutput, context: RoleContext): RoleVerdict {
  const { held } = context;
  const owner = scriptOwner(held, judged.scriptPubKey, claimedKeys(judged.output));
  if (judged.isData) return { owner, role: 'data', stays: false };
  switch (owner.kind) {
    case 'wallet':
      return walletVerdict(judged, owner, context);
    case 'account':
      return accountVerdict(judged, owner, context);
    default:
      return strangerVerdict(judged, owner, context);
  }
}

const named = ({ outputIndex }: Pick<JudgedOutput, 'outputIndex'>): string => `Output ${outputIndex}`;

type WalletOwner = Extract<Owner, { kind: 'wallet' }>;

function walletVerdict(judged: JudgedOutput, owner: WalletOwner, context: RoleContext): RoleVerdict {
  const { spent } = context;
  const { wallet } = owner;
  const to = `${named(judged)} pays to ${wallet.title}`;
  if (wallet.isRetired) {
    return leaving(owner, {
      check: 'wallet-retired',
      text: `${to}, which a wallet that you registered has replaced.`,
    });
  }
  const isSpent = spent.coins.some((coin) => coin.owner.kind === 'wallet' && coin.owner.wallet === wallet);
  if (wallet.root !== 'none' && !isSpent) return otherWallet(judged, owner, context);
  if (wallet.root === 'none' && !(isSpent && wallet.hasUsualChains && wallet.mine.size > 0)) {
    if (spent.kind === 'none') return leaving(owner);
    return leaving(owner, {
      check: 'wallet-foreign',
      text: `${to}, ${foreignText(wallet)}: whoever made its file may control it.`,
    });
  }
  return spentVerdict(judged, owner, context);
}

/** Judges an output to a wallet of which coins are spent. */
function spentVerdict(judged: JudgedOutput, owner: WalletOwner, context: RoleContext): RoleVerdict {
  const { spent, held } = context;
  const { wallet } = owner;
  const to = `${named(judged)} pays to ${wallet.title}`;
  const later = laterText(wallet, context);
  if (later !== undefined) {
    return leaving(owner, { check: 'change-later', text: `${to}, ${later}: leave no change in it.` });
  }
  if (spent.kind === 'mixed') return leaving(owner, mixed(to));
  if (owner.place.index > nearLimit(owner, spent)) {
    return leaving(owner, { check: 'path-far', text: `${named(judged)} is yours, but ${farText(owner)}.` });
  }
  if (isAltered(wallet)) {
    return leaving(owner, { check: 'wallet-changed', text: `${to}, which ${unlikeText(wallet)}: compare its keys.` });
  }
  const finding = wallet.root === 'none' ? unregistered(judged, wallet, held) : undefined;
  return { owner, role: 'change', stays: true, ...(finding && { finding }) };
}

const mixed = (to: string): RoleFinding => ({
  check: 'wallets-mixed',
  text: `${to}, but not all of your coins come from it: it would be change to a wallet that others may control.`,
});

const leaving = (owner: WalletOwner, finding?: RoleFinding): RoleVerdict => ({
  owner,
  role: owner.wallet.root === 'none' ? 'payment' : 'wallet',
  stays: false,
  ...(finding && { finding }),
});

/** An output to a wallet that is not spent always leaves. */
function otherWallet({ outputIndex }: JudgedOutput, owner: WalletOwner, { spent, intent }: RoleContext): RoleVerdict {
  const { wallet } = owner;
  const verdict = { owner, role: 'wallet', stays: false } as const;
  if (isNamed(wallet, intent) || spent.kind === 'none') return verdict;
  const text = `Output ${outputIndex} pays to ${rootedTitle(wallet)}, and none of the coins being spent come from it: it is not change.`;
  return { ...verdict, finding: { check: 'wallet-other', text } };
}

const rootedTitle = ({ root, title }: HeldWallet): string =>
  root === 'registered'
    ? `your registered wallet ${title}`
    : root === 'listed'
      ? `${title} (not proven: no key at hand)`
      : title;

function foreignText(wallet: HeldWallet): string {
  if (wallet.mine.size === 0) return 'which has no key of yours';
  const unlike = `which ${unlikeText(wallet)}`;
  return wallet.hasUsualChains ? unlike : `${unlike}, and whose chains are not 0 and 1`;
}

const unlikeText = ({ fault }: HeldWallet): string =>
  fault === undefined ? 'you have not registered' : faultText(fault);

/** Tells whether what no registration proves is refused: whoever registers wallets does so with each. */
const isStrict = (holder: Holder): boolean => holder.unregistered === 'refuse' || hasRegistrations(holder);

/** One warning says what an unregistered wallet is worth, and what others can do in it. */
function unregistered({ outputIndex }: JudgedOutput, wallet: HeldWallet, { holder }: HeldPsbt): RoleFinding {
  const action = holder.network.isMain ? (isStrict(holder) ? 'refuse' : undefined) : 'allow';
  const control = walletControl(wallet);
  const { others, alone } = controlTexts(control);
  const exposure =
    control.others === NEVER ? 'others cannot spend without you' : `others can spend without you ${others}`;
  return {
    check: 'wallet-unregistered',
    text: `Output ${outputIndex} is change to ${wallet.title}, which you have not registered: only its file says that the other keys are right. As it says, ${exposure}, and you alone ${alone}. Register it once.`,
    ...(action && { action }),
  };
}

/**
 * Says that others can spend the change of a wallet sooner than the way of this transaction: an heir whose own way waits must
 * not leave change that its first owner takes at once.
 */
function laterText(wallet: HeldWallet, { spent, tx }: RoleContext): string | undefined {
  const [single] = wallet.chains;
  if (!single || wallet.mine.size === 0) return undefined;
  const ages = spent.coins
    .filter(({ owner }) => owner.kind === 'wallet' && owner.wallet === wallet)
    .map(({ inputIndex }) => {
      const txIn = tx.inputs[inputIndex];
      const { now, soonest } = txIn ? ownWays(wallet, tx, txIn) : { now: NEVER, soonest: NEVER };
      return now === NEVER ? soonest : now;
    });
  const way = Math.max(...ages);
  const { others } = spendingAges(single, { whose: keyHolderIn(wallet) });
  if (way === NEVER || others >= way) return undefined;
  return `where your keys can spend it only ${ageText(way)}, and others without you ${ageText(others)}`;
}

const nearLimit = (owner: Owner, { highest }: Spent): number => (highest.get(indexName(owner) ?? '') ?? 0) + NEAR;

function farText(owner: Owner): string {
  if (owner.kind === 'account') {
    const { number, index } = owner.place;
    return number !== undefined && !isSearched(owner.place)
      ? `in account ${number} (${placePath(owner.place)}), where a restored wallet does not look: write the path down`
      : `at index ${index} (${placePath(owner.place)}), where a restored wallet may not find it: write the path down`;
  }
  return `at index ${indexOf(owner)}, where a restored wallet may not find it: write it down`;
}

type AccountOwner = Extract<Owner, { kind: 'account' }>;

function accountVerdict(judged: JudgedOutput, owner: AccountOwner, context: RoleContext): RoleVerdict {
  const { spent } = context;
  const { place } = owner;
  const isOdd = place.number === undefined;
  const isFar = place.index > nearLimit(owner, spent) || !(isOdd || isSearched(place));
  const isChange = isOdd ? isOddChange(place, spent) : spent.numbers.has(numberName(owner) ?? '');
  const own = { owner, role: 'own', stays: false } as const;
  if (isFar && (!isOdd || isChange)) {
    return { ...own, finding: { check: 'path-far', text: `${named(judged)} is yours, but ${farText(owner)}.` } };
  }
  if (isChange) return spent.kind === 'accounts' ? { owner, role: 'change', stays: true } : own;
  return unspentVerdict(judged, owner, context);
}

/** Judges an output to a key of the holder at a place that is not spent. */
function unspentVerdict(judged: JudgedOutput, owner: AccountOwner, context: RoleContext): RoleVerdict {
  const { kind, coins } = context.spent;
  const { place, root } = owner;
  const own = { owner, role: 'own', stays: false } as const;
  const isSingleKey = place.path.length === 0;
  if (kind === 'none' || (isSingleKey && kind !== 'accounts')) return own;
  const isOdd = place.number === undefined;
  if (root === 'listed' && (isOdd || !listedSeeds(coins).has(place.seed))) return listedVerdict(judged, owner, context);
  if (isOdd) {
    const text = `${named(judged)} pays to your key at the odd path ${placePath(place)} (${place.kind}), where no restored wallet looks.`;
    return { ...own, finding: { check: 'path-unusual', text } };
  }
  const finding = otherAccount(judged, owner, context);
  return { ...own, stays: kind === 'accounts', ...(finding && { finding }) };
}

/** A wallet of one key is an account because it is listed, wherever its keys lie: its own change stays. */
function listedVerdict(judged: JudgedOutput, owner: AccountOwner, { spent, intent }: RoleContext): RoleVerdict {
  const { place, title = 'a listed wallet' } = owner;
  const isSpent = spent.coins.some(
    (coin) => coin.owner.kind === 'account' && placeName(coin.owner.place) === placeName(place),
  );
  const isUsual = isSpent && (place.chain ?? 0) <= 1;
  if (isUsual && spent.kind === 'accounts') return { owner, role: 'change', stays: true };
  const to = `${named(judged)} pays to ${title}`;
  const verdict = { owner, role: 'wallet', stays: false } as const;
  if (isUsual) return { ...verdict, finding: mixed(to) };
  if (intent?.scripts.has(formatHex(judged.scriptPubKey))) return verdict;
  const text = `${to} (not proven: no key at hand), and none of the coins being spent come from it: it is not change.`;
  return { ...verdict, finding: { check: 'wallet-other', text } };
}

/** An odd place is change only where all coins come from: a stranger who knows an extended key can send bait to any path below it. */
function isOddChange(place: AccountPlace, { kind, sharedPlace, coins }: Spent): boolean {
  if (kind !== 'accounts') return false;
  if (place.path.length > 0) {
    const isBack = coins.some(({ owner }) => owner.kind === 'account' && isSamePlace(owner.place, place));
    return sharedPlace === placeName(place) && (isBack || (place.chain ?? 0) <= 1);
  }
  // A single key has no path that could be odd, but it may have a kind of script that no wallet of it looks for.
  const places = coins.map(({ owner }) => (owner.kind === 'account' ? owner.place : undefined));
  return places.every((one) => one?.path.length === 0) && places.some((one) => one?.kind === place.kind);
}

/** Change that returns to a script which is spent is where the holder found its coin. */
const isSamePlace = (a: AccountPlace, b: AccountPlace): boolean =>
  a.seed === b.seed && a.kind === b.kind && a.path.join() === b.path.join();

/** Wallets that are restored stop at the first account without coins. */
function otherAccount(
  { outputIndex, scriptPubKey }: JudgedOutput,
  { place }: AccountOwner,
  { intent }: RoleContext,
): RoleFinding | undefined {
  if (place.number === 0 || intent?.scripts.has(formatHex(scriptPubKey))) return undefined;
  const text = `Output ${outputIndex} pays to your other account ${placePath(place)}, of which no coin is spent: a restored wallet finds it only if all accounts before it were used.`;
  return { check: 'account-other', text };
}

/** Judges an output that no wallet and no key alone owns, by what it claims. */
function strangerVerdict(judged: JudgedOutput, owner: Owner, context: RoleContext): RoleVerdict {
  const { held, refutations } = context;
  const payment = { owner, role: 'payment', stays: false } as const;
  const claims = claimedKeys(judged.output);
  if (claims.length === 0) return payment;
  const refutation = refutations.refute(judged.output, { scriptPubKey: judged.scriptPubKey, claimedKeys: claims });
  if (refutation !== undefined) {
    const text = `${named(judged)} claims to be yours, which is false: ${refutation}. The money would go to a stranger.`;
    return { ...payment, finding: { check: 'change-refuted', text } };
  }
  const own = claims.find((claim) => held.proofs.prove(claim) !== undefined);
  if (own) return { ...payment, finding: amongOthers(judged, own, context) };
  if (hasKeys(held.holder) || held.holder.wallets.length > 0) return payment;
  const text = `${named(judged)} claims to be change, but no key or wallet is at hand to verify it.`;
  return { ...payment, finding: { check: 'change-unverified', text } };
}

function amongOthers(
  { outputIndex }: JudgedOutput,
  { origin }: ClaimedKey,
  { spent: { kind }, held: { holder } }: RoleContext,
): RoleFinding {
  const key = `your key at ${formatOrigin(origin)}`;
  return kind === 'unregistered' || kind === 'none'
    ? {
        check: 'change-unverified',
        text: `Output ${outputIndex} names ${key} among others, but no wallet at hand derives it: give the wallet file of the coins being spent.`,
        ...(holder.network.isMain && isStrict(holder) && { action: 'refuse' as const }),
      }
    : {
        check: 'change-refuted',
        text: `Output ${outputIndex} names ${key}, but does not pay to it alone, and is of no wallet that you have registered. If it is one, register it; else the money would go to a stranger.`,
      };
}
