import { basename, dirname, join } from 'node:path';
import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { type BtcError, isBtcError } from '../../core/errors.ts';
import type { CutPiece } from './cutPieces.ts';

/**
 * Explains for the command line why a wallet directory cannot be opened; returns `undefined` for other errors.
 *
 * - `directory`: as the user wrote it
 */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (!isBtcError(error, 'store/mismatch')) return error.code.startsWith('store/') ? error.message : undefined;
  const { found, wanted } = error.data;
  return `${shownPath(directory)} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: pass these options, or use another directory`;
}

/** Returns a one-line warning that says how much was cut off the end of a journal, and where it is kept. */
export function cutText({ path, offset, size, keptAs }: CutPiece): string {
  const what = `warning: the last ${size} bytes of ${shownPath(path)}, from offset ${offset} on, are not a whole record, as after a crash`;
  const where =
    keptAs === undefined
      ? 'the disk is full, so they stay in place and nothing can be written: free some space'
      : `they were moved to ${join(shownPath(dirname(keptAs)), basename(keptAs))}`;
  return `${what}; ${where}. If nothing crashed, the last changes may be missing: compare with a backup\n`;
}

/**
 * Returns a one-line warning that the records of a wallet directory's chain are gone.
 *
 * - `directory`: as the user wrote it
 */
export const lostChainText = (directory: string): string =>
  `warning: the blocks in ${shownPath(directory)} are gone. The wallets are whole, but their transactions count as unconfirmed until the same blocks come again: fetch them with "countersign sync", or submit them\n`;

/** Turns "NETWORK DIALECT" into the command line options that select them. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${withoutSecrets(text.slice(0, blank))} --dialect ${text.slice(blank + 1)}`;
}
