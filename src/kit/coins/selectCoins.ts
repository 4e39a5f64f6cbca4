import { branchAndBound } from './branchAndBound.ts';
import { coinGrinder } from './coinGrinder.ts';
import { type CoinGroup, type FundingCoin, formGroups, type GroupPools, type GroupTerms } from './coinGroups.ts';
import { type Eligibility, type EligibilityTerms, eligibilities, isEligible } from './eligibility.ts';
import { knapsack } from './knapsack.ts';
import type { RandomBytes } from './randomNumbers.ts';
import { type Attempt, computeChange, type SelectionGoal, totalAmount } from './selectionGoal.ts';
import { singleRandomDraw } from './singleRandomDraw.ts';

export interface SelectionTerms extends GroupTerms, EligibilityTerms {
  readonly groupsByScript: boolean;
  /** Prefers coins of one kind of address, if they suffice. */
  readonly avoidsMixing: boolean;
  /** Counts usable coins beside those of long chains, to tell whether these would suffice. */
  readonly sumsUsableCoins: boolean;
  /** Satoshi that the unconfirmed ancestors of coins lack together. Default: the sum of what they lack alone. */
  readonly combinedBumpFee?: ((coins: readonly FundingCoin[]) => bigint) | undefined;
  readonly random: RandomBytes;
}

export type SelectionFault = 'insufficient' | 'long-chain' | 'too-heavy' | 'no-room-for-inputs' | 'no-room-for-change';

export interface SelectedCoins {
  readonly coins: readonly FundingCoin[];
  /** Satoshi that coins with common ancestors save. */
  readonly discount: bigint;
}

interface Selected extends SelectedCoins {
  readonly waste: bigint;
}

/** Prefers confirmed coins, and the least waste. @see Bitcoin Core `AutomaticCoinSelection` */
export function selectCoins(
  coins: readonly FundingCoin[],
  goal: SelectionGoal,
  terms: SelectionTerms,
): SelectedCoins | SelectionFault {
  const pools = formGroups(coins, terms.groupsByScript, terms);
  if (totalAmount(pools.positive) < goal.target) return 'insufficient';
  const rows = eligibilities(terms);
  const discarded = discardedGroups(pools, rows, terms);
  const usable = coins.reduce((sum, { value }) => sum + value, 0n) - totalAmount(discarded);
  if (usable < goal.target) {
    // Before Core 32, the usable coins count as 1 satoshi.
    const rest = terms.sumsUsableCoins ? usable : 1n;
    return rest + totalAmount(discarded.filter(exceedsLimits(terms))) > goal.target ? 'long-chain' : 'insufficient';
  }
  return tryRows(pools, rows, goal, terms);
}

/** Returns the first result or, if there is none, the first particular fault. */
function tryRows(pools: GroupPools, rows: readonly Eligibility[], goal: SelectionGoal, terms: SelectionTerms): Chosen {
  let fault: SelectionFault = 'insufficient';
  let tried = -1;
  for (const row of rows) {
    const eligible = filterPools(pools, (group) => isEligible(group, row));
    const count = eligible.all.length + eligible.positive.length;
    // The same coins would lead to the same result.
    if (count === 0 || (count === tried && row.own < 1)) continue;
    tried = count;
    const maxWeight = row.own < 1 ? goal.maxUnconfirmedWeight : goal.maxWeight;
    const result = attempt(eligible, { ...goal, maxWeight }, { ...terms, mixesKinds: row.mixesKinds });
    if (typeof result === 'object') return result;
    if (fault === 'insufficient') fault = result;
  }
  return fault;
}

/** Lists the groups that no row lets pass: those of worthwhile coins count again if addresses are grouped. */
function discardedGroups(
  { all, positive }: GroupPools,
  rows: readonly Eligibility[],
  { groupsByScript }: SelectionTerms,
): readonly CoinGroup[] {
  const groups = groupsByScript ? [...all, ...positive] : all;
  return groups.filter((group) => !rows.some((row) => isEligible(group, row)));
}

const exceedsLimits =
  ({ ancestorLimit, relativeLimit }: SelectionTerms) =>
  ({ ancestors, relatives }: CoinGroup): boolean =>
    ancestors >= ancestorLimit || relatives >= relativeLimit;

const filterPools = (pools: GroupPools, keeps: (group: CoinGroup) => boolean): GroupPools => ({
  all: pools.all.filter(keeps),
  positive: pools.positive.filter(keeps),
});

type Chosen = Selected | SelectionFault;

/** Mixes kinds of addresses only if none suffices alone. @see Bitcoin Core `AttemptSelection` */
function attempt(
  pools: GroupPools,
  goal: SelectionGoal,
  terms: SelectionTerms & Pick<Eligibility, 'mixesKinds'>,
): Chosen {
  if (!terms.avoidsMixing) return choose(pools, goal, terms);
  const kinds = new Set([...pools.all, ...pools.positive].map(({ kind }) => kind));
  const results: Selected[] = [];
  for (const name of kinds) {
    const result = choose(
      filterPools(pools, ({ kind }) => kind === name),
      goal,
      terms,
    );
    if (typeof result === 'object') results.push(result);
    else if (result !== 'insufficient') return result;
  }
  const best = leastWaste(results);
  if (best) return best;
  return terms.mixesKinds && kinds.size > 1 ? choose(pools, goal, terms) : 'insufficient';
}

/** @see Bitcoin Core `ChooseSelectionResult` */
function choose({ all, positive }: GroupPools, goal: SelectionGoal, terms: SelectionTerms): Chosen {
  if (goal.maxWeight <= 0) return 'no-room-for-inputs';
  const attempts: Attempt[] = terms.recipientsPay ? [] : [branchAndBound(positive, goal)];
  if (goal.maxWeight < goal.changeWeight && !attempts.some(Array.isArray)) return 'no-room-for-change';
  attempts.push(knapsack(all, goal, terms.random));
  if (terms.feeRate > 3n * terms.longTermRate) attempts.push(coinGrinder(positive, goal));
  attempts.push(singleRandomDraw(positive, goal, terms.random));
  const results = attempts.flatMap((found) => (typeof found === 'object' ? evaluate(found, goal, terms) : []));
  return leastWaste(results) ?? (attempts.includes('too-heavy') ? 'too-heavy' : 'insufficient');
}

/** Of equal ones, prefers the one that spends the most coins. */
function leastWaste(results: readonly Selected[]): Selected | undefined {
  let best: Selected | undefined;
  for (const result of results) {
    const isBetter =
      !best || result.waste < best.waste || (result.waste === best.waste && result.coins.length > best.coins.length);
    if (isBetter) best = result;
  }
  return best;
}

/** @see Bitcoin Core `SelectionResult::RecalculateWaste` */
function evaluate(groups: readonly CoinGroup[], goal: SelectionGoal, terms: SelectionTerms): Selected {
  const coins = groups.flatMap((group) => group.coins);
  const discount = computeDiscount(coins, terms);
  const amount = totalAmount(groups) + (terms.recipientsPay ? 0n : discount);
  const timing = groups.reduce((sum, { waste }) => sum + waste, -discount);
  const surplus = computeChange(amount, goal) > 0n ? goal.costOfChange : amount - goal.target;
  return { coins, discount, waste: timing + surplus };
}

function computeDiscount(coins: readonly FundingCoin[], { combinedBumpFee }: SelectionTerms): bigint {
  const alone = coins.reduce((sum, { bumpFee }) => sum + bumpFee, 0n);
  if (!combinedBumpFee || alone === 0n) return 0n;
  const saved = alone - combinedBumpFee(coins);
  return saved > 0n ? saved : 0n;
}
