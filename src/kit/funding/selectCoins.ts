import { branchAndBound } from './branchAndBound.ts';
import { type CoinGroup, createGroup, type FundingCoin, type GroupTerms, groupByScript } from './coinGroups.ts';
import { largestFirst, lowestLarger, singleRandomDraw } from './draws.ts';
import type { RandomBytes } from './randomNumbers.ts';
import { computeChange, type SelectionGoal } from './selectionGoal.ts';

export interface SelectionTerms extends GroupTerms {
  readonly groupsByScript: boolean;
  /** Prefers coins of one kind of address, if they suffice. */
  readonly avoidsMixing: boolean;
  /** Allows unconfirmed coins of others. */
  readonly spendsUnsafe: boolean;
  /** `undefined` without a limit. */
  readonly maxRelatives: number | undefined;
  readonly random: RandomBytes;
}

export type Selection =
  | { readonly kind: 'selected'; readonly coins: readonly FundingCoin[] }
  | { readonly kind: 'insufficient' | 'long-chain' | 'too-heavy' };

/** Later rows apply only if the coins of earlier ones do not suffice. */
interface Eligibility {
  /** The fewest confirmations of the wallet's own coins. */
  readonly own: number;
  /** The fewest confirmations of others' coins. */
  readonly foreign: number;
  readonly maxRelatives: number;
  readonly mixesKinds: boolean;
}

/** @see Bitcoin Core `AutomaticCoinSelection` */
function eligibilities({
  maxRelatives = Number.POSITIVE_INFINITY,
  spendsUnsafe,
}: SelectionTerms): readonly Eligibility[] {
  const own = [2, 4, maxRelatives / 2, maxRelatives].filter((limit) => limit <= maxRelatives);
  return [
    { own: 1, foreign: 6, maxRelatives: 0, mixesKinds: false },
    { own: 1, foreign: 1, maxRelatives: 0, mixesKinds: true },
    ...own.map((limit) => ({ own: 0, foreign: 1, maxRelatives: limit, mixesKinds: true })),
    ...(spendsUnsafe ? [{ own: 0, foreign: 0, maxRelatives, mixesKinds: true }] : []),
  ];
}

/** Prefers confirmed coins, and the least waste. The algorithms are published, but not all that Core tries. */
export function selectCoins(coins: readonly FundingCoin[], goal: SelectionGoal, terms: SelectionTerms): Selection {
  let isTooHeavy = false;
  let tried = -1;
  for (const eligibility of eligibilities(terms)) {
    const eligible = coins.filter((coin) => isEligible(coin, eligibility));
    // The same coins would lead to the same result.
    if (eligible.length === tried && eligibility.own < 1) continue;
    tried = eligible.length;
    const groups = formGroups(eligible, terms);
    const chosen = attempt(groups, goal, { ...terms, mixesKinds: eligibility.mixesKinds || !terms.avoidsMixing });
    if (chosen) return { kind: 'selected', coins: chosen.flatMap((group) => group.coins) };
    isTooHeavy ||= worthwhileAmount(groups) >= goal.target;
  }
  if (isTooHeavy) return { kind: 'too-heavy' };
  return worthwhileAmount(formGroups(coins, terms)) >= goal.target ? { kind: 'long-chain' } : { kind: 'insufficient' };
}

function isEligible({ depth, isFromMe, relatives }: FundingCoin, eligibility: Eligibility): boolean {
  return depth >= (isFromMe ? eligibility.own : eligibility.foreign) && relatives <= eligibility.maxRelatives;
}

const formGroups = (coins: readonly FundingCoin[], terms: SelectionTerms): readonly CoinGroup[] =>
  terms.groupsByScript ? groupByScript(coins, terms) : coins.map((coin) => createGroup([coin], terms));

/** Leaves out groups that are not worth spending. */
const worthwhileAmount = (groups: readonly CoinGroup[]): bigint =>
  groups.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n);

type Choice = readonly CoinGroup[] | undefined;

/** Mixes kinds of addresses only if none suffices alone. @see Bitcoin Core `AttemptSelection` */
function attempt(
  groups: readonly CoinGroup[],
  goal: SelectionGoal,
  terms: SelectionTerms & Pick<Eligibility, 'mixesKinds'>,
): Choice {
  const kinds = new Map<string, CoinGroup[]>();
  for (const group of groups) {
    const kind = terms.avoidsMixing ? (group.coins[0]?.kind ?? '') : '';
    const of = kinds.get(kind);
    if (of) of.push(group);
    else kinds.set(kind, [group]);
  }
  const chosen = leastWaste(
    [...kinds.values()].map((of) => choose(of, goal, terms)),
    goal,
  );
  if (chosen || !terms.mixesKinds || kinds.size < 2) return chosen;
  return choose(groups, goal, terms);
}

function choose(groups: readonly CoinGroup[], goal: SelectionGoal, { random, recipientsPay }: SelectionTerms): Choice {
  if (worthwhileAmount(groups) < goal.target) return undefined;
  const exact = recipientsPay ? undefined : branchAndBound(groups, goal);
  const draws = [lowestLarger(groups, goal), singleRandomDraw(groups, goal, random), largestFirst(groups, goal)];
  return leastWaste([exact, ...draws], goal);
}

function leastWaste(choices: readonly Choice[], goal: SelectionGoal): Choice {
  let best: { readonly chosen: readonly CoinGroup[]; readonly waste: bigint } | undefined;
  for (const chosen of choices) {
    if (!chosen) continue;
    const waste = computeWaste(chosen, goal);
    if (!best || waste < best.waste) best = { chosen, waste };
  }
  return best?.chosen;
}

/** @see Bitcoin Core `SelectionResult::RecalculateWaste` */
function computeWaste(chosen: readonly CoinGroup[], goal: SelectionGoal): bigint {
  const amount = chosen.reduce((sum, group) => sum + group.amount, 0n);
  const timing = chosen.reduce((sum, group) => sum + group.waste, 0n);
  return timing + (computeChange(amount, goal) > 0n ? goal.costOfChange : amount - goal.target);
}
