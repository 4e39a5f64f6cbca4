import { formatHex } from '../bytes/hex.ts';
import { formatOrigin } from '../keys/path.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import type { Transaction } from '../tx/types.ts';
import { type AccountPlace, isSearched, placePath } from './accounts.ts';
import { type ClaimedKey, claimedKeys } from './claims.ts';
import { keyHolderIn, NEVER, ownWays, spendingAges, walletControl } from './control.ts';
import { type HeldWallet, isAltered, type WalletFault, type WalletRoot } from './heldWallets.ts';
import { type Holder, hasKeys, hasRegistrations } from './holder.ts';
import { type HeldPsbt, isHolders, type Owner, scriptOwner } from './owner.ts';
import type { Refutation, Refutations } from './refutation.ts';

/**
 * What an output is to the holder: `change` of what is spent, `own` money at another place, or a place that is not near, a
 * `wallet` of the holder that is not spent or must take no change, a `payment`, `data`, or an `anchor` for a child that pays the
 * fee.
 */
export type Role = 'change' | 'own' | 'wallet' | 'payment' | 'data' | 'anchor';

/** A false claim of an output: by its script, or by its address of silent payments. */
export type FalseClaim =
  | Refutation
  /** The key at the origin has another address of silent payments, or stands among others in no wallet at hand. */
  | { readonly reason: 'other-address' | 'among-others'; readonly origin: string }
  /** The scan key of the address is none of the keys that the output names. */
  | { readonly reason: 'scan-key' };

/** Nothing but the check, and the input or output that it is about. */
export type NoData = Record<string, never>;

/**
 * What a finding about the role of an output says, by its check. `wallet` is the title of a wallet, paths are as in
 * `84h/0h/0h/1/5`, ages are in seconds, of which a block has 600, and absent for never.
 */
export interface RoleFindingData {
  /** An output names a key of yours, but another script than your keys or wallets have there. */
  readonly 'change-refuted': FalseClaim;
  /**
   * An output claims to be yours, and no key or wallet at hand proves or refutes it. `origin` of a key of the holder
   * that the output names among others.
   */
  readonly 'change-unverified': { readonly origin?: string };
  /** Change that others can spend sooner than the way by which its coins are spent. */
  readonly 'change-later': { readonly wallet: string; readonly mine: number; readonly others: number };
  /** A wallet that another one has replaced. */
  readonly 'wallet-retired': { readonly wallet: string };
  /** A wallet that is not as you registered it. Of the registration itself if no output is named, whatever is spent. */
  readonly 'wallet-changed': { readonly wallet: string; readonly fault: WalletFault };
  /** Change to a wallet that no key of yours has registered. Allowed on test networks. */
  readonly 'wallet-unregistered': {
    readonly wallet: string;
    readonly others?: number;
    readonly alone?: number;
    /** True if the holder's own ways wait for an absolute lock. */
    readonly isLocked?: true;
  };
  /**
   * Change to a wallet of which not all of your coins come: others may control it. Of a wallet of one key, which may
   * have no title.
   */
  readonly 'wallets-mixed': { readonly wallet?: string };
  /** An output to a wallet of yours that is not spent. */
  readonly 'wallet-other': { readonly wallet?: string; readonly root: WalletRoot };
  /**
   * An output to a wallet that no key of yours has registered, and that is not spent, or has other chains than 0 and 1.
   */
  readonly 'wallet-foreign': {
    readonly wallet: string;
    readonly fault?: WalletFault;
    /** True if no key of it is the holder's. */
    readonly isStrange?: true;
    /** True if its chains are not 0 and 1. */
    readonly isUnusual?: true;
  };
  /** An output to your account of another number, of which no coin is spent. */
  readonly 'account-other': { readonly path: string };
  /**
   * Yours, at an index or in an account that a restored wallet does not search. `account` if the number of the account
   * is what is far.
   */
  readonly 'path-far': { readonly path?: string; readonly index: number; readonly account?: number };
  /** Your key alone, at a path or with a script that no wallet of yours has. */
  readonly 'path-unusual': { readonly path: string; readonly script: AccountPlace['kind'] };
  /** An address with your scan key, and a spend key that is not yours. */
  readonly 'silent-foreign': NoData;
}

/** A named fact about an output that its signer should know. */
type RoleFinding = {
  [Check in keyof RoleFindingData]: {
    readonly check: Check;
    readonly data: RoleFindingData[Check];
    /** Instead of the default. */
    readonly action?: 'refuse' | 'allow';
  };
}[keyof RoleFindingData];

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

