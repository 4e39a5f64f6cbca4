import { constants } from 'node:fs';
import { isAbsolute, parse, resolve } from 'node:path';
import { BtcError, type ErrorData } from '../errors.ts';
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
 * Refuses a directory in which another user could put or replace files: one that belongs to another user or that others
 * may write, and one whose path another user could change (see {@link assertOwnPath}).
 * @throws BtcError `store/unsafe`, `store/failed`
 */
export function assertOwnDirectory(files: Files, directory: string): void {
  const user = ownUser();
  if (user === undefined) return;
  assertOwnPath(files, directory);
  attempt(directory, () => {
    const { mode, uid } = files.statSync(directory);
    if ((mode & KIND) !== DIRECTORY) throw unsafe(directory, 'kind');
    if (uid !== user) throw unsafe(directory, 'owner');
    if ((mode & WRITABLE_BY_OTHERS) !== 0) throw unsafe(directory, 'writable', mode);
  });
}

/**
 * Refuses a path that another user could lead elsewhere: any link on the way, at whatever depth, that another user made,
 * and any directory above that another user owns, or in which all may rename what is not theirs. Root and the owner of
 * the root directory (in user namespaces, the latter may have another number) count as trusted. The path's end may be
 * missing.
 *
 * - `path`: absolute
 *
 * @throws BtcError `store/unsafe` naming the component, `store/failed`
 */
export function assertOwnPath(files: Files, path: string): void {
  const user = ownUser();
  if (user === undefined) return;
  attempt(path, () => {
    const trusted = new Set([user, ROOT, files.lstatSync(parse(path).root).uid]);
    for (const component of componentsOf(files, path)) assertOwnComponent(component, trusted);
  });
}

function assertOwnComponent({ at, stat, isLast }: Component, trusted: ReadonlySet<number>): void {
  const { mode, uid } = stat;
  const isLink = (mode & KIND) === LINK;
  if (isLast && !isLink) return;
  if (!trusted.has(uid)) throw unsafe(at, isLink ? 'link' : 'owner');
  const isShared = (mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0;
  if (isShared && !isLink) throw unsafe(at, 'parent', mode);
}

interface Component {
  readonly at: string;
  readonly stat: Stat;
  /** Whether it is what the path leads to. */
  readonly isLast: boolean;
}

/** As many links as Linux follows. @see path_resolution(7) */
const MOST_LINKS = 40;

/** Follows a path as the system does, from the root down, through each directory and link, up to a missing name. */
function* componentsOf(files: Files, path: string): Generator<Component, undefined> {
  const { root } = parse(path);
  let at = root;
  let names = namesIn(path);
  let links = 0;
  yield { at, stat: files.lstatSync(at), isLast: names.length === 0 };
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    // Of `..` in what a link leads to, the directory was visited before.
    const next = resolve(at, name);
    const stat = statOf(files, next);
    if (stat === undefined) return;
    const isLink = (stat.mode & KIND) === LINK;
    yield { at: next, stat, isLast: !isLink && names.length === 0 };
    if (!isLink) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new BtcError('store/failed', { path, reason: 'ELOOP' });
    const target = files.readlinkSync(next);
    if (isAbsolute(target)) at = root;
    names = [...namesIn(target), ...names];
  }
}

const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '');

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
