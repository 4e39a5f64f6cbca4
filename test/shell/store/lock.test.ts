import { spawnSync } from 'node:child_process';
import * as nodeFiles from 'node:fs';
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockDirectory } from '../../../src/shell/store/lock.ts';
import { type Listener, type LockSystem, processSystem } from '../../../src/shell/store/lockSystem.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { refusalOf } from '../../support/refusal.ts';
import { type StoreProcess, storeProcesses } from '../../support/storeProcess.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** Whether a process may take a directory that another holds, or held before it was killed. */

const newPath = temporaryPaths();
const start = storeProcesses();

function newDirectory(): string {
  const directory = newPath();
  nodeFiles.mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/** Gives a container its own process ids and host name. */
const CONTAINER = ['--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];
const refusedHere = spawnSync('unshare', [...CONTAINER, 'true'], { encoding: 'utf8' });
const hasContainers = refusedHere.status === 0;
const title = hasContainers ? '' : ` (skipped: ${refusedHere.error?.message ?? refusedHere.stderr.trim()})`;

/** Shows the same processes with shifted start times. */
const TIME_NAMESPACE = ['--time', '--boottime', '100000', '--fork', '--kill-child'];
const hasTimeNamespaces = spawnSync('unshare', [...TIME_NAMESPACE, 'true']).status === 0;

/** Opens a directory in new namespaces, and holds it. */
async function hold(directory: string, around: readonly string[]): Promise<StoreProcess & { readonly word: string }> {
  const child = start(directory, 'hold', around);
  await child.nextLine();
  return { ...child, word: child.lines[0] ?? '' };
}

const holdInContainer = (directory: string, host: string): ReturnType<typeof hold> =>
  hold(directory, ['unshare', ...CONTAINER, 'sh', '-c', `hostname ${host}; exec "$0" "$@"`]);

const holdInTimeNamespace = (directory: string): ReturnType<typeof hold> =>
  hold(directory, ['unshare', ...TIME_NAMESPACE]);

describe.runIf(hasContainers)(`a container${title}`, () => {
  test('can open the directory of a killed one, under any host name, but not that of a running one', async () => {
    const directory = newDirectory();
    for (const host of ['c1', 'c2', 'c3']) {
      const holder = await holdInContainer(directory, host);
      expect(holder.word).toBe('open');
      const other = await holdInContainer(directory, 'beside');
      expect(other.word).toBe('store/locked');
      expect(refusalOf(() => openStore(directory)).code).toBe('store/locked');
      await other.kill();
      await holder.kill();
    }
    openStore(directory).close();
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
  });

  test('is the only one of six that gets a directory, even if a killed one left its claim', async () => {
    const directory = newDirectory();
    for (let round = 0; round < 4; round++) {
      const all = await Promise.all(Array.from({ length: 6 }, (_, i) => holdInContainer(directory, `host${i}`)));
      const words = all.map(({ word }) => word);
      expect(words.filter((word) => word === 'open').length).toBeLessThanOrEqual(1);
      expect(words.filter((word) => word !== 'open' && word !== 'store/locked')).toEqual([]);
      await Promise.all(all.map(({ kill }) => kill()));
    }
  });
});

test.runIf(hasTimeNamespaces)('a holder in another time namespace keeps its directory until it ends', async () => {
  const directory = newDirectory();
  const holder = await holdInTimeNamespace(directory);
  expect(holder.word).toBe('open');
  expect(refusalOf(() => openStore(directory)).code).toBe('store/locked');
  await holder.kill();
  const store = openStore(directory);
  expect((await holdInTimeNamespace(directory)).word).toBe('store/locked');
  store.close();
});

describe('two processes', () => {
  test('cannot share a directory, until the first is killed', async () => {
    const directory = newDirectory();
    const first = await hold(directory, []);
    expect(first.word).toBe('open');
    expect((await hold(directory, [])).word).toBe('store/locked');
    expect(refusalOf(() => openStore(directory)).data).toMatchObject({ directory, process: first.pid });
    await first.kill();
    openStore(directory).close();
  });

  test('that start at once do not both get a directory', async () => {
    for (let round = 0; round < 4; round++) {
      const directory = newDirectory();
      const all = await Promise.all(Array.from({ length: 4 }, () => hold(directory, [])));
      const words = all.map(({ word }) => word);
      expect(words.filter((word) => word === 'open').length).toBeLessThanOrEqual(1);
      expect(words.filter((word) => word !== 'open' && word !== 'store/locked')).toEqual([]);
      await Promise.all(all.map(({ kill }) => kill()));
      openStore(directory).close();
    }
  });
});

describe('the lock of a directory', () => {
  test('holds within the same process, by any path', () => {
    const directory = newDirectory();
    const store = openStore(directory);
    const alias = newPath();
    symlinkSync(directory, alias);
    for (const path of [directory, alias]) {
      const refusal = refusalOf(() => openStore(path));
      expect(refusal).toMatchObject({ code: 'store/locked', data: { directory: path, process: process.pid } });
      expect(existsSync((refusal.data as { lockFile: string }).lockFile)).toBe(true);
    }
    store.close();
    openStore(alias).close();
  });

  test('is released if opening fails', () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'wallet.sqlite'), 'no store');
    for (let i = 0; i < 2; i++) expect(refusalOf(() => openStore(directory)).code).toBe('store/corrupt');
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
  });

  test.runIf(existsSync('/proc/self/stat')).each([
    ['of a process that ended', 4, '999999999', true],
    ['of an earlier process with the same number', 5, '1', true],
    ['from before a restart of the machine', 2, '00000000', true],
    ['of another machine', 1, '00000000', false],
    ['of another container', 3, '00000000', false],
  ])('%s', (_, part, value, isFree) => {
    const directory = newDirectory();
    const store = openStore(directory);
    const claim = (readdirSync(directory).find((name) => name.startsWith('lock-')) ?? '').split('-');
    store.close();
    const lockFile = join(directory, claim.map((text, i) => (i === part ? value : text)).join('-'));
    writeFileSync(lockFile, '');
    if (!isFree) {
      expect(refusalOf(() => openStore(directory)).data).toMatchObject({ lockFile });
      rmSync(lockFile);
    }
    openStore(directory).close();
    expect(existsSync(lockFile)).toBe(false);
  });
});

