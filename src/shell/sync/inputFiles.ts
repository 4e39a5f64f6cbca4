import { shownPath } from '../../core/encoding/redaction.ts';
import type { Network } from '../../core/network/networks.ts';
import type { Io } from '../terminal/io.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { readBlockFiles } from './blockFiles.ts';
import { SyncFault } from './sourceAndSink.ts';
import { type Entry, readTextFile } from './textFile.ts';

/** Reads all block files (`*.dat`) together, then the text files in order; `-` is standard input. */
export async function* readInputFiles(
  paths: readonly string[],
  options: { readonly network: Pick<Network, 'magic'>; readonly keyFile: string | undefined },
  io: Io,
): AsyncGenerator<Entry> {
  const isBlockFile = (path: string): boolean => path.endsWith('.dat');
  const blockFiles = paths.filter(isBlockFile);
  if (blockFiles.length > 0) yield* readBlockFiles(blockFiles, options);
  for (const path of paths.filter((file) => !isBlockFile(file))) {
    const name = path === '-' ? 'standard input' : shownPath(path);
    yield* readTextFile(name, withSyncFault(name, path === '-' ? io.stdin : io.readFile(path)));
  }
}

async function* withSyncFault(name: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    throw new SyncFault(`cannot read ${name}: ${systemReason(error, 'unknown error')}`);
  }
}
