import type { CoinGroup } from './coinGroups.ts';

export interface EligibilityTerms {
  /** Allows unconfirmed coins of the wallet's own transactions. */
  readonly spendsOwnUnconfirmed: boolean;
  /** Allows unconfirmed coins of others. */
  readonly spendsUnsafe: boolean;
  /** The mempool's limit of unconfirmed ancestors, with the payment itself. */
  readonly ancestorLimit: number;
  /** The mempool's limit of unconfirmed descendants, likewise. */
  readonly relativeLimit: number;
  /** Spends no coins beyond the limits. */
  readonly refusesLongChains: boolean;
}

/** Later rows apply only if the coins of earlier ones do not suffice. */
export interface Eligibility {
  /** The fewest confirmations of the wallet's own coins. */
  readonly own: number;
  /** The fewest confirmations of others' coins. */
  readonly foreign: number;
  readonly maxAncestors: number;
  readonly maxRelatives: number;
  readonly mixesKinds: boolean;
  readonly splitsAddresses: boolean;
}

/** @see Bitcoin Core `AutomaticCoinSelection` */
export function eligibilities(terms: EligibilityTerms): readonly Eligibility[] {
  const { ancestorLimit, relativeLimit, spendsUnsafe, refusesLongChains } = terms;
  const confirmed = { own: 1, foreign: 1, maxAncestors: 0, maxRelatives: 0 };
  const preferred = [
    { ...confirmed, foreign: 6, mixesKinds: false, splitsAddresses: false },
    { ...confirmed, mixesKinds: true, splitsAddresses: false },
  ];
  if (!terms.spendsOwnUnconfirmed) return preferred;
  const row = (maxAncestors: number, maxRelatives = maxAncestors): Eligibility => ({
    ...{ own: 0, foreign: 1, mixesKinds: true, splitsAddresses: false },
    ...{ maxAncestors, maxRelatives },
  });
  const third = (limit: number): number => Math.min(4, Math.floor(limit / 3));
  const last = { ...row(ancestorLimit - 1, relativeLimit - 1), splitsAddresses: true };
  return [
    ...preferred,
    row(2),
    row(third(ancestorLimit), third(relativeLimit)),
    row(Math.floor(ancestorLimit / 2), Math.floor(relativeLimit / 2)),
    last,
    ...(spendsUnsafe ? [{ ...last, foreign: 0 }] : []),
    ...(refusesLongChains ? [] : [{ ...row(Number.POSITIVE_INFINITY), splitsAddresses: true }]),
  ];
}

/** @see Bitcoin Core `OutputGroup::EligibleForSpending` */
export const isEligible = (group: CoinGroup, row: Eligibility): boolean =>
  group.depth >= (group.isFromMe ? row.own : row.foreign) &&
  group.ancestors <= row.maxAncestors &&
  group.relatives <= row.maxRelatives &&
  (row.splitsAddresses || !group.isPartial);
