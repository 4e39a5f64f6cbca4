import { join } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { Io } from '../terminal/io.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';

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
  for (const [name, member] of Object.entries(value)) assertMember(name, member, refuse);
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
  } catch {
    return refuse('it cannot be read');
  }
  if (size > LARGEST) return refuse(`it has more than ${LARGEST} bytes`);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function assertMember(name: string, member: unknown, refuse: Refuse): void {
  if (!NAMES.some((known) => known === name)) {
    const shown = /^[a-z-]{1,30}$/.test(name) ? `"${name}"` : 'a member';
    refuse(`${shown} cannot be set there${nearestAdvice(name, NAMES)}; there are ${NAMES.join(', ')}`);
  }
  if (name !== 'policy') {
    if (typeof member !== 'string') refuse(`"${name}" is not text`);
    return;
  }
  const isStrict =
    Array.isArray(member) && member.every((rule) => typeof rule === 'string' && rule.endsWith('=refuse'));
  if (!isStrict)
    refuse('"policy" is not a list such as ["fee-high=refuse"]: a file may refuse more, and permits nothing');
}
