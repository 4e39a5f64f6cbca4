import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { FormError } from './given.ts';
import { answerLine, casesIn, differenceOf, TARGETS } from './referee.ts';

// `npm run referee`: compares countersign with the cases of files, or answers cases from standard input.

const HELP = `npm run referee -- FILE...     compares countersign's answers with the cases of files
npm run referee -- --jsonl     answers one case per line of standard input

test/referee/README.md describes the files, the lines, and these targets:
${[...TARGETS.keys()].join(' ')}`;

/** The differences of a file that are shown. */
const MOST_SHOWN = 10;

/** Reads a file. @throws FormError, which says why it cannot */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new FormError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Compares the cases of a file. @returns whether all passed */
function judge(path: string): boolean {
  const cases = casesIn(textOf(path));
  const failures = cases.flatMap((one) => {
    const difference = differenceOf(one);
    return difference === undefined ? [] : [`  ${one.name} (${one.target}): ${difference}`];
  });
  console.log(`${path}: ${cases.length - failures.length} of ${cases.length} passed`);
  for (const failure of failures.slice(0, MOST_SHOWN)) console.log(failure);
  if (failures.length > MOST_SHOWN) console.log(`  and ${failures.length - MOST_SHOWN} more`);
  return failures.length === 0;
}

async function answerLines(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${answerLine(line)}\n`);
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--jsonl')) {
    await answerLines();
    return 0;
  }
  if (args.length === 0 || args.includes('--help')) {
    console.log(HELP);
    return args.length === 0 ? 2 : 0;
  }
  try {
    return args.map(judge).every(Boolean) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof FormError || error instanceof SyntaxError)) throw error;
    console.error(`error: ${error.message}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
