import { assertShape, isObject } from '../bytes/knownOptions.ts';
import { formatAmount } from '../encoding/amount.ts';
import { printable } from '../encoding/printable.ts';
import type { Network } from '../network/networks.ts';
import type { Finding } from '../review/finding.ts';
import type { OutputReview } from '../review/outputs.ts';
import { CHECK_WORDS, WORST_FIRST } from './checkWords.ts';
import type { FindingPlace } from './words.ts';

/**
 * Words a finding in English: a sentence or two that say what was found.
 * @throws `argument/invalid` for what is not a finding
 *
 * @example
 * ```ts
 * import { networks } from 'countersign';
 * import { findingText } from 'countersign/review';
 *
 * findingText({ check: 'version-unusual', action: 'warn', data: { version: 4 } }, networks.main); // The transaction version is 4.
 * ```
 */
export function findingText(finding: Finding, network: Network): string {
  const isFinding = isObject(finding) && Object.hasOwn(CHECK_WORDS, finding.check) && isObject(finding.data);
  assertShape('finding', isFinding, 'a finding of a review');
  const { what } = CHECK_WORDS[finding.check];
  // The compiler does not see that the data is that of the check.
  return printable((what as (data: unknown, place: FindingPlace) => string)(finding.data, linePlace(finding, network)));
}

/** What the words of a line or a finding know beside its data. */
export function linePlace(
  { inputIndex, outputIndex }: Pick<FindingPlace, 'inputIndex' | 'outputIndex'>,
  network: Network,
): FindingPlace {
  return {
    network,
    ...(inputIndex !== undefined && { inputIndex }),
    ...(outputIndex !== undefined && { outputIndex }),
    coins: formatAmount,
    money: (sats) => `${formatAmount(sats)} ${network.ticker}`,
  };
}

/** Sorts findings: refusals before warnings, then by how bad their checks are, then by the amount of their output. */
export function worstFirst(
  findings: readonly Finding[],
  outputs: readonly Pick<OutputReview, 'value'>[] = [],
): readonly Finding[] {
  const amount = ({ outputIndex }: Finding): bigint => outputs[outputIndex ?? -1]?.value ?? 0n;
  const rank = ({ action, check }: Finding): number =>
    (action === 'refuse' ? 0 : WORST_FIRST.length) + WORST_FIRST.indexOf(check);
  return [...findings].sort(
    (a, b) => rank(a) - rank(b) || (amount(a) < amount(b) ? 1 : amount(a) > amount(b) ? -1 : 0),
  );
}
