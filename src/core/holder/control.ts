import { foldPolicy } from '../descriptors/miniscript/foldPolicy.ts';
import type { Miniscript } from '../descriptors/miniscript/index.ts';
import type { Descriptor, KeyExpression, Musig2Key } from '../descriptors/types.ts';
import { meetsLock } from '../interpreter/transactionChecker.ts';
import { parseRelativeLock, toSeconds } from '../tx/relativeLock.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import type { HeldWallet } from './heldWallets.ts';
import { hasUnspendableKey } from './unspendable.ts';

type SingleKey = Exclude<KeyExpression, Musig2Key>;

/** The owner of a key; `nobody` for one whose private key no one can know, or who is left out. */
type KeyHolder = 'mine' | 'others' | 'nobody';

export interface SpendingFacts {
  readonly whose: (key: SingleKey) => KeyHolder;
  /** Tells whether the holder's ways may wait for a relative lock. Default: all may. */
  readonly opensOlder?: (lock: number) => boolean;
  /** Tells whether the holder's ways may wait for an absolute lock. Default: none may, as no clock says when it ends. */
  readonly opensAfter?: (lock: number) => boolean;
}

/** The least age of a coin, in seconds, of which a block has 600; `Infinity` for never. */
export interface SpendingAges {
  /** With a key of the holder among those that sign, without a preimage. */
  readonly mine: number;
  /** Without a key of the holder: all preimages are known, and absolute locks have passed. */
  readonly others: number;
}

/** `plain`: without a key of the holder, but with the locks and preimages that the holder's ways may use. */
interface Ages extends SpendingAges {
  readonly plain: number;
}

/** The age of what never opens. */
export const NEVER = Number.POSITIVE_INFINITY;
const SECONDS_PER_BLOCK = 600;
const NO_WAY: Ages = { mine: NEVER, plain: NEVER, others: NEVER };
const AT_ONCE: Ages = { mine: NEVER, plain: 0, others: 0 };

/**
 * Compares how soon the holder can spend a wallet's coins with how soon others can without the holder. Only relative locks
 * are compared: no clock tells whether an absolute one has passed, so it counts for others as passed, and for the holder as
 * never.
 */
export function spendingAges(descriptor: Descriptor, facts: SpendingFacts): SpendingAges {
  const { mine, others } = agesOf(descriptor, facts);
  return { mine, others };
}

function agesOf(descriptor: Descriptor, facts: SpendingFacts): Ages {
  switch (descriptor.kind) {
    case 'addr':
    case 'raw':
      return NO_WAY;
    case 'sh':
    case 'wsh':
      return agesOf(descriptor.inner, facts);
    case 'tr':
      return some(1, [keyAges(descriptor.key, facts), ...descriptor.leaves.map(({ script }) => agesOf(script, facts))]);
    case 'miniscript':
      return miniscriptAges(descriptor.root, facts);
    default:
      return 'keys' in descriptor ? quorumAges(descriptor, facts) : keyAges(descriptor.key, facts);
  }
}

/** An aggregate key signs only with all its participants. @see BIP390 */
function keyAges(key: KeyExpression, facts: SpendingFacts): Ages {
  if (key.kind === 'musig') return all(key.participants.map((participant) => keyAges(participant, facts)));
  const holder = facts.whose(key);
  if (holder === 'nobody') return NO_WAY;
  return holder === 'mine' ? { ...NO_WAY, mine: 0 } : AT_ONCE;
}

const quorumAges = (
  { required, keys }: { readonly required: number; readonly keys: readonly KeyExpression[] },
  facts: SpendingFacts,
): Ages =>
  some(
    required,
    keys.map((key) => keyAges(key, facts)),
  );

const miniscriptAges = (root: Miniscript<KeyExpression>, facts: SpendingFacts): Ages =>
  foldPolicy<KeyExpression, Ages>(root, {
    key: (key) => keyAges(key, facts),
    preimage: () => ({ ...NO_WAY, others: 0 }),
    lock: (kind, lock) => (kind === 'older' ? olderAges(lock, facts) : afterAges(lock, facts)),
    some,
  });

function olderAges(lock: number, { opensOlder }: SpendingFacts): Ages {
  const age = lockAge(lock);
  return { mine: NEVER, plain: opensOlder?.(lock) === false ? NEVER : age, others: age };
}

