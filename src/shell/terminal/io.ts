import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Writable } from 'node:stream';
import { withoutUtf16 } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { systemReason } from './systemReason.ts';
import { UsageError } from './usageError.ts';
import { exists, readFile, writeFile } from './wholeFile.ts';

/** The first argument of a worker thread, by which the program knows that it is one. */
export const WORKER_MARK = 'countersign-worker';

/** The first argument of the thread that holds the connection to a database. */
export const DATABASE_MARK = 'countersign-database';

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Keys that are watched while something is shown. */
export interface WatchedKeys {
  /** False if standard input is not a terminal, so that only a signal ends it. */
  readonly canPress: boolean;
  /** Waits, until a key is pressed at most. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Gives the keyboard back. */
  readonly end: () => void;
}

/** All access of the commands to the outside world, so that tests can replace it. */
export interface Io {
  /** Standard input in chunks. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Resolves when more may be written, so that a slow reader slows the writer down. */
  readonly writeOut: (content: string | Uint8Array) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** Reads a file in chunks; a file that cannot be opened fails at the first chunk. */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** Tells whether a file or directory of this name exists. */
  readonly exists: (path: string) => Promise<boolean>;
  /**
   * Writes a whole file, which is on disk when the promise resolves.
   * @throws UsageError if the file cannot be written, or exists and `overwrites` is not set
   */
  readonly writeFile: (path: string, content: Uint8Array, options: { readonly overwrites: boolean }) => Promise<void>;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  /** True if standard error is a terminal. */
  readonly isWatched: boolean;
  /** Size of standard input in bytes if it is a file, so that progress can be shown as a percentage. */
  readonly stdinSize: number | undefined;
  /** True if standard input and standard error are terminals, so that the user can be asked. */
  readonly isInteractive: boolean;
  /**
   * Asks the user and returns the answer. With `isHidden`, the answer is not echoed.
   * @throws UsageError if the user cancels (Ctrl-C, Ctrl-D)
   */
  readonly ask: (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>;
  /** Returns the size of the terminal that is standard output; `undefined` if it is none. */
  readonly terminalSize: () => TerminalSize | undefined;
  /** Calls the listener when a key is pressed, Ctrl-C included, until `end` is called. */
  readonly watchKeys: (listener: () => void) => WatchedKeys;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** UNIX time in seconds, with fractions. */
  readonly unixTime: () => number;
  /** Cryptographically secure random bytes. */
  readonly random: (size: number) => Uint8Array;
  /** Threads that the machine runs at once. */
  readonly cores: number;
  /** Path of this program's file, which worker threads run, too; without it, there are no worker threads. */
  readonly program: string | undefined;
  /** Returns an environment variable. */
  readonly environment: (name: string) => string | undefined;
  /** Calls the listener for each SIGINT or SIGTERM. @returns a function that removes the listener */
  readonly onStopRequest: (listener: () => void) => () => void;
}

/**
 * Returns the process's own input, output, clock and randomness.
 *
 * - `program`: path of the file that the process runs
 */
export function processIo(program: string): Io {
  const { stdout, stderr } = process;
  return {
    // Opening it would take a command that does not read it a few milliseconds, as loading node:perf_hooks would.
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
    // Loading node:crypto would take a command longer than most calls.
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
  // Loaded before the question, since what is typed is hidden only from then on; few commands ask.
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

/** Swallows the abort that Ctrl-C and Ctrl-D cause; rethrows any other error. */
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
    // Standard input is closed.
    return undefined;
  }
}

/** The most bytes read from a file or from standard input: Core's limit for a PSBT file. */
const MAX_INPUT = 100_000_000;

/** Reads the file that an option names, or standard input if it names `-`. @throws UsageError as {@link readNamedFile} */
export const readNamedInput = (option: string, path: string, io: Io): Promise<Uint8Array> =>
  path === '-' ? readInput('standard input', io.stdin) : readNamedFile(option, path, io);

/** Reads the file that an option names. @throws UsageError, which begins with the option, as {@link readInput} does */
export async function readNamedFile(option: string, path: string, io: Io): Promise<Uint8Array> {
  try {
    return await readInput(path, io.readFile(path));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${option}: ${error.message}`) : error;
  }
}

/**
 * Reads a stream to its end, a text in UTF-16 as UTF-8.
 * @throws UsageError if it cannot be read, is empty (as is a closed standard input) or is too large
 */
export async function readInput(name: string, input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > MAX_INPUT) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const shown = shownPath(name);
    const reason = systemReason(error, 'unknown error');
    throw new UsageError(`cannot read ${shown === '...' ? 'the file, whose name may be a secret' : shown}: ${reason}`);
  }
  if (size > MAX_INPUT) throw new UsageError(`${shownPath(name)} is larger than ${MAX_INPUT} bytes`);
  if (size === 0) throw new UsageError(`${shownPath(name)} is empty`);
  return withoutUtf16(Buffer.concat(chunks));
}
