import { wrapText } from '../../core/encoding/wrapText.ts';
import type { Command } from './declareCommand.ts';
import type { Option, Options } from './options.ts';

/** That of a terminal. */
const HELP_WIDTH = 80;
/** Column of the descriptions. */
const COLUMN = 29;
const INDENT = 2;

export function commandHelp({ synopsis, about, options, exitCode, examples }: Command): string {
  const paragraphs = [
    synopsis,
    wrapParagraphs(about),
    optionsHelp(options),
    exitCode === undefined ? '' : wrapParagraphs(`Exit code: ${exitCode}`),
    examples.map((example) => `> ${example}`).join('\n'),
  ];
  return `${paragraphs.filter((text) => text !== '').join('\n\n')}\n`;
}

/** Joins the lines of each paragraph, and breaks them anew; indented lines stay. */
const wrapParagraphs = (text: string): string =>
  text
    .replace(/(?<!\n)\n(?![\n ])/g, ' ')
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrapText(line, 0, HELP_WIDTH)))
    .join('\n');

export function optionsHelp(options: Options, heading = 'Options:'): string {
  const lines: string[] = [];
  const labels: string[] = [];
  for (const [name, option] of Object.entries(options)) {
    const { about, indent = 0 } = option;
    if (option.isMentioned) continue;
    if (option.heading !== undefined || lines.length + labels.length === 0)
      lines.push(wrapText(option.heading ?? heading, 0, HELP_WIDTH));
    labels.push(labelFor(name, option));
    if (about === undefined) continue;
    if (typeof about === 'string') lines.push(row(labels.splice(0).join(', '), about, indent));
    else for (const [value, words] of Object.entries(about)) lines.push(row(`--${name} ${value}`, words, indent));
  }
  return lines.join('\n');
}

function labelFor(name: string, { short, placeholder = '' }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${placeholder === '' ? '' : ` ${placeholder}`}`;
}

function row(label: string, about: string, indent: number): string {
  const column = COLUMN + INDENT * indent;
  const start = `${' '.repeat(INDENT * (indent + 1))}${label}`;
  const space = ' '.repeat(column);
  const words = about.split('\n').map((line) => {
    const margin = line.length - line.trimStart().length;
    return `${' '.repeat(margin)}${wrapText(line.trimStart(), column + margin, HELP_WIDTH)}`;
  });
  return `${start.length < column ? start.padEnd(column) : `${start}\n${space}`}${words.join(`\n${space}`)}`;
}
