import { withoutSecrets } from '../encoding/redaction.ts';
import { networks } from '../network/networks.ts';
import { nearestName } from '../terminal/usageError.ts';

/** The options that the program knows. */
interface KnownOptions {
  readonly names: readonly string[];
  /** Tells whether an argument is an option whose value follows. */
  readonly wantsValue: (arg: string) => boolean;
}

const OPTION = /^(?<dashes>--|-(?=[a-zA-Z]))(?<name>[^=]+)/;

/** Describes what is wrong with the options of a command line, and suggests the option that was probably meant. */
export function optionFault(argv: readonly string[], error: unknown, { names, wantsValue }: KnownOptions): string {
  // The message of parseArgs would quote the value, which may be secret.
  if (argv.some((arg) => arg.startsWith('--='))) return 'an option needs a name before "="';
  for (const arg of argv) {
    const { dashes, name } = OPTION.exec(arg)?.groups ?? {};
    if (dashes === undefined || name === undefined || arg === '-h') continue;
    if (dashes === '--' && names.includes(name)) continue;
    return `unknown option ${dashes}${withoutSecrets(name)}${adviceFor(name, names) ?? (dashes === '-' ? DASHES : '')}`;
  }
  const incomplete = argv.find((arg, i) => wantsValue(arg) && !isValue(argv[i + 1]));
  if (incomplete !== undefined)
    return `${incomplete} needs a value (for one that begins with "-", write ${incomplete}=VALUE)`;
  return error instanceof Error ? firstSentence(error.message) : 'unreadable options';
}

const DASHES = '; options begin with two dashes, and "countersign help" lists them';

const isValue = (next: string | undefined): boolean => next !== undefined && (next === '-' || !next.startsWith('-'));

function adviceFor(name: string, names: readonly string[]): string | undefined {
  const network = nearestName(name, Object.keys(networks));
  const exact = names.find((known) => known === name) ?? (network === name ? `network ${network}` : undefined);
  const meant =
    exact ??
    names.find((known) => known.startsWith(`${name}-`) || (name.length > 2 && known === `rpc${name}`)) ??
    nearestName(name, names) ??
    (network === undefined ? undefined : `network ${network}`);
  return meant === undefined ? undefined : `; did you mean --${meant}?`;
}

const firstSentence = (text: string): string => text.split(/\.\s/)[0] ?? text;
