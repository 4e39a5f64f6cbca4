import { basename, dirname, join } from 'node:path';
import { withoutSecrets } from '../encoding/redaction.ts';
import { type BtcError, type ErrorData, isBtcError } from '../errors.ts';
import { reasonOfCode } from '../terminal/systemReason.ts';
import type { CutPiece } from './cutPieces.ts';

/**
 * Explains in one sentence for the user why a wallet directory cannot be opened; returns `undefined` for other errors.
 *
 * - `directory`: as the user wrote it
 */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (isBtcError(error, 'store/mismatch')) {
    const { found, wanted } = error.data;
    return `${withoutSecrets(directory)} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: pass these options, or use another directory`;
  }
  if (isBtcError(error, 'store/locked')) {
    const { process, lockFile } = error.data;
    return `${withoutSecrets(directory)} is in use by process ${process}; only one process may use it at a time. If that process ran on another machine and no longer exists, remove ${join(withoutSecrets(dirname(lockFile)), basename(lockFile))}`;
  }
  if (isBtcError(error, 'store/corrupt')) {
    const { path, offset, reason } = error.data;
    if (reason === 'length') {
      return `${withoutSecrets(path)} ends at offset ${offset}, before the end recorded in it, like an incomplete copy; it was not changed: copy the whole file again, or restore a backup`;
    }
    return `${withoutSecrets(path)} is damaged at offset ${offset} (${reason}); it was not changed: restore a backup`;
  }
  if (isBtcError(error, 'store/version')) {
    const { path, version, newest } = error.data;
    return `${withoutSecrets(path)} has version ${version}, but this program only supports versions up to ${newest}: use a newer countersign`;
  }
  if (isBtcError(error, 'store/unsafe')) return unsafeText(error.data);
  if (!isBtcError(error, 'store/full') && !isBtcError(error, 'store/failed')) return undefined;
  return `cannot use ${withoutSecrets(error.data.path)}: ${reasonOfCode(error.data.reason)}`;
}

/** Returns a one-line warning that says how much was cut off the end of a journal, and where it is kept. */
export function cutText({ path, offset, size, keptAs }: CutPiece): string {
  const what = `warning: the last ${size} bytes of ${withoutSecrets(path)}, from offset ${offset} on, are not a whole record, as after a crash`;
  const where =
    keptAs === undefined
      ? 'the disk is full, so they stay in place and nothing can be written: free some space'
      : `they were moved to ${join(withoutSecrets(dirname(keptAs)), basename(keptAs))}`;
  return `${what}; ${where}. If nothing crashed, the last changes may be missing: compare with a backup\n`;
}

function unsafeText({ path: named, reason, mode }: ErrorData['store/unsafe']): string {
  const path = withoutSecrets(named);
  const elsewhere = 'or use another directory';
  switch (reason) {
    case 'writable':
      return `other users can write ${path} (mode ${mode}) and could replace wallets: run "chmod go-w ${path}", ${elsewhere}`;
    case 'parent':
      return `all users can rename files in ${path} (mode ${mode}): run "chmod o-w ${path}", ${elsewhere}`;
    case 'owner':
      return `${path} belongs to another user, who could replace wallets: run as that user, change its owner with chown, ${elsewhere}`;
    case 'link':
      return `${path} is a link that another user may have made, so it was not followed: remove it, ${elsewhere}`;
    case 'links':
      return `${path} has a second name (a hard link), under which changes would show, too: replace it with a copy, ${elsewhere}`;
    default:
      return `${path} is not a directory or regular file, as a store needs: move it away, ${elsewhere}`;
  }
}

/** Turns "NETWORK DIALECT" into the command line options that select them. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${withoutSecrets(text.slice(0, blank))} --dialect ${text.slice(blank + 1)}`;
}
