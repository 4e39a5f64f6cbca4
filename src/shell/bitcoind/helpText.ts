import { wrapText } from '../../core/encoding/wrapText.ts';
import { type GenerationName, isWithin } from '../../core/generations.ts';
import { OPTIONS, type OptionRow } from './optionTable.ts';

const COLUMN = 29;

/** Lists the options of a release, and what becomes of those that are not served. */
export function helpText(generation: GenerationName): string {
  const rows = [...OPTIONS].filter(([, row]) => isWithin(generation, row));
  return `Usage: countersign bitcoind [options]

Runs until it receives "stop" or is interrupted, and takes bitcoind's options, with one dash or two, and its configuration
file. Wallets and blocks lie in the directory "chainstate" of the chain's data directory, in files of countersign's own.

Options:
${optionLines(rows)}

Options without effect here:
${reasons(rows, 'ignored')}

Options that are refused, unless they are switched off or -ignoreunserved is given:
${reasons(rows, 'refused')}
`;
}

/** Lists the options that are served, one in a line. */
export const optionLines = (rows: readonly (readonly [string, OptionRow])[]): string =>
  rows
    .filter(([, { use, about }]) => use === 'served' && about !== '')
    .map(optionText)
    .join('\n');

function optionText([name, { about, placeholder }]: readonly [string, OptionRow]): string {
  const label = `  -${name}${placeholder === undefined ? '' : `=${placeholder}`}`;
  const start = label.length < COLUMN ? label.padEnd(COLUMN) : `${label}\n${' '.repeat(COLUMN)}`;
  return start + wrapText(about, COLUMN);
}

function reasons(rows: readonly (readonly [string, OptionRow])[], use: OptionRow['use']): string {
  const names = new Map<string, string[]>();
  for (const [name, row] of rows) {
    if (row.use === use) names.set(row.about, [...(names.get(row.about) ?? []), `-${name}`]);
  }
  return [...names].map(([reason, list]) => `  ${reason}:\n    ${wrapText(list.join(', '), 4)}`).join('\n');
}
