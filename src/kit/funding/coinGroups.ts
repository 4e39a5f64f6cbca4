import { type ScriptKey, scriptKey } from '../../core/script/scriptKey.ts';
import type { Outpoint } from '../../core/tx/types.ts';
import { feeFor } from './feeRate.ts';
import { inputWeight, type SpendSize, toVsize } from './spendSize.ts';

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
  /** The unconfirmed ancestors or descendants, whichever are more, with itself. */
  readonly relatives: number;
  /** Satoshi that unconfirmed ancestors lack to reach the fee rate. */
  readonly bumpFee: bigint;
}

/** Coins that are spent together or not at all. */
export interface CoinGroup {
  readonly coins: readonly FundingCoin[];
  /** Satoshi, less the fee of the inputs unless recipients pay it. */
  readonly amount: bigint;
  /** Satoshi by which spending now costs more than spending later. */
  readonly waste: bigint;
  readonly weight: number;
}

/** Satoshi per 1000 virtual bytes. */
export interface GroupTerms {
  readonly feeRate: bigint;
  /** @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  readonly recipientsPay: boolean;
}

const coinWeight = ({ size }: FundingCoin): number => (size ? inputWeight(size) : 0);

export function createGroup(
  coins: readonly FundingCoin[],
  { feeRate, longTermRate, recipientsPay }: GroupTerms,
): CoinGroup {
  let [amount, waste, weight] = [0n, 0n, 0];
  for (const coin of coins) {
    const vsize = toVsize(coinWeight(coin));
    const fee = feeFor(feeRate, vsize, 'up') + coin.bumpFee;
    amount += recipientsPay ? coin.value : coin.value - fee;
    waste += fee - feeFor(longTermRate, vsize, 'up');
    weight += coinWeight(coin);
  }
  return { coins, amount, waste, weight };
}

/** @see Bitcoin Core `OUTPUT_GROUP_MAX_ENTRIES` */
const MAX_GROUP_SIZE = 100;

/** Links the coins of an address only once. @see Bitcoin Core `-avoidpartialspends` */
export function groupByScript(coins: readonly FundingCoin[], terms: GroupTerms): readonly CoinGroup[] {
  const byScript = new Map<ScriptKey, FundingCoin[]>();
  const full: (readonly FundingCoin[])[] = [];
  for (const coin of coins) {
    const key = scriptKey(coin.scriptPubKey);
    const group = byScript.get(key) ?? [];
    group.push(coin);
    byScript.set(key, group);
    if (group.length < MAX_GROUP_SIZE) continue;
    full.push(group);
    byScript.delete(key);
  }
  return [...full, ...byScript.values()].map((group) => createGroup(group, terms));
}