describe('a claim', () => {
  const at = (host: string, boot: string, numbering: string) => ({
    host: host.padEnd(8, '0'),
    boot: boot.padEnd(8, '0'),
    numbering: numbering.padEnd(8, '0'),
  });
  const here = at('a', 'b', 'c');

  /** Tells whether process 9 can take a directory that process 7, started at 100, claims. */
  function isFree(
    claimed: ReturnType<typeof at>,
    facts: { running?: boolean; started?: string | undefined; listener?: Listener; isLocal?: boolean },
  ): boolean {
    const { running = false, listener = 'unknown', isLocal = true } = facts;
    const started = 'started' in facts ? facts.started : '100';
    const directory = newDirectory();
    const lockFile = `lock-${claimed.host}-${claimed.boot}-${claimed.numbering}-7-100-00000000`;
    writeFileSync(join(directory, lockFile), '');
    const system: LockSystem = {
      process: 9,
      whereabouts: () => here,
      isRunning: (process) => process === 9 || running,
      startTime: (process) => (process === 9 ? '900' : started),
      listen: () => undefined,
      probe: (path) => (path.endsWith(lockFile) ? listener : 'unknown'),
      isLocal: () => isLocal,
    };
    try {
      lockDirectory(nodeFiles, directory, system)();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'store/locked', data: { process: 7, lockFile: join(directory, lockFile) } });
      return false;
    }
  }

  test.each([
    ['of a running process', here, { running: true }, false],
    ['of a process that ended', here, {}, true],
    ['of a process whose number was reused', here, { running: true, started: '101' }, true],
    ['of an ended process whose socket answers', here, { listener: 'listening' }, false],
    [
      'of a reused number whose socket answers, as after a restore',
      here,
      { running: true, started: '101', listener: 'listening' },
      false,
    ],
    [
      'of a reused number whose socket is closed, as after a restart',
      here,
      { running: true, started: '101', listener: 'refused' },
      true,
    ],
    ['of a running process, from before the host was renamed', at('d', 'b', 'c'), { running: true }, false],
    ['of an ended process, from before the host was renamed', at('d', 'b', 'c'), {}, true],
    [
      'of a process that may run but does not listen',
      here,
      { running: true, started: undefined, listener: 'refused' },
      true,
    ],
    ['of another container that listens', at('a', 'b', 'd'), { listener: 'listening' }, false],
    ['of another container that no longer listens', at('d', 'b', 'd'), { listener: 'refused' }, true],
    ['of another container without a socket', at('d', 'b', 'd'), {}, false],
    ['of another boot that listens, as containers may see it', at('d', 'd', 'd'), { listener: 'listening' }, false],
    ['of another boot that no longer listens', at('d', 'd', 'c'), { listener: 'refused' }, true],
    ['of another boot of this host, without a socket', at('a', 'd', 'c'), {}, true],
    ['of another host, without a socket', at('d', 'd', 'c'), {}, false],
    [
      'of another host, on a file system that it may share',
      at('d', 'd', 'c'),
      { listener: 'refused', isLocal: false },
      false,
    ],
  ] as const)('%s', (_, claimed, facts, expected) => {
    expect(isFree(claimed, facts)).toBe(expected);
  });
});

describe.runIf(process.platform === 'linux')('the kernel', () => {
  test('tells whether a process listens on a socket, for paths of any length', () => {
    const directory = join(newDirectory(), 'x'.repeat(120));
    nodeFiles.mkdirSync(directory);
    const path = join(directory, 'socket');
    const close = processSystem.listen(path);
    expect(processSystem.probe(path)).toBe('listening');
    expect(nodeFiles.statSync(path).mode & 0o777).toBe(0o600);
    // As when a process dies, the socket is closed but its name stays.
    nodeFiles.renameSync(path, `${path}-dead`);
    close?.();
    expect(processSystem.probe(`${path}-dead`)).toBe('refused');
    writeFileSync(path, '');
    expect(processSystem.probe(path)).toBe('unknown');
    expect(processSystem.probe(join(directory, 'missing'))).toBe('unknown');
    expect(processSystem.listen(path)).toBeUndefined();
  });

  test('leaves no socket that cannot be made private', () => {
    // The directory's path is within the system's limit, but not with the name, which only chmod gets.
    let directory = newDirectory();
    while (directory.length < 4045) directory = join(directory, 'x'.repeat(40));
    nodeFiles.mkdirSync(directory, { recursive: true });
    const name = 'private-socket'.padEnd(60, 'x');
    expect(processSystem.listen(join(directory, name))).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
    expect(nodeFiles.readFileSync('/proc/net/unix', 'utf8')).not.toContain(name);
  });
});
