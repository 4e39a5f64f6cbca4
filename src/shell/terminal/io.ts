import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Writable } from 'node:stream';
import { withoutUtf16 } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { systemReason } from './systemReason.ts';
import { UsageError } from './usageError.ts';
import { exists, readFile, writeFile } from './wholeFile.ts';

/** The first argument of a worker thread. */
export const WORKER_MARK = 'countersign-worker';

/** The first argument of the thread with the connection to a database. */
export const DATABASE_MARK = 'countersign-database';

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface WatchedKeys {
  /** False if only a signal can end it. */
  readonly canPress: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly end: () => void;
}

/** The commands' only access to the outside world, which tests replace. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Resolves when more may be written, so that a slow reader slows the writer down. */
  readonly writeOut: (content: string | Uint8Array) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** A file that cannot be opened fails at the first chunk. */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  readonly exists: (path: string) => Promise<boolean>;
  /** The file is on disk when the promise resolves. @throws UsageError if it exists and `overwrites` is false */
  readonly writeFile: (path: string, content: Uint8Array, options: { readonly overwrites: boolean }) => Promise<void>;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  /** True if standard error is a terminal. */
  readonly isWatched: boolean;
  /** In bytes, if standard input is a file. */
  readonly stdinSize: number | undefined;
  /** True if standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** With `isHidden`, the answer is not echoed. @throws UsageError on Ctrl-C and Ctrl-D */
  readonly ask: (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>;
  /** Undefined if standard output is not a terminal. */
  readonly terminalSize: () => TerminalSize | undefined;
  /** Calls the listener for each key, Ctrl-C included. */
  readonly watchKeys: (listener: () => void) => WatchedKeys;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Seconds, with fractions. */
  readonly unixTime: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly cores: number;
  /** This program's file, which worker threads run, too. */
  readonly program: string | undefined;
  readonly environment: (name: string) => string | undefined;
  /** Listens for SIGINT and SIGTERM. @returns a function that removes the listener */
  readonly onStopRequest: (listener: () => void) => () => void;
}

export function processIo(program: string): Io {
  const { stdout, stderr } = process;
  return {
    // Opened lazily, since that takes time; so would loading node:perf_hooks for `now`.
    get stdin() {
      return process.stdin;
    },
    writeOut: async (content) => {
      if (!stdout.write(content)) await once(stdout, 'drain');
    },
    writeError: (text) => stderr.write(text),
    readFile,
    exists,
    writeFile,
    isTerminal: stdout.isTTY === true,
    isWatched: stderr.isTTY === true,
    get isInteractive() {
      return process.stdin.isTTY === true && stderr.isTTY === true;
    },
    ask: askPerson,
    terminalSize: () => (stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : undefined),
    watchKeys,
    stdinSize: sizeOfFile(0),
    now: () => Number(process.hrtime.bigint()) / 1e6,
    unixTime: () => Date.now() / 1000,
    // Loading node:crypto takes longer than most calls.
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    cores: availableParallelism(),
    program,
    environment: (name) => process.env[name],
    onStopRequest,
  };
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function onStopRequest(listener: () => void): () => void {
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}

async function askPerson(question: string, { isHidden = false } = {}): Promise<string> {
  // Loaded before the question: input is hidden only once it runs.
  const { createInterface } = await import('node:readline/promises');
  process.stderr.write(question);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isHidden ? discard : process.stderr, terminal: true });
  const closed = once(lines, 'close');
  try {
    const answer = await Promise.race([lines.question('').catch(unlessAborted), closed]);
    if (typeof answer === 'string') return answer;
    if (!isHidden) process.stderr.write('\n');
    throw new UsageError('no answer was given; nothing was done');
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
}

/** Swallows the abort that Ctrl-C and Ctrl-D cause. */
function unlessAborted(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ABORT_ERR')) throw error;
}

function watchKeys(listener: () => void): WatchedKeys {
  const { stdin } = process;
  const canPress = stdin.isTTY === true;
  let wake = (): void => undefined;
  const onKey = (): void => {
    listener();
    wake();
  };
  if (canPress) stdin.setRawMode(true).on('data', onKey).resume();
  return {
    canPress,
    pause: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => {
      if (canPress) stdin.off('data', onKey).setRawMode(false).pause();
    },
  };
}

function sizeOfFile(descriptor: number): number | undefined {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}

/** Core's limit for a PSBT file. */
const MAX_INPUT = 100_000_000;

/** Takes `-` for standard input. */
export const readNamedInput = (option: string, path: string, io: Io): Promise<Uint8Array> =>
  path === '-' ? readInput('standard input', io.stdin) : readNamedFile(option, path, io);

/** @throws UsageError that begins with the option */
export async function readNamedFile(option: string, path: string, io: Io, most?: number): Promise<Uint8Array> {
  try {
    return await readInput(path, io.readFile(path), most);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${option}: ${error.message}`) : error;
  }
}

/** Converts UTF-16 to UTF-8. `most`: in bytes. @throws UsageError also for an empty stream */
export async function readInput(name: string, input: AsyncIterable<Uint8Array>, most = MAX_INPUT): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > most) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const safeName = shownPath(name);
    const reason = systemReason(error, 'unknown error');
    throw new UsageError(
      `cannot read ${safeName === '...' ? 'the file, whose name may be a secret' : safeName}: ${reason}`,
    );
  }
  if (size > most) throw new UsageError(`${shownPath(name)} is larger than ${most} bytes`);
  if (size === 0) throw new UsageError(`${shownPath(name)} is empty`);
  return withoutUtf16(Buffer.concat(chunks));
}
