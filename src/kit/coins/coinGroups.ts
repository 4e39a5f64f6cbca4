import { append } from '../../core/bytes/groups.ts';
import { type ScriptKey, scriptKey } from '../../core/script/scriptKey.ts';
import { inputWeight, type SpendSize } from '../../core/tx/spendSize.ts';
import type { Outpoint } from '../../core/tx/types.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import { feeFor } from './feeRate.ts';

export interface FundingCoin {
  readonly outpoint: Outpoint;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  /** Missing if it is unknown how to spend the coin. */
  readonly size?: SpendSize | undefined;
  /** The kind of address; kinds are preferably not mixed. */
  readonly kind: string;
  /** Confirmations. */
  readonly depth: number;
  readonly isFromMe: boolean;
  /** Unconfirmed transactions that must be mined for the coin; 0 if it is confirmed. */
  readonly ancestors: number;
  /** Unconfirmed transactions with which it competes for the limits of the mempool. */
  readonly relatives: number;
  /** Satoshi that unconfirmed ancestors lack to reach the fee rate. */
  readonly bumpFee: bigint;
}

/** Coins that are spent together or not at all. @see Bitcoin Core `OutputGroup` */
export interface CoinGroup {
  readonly coins: readonly FundingCoin[];
  /** Satoshi, less the fee of the inputs unless recipients pay it. */
  readonly amount: bigint;
  /** Satoshi by which spending now costs more than spending later. */
  readonly waste: bigint;
  /** Of inputs whose sizes are rounded up to virtual bytes. */
  readonly weight: number;
  readonly kind: string;
  /** That of the youngest coin. */
  readonly depth: number;
  readonly isFromMe: boolean;
  /** The sum, as if the coins had none in common. */
  readonly ancestors: number;
  readonly relatives: number;
  /** What is left of an address with too many coins for one group. */
  readonly isPartial: boolean;
}

/** Satoshi per 1000 virtual bytes. */
export interface GroupTerms {
  readonly feeRate: bigint;
  /** @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  readonly recipientsPay: boolean;
}

/** The groups of all coins, and those of coins that are worth their fees. */
export interface GroupPools {
  readonly all: readonly CoinGroup[];
  readonly positive: readonly CoinGroup[];
}

const coinVsize = ({ size }: FundingCoin): number => (size ? sizeOfWeight(inputWeight(size)) : 0);

const inputFee = (coin: FundingCoin, { feeRate }: GroupTerms): bigint =>
  feeFor(feeRate, coinVsize(coin), 'up') + coin.bumpFee;

export function createGroup(coins: readonly FundingCoin[], terms: GroupTerms, isPartial = false): CoinGroup {
  let [amount, waste, vsize, ancestors, relatives] = [0n, 0n, 0, 0, 0];
  let depth = Number.POSITIVE_INFINITY;
  for (const coin of coins) {
    const fee = inputFee(coin, terms);
    amount += terms.recipientsPay ? coin.value : coin.value - fee;
    waste += fee - feeFor(terms.longTermRate, coinVsize(coin), 'up');
    vsize += coinVsize(coin);
    depth = Math.min(depth, coin.depth);
    ancestors += coin.ancestors;
    relatives = Math.max(relatives, coin.relatives);
  }
  const isFromMe = coins.every((coin) => coin.isFromMe);
  const kind = coins[0]?.kind ?? '';
  return { coins, amount, waste, weight: 4 * vsize, kind, depth, isFromMe, ancestors, relatives, isPartial };
}

/** @see Bitcoin Core `GroupOutputs` */
export function formGroups(coins: readonly FundingCoin[], byScript: boolean, terms: GroupTerms): GroupPools {
  const isWorthwhile = ({ amount }: CoinGroup): boolean => amount > 0n;
  if (!byScript) {
    const all = coins.map((coin) => createGroup([coin], terms));
    return { all, positive: all.filter(isWorthwhile) };
  }
  const worthwhile = coins.filter((coin) => coin.value > inputFee(coin, terms));
  return { all: groupByScript(coins, terms), positive: groupByScript(worthwhile, terms).filter(isWorthwhile) };
}

/** @see Bitcoin Core `OUTPUT_GROUP_MAX_ENTRIES` */
const MAX_GROUP_SIZE = 100;

/** Links the coins of an address only once. @see Bitcoin Core `-avoidpartialspends` */
function groupByScript(coins: readonly FundingCoin[], terms: GroupTerms): readonly CoinGroup[] {
  const byScript = new Map<ScriptKey, FundingCoin[]>();
  for (const coin of coins) append(byScript, scriptKey(coin.scriptPubKey), coin);
  return [...byScript.values()].flatMap((sameScript) => split(sameScript, terms));
}

/** The last of several groups is partial. */
function split(coins: readonly FundingCoin[], terms: GroupTerms): readonly CoinGroup[] {
  const count = Math.ceil(coins.length / MAX_GROUP_SIZE);
  return Array.from({ length: count }, (_, index) => {
    const group = coins.slice(MAX_GROUP_SIZE * index, MAX_GROUP_SIZE * (index + 1));
    return createGroup(group, terms, count > 1 && index === count - 1);
  });
}
