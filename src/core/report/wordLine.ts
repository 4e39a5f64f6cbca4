import { printable } from '../encoding/printable.ts';
import type { Network } from '../network/networks.ts';
import { linePlace } from './findingText.ts';
import type { ReportLine } from './lines.ts';
import type { FindingPlace, ReportWords } from './words.ts';

/** Words a line of a report. What a stranger has written cannot move the cursor, whatever the words do with it. */
export function wordLine(line: ReportLine, words: ReportWords, network: Network): string {
  const word = line.role === 'finding' ? words.checks[line.key].what : words.lines[line.key];
  // The compiler does not see that the data is that of the key.
  return printable((word as (data: unknown, place: FindingPlace) => string)(line.data, linePlace(line, network)));
}
