import { bytesKey } from '../../core/bytes/compare.ts';
import type { Outpoint } from '../../core/tx/types.ts';
import { feeFor } from './feeRate.ts';
import { inputWeight, type SpendSize, vsizeOf } from './spendSize.ts';

/** A coin that a transaction may spend. */
export interface FundingCoin {
  readonly outpoint: Outpoint;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  /** The size of its input; missing if it is unknown how to spend the coin. */
  readonly size?: SpendSize | undefined;
  /** The kind of its address: coins of one kind are preferably not mixed with others. */
  readonly kind: string;
  /** Confirmations. */
  readonly depth: number;
  /** True if a transaction of the wallet created it. */
  readonly isFromMe: boolean;
  /** The number of transactions that its unconfirmed transaction depends on, or that depend on it, with itself. */
  readonly relatives: number;
  /** Satoshi that unconfirmed ancestors lack to reach the asked fee rate. */
  readonly bumpFee: bigint;
}

/** Coins that are spent together or not at all. */
export interface CoinGroup {
  readonly coins: readonly FundingCoin[];
  /** Satoshi that the group adds to what can be paid: its value, less the fee of its inputs if recipients do not pay it. */
  readonly amount: bigint;
  /** Satoshi by which spending it now costs more than spending it later. */
  readonly waste: bigint;
  readonly weight: number;
}

/** The fee rates that make coins worth spending, in satoshi per 1000 virtual bytes. */
export interface GroupTerms {
  readonly feeRate: bigint;
  /** The rate at which coins may be spent later. @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  /** True if recipients pay the fee, so that a coin counts with its whole value. */
  readonly recipientsPay: boolean;
}

const weightOf = ({ size }: FundingCoin): number => (size ? inputWeight(size) : 0);

export function groupOf(
  coins: readonly FundingCoin[],
  { feeRate, longTermRate, recipientsPay }: GroupTerms,
): CoinGroup {
  let [amount, waste, weight] = [0n, 0n, 0];
  for (const coin of coins) {
    const vsize = vsizeOf(weightOf(coin));
    const fee = feeFor(feeRate, vsize, 'up') + coin.bumpFee;
    amount += recipientsPay ? coin.value : coin.value - fee;
    waste += fee - feeFor(longTermRate, vsize, 'up');
    weight += weightOf(coin);
  }
  return { coins, amount, waste, weight };
}

/** The most coins of one address that are spent together: more would make a costly transaction. */
const MAX_GROUP_SIZE = 100;

/**
 * Groups coins by their address, so that the coins of an address are linked only once.
 * @see Bitcoin Core `-avoidpartialspends`
 */
export function groupByScript(coins: readonly FundingCoin[], terms: GroupTerms): readonly CoinGroup[] {
  const byScript = new Map<string, FundingCoin[]>();
  const full: (readonly FundingCoin[])[] = [];
  for (const coin of coins) {
    const key = bytesKey(coin.scriptPubKey);
    const group = byScript.get(key) ?? [];
    group.push(coin);
    byScript.set(key, group);
    if (group.length < MAX_GROUP_SIZE) continue;
    full.push(group);
    byScript.delete(key);
  }
  return [...full, ...byScript.values()].map((group) => groupOf(group, terms));
}