/**
 * A dust coin that a stranger sent to a far index makes no index near: the smallest coins, of less than 1 % in all, do
 * not count.
 */
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
  readonly scriptPubKey: Uint8Array;
  readonly output: PsbtOutput;
  /** Its role if its script is no one's. */
  readonly bare?: 'data' | 'anchor';
}

/** Judges an output that pays no address of silent payments: the first row that fits counts. */
export function judgeRole(judged: JudgedOutput, context: RoleContext): RoleVerdict {
  const { held } = context;
  const owner = scriptOwner(held, judged.scriptPubKey, claimedKeys(judged.output));
  if (judged.bare) return { owner, role: judged.bare, stays: false };
  switch (owner.kind) {
    case 'wallet':
      return walletVerdict(owner, context);
    case 'account':
      return accountVerdict(judged, owner, context);
    default:
      return strangerVerdict(judged, owner, context);
  }
}

type WalletOwner = Extract<Owner, { kind: 'wallet' }>;

function walletVerdict(owner: WalletOwner, context: RoleContext): RoleVerdict {
  const { spent } = context;
  const { wallet } = owner;
  if (wallet.isRetired) return leaving(owner, { check: 'wallet-retired', data: { wallet: wallet.title } });
  const isSpent = spent.coins.some((coin) => coin.owner.kind === 'wallet' && coin.owner.wallet === wallet);
  if (wallet.root !== 'none' && !isSpent) return otherWallet(owner, context);
  if (wallet.root === 'none' && !(isSpent && wallet.hasUsualChains && wallet.mine.size > 0)) {
    return spent.kind === 'none' ? leaving(owner) : leaving(owner, foreign(wallet));
  }
  return spentVerdict(owner, context);
}

/** Judges an output to a wallet of which coins are spent. */
function spentVerdict(owner: WalletOwner, context: RoleContext): RoleVerdict {
  const { spent, held } = context;
  const { wallet } = owner;
  const { fault, title } = wallet;
  const later = findLaterChange(wallet, context);
  if (later) return leaving(owner, later);
  if (spent.kind === 'mixed') return leaving(owner, mixed(title));
  if (owner.place.index > nearLimit(owner, spent)) return leaving(owner, far(owner));
  if (fault && isAltered(wallet)) return leaving(owner, { check: 'wallet-changed', data: { wallet: title, fault } });
  const finding = wallet.root === 'none' ? unregistered(wallet, held) : undefined;
  return { owner, role: 'change', stays: true, ...(finding && { finding }) };
}

const mixed = (wallet: string): RoleFinding => ({ check: 'wallets-mixed', data: { wallet } });

const leaving = (owner: WalletOwner, finding?: RoleFinding): RoleVerdict => ({
  owner,
  role: owner.wallet.root === 'none' ? 'payment' : 'wallet',
  stays: false,
  ...(finding && { finding }),
});

/** An output to a wallet that is not spent always leaves. */
function otherWallet(owner: WalletOwner, { spent, intent }: RoleContext): RoleVerdict {
  const { wallet } = owner;
  const verdict = { owner, role: 'wallet', stays: false } as const;
  if (isNamed(wallet, intent) || spent.kind === 'none') return verdict;
  return { ...verdict, finding: { check: 'wallet-other', data: { wallet: wallet.title, root: wallet.root } } };
}

const foreign = ({ title, mine, fault, hasUsualChains }: HeldWallet): RoleFinding => ({
  check: 'wallet-foreign',
  data: {
    wallet: title,
    ...(fault && { fault }),
    ...(mine.size === 0 && { isStrange: true }),
    ...(!hasUsualChains && { isUnusual: true }),
  },
});

/** Tells whether what no registration proves is refused: whoever registers wallets does so with each. */
const isStrict = (holder: Holder): boolean => holder.unregistered === 'refuse' || hasRegistrations(holder);

/** One warning says what an unregistered wallet is worth, and what others can do in it. */
function unregistered(wallet: HeldWallet, { holder }: HeldPsbt): RoleFinding {
  const action = holder.network.isMain ? (isStrict(holder) ? 'refuse' : undefined) : 'allow';
  const { others, alone, aloneUnlocked } = walletControl(wallet);
  return {
    check: 'wallet-unregistered',
    data: {
      wallet: wallet.title,
      ...(others !== NEVER && { others }),
      ...(alone !== NEVER && { alone }),
      ...(alone === NEVER && aloneUnlocked !== NEVER && { isLocked: true }),
    },
    ...(action && { action }),
  };
}

