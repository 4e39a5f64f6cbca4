import { basename, dirname, join } from 'node:path';
import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { type BtcError, isBtcError } from '../../core/errors.ts';
import type { CutPiece } from './cutPieces.ts';

/** Explains on the command line why the wallet directory cannot be opened; `undefined` for other errors. */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (!isBtcError(error, 'store/mismatch')) return error.code.startsWith('store/') ? error.message : undefined;
  const { found, wanted } = error.data;
  return `${shownPath(directory)} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: pass these options, or use another directory`;
}

export function cutText({ path, offset, size, keptAs }: CutPiece): string {
  const what = `warning: the last ${size} bytes of ${shownPath(path)}, from offset ${offset} on, are not a whole record, as after a crash`;
  const where =
    keptAs === undefined
      ? 'the disk is full, so they stay in place and nothing can be written: free some space'
      : `they were moved to ${join(shownPath(dirname(keptAs)), basename(keptAs))}`;
  return `${what}; ${where}. If nothing crashed, the last changes may be missing: compare with a backup\n`;
}

export const lostChainText = (directory: string): string =>
  `warning: the blocks in ${shownPath(directory)} are gone. The wallets are whole, but their transactions count as unconfirmed until the same blocks come again: fetch them with "countersign sync", or submit them\n`;

/** Splits "NETWORK DIALECT" into command line options. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${withoutSecrets(text.slice(0, blank))} --dialect ${text.slice(blank + 1)}`;
}
