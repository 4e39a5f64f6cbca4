import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usageError.ts';

/** Everything that the commands touch of the outside world, so that tests can hand them another. */
export interface Io {
  /** Standard input in pieces. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Resolves when more may be written: readers that are slower than we are slow us down. */
  readonly writeOut: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** A file in pieces; what is wrong with it shows at the first. */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether somebody watches standard error. */
  readonly isWatched: boolean;
  /** Bytes of standard input where it is a file, so that progress can be shown as a share. */
  readonly stdinSize: number | undefined;
  /** Whether a person is there to answer. */
  readonly isInteractive: boolean;
  /**
   * Asks the person, and returns the answer; a hidden one is not shown while it is typed.
   * @throws UsageError where the person ends it instead (Ctrl-C, Ctrl-D)
   */
  readonly ask: (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** UNIX time in seconds, with fractions. */
  readonly unixTime: () => number;
  /** Random bytes that are good enough for keys. */
  readonly random: (size: number) => Uint8Array;
  /** A variable of the environment. */
  readonly environment: (name: string) => string | undefined;
  /** Calls back whenever somebody asks the process to stop, until what is returned is called. */
  readonly onStopRequest: (listener: () => void) => () => void;
}

/** The process's own input, output and clock. */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  return {
    stdin,
    writeOut: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    writeError: (text) => stderr.write(text),
    readFile: (path) => createReadStream(path),
    isTerminal: stdout.isTTY === true,
    isWatched: stderr.isTTY === true,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    ask: askPerson,
    stdinSize: sizeOfFile(0),
    now: () => performance.now(),
    unixTime: () => Date.now() / 1000,
    random: (size) => new Uint8Array(randomBytes(size)),
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
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isHidden ? nowhere : process.stderr, terminal: true });
  const closed = once(lines, 'close');
  try {
    const answer = await Promise.race([lines.question('').catch(unlessAborted), closed]);
    if (typeof answer === 'string') return answer;
    if (!isHidden) process.stderr.write('\n');
    throw new UsageError('there was no answer: nothing was done');
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
}

/** Ctrl-C and Ctrl-D are no failures of ours. */
function unlessAborted(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ABORT_ERR')) throw error;
}

function sizeOfFile(descriptor: number): number | undefined {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    // Without a standard input there is no size.
    return undefined;
  }
}
