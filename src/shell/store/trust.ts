import { isAbsolute, parse, resolve } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { attempt, type Files, type Stat, systemFault } from './files.ts';

/** Bits of a mode. @see inode(7) */
export const KIND = 0o170000;
const LINK = 0o120000;
export const REGULAR = 0o100000;
export const DIRECTORY = 0o040000;
const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

const ROOT = 0;

/** `undefined` on Windows, which has neither such owners nor such modes. */
const ownUser = (): number | undefined => process.geteuid?.();

type Unsafe = ErrorData['store/unsafe'];

function unsafe(path: string, reason: Unsafe['reason'], bits = 0): BtcError {
  const mode = (bits & 0o7777).toString(8);
  const data = { path, reason, mode };
  return new BtcError('store/unsafe', data, `${unsafeText(data)}, or use another directory`);
}

function unsafeText({ path: named, reason, mode }: Unsafe): string {
  const path = shownPath(named);
  switch (reason) {
    case 'writable':
      return `Other users can write ${path} (mode ${mode}) and could replace wallets: run "chmod go-w ${path}"`;
    case 'parent':
      return `All users can rename files in ${path} (mode ${mode}): run "chmod o-w ${path}"`;
    case 'owner':
      return `${path} belongs to another user, who could replace wallets: run as that user, change its owner with chown`;
    case 'link':
      return `${path} is a link that another user may have made, so it was not followed: remove it`;
    case 'links':
      return `${path} has a second name (a hard link), under which changes would show, too: replace it with a copy`;
    case 'file':
      return `${path} is not a regular file: move it away`;
    case 'directory':
      return `${path} is not a directory: move it away`;
  }
  return reason satisfies never;
}

/** Returns `undefined` if nothing has that name. Does not follow links. */
export function findStat(files: Pick<Files, 'lstatSync'>, path: string): Stat | undefined {
  try {
    return files.lstatSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Refuses what a store does not create: links, directories, pipes, files of another user, and hard links, whose other
 * name could lie outside the directory.
 */
export function assertOwnFile(path: string, { mode, uid, nlink }: Stat): void {
  if ((mode & KIND) === LINK) throw unsafe(path, 'link');
  if ((mode & KIND) !== REGULAR) throw unsafe(path, 'file');
  const user = ownUser();
  if (user !== undefined && uid !== user) throw unsafe(path, 'owner');
  if (nlink > 1) throw unsafe(path, 'links');
}

/**
 * Refuses a directory that another user owns, may write to, or could redirect.
 * @throws `store/unsafe`, `store/failed`
 */
export function assertOwnDirectory(files: Files, directory: string): void {
  const user = ownUser();
  if (user === undefined) return;
  assertOwnPath(files, directory);
  attempt(directory, () => {
    const { mode, uid } = files.statSync(directory);
    if ((mode & KIND) !== DIRECTORY) throw unsafe(directory, 'directory');
    if (uid !== user) throw unsafe(directory, 'owner');
    if ((mode & WRITABLE_BY_OTHERS) !== 0) throw unsafe(directory, 'writable', mode);
  });
}

/**
 * Refuses an absolute path with a link, at any depth, that another user made, or with a parent directory that another
 * user owns or in which all users may rename files. Trusts root and the owner of the root directory, whose number may
 * differ in user namespaces. The end of the path may be missing.
 */
export function assertOwnPath(files: Files, path: string): void {
  const user = ownUser();
  if (user === undefined) return;
  attempt(path, () => {
    const trusted = new Set([user, ROOT, files.lstatSync(parse(path).root).uid]);
    for (const component of walkPath(files, path)) assertOwnComponent(component, trusted);
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
  /** The end of the path. */
  readonly isLast: boolean;
}

/** As on Linux. @see path_resolution(7) */
const MOST_LINKS = 40;

/** Follows a path as the system does, up to a missing name. */
function* walkPath(files: Files, path: string): Generator<Component, undefined> {
  const { root } = parse(path);
  let at = root;
  let names = namesIn(path);
  let links = 0;
  yield { at, stat: files.lstatSync(at), isLast: names.length === 0 };
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    // After `..` in a link's target, this directory has been checked before.
    const next = resolve(at, name);
    const stat = findStat(files, next);
    if (stat === undefined) return;
    const isLink = (stat.mode & KIND) === LINK;
    yield { at: next, stat, isLast: !isLink && names.length === 0 };
    if (!isLink) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw systemFault(path, 'ELOOP');
    const target = files.readlinkSync(next);
    if (isAbsolute(target)) at = root;
    names = [...namesIn(target), ...names];
  }
}

const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '');
