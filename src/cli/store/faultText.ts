import type { BtcError, ErrorCode } from '../../errors.ts';
import { reasonOfCode } from '../systemReason.ts';

/**
 * Says what keeps a directory of wallets from being opened, in one sentence for the person who named it; `undefined`
 * for an error of something else.
 *
 * - `directory`: as it was named
 */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (isFault(error, 'store/mismatch')) {
    const { found, wanted } = error.data;
    return `${directory} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: say the former, or take another directory`;
  }
  if (isFault(error, 'store/locked')) {
    const { process, lockFile } = error.data;
    return `${directory} is in use by process ${process}, and one at a time may use it; if that ran on another machine and is gone, remove ${lockFile}`;
  }
  if (isFault(error, 'store/corrupt')) {
    const { path, offset, reason } = error.data;
    return `${path} is damaged at offset ${offset} (its ${reason}), and was left as it is: restore a backup of it`;
  }
  if (isFault(error, 'store/version')) {
    const { path, version, newest } = error.data;
    return `${path} is of version ${version}, and this program knows those up to ${newest}: use a newer one`;
  }
  if (!isFault(error, 'store/full') && !isFault(error, 'store/failed')) return undefined;
  return `cannot use ${error.data.path}: ${reasonOfCode(error.data.reason)}`;
}

function isFault<C extends ErrorCode>(error: BtcError, code: C): error is BtcError<C> {
  return error.code === code;
}

/** What names a network and a dialect, which are one text with a blank between them. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${text.slice(0, blank)} --dialect ${text.slice(blank + 1)}`;
}
