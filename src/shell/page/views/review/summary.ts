import { parseHex } from '../../../../core/bytes/hex.ts';
import { decodeUtf8WithoutMark } from '../../../../core/bytes/utf8.ts';
import { printable, quotedLine } from '../../../../core/encoding/printable.ts';
import { commitsToOutput } from '../../../../core/review/hashTypes.ts';
import { isLockedOut } from '../../../../core/review/quorums.ts';
import type { InputReviewJson, OutputReviewJson, ReviewJson } from '../../../../core/review/text/reviewJson.ts';
import { listPushes } from '../../../../core/script/instructions.ts';
import { isAnyoneCanPay } from '../../../../core/sighash/sighashType.ts';
import { toSeconds } from '../../../../core/tx/relativeLock.ts';
import { sentence } from '../../refusals.ts';
import { texts } from '../../texts.ts';

interface Totals {
  /** To outputs that do not stay with the user. */
  readonly paid: bigint;
  readonly paidCount: number;
  readonly change: bigint;
  readonly fee: bigint | undefined;
  /** Net amount that leaves the opened wallets, fee included. */
  readonly spent: bigint | undefined;
}

/** Returns the user's own inputs, or all if none is known to be. */
function decidingInputs({ inputs }: Pick<ReviewJson, 'inputs'>): readonly InputReviewJson[] {
  const own = inputs.filter(({ isOwn }) => isOwn);
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

/** Says whose a coin is, as the text and the JSON of the review do. */
export const ownerText = ({ owner, isOwn }: Pick<InputReviewJson, 'owner' | 'isOwn'>): string =>
  isOwn ? texts.review.ownCoin(owner.text) : sentence(owner.text).slice(0, -1);

/** Returns what an output without a payment says, quotedLine, if it is text. */
export function dataText({ role, scriptPubKey }: Pick<OutputReviewJson, 'role' | 'scriptPubKey'>): string | undefined {
  if (role !== 'data') return undefined;
  const pushes = listPushes(parseHex(scriptPubKey)).filter(({ length }) => length > 0);
  const contents = pushes.map(decodeUtf8WithoutMark);
  const isText = contents.length > 0 && contents.every((text) => text !== undefined && printable(text) === text);
  return isText ? contents.map((text = '') => quotedLine(text)).join(' ') : undefined;
}

const totalValue = (outputs: readonly OutputReviewJson[]): bigint =>
  outputs.reduce((sum, { value }) => sum + BigInt(value), 0n);

export function computeTotals({ outputs, fee, leaves }: ReviewJson): Totals {
  const payments = outputs.filter(({ stays }) => !stays);
  return {
    paid: totalValue(payments),
    paidCount: payments.length,
    change: totalValue(outputs.filter(({ stays }) => stays)),
    fee: fee === undefined ? undefined : BigInt(fee),
    spent: leaves === undefined ? undefined : BigInt(leaves),
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
