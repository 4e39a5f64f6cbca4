import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { networks } from '../../core/network/networks.ts';
import { nearestName } from '../terminal/usageError.ts';

interface AllOptions {
  readonly names: readonly string[];
  /** Options whose value must follow. */
  readonly valued: readonly string[];
  readonly command: { readonly name: string; readonly takes: readonly string[] } | undefined;
}

const OPTION = /^(?<dashes>--|-(?=[a-zA-Z]))(?<name>[^=]+)/;

export function optionFault(argv: readonly string[], error: unknown, { names, valued, command }: AllOptions): string {
  // parseArgs would quote the value, which may be secret.
  if (argv.some((arg) => arg.startsWith('--='))) return 'an option needs a name before "="';
  for (const arg of argv) {
    const { dashes, name } = OPTION.exec(arg)?.groups ?? {};
    if (dashes === undefined || name === undefined || arg === '-h') continue;
    if (dashes === '--' && names.includes(name)) continue;
    const advice = adviceFor(name, names, command?.takes ?? names) ?? listAdvice(command?.name, dashes);
    return `unknown option ${dashes}${withoutSecrets(name)}; ${advice}`;
  }
  const incomplete = argv.find((arg, i) => valued.some((name) => arg === `--${name}`) && !isValue(argv[i + 1]));
  if (incomplete !== undefined)
    return `${incomplete} needs a value (for one that begins with "-", write ${incomplete}=VALUE)`;
  return error instanceof Error ? firstSentence(error.message) : 'unreadable options';
}

function listAdvice(command: string | undefined, dashes: string): string {
  if (dashes === '-') return 'options begin with two dashes, and "countersign help" lists them';
  return command === undefined
    ? '"countersign help" lists the options'
    : `"countersign help ${command}" lists its options`;
}

const isValue = (next: string | undefined): boolean => next !== undefined && (next === '-' || !next.startsWith('-'));

/** Prefers an option of exactly this name, else a similar one that the command takes. */
function adviceFor(name: string, names: readonly string[], taken: readonly string[]): string | undefined {
  const network = nearestName(name, Object.keys(networks));
  const exact = names.find((option) => option === name) ?? (network === name ? `network ${network}` : undefined);
  const meant =
    exact ??
    taken.find((option) => option.startsWith(`${name}-`) || (name.length > 2 && option === `rpc${name}`)) ??
    nearestName(name, taken) ??
    (network === undefined ? undefined : `network ${network}`);
  return meant === undefined ? undefined : `did you mean --${meant}?`;
}

const firstSentence = (text: string): string => text.split(/\.\s/)[0] ?? text;
