import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DerivationLog } from '../../node/wallet/keys/derivations.ts';
import { type Files, type OpenFile, tryTo, writeAll } from './files.ts';
import { encodeFrame, type JournalEnd, readFrames, splitEntries } from './frames.ts';
import { findStat, openOwnFile } from './trust.ts';

/**
 * The cache of derived scripts. It never causes an error: a file that cannot be trusted or written is not used, and a
 * damaged one is rewritten from the damage on.
 * @see FORMAT.md
 */
const LINE = Buffer.from('countersign derived 1\n');
const START: JournalEnd = { offset: LINE.length, link: 0, seed: crc32(LINE) };
const NAME = 'derived';
/** A larger file is not read. */
const LARGEST = 2 ** 27;

interface DerivedFile extends DerivationLog {
  readonly close: () => void;
}

export function createDerivedFile(files: Files, directory: string): DerivedFile {
  const path = join(directory, NAME);
  let open: OpenFile | undefined;
  /** `undefined` if the file must begin anew. */
  let end: JournalEnd | undefined;
  let isUsable = true;

  /** Stops using the file at the first failure. */
  const orStop = (work: () => void): void => {
    try {
      if (isUsable) work();
    } catch {
      close();
    }
  };
  const close = (): void => {
    isUsable = false;
    const { file } = open ?? {};
    open = undefined;
    if (file !== undefined) tryTo(() => files.closeSync(file));
  };
  return {
    read: () => {
      const entries: string[] = [];
      orStop(() => {
        if (!open && findStat(files, path) === undefined) return;
        open ??= openOwnFile(files, path);
        end = readInto(entries, open);
      });
      return entries;
    },
    append: (entries) =>
      orStop(() => {
        open ??= { files, path, file: files.openSync(path, 'wx+', 0o600) };
        const [frame, next] = encodeFrame(entries, end ?? START);
        if (next.offset > LARGEST) return;
        files.ftruncateSync(open.file, end?.offset ?? 0);
        if (!end) writeAll(open, LINE, 0);
        writeAll(open, frame, next.offset - frame.length);
        end = next;
      }),
    close,
  };
}

/** @returns the end of the whole frames; `undefined` for a file of another kind */
function readInto(entries: string[], open: OpenFile): JournalEnd | undefined {
  const { files, file } = open;
  const { size, mode } = files.fstatSync(file);
  if ((mode & 0o077) !== 0) files.fchmodSync(file, 0o600);
  const line = Buffer.alloc(LINE.length);
  files.readSync(file, line, 0, line.length, 0);
  if (size > LARGEST || !line.equals(LINE)) return undefined;
  let end = START;
  for (const outcome of readFrames(open, START, size)) {
    if (outcome.kind !== 'frame') break;
    // Engines limit the number of arguments of push().
    for (const entry of splitEntries(outcome.payload)) entries.push(entry);
    end = outcome.next;
  }
  return end;
}
