import { formatAmount } from '../encoding/amount.ts';
import { printable } from '../encoding/printable.ts';
import type { Network } from '../network/networks.ts';
import type { Finding } from '../review/finding.ts';
import { ENGLISH } from './english.ts';
import type { ReportLine } from './lines.ts';
import type { FindingPlace, ReportWords } from './words.ts';

/** Words a line of a report. What a stranger has written cannot move the cursor, whatever the words do with it. */
export function wordLine(line: ReportLine, words: ReportWords, network: Network): string {
  const word = line.role === 'finding' ? words.checks[line.key].what : words.lines[line.key];
  // The compiler does not see that the data is that of the key.
  return printable((word as (data: unknown, place: FindingPlace) => string)(line.data, linePlace(line, network)));
}

/**
 * Words a finding in English: a sentence or two that say what was found.
 *
 * @example
 * ```ts
 * import { findingText, networks, reviewPsbt } from 'countersign/psbt';
 *
 * findingText({ check: 'version-unusual', action: 'warn', data: { version: 4 } }, networks.main); // The transaction version is 4.
 * ```
 */
export function findingText(finding: Finding, network: Network): string {
  const { what } = ENGLISH.checks[finding.check];
  return (what as (data: unknown, place: FindingPlace) => string)(finding.data, linePlace(finding, network));
}

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
