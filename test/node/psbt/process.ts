import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs of the built command line, each a process of its own. */

const MAIN = new URL('../../../dist/cli/main.js', import.meta.url).pathname;

/** Runs a command; its first argument comes on standard input. @returns what it prints */
export function countersign(method: string, first: string, ...options: readonly string[]): string {
  const args = [MAIN, method, '--network', 'litecoin-regtest', ...options, '-'];
  return execFileSync(process.execPath, args, { input: first, encoding: 'utf8' }).trimEnd();
}

export interface Processed {
  readonly psbt: string;
  readonly complete: boolean;
  readonly hex?: string;
}

/** One participant's run: what is secret is in a file, and in no argument. */
export function processApart(psbt: string, descriptors: readonly unknown[]): Processed {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-descriptors-'));
  try {
    const path = join(folder, 'descriptors.json');
    writeFileSync(path, JSON.stringify(descriptors), { mode: 0o600 });
    return JSON.parse(countersign('descriptorprocesspsbt', psbt, '--descriptors-file', path)) as Processed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
