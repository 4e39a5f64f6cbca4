import { basename, dirname, join } from 'node:path';
import { withoutSecrets } from '../encoding/redaction.ts';
import type { BtcError, ErrorCode } from '../errors.ts';
import { reasonOfCode } from '../terminal/systemReason.ts';
import type { CutPiece } from './cutPieces.ts';

/**
 * Says what keeps a directory of wallets from being opened, in one sentence for the person who named it; `undefined`
 * for an error of something else.
 *
 * - `directory`: as it was named
 */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (isFault(error, 'store/mismatch')) {
    const { found, wanted } = error.data;
    return `${withoutSecrets(directory)} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: say the former, or take another directory`;
  }
  if (isFault(error, 'store/locked')) {
    const { process, lockFile } = error.data;
    return `${withoutSecrets(directory)} is in use by process ${process}, and one at a time may use it; if that ran on another machine and is gone, remove ${join(withoutSecrets(dirname(lockFile)), basename(lockFile))}`;
  }
  if (isFault(error, 'store/corrupt')) {
    const { path, offset, reason } = error.data;
    if (reason === 'length') {
      return `${withoutSecrets(path)} ends at offset ${offset}, before the end that it has noted, as a copy that was cut short does; it was left as it is: copy all of it again, or restore a backup`;
    }
    return `${withoutSecrets(path)} is damaged at offset ${offset} (its ${reason}), and was left as it is: restore a backup of it`;
  }
  if (isFault(error, 'store/version')) {
    const { path, version, newest } = error.data;
    return `${withoutSecrets(path)} is of version ${version}, and this program knows those up to ${newest}: use a newer one`;
  }
  if (isFault(error, 'store/unsafe')) return unsafeText(error.data);
  if (!isFault(error, 'store/full') && !isFault(error, 'store/failed')) return undefined;
  return `cannot use ${withoutSecrets(error.data.path)}: ${reasonOfCode(error.data.reason)}`;
}

/** Says in one line what was cut off the end of a journal, and where it is. */
export function cutText({ path, offset, size, keptAs }: CutPiece): string {
  const what = `warning: the last ${size} bytes of ${withoutSecrets(path)}, from offset ${offset} on, are no whole record, as after a crash`;
  const where =
    keptAs === undefined
      ? 'the disk is full, so they stay in place, and nothing can be written: free some space'
      : `they were moved to ${join(withoutSecrets(dirname(keptAs)), basename(keptAs))}`;
  return `${what}; ${where}. If nothing crashed, the last changes may be missing: compare with a backup\n`;
}

function unsafeText({ path: named, reason, mode }: BtcError<'store/unsafe'>['data']): string {
  const path = withoutSecrets(named);
  const elsewhere = 'or take another directory';
  switch (reason) {
    case 'writable':
      return `other users can write ${path} (mode ${mode}) and could replace wallets: run "chmod go-w ${path}", ${elsewhere}`;
    case 'parent':
      return `all users can rename what is in ${path} (mode ${mode}): run "chmod o-w ${path}", ${elsewhere}`;
    case 'owner':
      return `${path} belongs to another user, who could replace wallets: use it as that user, make it your own with chown, ${elsewhere}`;
    case 'link':
      return `${path} is a link that another user may have made, and was not followed: remove it, ${elsewhere}`;
    case 'links':
      return `${path} has a second name (a hard link), and what is written into it would show there: replace it by a copy of its own, ${elsewhere}`;
    default:
      return `${path} is not of the kind that a store makes (a directory with regular files): move it away, ${elsewhere}`;
  }
}

function isFault<C extends ErrorCode>(error: BtcError, code: C): error is BtcError<C> {
  return error.code === code;
}

/** What names a network and a dialect, which are one text with a blank between them. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${withoutSecrets(text.slice(0, blank))} --dialect ${text.slice(blank + 1)}`;
}
