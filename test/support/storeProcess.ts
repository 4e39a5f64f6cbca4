import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { temporaryDirectory } from './temporary.ts';

/** A process that has the store of a directory open. */
export interface StoreProcess {
  readonly pid: number | undefined;
  /** The lines of its output so far. @see storeChild.ts */
  readonly lines: readonly string[];
  /** Resolves at its next line or its end. */
  readonly nextLine: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

export type StartStore = (directory: string, mode: 'hold' | 'write', around?: readonly string[]) => StoreProcess;

/** Builds the program for the tests of a file. @returns a function that starts it, with a command around it */
export function storeProcesses(): StartStore {
  const folder = temporaryDirectory();
  const script = join(folder, 'child.mjs');
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    const entryPoints = [new URL('storeChild.ts', import.meta.url).pathname];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' });
    symlinkSync(new URL('../../node_modules', import.meta.url).pathname, join(folder, 'node_modules'));
  });
  // A failed test may leave processes running.
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });
  return (directory, mode, around = []) => {
    const [program = '', ...args] = [...around, process.execPath, script, directory, mode];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => lines.push(line));
    const ended = once(child, 'close');
    return {
      pid: child.pid,
      lines,
      nextLine: async () => {
        await Promise.race([once(reader, 'line'), ended]);
      },
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
}
