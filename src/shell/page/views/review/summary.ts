import { isChange, isOwn } from '../../../../core/review/commitment.ts';
import { commitsToOutput } from '../../../../core/review/hashTypes.ts';
import { isLockedOut } from '../../../../core/review/quorums.ts';
import type { InputReviewJson, OutputReviewJson, ReviewJson } from '../../../../core/review/text/reviewJson.ts';
import { isAnyoneCanPay } from '../../../../core/sighash/sighashType.ts';
import { toSeconds } from '../../../../core/tx/relativeLock.ts';
import { texts } from '../../texts.ts';

interface Totals {
  /** To outputs that are not verified change. */
  readonly paid: bigint;
  readonly paidCount: number;
  readonly change: bigint;
  readonly fee: bigint | undefined;
  /** Net amount that leaves the opened wallets, fee included. */
  readonly spent: bigint | undefined;
}

/** Returns the user's own inputs, or all if none is known to be. */
function decidingInputs({ inputs }: Pick<ReviewJson, 'inputs'>): readonly InputReviewJson[] {
  const own = inputs.filter(isOwn);
  return own.length > 0 ? own : inputs;
}

/** Tells whether others can change an output while a signature of the user stays valid. */
export const isOpenOutput = (review: Pick<ReviewJson, 'inputs'>, outputIndex: number): boolean =>
  decidingInputs(review).some(({ inputIndex, sighashTypes }) =>
    sighashTypes.some((type) => !commitsToOutput(type, inputIndex, outputIndex)),
  );

/** Tells whether others can add inputs while a signature of the user stays valid. */
export const hasOpenInputs = (review: Pick<ReviewJson, 'inputs'>): boolean =>
  decidingInputs(review).some(({ sighashTypes }) => sighashTypes.some(isAnyoneCanPay));

const totalValue = (outputs: readonly OutputReviewJson[]): bigint =>
  outputs.reduce((sum, { value }) => sum + BigInt(value), 0n);

export function computeTotals({ outputs, fee, verifiedSpent }: ReviewJson): Totals {
  const payments = outputs.filter((output) => !isChange(output));
  return {
    paid: totalValue(payments),
    paidCount: payments.length,
    change: totalValue(outputs.filter(isChange)),
    fee: fee === undefined ? undefined : BigInt(fee),
    spent: verifiedSpent === undefined ? undefined : BigInt(verifiedSpent),
  };
}

const SECONDS_PER_DAY = 86_400;

export function lockTexts({
  lockedUntil,
  inputs,
  isReplaceable,
  vsize,
  version,
  txVersion,
}: ReviewJson): readonly string[] {
  const { review } = texts;
  const absolute = inputs.some(isLockedOut)
    ? review.never
    : lockedUntil.kind === 'height'
      ? review.afterBlock(lockedUntil.value + 1)
      : lockedUntil.kind === 'time'
        ? review.afterTime(new Date(lockedUntil.value * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC'))
        : inputs.some(({ relativeLock }) => relativeLock)
          ? review.whenOld
          : review.atOnce;
  return [
    absolute,
    isReplaceable ? review.replaceable : review.notReplaceable,
    ...(vsize === undefined ? [] : [review.size(Math.ceil(vsize))]),
    review.version(version, txVersion),
  ];
}

export const ageText = (lock: NonNullable<ReviewJson['inputs'][number]['relativeLock']>): string =>
  lock.kind === 'blocks'
    ? texts.review.ageBlocks(lock.value)
    : texts.review.ageDays((toSeconds(lock) / SECONDS_PER_DAY).toFixed(1));
