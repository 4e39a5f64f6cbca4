import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../src/shell/cli/command.ts';
import { fakeWorld, type RunInput } from './io.ts';

/** `countersign serve`, running in this process on a free port. */
export interface RunningServe {
  readonly port: number;
  /** The path of its cookie file, if it has one. */
  readonly cookieFile: string;
  /** Reads `name:password` from the cookie file. */
  readonly cookie: () => string;
  /** Returns its stderr so far. */
  readonly said: () => string;
  readonly requestStop: () => void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Stops it and removes its directory. */
  readonly close: () => Promise<void>;
}

/** Starts the server; by default on a free port, with a cookie in a new directory. */
export async function startServe(options: readonly string[] = [], input: RunInput = {}): Promise<RunningServe> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-serve-'));
  const cookieFile = join(directory, '.cookie');
  const hasUser = options.some((option) => option.startsWith('--rpcuser') || option === '--norpccookiefile');
  const argv = ['serve', '--rpcport', '0', ...(hasUser ? [] : ['--rpccookiefile', cookieFile]), ...options];
  const world = fakeWorld(input);
  // The server needs real clocks: those of the fake environment advance with each reading, or never.
  const io = { ...world.io, now: () => performance.now(), unixTime: () => Math.floor(Date.now() / 1000) };
  const ended = runCommand(argv, '0.0.0-test', io);
  let code: number | undefined;
  void ended.then((ending) => {
    code = ending;
  });
  while (!world.written.error.includes('dialect') && code === undefined) await sleep(1);
  const port = Number(/listening on .*:([0-9]+)/.exec(world.written.error)?.[1]);
  if (code !== undefined || !port) throw new Error(`serve ended with ${code}: ${world.written.error}`);
  return {
    port,
    cookieFile,
    cookie: () => readFileSync(cookieFile, 'utf8'),
    said: () => world.written.error,
    requestStop: world.requestStop,
    ended,
    close: async () => {
      world.requestStop();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
