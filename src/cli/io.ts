import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';

/** Everything that the commands touch of the outside world, so that tests can hand them another. */
export interface Io {
  /** Standard input in pieces. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Resolves when more may be written: readers that are slower than we are slow us down. */
  readonly writeOut: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** A file in pieces; what is wrong with it shows at the first. */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** Whether somebody watches standard error. */
  readonly isWatched: boolean;
  /** Bytes of standard input where it is a file, so that progress can be shown as a share. */
  readonly stdinSize: number | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
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
    isWatched: stderr.isTTY === true,
    stdinSize: sizeOfFile(0),
    now: () => performance.now(),
  };
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