const afterAges = (lock: number, { opensAfter }: SpendingFacts): Ages => ({
  mine: NEVER,
  plain: opensAfter?.(lock) === true ? 0 : NEVER,
  others: 0,
});

function lockAge(lock: number): number {
  const age = parseRelativeLock(lock);
  return age.kind === 'time' ? toSeconds(age) : age.value * SECONDS_PER_BLOCK;
}

const all = (parts: readonly Ages[]): Ages => some(parts.length, parts);

/** Any `required` of the parts; for `mine`, at least one of them by the holder's way. */
function some(required: number, parts: readonly Ages[]): Ages {
  if (required === 0) return AT_ONCE;
  const anyWay = sorted(parts.map(({ mine, plain }) => Math.min(mine, plain)));
  // The age of the other parts, without the one that the holder's way is in.
  const besides = (own: number): number =>
    (own <= (anyWay[required - 2] ?? 0) ? anyWay[required - 1] : anyWay[required - 2]) ?? NEVER;
  const byOne = parts.map(({ mine, plain }) =>
    required === 1 ? mine : Math.max(mine, besides(Math.min(mine, plain))),
  );
  return {
    mine: byOne.reduce((least, age) => Math.min(least, age), NEVER),
    plain: sorted(parts.map(({ plain }) => plain))[required - 1] ?? NEVER,
    others: sorted(parts.map(({ others }) => others))[required - 1] ?? NEVER,
  };
}

const sorted = (ages: readonly number[]): readonly number[] => [...ages].sort((a, b) => a - b);

/** How soon coins of a wallet can be spent, in seconds of their age; `Infinity` for never. */
export interface WalletControl {
  /** By the holder's keys alone. */
  readonly alone: number;
  /** The same, once all absolute locks of the wallet have passed. */
  readonly aloneUnlocked: number;
  /** By the holder with others. */
  readonly together: number;
  /** By others without the holder. */
  readonly others: number;
}

/** Says whose a wallet's keys are, as far as its file is true: all but the holder's are others'. */
export const keyHolderIn =
  ({ mine }: Pick<HeldWallet, 'mine'>): SpendingFacts['whose'] =>
  (key) =>
    mine.has(key) ? 'mine' : hasUnspendableKey(key) ? 'nobody' : 'others';

export function walletControl({ chains: [single], mine }: Pick<HeldWallet, 'chains' | 'mine'>): WalletControl {
  if (!single) return { alone: NEVER, aloneUnlocked: NEVER, together: NEVER, others: NEVER };
  const onlyMine = { whose: (key: SingleKey) => (mine.has(key) ? 'mine' : 'nobody') } as const;
  const { mine: together, others } = spendingAges(single, { whose: keyHolderIn({ mine }), opensAfter: () => true });
  return {
    alone: spendingAges(single, onlyMine).mine,
    aloneUnlocked: spendingAges(single, { ...onlyMine, opensAfter: () => true }).mine,
    together,
    others,
  };
}

/** How soon a way with a key of the holder opens, in a transaction that meets some locks: `now`, or by the policy. */
export interface OwnWays {
  /** Of the ways whose locks the transaction meets; `Infinity` if it meets those of none. */
  readonly now: number;
  /** Of all ways without an absolute lock. */
  readonly soonest: number;
  /** Of all ways; `Infinity` if each needs a preimage, too. */
  readonly unlocked: number;
}

export function ownWays(wallet: Pick<HeldWallet, 'chains' | 'mine'>, tx: Transaction, txIn: TxIn): OwnWays {
  const [single] = wallet.chains;
  if (!single) return { now: NEVER, soonest: NEVER, unlocked: NEVER };
  const whose = keyHolderIn(wallet);
  const opens = (kind: 'older' | 'after', lock: number): boolean => meetsLock(tx, txIn, { kind, lock });
  const now = spendingAges(single, {
    whose,
    opensOlder: (lock) => opens('older', lock),
    opensAfter: (lock) => opens('after', lock),
  }).mine;
  const unlocked = spendingAges(single, { whose, opensAfter: () => true }).mine;
  return { now, soonest: spendingAges(single, { whose }).mine, unlocked };
}
