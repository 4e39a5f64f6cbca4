import { stringifyJsonValue } from '../../answers/json/stringify.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { InitError } from './initError.ts';
import { interpretValue, parseName } from './optionName.ts';
import { type FindOption, OPTIONS } from './optionTable.ts';
import { countedValues, type Setting, type Values } from './settings.ts';

export interface ParsedLine {
  readonly values: Values;
  readonly warnings: readonly string[];
}

/**
 * Parses `-name`, `-name=value` and `-noname`, with one dash or two, up to the first other argument.
 * @throws InitError
 * @see Bitcoin Core `ArgsManager::ParseParameters`
 */
export function parseCommandLine(argv: readonly string[], find: FindOption): ParsedLine {
  const values = new Map<string, Setting[]>();
  const warnings: string[] = [];
  for (const arg of argv) {
    if (arg === '-' || !arg.startsWith('-')) break;
    const [, key = '', text] = /^--?([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const given = parseName(key);
    const row = find(given.name);
    if (!row || given.section !== '') throw fault(`Invalid parameter ${shownArgument(arg)}`);
    const { value, warning } = withFault(() => interpretValue(given, text, row));
    if (warning !== undefined) warnings.push(warning);
    values.set(given.name, [...(values.get(given.name) ?? []), value]);
  }
  const [included] = countedValues(values.get('includeconf'));
  if (included) {
    throw fault(`-includeconf cannot be used from commandline; -includeconf=${stringifyJsonValue(included)}`);
  }
  return { values, warnings };
}

const fault = (text: string): InitError => new InitError(`Error parsing command line arguments: ${text}`);

function withFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InitError ? fault(error.message) : error;
  }
}

/** The value of a misspelt option may be a password. */
function shownArgument(arg: string): string {
  const [, dashes = '', name = '', value] = /^(-*)([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
  const shown = dashes + (OPTIONS.has(name) ? name : withoutSecrets(name));
  if (value === undefined) return shown;
  const isSecret = /pass|user|auth|key|seed|secret|word/i.test(name);
  return `${shown}=${isSecret ? '...' : withoutSecrets(value)}`;
}

/** Refuses what is not an option. @see Bitcoin Core `ParseArgs` */
export function assertNoTokens(argv: readonly string[]): void {
  const token = argv.find((arg) => !arg.startsWith('-'));
  if (token === undefined) return;
  throw new InitError(
    `Command line contains unexpected token '${withoutSecrets(token)}', see bitcoind -h for a list of options.`,
  );
}
