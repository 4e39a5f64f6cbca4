import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as nodeFiles from 'node:fs';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { lockDirectory } from '../../../src/shell/store/lock.ts';
import { type Listener, type LockSystem, processSystem } from '../../../src/shell/store/lockSystem.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { refusalOf } from '../../support/refusal.ts';

/** Whether a process may take a directory whose last holder ran in another container, or before the machine restarted. */

const root = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
let directories = 0;
const newDirectory = (): string => mkdtempSync(join(root, `${directories++}-`));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const script = new URL('../../support/storeChild.mjs', import.meta.url).pathname;
/** Gives a container its own process ids and host name. */
const CONTAINER = ['--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];
const refusedHere = spawnSync('unshare', [...CONTAINER, 'true'], { encoding: 'utf8' });
const hasContainers = refusedHere.status === 0;
const title = hasContainers ? '' : ` (skipped: ${refusedHere.error?.message ?? refusedHere.stderr.trim()})`;

/** Shows the same processes with shifted start times. */
const TIME_NAMESPACE = ['--time', '--boottime', '100000', '--fork', '--kill-child'];
const hasTimeNamespaces = spawnSync('unshare', [...TIME_NAMESPACE, 'true']).status === 0;

/** A process that holds a directory; `word` is its first line of output. */
interface Holder {
  readonly word: string;
  readonly kill: () => Promise<void>;
}

/** Opens a directory in a new container and holds it. */
const holdInContainer = (directory: string, host: string): Promise<Holder> =>
  holdUnshared(directory, CONTAINER, `hostname ${host}; `);

async function holdUnshared(directory: string, flags: readonly string[], before = ''): Promise<Holder> {
  const command = `${before}exec ${process.execPath} ${script} ${directory} hold`;
  const child = spawn('unshare', [...flags, 'sh', '-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const closed = once(child, 'close');
  const [word] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    word,
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

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
    expect(readdirSync(directory)).toEqual(['journal']);
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
  const holder = await holdUnshared(directory, TIME_NAMESPACE);
  expect(holder.word).toBe('open');
  expect(refusalOf(() => openStore(directory)).code).toBe('store/locked');
  await holder.kill();
  const store = openStore(directory);
  expect((await holdUnshared(directory, TIME_NAMESPACE)).word).toBe('store/locked');
  store.close();
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
