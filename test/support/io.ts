import { createHash } from 'node:crypto';
import { runCommand } from '../../src/shell/cli/command.ts';
import type { Io, TerminalSize } from '../../src/shell/terminal/io.ts';
import { UsageError } from '../../src/shell/terminal/usageError.ts';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface RunInput {
  readonly stdin?: AsyncIterable<Uint8Array> | string | Uint8Array;
  readonly files?: Readonly<Record<string, Uint8Array | string>>;
  /** Names of files that cannot be written. */
  readonly readOnly?: readonly string[];
  readonly isTerminal?: boolean;
  readonly isWatched?: boolean;
  /** Lines that a user types, in order; without it, there is no interactive terminal. */
  readonly typed?: readonly string[];
  /** The size of the terminal that is standard output; without it, there is none. */
  readonly terminalSize?: TerminalSize;
  /** After how many pauses a key is pressed; without it, none can be. */
  readonly keyAfter?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The time, in Unix seconds. Default: 2025-06-15. */
  readonly unixTime?: number;
  /** The file that worker threads run, such as {@link BUILT_PROGRAM}; without it, no thread starts. */
  readonly program?: string;
}

/** The program in `dist`, which `npm test` builds. */
export const BUILT_PROGRAM: string = new URL('../../dist/cli/main.js', import.meta.url).pathname;

const toBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield toBytes(content);
}

/** A fake environment, and the output that was written to it. */
export interface FakeWorld {
  readonly io: Io;
  readonly written: { out: string; error: string; files: Record<string, Uint8Array> };
  /** Requests a stop, as a signal does. */
  readonly requestStop: () => void;
}

export function fakeWorld({
  stdin = '',
  files = {},
  readOnly = [],
  isTerminal = false,
  isWatched = false,
  typed,
  terminalSize,
  keyAfter,
  environment = {},
  unixTime = 1_750_000_000,
  program,
}: RunInput = {}): FakeWorld {
  const written: FakeWorld['written'] = { out: '', error: '', files: {} };
  let clock = 0;
  const answers = [...(typed ?? [])];
  const listeners = new Set<() => void>();
  const io: Io = {
    stdin: typeof stdin === 'string' || stdin instanceof Uint8Array ? once(stdin) : stdin,
    writeOut: async (content) => {
      written.out += typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
    },
    writeError: (text) => {
      written.error += text;
    },
    readFile: async function* readFile(path) {
      const content = written.files[path] ?? files[path];
      if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      yield toBytes(content);
    },
    exists: async (path) => path in files || path in written.files,
    writeFile: async (path, content, { overwrites }) => {
      if (readOnly.includes(path)) throw new UsageError(`cannot write ${path}: permission denied`);
      if (!overwrites && (path in files || path in written.files)) throw new UsageError(`${path} exists`);
      written.files[path] = content;
    },
    isTerminal,
    isWatched,
    isInteractive: typed !== undefined,
    ask: async (question, { isHidden = false } = {}) => {
      const answer = answers.shift() ?? '';
      written.error += `${question}${isHidden ? '' : answer}\n`;
      return answer;
    },
    terminalSize: () => terminalSize,
    watchKeys: (listener) => {
      let pauses = 0;
      return {
        canPress: keyAfter !== undefined,
        pause: async () => {
          pauses += 1;
          if (pauses === keyAfter) listener();
          if (pauses > 1000) throw new Error('nothing ends the pauses');
        },
        end: () => undefined,
      };
    },
    stdinSize: undefined,
    now: () => {
      clock += 300;
      return clock;
    },
    unixTime: () => unixTime,
    random: (size) => {
      const bytes = createHash('shake256', { outputLength: size }).update(`${clock}`).digest();
      return new Uint8Array(bytes);
    },
    cores: 2,
    program,
    environment: (name) => environment[name],
    onStopRequest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    io,
    written,
    requestStop: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** Runs a command line in a fake environment. */
export async function run(argv: readonly string[], input: RunInput = {}): Promise<Run> {
  const { code, out, error } = await runForFiles(argv, input);
  return { code, out, error };
}

/** Runs a command line, and returns the files that it writes, too. */
export async function runForFiles(
  argv: readonly string[],
  input: RunInput = {},
): Promise<Run & { readonly files: Readonly<Record<string, Uint8Array>> }> {
  const { io, written } = fakeWorld(input);
  const code = await runCommand(argv, '0.0.0-test', io);
  return { code, ...written };
}
