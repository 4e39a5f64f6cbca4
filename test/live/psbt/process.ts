import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the built command line in separate processes. */

const MAIN = new URL('../../../dist/cli/main.js', import.meta.url).pathname;

/** Runs a command with its first argument on standard input. @returns its standard output */
export function countersign(method: string, first: string, ...options: readonly string[]): string {
  const args = [MAIN, method, '--network', 'litecoin-regtest', ...options, '-'];
  return execFileSync(process.execPath, args, { input: first, encoding: 'utf8' }).trimEnd();
}

export interface Processed {
  readonly psbt: string;
  readonly complete: boolean;
  readonly hex?: string;
}

/** Runs one participant's `descriptorprocesspsbt`, with the private keys in a file instead of an argument. */
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
