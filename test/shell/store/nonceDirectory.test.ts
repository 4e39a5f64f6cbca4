import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openNonceDirectory, openNonceDirectoryOn } from '../../../src/shell/store/nonceDirectory.ts';
import { NONCE_ROOT, nonceTitle } from '../../support/nonceRoot.ts';
import { refusalOf } from '../../support/refusal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** As the systems answer; macOS numbers its file systems, Windows answers 0. */
const EXT4 = 0xef53;
const FIT = { 'ext2 to ext4': EXT4, xfs: 0x58465342, tmpfs: 0x01021994 };
const UNFIT = {
  btrfs: 0x9123683e,
  'btrfs, as 32 bits with a sign': 0x9123683e | 0,
  zfs: 0x2fc12fc1,
  bcachefs: 0xca451a4e,
  overlayfs: 0x794c7630,
  nilfs: 0x3434,
  f2fs: 0xf2f52010,
  nfs: 0x6969,
  fuse: 0x65735546,
  'a network of Windows': 0xff534d42,
  '9p, of virtual machines': 0x01021997,
  ramfs: 0x858458f6,
  vfat: 0x4d44,
  apfs: 0x1a,
  Windows: 0,
};

const NAME = 'ab'.repeat(16);
const seal = (): Uint8Array => Uint8Array.of(1, 2, 3);
const WAY_OUT = /could bring back used nonces: keep nonces below \/dev\/shm or \/run\/user, on ext4 or xfs/;

describe.skipIf(NONCE_ROOT === undefined)(`a directory for nonces${nonceTitle}`, () => {
  const root = temporaryDirectory(NONCE_ROOT);
  let count = 0;
  const newFolder = (): string => join(root, String(count++));

  test.each(Object.entries(FIT))('keeps a nonce on %s, for one use', (_, type) => {
    const store = openNonceDirectoryOn(newFolder(), () => type);
    store.put(NAME, seal);
    expect(store.has(NAME)).toBe(true);
    expect(store.take(NAME)).toMatchObject({ sealed: seal() });
    expect([store.has(NAME), store.take(NAME)]).toEqual([false, 'used']);
  });

  const assertRefused = (type: number): void => {
    const folder = newFolder();
    const refusal = refusalOf(() => openNonceDirectoryOn(folder, () => type).put(NAME, seal));
    expect([refusal.code, refusal.message]).toEqual(['store/failed', expect.stringMatching(WAY_OUT)]);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder, { mode: 0o700 });
    expect(refusalOf(() => openNonceDirectoryOn(folder, () => type).put(NAME, seal)).message).toBe(refusal.message);
    expect(readdirSync(folder)).toEqual([]);
  };

  test.each(Object.entries(UNFIT))('refuses %s before it writes anything, and names a way out', (_, type) => {
    assertRefused(type);
  });

  test('refuses every file system that it does not know', () => {
    const unknown = fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(
        unknown.filter((type) => !Object.values(FIT).includes(type)),
        assertRefused,
      ),
      { numRuns: 30 },
    );
  });

  test('asks about the directory itself, or before it exists, the one above it', () => {
    const asked: string[] = [];
    const folder = newFolder();
    const store = openNonceDirectoryOn(folder, (path) => {
      asked.push(path);
      return EXT4;
    });
    store.put(NAME, seal);
    store.put(`cd${NAME}`, seal);
    expect(asked).toEqual([root, folder]);
    expect(refusalOf(() => openNonceDirectory(join(root, 'missing', 'n')).put(NAME, seal)).message).toMatch(
      /the directory above it is missing/,
    );
  });

  test('opens no nonce on another file system, and does not use it up', () => {
    const folder = newFolder();
    openNonceDirectoryOn(folder, () => EXT4).put(NAME, seal);
    const moved = openNonceDirectoryOn(folder, () => UNFIT.btrfs);
    expect(refusalOf(() => moved.take(NAME)).message).toMatch(WAY_OUT);
    expect(openNonceDirectoryOn(folder, () => EXT4).take(NAME)).toMatchObject({ sealed: seal() });
  });
});

const command = (name: string, ...args: readonly string[]): string | undefined => {
  const { status, error, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split('\n')[0] ?? `${name} failed`);
};

/** Makes and mounts a file system of its own. @returns why that is not possible here */
function mountBtrfs(within: string): string | undefined {
  const image = join(within, 'image');
  const mounted = join(within, 'mounted');
  mkdirSync(mounted);
  return (
    command('truncate', '--size', '128M', image) ??
    command('mkfs.btrfs', '--quiet', image) ??
    command('mount', '--options', 'loop', image, mounted)
  );
}

const place = temporaryDirectory(NONCE_ROOT);
const failure = mountBtrfs(place);
const btrfs = join(place, 'mounted');
afterAll(() => {
  if (failure === undefined) command('umount', btrfs);
});

describe.skipIf(failure !== undefined)(`btrfs${failure === undefined ? '' : ` (skipped: ${failure})`}`, () => {
  const subvolume = (...args: readonly string[]): void => {
    expect(command('btrfs', 'subvolume', ...args)).toBeUndefined();
  };

  test('is refused in place', () => {
    const folder = join(btrfs, 'nonces');
    const { message } = refusalOf(() => openNonceDirectory(folder).put(NAME, seal));
    expect(message).toMatch(WAY_OUT);
    expect(existsSync(folder)).toBe(false);
  });

  test('brings back what was used, so that only its type tells', () => {
    const [home, snapshot] = [join(btrfs, 'home'), join(btrfs, 'snapshot')];
    subvolume('create', home);
    const folders = [home, snapshot].map((directory) => join(directory, 'nonces'));
    const [kept = '', copied = ''] = folders;
    // As if the file system were another, number and time are no obstacle to a second use.
    const asExt4 = (folder: string) => openNonceDirectoryOn(folder, () => EXT4);
    asExt4(kept).put(NAME, seal);
    subvolume('snapshot', home, snapshot);
    for (const folder of folders) {
      expect(refusalOf(() => openNonceDirectory(folder).take(NAME)).message).toMatch(WAY_OUT);
      expect(readdirSync(folder)).toEqual([`${NAME}.nonce`]);
    }
    const first = asExt4(kept).take(NAME);
    expect(asExt4(kept).take(NAME)).toBe('used');
    expect(asExt4(copied).take(NAME)).toEqual(first);
  });

  test('is refused after a rollback', () => {
    const [home, before] = [join(btrfs, 'rolled'), join(btrfs, 'before')];
    subvolume('create', home);
    const folder = join(home, 'nonces');
    openNonceDirectoryOn(folder, () => EXT4).put(NAME, seal);
    subvolume('snapshot', home, before);
    openNonceDirectoryOn(folder, () => EXT4).take(NAME);
    subvolume('delete', home);
    renameSync(before, home);
    expect(openNonceDirectory(folder).has(NAME)).toBe(true);
    expect(refusalOf(() => openNonceDirectory(folder).take(NAME)).message).toMatch(WAY_OUT);
  });
});
