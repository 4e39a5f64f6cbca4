import { networks } from '../network/networks.ts';
import { withoutSecrets } from '../text/secrets.ts';
import { nearestName } from './nearestName.ts';

/** The options of this program. */
interface KnownOptions {
  readonly names: readonly string[];
  /** Whether an argument is an option whose value follows. */
  readonly wantsValue: (arg: string) => boolean;
}

const OPTION = /^(?<dashes>--|-(?=[a-zA-Z]))(?<name>[^=]+)/;

/** Says which option of a command line is at fault, with the one that was probably meant. */
export function optionFault(argv: readonly string[], error: unknown, { names, wantsValue }: KnownOptions): string {
  // Node's own message for these repeats the value.
  if (argv.some((arg) => arg.startsWith('--='))) return 'an option wants a name before "="';
  for (const arg of argv) {
    const { dashes, name } = OPTION.exec(arg)?.groups ?? {};
    if (dashes === undefined || name === undefined || arg === '-h') continue;
    if (dashes === '--' && names.includes(name)) continue;
    return `unknown option ${dashes}${withoutSecrets(name)}${adviceFor(name, names) ?? (dashes === '-' ? DASHES : '')}`;
  }
  const lacking = argv.find((arg, i) => wantsValue(arg) && !isValue(argv[i + 1]));
  if (lacking !== undefined) return `${lacking} wants a value (one that begins with "-" goes after "=")`;
  return error instanceof Error ? firstSentence(error.message) : 'unreadable options';
}

const DASHES = '; options begin with two dashes, and "countersign help" lists them';

const isValue = (next: string | undefined): boolean => next !== undefined && (next === '-' || !next.startsWith('-'));

function adviceFor(name: string, names: readonly string[]): string | undefined {
  const network = nearestName(name, Object.keys(networks));
  const exact = names.find((known) => known === name) ?? (network === name ? `network ${network}` : undefined);
  const meant =
    exact ??
    nearestName(name, names) ??
    names.find((known) => known.startsWith(`${name}-`)) ??
    (network === undefined ? undefined : `network ${network}`);
  return meant === undefined ? undefined : `; did you mean --${meant}?`;
}

const firstSentence = (text: string): string => text.split(/\.\s/)[0] ?? text;
