import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { attempt, type Files, type OpenFile, syncDirectory, tryTo, writeAll } from './files.ts';
import { discard } from './trust.ts';

/** Bytes cut off the end of a journal, which are not a whole frame. */
export interface CutPiece {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  /** The file that holds the piece; `undefined` while the disk is full, and the piece still in the journal. */
  readonly keptAs: string | undefined;
}

const PIECE = /^journal\.cut-(\d{1,16})-[0-9a-f]{8}$/;
/** Those with the smallest offsets are removed first. */
const MOST_PIECES = 8;
const CHUNK = 1 << 20;

/** Copies the end of a journal durably into a file beside it, the same one if repeated. Leaves no file if it throws. */
export function keepPiece(open: OpenFile, directory: string, offset: number): CutPiece {
  const { files, path } = open;
  const { size: end } = attempt(path, () => files.fstatSync(open.file));
  let sum = 0;
  for (const [chunk] of readChunks(open, offset, end)) sum = crc32(chunk, sum);
  const keptAs = join(directory, `journal.cut-${offset}-${sum.toString(16).padStart(8, '0')}`);
  attempt(keptAs, () => {
    discard(files, keptAs);
    const file = files.openSync(keptAs, 'wx', 0o600);
    try {
      for (const [chunk, at] of readChunks(open, offset, end))
        writeAll({ files, path: keptAs, file }, chunk, at - offset);
      files.fsyncSync(file);
    } catch (error) {
      tryTo(() => discard(files, keptAs));
      throw error;
    } finally {
      files.closeSync(file);
    }
    syncDirectory(files, directory);
    const surplus = piecesIn(files, directory).slice(0, -MOST_PIECES);
    for (const name of surplus) if (join(directory, name) !== keptAs) discard(files, join(directory, name));
  });
  return { path, offset, size: end - offset, keptAs };
}

export function discardPieces(files: Files, directory: string): void {
  for (const name of piecesIn(files, directory)) tryTo(() => discard(files, join(directory, name)));
}

/** Sorted by offset. */
function piecesIn(files: Files, directory: string): readonly string[] {
  const pieceOffset = (name: string): number => Number(PIECE.exec(name)?.[1]);
  return files
    .readdirSync(directory)
    .filter((name) => PIECE.test(name))
    .sort((a, b) => pieceOffset(a) - pieceOffset(b));
}

function* readChunks({ files, path, file }: OpenFile, from: number, to: number): Generator<readonly [Buffer, number]> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, to - from));
  for (let at = from; at < to; ) {
    const read = attempt(path, () => files.readSync(file, buffer, 0, Math.min(buffer.length, to - at), at));
    if (read === 0) return;
    yield [buffer.subarray(0, read), at];
    at += read;
  }
}
