import { isAbsolute, join } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { Io } from '../terminal/io.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { nearestName, UsageError, unknownName } from '../terminal/usageError.ts';

/** Defaults of options, by their names. */
export type Config = Readonly<Partial<Record<ConfigName, string>> & { readonly policy?: readonly string[] }>;

const NAMES = ['network', 'dialect', 'arithmetic', 'format', 'nonce-dir', 'policy'] as const;
type ConfigName = Exclude<(typeof NAMES)[number], 'policy'>;

/** In bytes. */
const LARGEST = 100_000;

/**
 * Reads the defaults of options: from the file that `--config` names, else from `countersign/config.json` in the directory for
 * configuration, if it is there. Such a file names no keys, no files with keys, and nothing that permits more.
 * @see XDG Base Directory Specification, `XDG_CONFIG_HOME`
 */
export async function readConfig(named: string | undefined, io: Io): Promise<Config> {
  const path = named ?? usualPath(io);
  if (path === undefined || (named === undefined && !(await io.exists(path)))) return {};
  const refuse = (reason: string): never => {
    throw new UsageError(`${named === undefined ? 'the configuration' : '--config'}: ${shownPath(path)}: ${reason}`);
  };
  const text = await readText(path, io, refuse);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('it is not a JSON object');
  for (const [name, member] of Object.entries(value)) await assertMember(name, member, refuse);
  return value as Config;
}

function usualPath({ environment }: Io): string | undefined {
  const base = environment('XDG_CONFIG_HOME');
  const home = environment('HOME');
  const folder = base !== undefined && base !== '' ? base : home && join(home, '.config');
  return folder ? join(folder, 'countersign', 'config.json') : undefined;
}

type Refuse = (reason: string) => never;

async function readText(path: string, io: Io, refuse: Refuse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of io.readFile(path)) {
      size += chunk.length;
      if (size > LARGEST) break;
      chunks.push(chunk);
    }
  } catch (error) {
    return refuse(systemReason(error, 'it cannot be read'));
  }
  if (size > LARGEST) return refuse(`it has more than ${LARGEST} bytes`);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function assertMember(name: string, member: unknown, refuse: Refuse): Promise<void> {
  if (!NAMES.some((known) => known === name)) {
    const shown = /^[a-zA-Z-]{1,30}$/.test(name) ? `"${name}"` : 'a member';
    const nearest = nearestName(name, NAMES);
    refuse(
      `${shown} cannot be set there${nearest ? ` (did you mean ${nearest}?)` : ''}; there are ${NAMES.join(', ')}`,
    );
  }
  if (name === 'policy') return assertPolicy(member, refuse);
  if (typeof member !== 'string') return refuse(`"${name}" is not text`);
  if (name === 'nonce-dir' && !isAbsolute(member)) refuse('"nonce-dir" must be an absolute path');
  const known = (await knownValues())[name];
  const isKnown = known === undefined || known.includes(member) || (name === 'network' && member.endsWith('.json'));
  if (!isKnown) refuse(`"${name}": ${unknownName(name, member, known)}`);
}

/** The values of members that have few. */
async function knownValues(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { DIALECT_ALIASES } = await import('../../answers/dialect/dialectNames.ts');
  const { OPTION_VALUES } = await import('./optionValues.ts');
  return { ...OPTION_VALUES, dialect: [...OPTION_VALUES.dialect, ...Object.keys(DIALECT_ALIASES)] };
}

async function assertPolicy(member: unknown, refuse: Refuse): Promise<void> {
  if (!Array.isArray(member) || !member.every((rule) => typeof rule === 'string')) {
    return refuse('"policy" is not a list such as ["fee-high=refuse"]');
  }
  const { POLICY_DEFAULTS } = await import('../../core/review/policy.ts');
  const checks = Object.keys(POLICY_DEFAULTS);
  for (const rule of member as readonly string[]) {
    const [check = '', action] = rule.split('=');
    if (!checks.includes(check)) refuse(`"policy": ${unknownName('check', check, checks)}`);
    if (action !== 'refuse') refuse(`"policy" may only refuse more: write "${check}=refuse"`);
  }
}
