import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { BtcError, type ErrorData } from '../../errors.ts';
import { attempt, type Files, type OpenFile, type Stat, tryTo, wipe } from './files.ts';

/** The bits of a mode: the kind of file, and who may write. @see stat(2), inode(7) */
const KIND = 0o170000;
const LINK = 0o120000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

const ROOT = 0;

/** This process's user; `undefined` on Windows, where files have neither owners of this kind nor such modes. */
const ownUser = (): number | undefined => process.geteuid?.();

const unsafe = (path: string, reason: ErrorData['store/unsafe']['reason'], mode = 0): BtcError =>
  new BtcError('store/unsafe', { path, reason, mode: (mode & 0o7777).toString(8) });

/** Facts of a path itself, of a link rather than what it leads to; `undefined` where nothing has that name. */
export function statOf(files: Pick<Files, 'lstatSync'>, path: string): Stat | undefined {
  try {
    return files.lstatSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Refuses what a store has not made itself: links, directories, pipes, and files of another user.
 * @throws BtcError `store/unsafe`
 */
export function assertOwnFile(path: string, { mode, uid }: Stat): void {
  if ((mode & KIND) === LINK) throw unsafe(path, 'link');
  if ((mode & KIND) !== REGULAR) throw unsafe(path, 'kind');
  const user = ownUser();
  if (user !== undefined && uid !== user) throw unsafe(path, 'owner');
}

/**
 * Opens a file of a store for reading and writing, and changes nothing. It must have no other name, which could lie
 * outside the directory.
 * @throws BtcError `store/unsafe`, `store/failed`
 */
export function openOwnFile(files: Files, path: string): OpenFile {
  assertOwnFile(
    path,
    attempt(path, () => files.lstatSync(path)),
  );
  // A link or a pipe may have taken its place since.
  const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = attempt(path, () => files.openSync(path, flags));
  try {
    const stat = attempt(path, () => files.fstatSync(file));
    assertOwnFile(path, stat);
    if (stat.nlink > 1) throw unsafe(path, 'links');
    return { files, path, file };
  } catch (error) {
    files.closeSync(file);
    throw error;
  }
}

/**
 * Refuses a directory in which another user could put or replace files: one that belongs to another or that others may
 * write, a link that another user made, and one below a directory in which all may rename what is not theirs. Root's
 * links and the parents' owners count as trusted.
 * @throws BtcError `store/unsafe`, `store/failed`
 */
export function assertOwnDirectory(files: Files, directory: string): void {
  const user = ownUser();
  if (user === undefined) return;
  attempt(directory, () => {
    const named = files.lstatSync(directory);
    if ((named.mode & KIND) === LINK && named.uid !== user && named.uid !== ROOT) throw unsafe(directory, 'link');
    const { mode, uid } = files.statSync(directory);
    if ((mode & KIND) !== DIRECTORY) throw unsafe(directory, 'kind');
    if (uid !== user) throw unsafe(directory, 'owner');
    if ((mode & WRITABLE_BY_OTHERS) !== 0) throw unsafe(directory, 'writable', mode);
    let path = files.realpathSync(directory);
    for (let above = dirname(path); above !== path; above = dirname(path)) {
      path = above;
      const parent = files.statSync(path).mode;
      if ((parent & WRITABLE_BY_ALL) !== 0 && (parent & STICKY) === 0) throw unsafe(path, 'parent', parent);
    }
  });
}

/**
 * Overwrites and removes a file that is no longer needed, as far as that can be done. A file with further names keeps its
 * bytes: one of them may lie outside the directory, or be the journal's.
 * @throws BtcError `store/unsafe` unless it is a regular file of this user
 */
export function discard(files: Files, path: string): void {
  const stat = statOf(files, path);
  if (stat === undefined) return;
  assertOwnFile(path, stat);
  if (stat.nlink === 1) tryTo(() => overwrite(files, path));
  files.unlinkSync(path);
}

function overwrite(files: Files, path: string): void {
  const open = openOwnFile(files, path);
  try {
    wipe(open);
  } finally {
    files.closeSync(open.file);
  }
}