/**
 * Finds change that others can spend sooner than the way of this transaction: an heir whose own way waits must not leave change
 * that its first owner takes at once.
 */
function findLaterChange(wallet: HeldWallet, { spent, tx }: RoleContext): RoleFinding | undefined {
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
  return { check: 'change-later', data: { wallet: wallet.title, mine: way, others } };
}

const nearLimit = (owner: Owner, { highest }: Spent): number => (highest.get(indexName(owner) ?? '') ?? 0) + NEAR;

function far(owner: Owner): RoleFinding {
  const index = indexOf(owner);
  if (owner.kind !== 'account') return { check: 'path-far', data: { index } };
  const { number } = owner.place;
  const isFarAccount = number !== undefined && !isSearched(owner.place);
  return { check: 'path-far', data: { path: placePath(owner.place), index, ...(isFarAccount && { account: number }) } };
}

type AccountOwner = Extract<Owner, { kind: 'account' }>;

function accountVerdict(judged: JudgedOutput, owner: AccountOwner, context: RoleContext): RoleVerdict {
  const { spent } = context;
  const { place } = owner;
  const isOdd = place.number === undefined;
  const isFar = place.index > nearLimit(owner, spent) || !(isOdd || isSearched(place));
  const isChange = isOdd ? isOddChange(place, spent) : spent.numbers.has(numberName(owner) ?? '');
  const own = { owner, role: 'own', stays: false } as const;
  if (isFar && (!isOdd || isChange)) return { ...own, finding: far(owner) };
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
    return { ...own, finding: { check: 'path-unusual', data: { path: placePath(place), script: place.kind } } };
  }
  const finding = otherAccount(judged, owner, context);
  return { ...own, stays: kind === 'accounts', ...(finding && { finding }) };
}

/** A wallet of one key is an account because it is listed, wherever its keys lie: its own change stays. */
function listedVerdict(judged: JudgedOutput, owner: AccountOwner, { spent, intent }: RoleContext): RoleVerdict {
  const { place, title } = owner;
  const named = title === undefined ? {} : { wallet: title };
  const isSpent = spent.coins.some(
    (coin) => coin.owner.kind === 'account' && placeName(coin.owner.place) === placeName(place),
  );
  const isUsual = isSpent && (place.chain ?? 0) <= 1;
  if (isUsual && spent.kind === 'accounts') return { owner, role: 'change', stays: true };
  const verdict = { owner, role: 'wallet', stays: false } as const;
  if (isUsual) return { ...verdict, finding: { check: 'wallets-mixed', data: named } };
  if (intent?.scripts.has(formatHex(judged.scriptPubKey))) return verdict;
  return { ...verdict, finding: { check: 'wallet-other', data: { ...named, root: 'listed' } } };
}

/**
 * An odd place is change only where all coins come from: a stranger who knows an extended key can send bait to any path
 * below it.
 */
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
  { scriptPubKey }: JudgedOutput,
  { place }: AccountOwner,
  { intent }: RoleContext,
): RoleFinding | undefined {
  if (place.number === 0 || intent?.scripts.has(formatHex(scriptPubKey))) return undefined;
  return { check: 'account-other', data: { path: placePath(place) } };
}

/** Judges an output that no wallet and no key alone owns, by what it claims. */
function strangerVerdict(judged: JudgedOutput, owner: Owner, context: RoleContext): RoleVerdict {
  const { held, refutations } = context;
  const payment = { owner, role: 'payment', stays: false } as const;
  const claims = claimedKeys(judged.output);
  if (claims.length === 0) return payment;
  const refutation = refutations.refute(judged.output, { scriptPubKey: judged.scriptPubKey, claimedKeys: claims });
  if (refutation) return { ...payment, finding: { check: 'change-refuted', data: refutation } };
  const own = claims.find((claim) => held.proofs.prove(claim) !== undefined);
  if (own) return { ...payment, finding: amongOthers(own, context) };
  if (hasKeys(held.holder) || held.holder.wallets.length > 0) return payment;
  return { ...payment, finding: { check: 'change-unverified', data: {} } };
}

function amongOthers(claim: ClaimedKey, { spent: { kind }, held: { holder } }: RoleContext): RoleFinding {
  const origin = formatOrigin(claim.origin);
  if (kind !== 'unregistered' && kind !== 'none') {
    return { check: 'change-refuted', data: { reason: 'among-others', origin } };
  }
  const isRefused = holder.network.isMain && isStrict(holder);
  return { check: 'change-unverified', data: { origin }, ...(isRefused && { action: 'refuse' }) };
}
