import { execFileSync } from 'node:child_process';
import * as nodeFiles from 'node:fs';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { cutText } from '../../../src/shell/store/faultText.ts';
import type { Files } from '../../../src/shell/store/files.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { firstVersion } from '../../support/journals.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';
import { describeStore } from '../../support/storeContract.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();

/** Opens the store of a directory, reads all entries and closes it. */
function entriesIn(directory: string): string[] {
  const store = openStore(directory);
  const entries = [...store.read()];
  store.close();
  return entries;
}

/** Fills a store in a new directory, and closes it or leaves it as a crash would; returns the journal's size after each append. */
function filled(appends: readonly (readonly string[])[], isClosed = true): { directory: string; sizes: number[] } {
  const directory = newPath();
  const store = openStore(directory);
  const journal = join(directory, 'journal');
  const sizes = [statSync(journal).size];
  for (const entries of appends) {
    store.append(entries);
    sizes.push(statSync(journal).size);
  }
  const bytes = readFileSync(journal);
  store.close();
  if (!isClosed) writeFileSync(journal, bytes);
  return { directory, sizes };
}

describeStore('a store in a directory', () => {
  const directory = newPath();
  return {
    store: openStore(directory),
    reopen: (store) => {
      store.close();
      return openStore(directory);
    },
  };
});

describe('the files of a store', () => {
  test('are readable by their owner only', () => {
    const directory = join(newPath(), 'deep', 'er');
    const store = openStore(directory);
    store.append(['a']);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    store.rewrite(['b']);
    expect(statSync(join(directory, 'journal')).mode & 0o777).toBe(0o600);
    store.close();
    chmodSync(join(directory, 'journal'), 0o644);
    expect(entriesIn(directory)).toEqual(['b']);
    expect(statSync(join(directory, 'journal')).mode & 0o777).toBe(0o600);
  });

  test('are a single journal once the store is closed', () => {
    const { directory } = filled([['a'], ['b']]);
    expect(readdirSync(directory)).toEqual(['journal']);
  });

  test('do not grow unless something is appended', () => {
    const { directory } = filled([['a']]);
    const { size } = statSync(join(directory, 'journal'));
    entriesIn(directory);
    entriesIn(directory);
    expect(statSync(join(directory, 'journal')).size).toBe(size);
  });

  test('are refused with the reason of the system', () => {
    const directory = newPath();
    writeFileSync(directory, 'a file');
    expectRefusal(() => openStore(directory), 'store/failed', { path: directory, reason: 'EEXIST' });
    expectRefusal(() => openStore(join(directory, 'x')), 'store/failed', {
      path: join(directory, 'x'),
      reason: 'ENOTDIR',
    });
  });
});

describe('a rewrite', () => {
  test('leaves nothing of the old entries in the directory', () => {
    const { directory } = filled([['{"key":"plaintext"}'], ['{"other":1}']]);
    const store = openStore(directory);
    store.rewrite(['{"key":"sealed"}']);
    store.close();
    expect(entriesIn(directory)).toEqual(['{"key":"sealed"}']);
    for (const name of readdirSync(directory)) {
      expect(readFileSync(join(directory, name), 'utf8')).not.toContain('plaintext');
    }
  });

  test('that a crash interrupted is undone', () => {
    const { directory } = filled([['a'], ['b']]);
    writeFileSync(join(directory, 'journal.new'), readFileSync(join(directory, 'journal')).subarray(0, 60));
    expect(entriesIn(directory)).toEqual(['a', 'b']);
    expect(readdirSync(directory)).toEqual(['journal']);
  });

  test('whose old file a crash left behind is completed', () => {
    const { directory } = filled([['a'], ['b']]);
    writeFileSync(join(directory, 'journal.old'), 'plaintext');
    expect(entriesIn(directory)).toEqual(['a', 'b']);
    expect(readdirSync(directory)).toEqual(['journal']);
  });
});

describe('a torn write', () => {
  const appends = [['{"n":1}'], ['{"n":2}', '{"n":3}'], ['{"text":"\u20ac"}']];
  const { directory, sizes } = filled(appends, false);
  const path = join(directory, 'journal');
  const bytes = readFileSync(path);
  const upTo = (size: number): string[] => appends.slice(0, sizes.filter((end) => end <= size).length - 1).flat();

  const expectRepaired = (damaged: Uint8Array, size: number): void => {
    writeFileSync(path, damaged);
    const store = openStore(directory);
    expect([...store.read()]).toEqual(upTo(size));
    expect(sizes).toContain(statSync(path).size);
    store.append(['after']);
    store.close();
    expect(entriesIn(directory)).toEqual([...upTo(size), 'after']);
  };

  test('is cut back, wherever it ends', () => {
    for (let size = sizes[0] ?? 0; size <= bytes.length; size++) expectRepaired(bytes.subarray(0, size), size);
  });

  test('is cut back if only the size or a part of the bytes reached the disk', () => {
    for (let size = sizes[2] ?? 0; size < bytes.length; size++) {
      const zeros = Buffer.from(bytes);
      zeros.fill(0, size);
      expectRepaired(zeros, size);
      const holed = Buffer.from(bytes);
      holed[size] = 0xff - (holed[size] ?? 0);
      expectRepaired(holed, sizes[2] ?? 0);
    }
  });

  test('much longer than a frame is cut back at once', () => {
    expectRepaired(Buffer.concat([bytes, Buffer.alloc(300_000)]), bytes.length);
    expectRepaired(Buffer.concat([bytes, Buffer.alloc(300_000, 0xff)]), bytes.length);
  });
});

describe('a torn end', () => {
  const KEY = 'a key in the clear';
  const torn = (): { directory: string; path: string; bytes: Buffer; size: number } => {
    const { directory, sizes } = filled([['{"n":1}'], [KEY]], false);
    const path = join(directory, 'journal');
    const bytes = readFileSync(path);
    const size = sizes[1] ?? 0;
    truncateSync(path, bytes.length - 3);
    return { directory, path, bytes, size };
  };
  const pieces = (directory: string): string[] => readdirSync(directory).filter((name) => name.includes('cut'));

  test('is moved to a file for its owner only, and reported once', () => {
    const { directory, path, bytes, size } = torn();
    const store = openStore(directory);
    const { cut } = store;
    expect(cut).toMatchObject({ path, offset: size, size: bytes.length - 3 - size });
    expect(readFileSync(cut?.keptAs ?? '').equals(bytes.subarray(size, -3))).toBe(true);
    expect(statSync(cut?.keptAs ?? '').mode & 0o777).toBe(0o600);
    expect(cut && cutText(cut)).toContain(`moved to ${cut?.keptAs}`);
    expect(readFileSync(path).includes(KEY)).toBe(false);
    store.close();
    const again = openStore(directory);
    expect(again.cut).toBeUndefined();
    again.close();
    expect(pieces(directory)).toHaveLength(1);
  });

  test('is removed by a rewrite', () => {
    const { directory } = torn();
    const store = openStore(directory);
    store.rewrite(['sealed']);
    store.close();
    expect(readdirSync(directory)).toEqual(['journal']);
  });

  test('is removed by a rewrite that a crash interrupted, too', () => {
    const { directory, path } = torn();
    openStore(directory).close();
    writeFileSync(join(directory, 'journal.old'), readFileSync(path));
    openStore(directory).close();
    expect(readdirSync(directory)).toEqual(['journal']);
  });

  test('is kept eight times; older files are removed', () => {
    const { directory, path } = torn();
    for (let i = 0; i < 12; i++) {
      const store = openStore(directory);
      store.append([`${i}`]);
      store.close();
      writeFileSync(path, Buffer.from(`torn ${i}`), { flag: 'a' });
    }
    openStore(directory).close();
    const texts = pieces(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(texts.sort()).toEqual(['torn 10', 'torn 11', 'torn 4', 'torn 5', 'torn 6', 'torn 7', 'torn 8', 'torn 9']);
  });

  test('is not assumed for a closed journal: any truncated copy is refused', () => {
    const { directory, sizes } = filled([['{"n":1}'], ['{"n":2}', '{"n":3}']]);
    const path = join(directory, 'journal');
    const whole = readFileSync(path);
    const [head = 0, second = 0, third = 0] = sizes;
    for (let size = head; size < whole.length; size++) {
      writeFileSync(path, whole.subarray(0, size));
      const offset = [third, second, head].find((start) => start <= size) ?? 0;
      const refusal = refusalOf(() => openStore(directory));
      expect(refusal).toMatchObject({ code: 'store/corrupt', data: { path, offset, reason: 'length' } });
      expect(refusal.message).toContain('copy the whole file again, or restore a backup');
      expect(readFileSync(path).equals(whole.subarray(0, size))).toBe(true);
    }
    expect(readdirSync(directory)).toEqual(['journal']);
    // Nor does a damaged last record count as torn.
    for (let at = third; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expectRefusal(() => openStore(directory), 'store/corrupt', { path, offset: third, reason: 'record' });
    }
  });

  test('is distinguished from damage by two marks, one of which may be damaged', () => {
    const { directory } = filled([['{"n":1}']]);
    const path = join(directory, 'journal');
    const whole = readFileSync(path);
    for (let at = 48; at < 80; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expect(entriesIn(directory)).toEqual(['{"n":1}']);
      damaged[at < 64 ? 70 : 50] = 0x77;
      writeFileSync(path, damaged);
      expectRefusal(() => openStore(directory), 'store/corrupt', { path, offset: 0, reason: 'header' });
    }
  });
});

describe('a journal of version 1, which lacks marks', () => {
  const made = (...appends: (readonly string[])[]): { directory: string; path: string } => {
    const directory = newPath();
    mkdirSync(directory, { mode: 0o700 });
    const path = join(directory, 'journal');
    writeFileSync(path, firstVersion(...appends));
    return { directory, path };
  };

  test('gets them when it is opened, so that a later truncation is noticed', () => {
    const { directory, path } = made(['first'], []);
    expect(entriesIn(directory)).toEqual(['first']);
    expect(readdirSync(directory)).toEqual(['journal']);
    const whole = readFileSync(path);
    expect(whole.toString('latin1', 0, 22)).toBe('countersign journal 2 ');
    for (const size of [whole.length - 1, whole.length - 18]) {
      writeFileSync(path, whole.subarray(0, size));
      expect(refusalOf(() => openStore(directory)).data).toMatchObject({ path, reason: 'length' });
    }
    writeFileSync(path, whole);
    const store = openStore(directory);
    store.append(['second']);
    store.close();
    expect(entriesIn(directory)).toEqual(['first', 'second']);
  });

  test('keeps its torn end in a file, also when it is opened again', () => {
    const { directory, path } = made(['first'], ['torn']);
    truncateSync(path, statSync(path).size - 2);
    const store = openStore(directory);
    expect([...store.read()]).toEqual(['first']);
    const { keptAs = '' } = store.cut ?? {};
    store.close();
    expect(readFileSync(keptAs, 'latin1')).toContain('tor');
    // A crash between the rename and the end of the upgrade leaves this file.
    writeFileSync(join(directory, 'journal.v1'), firstVersion(['first']));
    expect(entriesIn(directory)).toEqual(['first']);
    expect(readdirSync(directory).sort()).toEqual(['journal', basename(keptAs)]);
  });
});

describe('damage to a journal', () => {
  const { directory, sizes } = filled([['{"n":1}'], ['{"n":2}', '{"n":3}'], ['{"n":4}']]);
  const path = join(directory, 'journal');
  const bytes = readFileSync(path);
  const [head = 0, second = 0, third = 0, end = 0] = sizes;

  const expectCorrupt = (damaged: Uint8Array, offset: number, reason = 'record'): void => {
    writeFileSync(path, damaged);
    expectRefusal(() => openStore(directory), 'store/corrupt', { path, offset, reason });
    expect(readFileSync(path).equals(damaged)).toBe(true);
    expect(readdirSync(directory)).toEqual(['journal']);
  };

  test('is reported with its offset for any bit, and changes no file', () => {
    for (let at = 0; at < end; at++) {
      // One of the marks may be damaged.
      if (at >= 48 && at < head) continue;
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const offset = [third, second, head].find((start) => start <= at);
      expectCorrupt(damaged, offset ?? 0, offset === undefined ? 'header' : 'record');
    }
  });

  test('is reported for a long record, wherever the next begins', () => {
    const long = filled([['x'.repeat(65_480)], ['next']], false);
    const whole = readFileSync(join(long.directory, 'journal'));
    const start = long.sizes[0] ?? 0;
    for (let added = 1; added < 80; added++) {
      const longer = Buffer.concat([whole.subarray(0, start + 1), Buffer.alloc(added), whole.subarray(start + 1)]);
      writeFileSync(path, longer);
      expectRefusal(() => openStore(directory), 'store/corrupt', { path, offset: start, reason: 'record' });
    }
  });

  test('is reported if records are missing, repeated or swapped', () => {
    const [first, middle, rest] = [bytes.subarray(head, second), bytes.subarray(second, third), bytes.subarray(third)];
    const start = bytes.subarray(0, head);
    expectCorrupt(Buffer.concat([start, first, rest]), second);
    expectCorrupt(Buffer.concat([start, first, first, middle, rest]), second);
    expectCorrupt(Buffer.concat([start, middle, first, rest]), head);
  });

  test('is reported if the header is wrong', () => {
    for (const text of ['', '\n', 'SQLite format 3\0', 'countersign journal 1', '{}'.repeat(100)]) {
      expectCorrupt(Buffer.from(text), 0, 'header');
    }
  });

  test('is reported by the next read if it occurs while the store is open', () => {
    writeFileSync(path, bytes);
    const store = openStore(directory);
    const damaged = Buffer.from(bytes);
    damaged[second + 20] = 0;
    writeFileSync(path, damaged);
    expectRefusal(() => [...store.read()], 'store/corrupt', { path, offset: second, reason: 'record' });
    truncateSync(path, third + 3);
    writeFileSync(path, bytes.subarray(0, third));
    expectRefusal(() => [...store.read()], 'store/corrupt', { path, offset: third, reason: 'record' });
    store.close();
  });

  test('is not confused with the journal of a newer release', () => {
    const text = 'countersign journal 3 0123456789abcdef';
    writeFileSync(path, `${text} ${crc32(text).toString(16).padStart(8, '0')}\nwho knows`);
    expectRefusal(() => openStore(directory), 'store/version', { path, version: 3, newest: 2 });
  });
});

describe('the lock of a directory', () => {
  test('holds within the same process, by any path', () => {
    const directory = newPath();
    const store = openStore(directory);
    store.append(['a']);
    const alias = `${directory}-alias`;
    symlinkSync(directory, alias);
    for (const path of [directory, alias]) {
      const refusal = refusalOf(() => openStore(path));
      expect(refusal.code).toBe('store/locked');
      expect(refusal.data).toMatchObject({ directory: path, process: process.pid });
      expect(existsSync((refusal.data as { lockFile: string }).lockFile)).toBe(true);
    }
    store.append(['b']);
    store.close();
    expect(entriesIn(alias)).toEqual(['a', 'b']);
  });

  test('is released if opening fails', () => {
    const directory = newPath();
    mkdirSync(directory);
    writeFileSync(join(directory, 'journal'), 'no journal');
    for (let i = 0; i < 2; i++) expect(refusalOf(() => openStore(directory)).code).toBe('store/corrupt');
    expect(readdirSync(directory)).toEqual(['journal']);
  });

  /** Returns the name of this process's lock file, with one part replaced. */
  function claimWith(part: number, value: string): string {
    const directory = newPath();
    const store = openStore(directory);
    const claim = readdirSync(directory).find((name) => name.startsWith('lock-')) ?? '';
    store.close();
    return claim
      .split('-')
      .map((text, i) => (i === part ? value : text))
      .join('-');
  }

  const onLinux = existsSync('/proc/self/stat');
  test.runIf(onLinux).each([
    ['of a process that ended', 4, '999999999', true],
    ['of an earlier process with the same number', 5, '1', true],
    ['from before a restart of the machine', 2, '00000000', true],
    ['of another machine', 1, '00000000', false],
    ['of another container', 3, '00000000', false],
  ])('%s', (_, part, value, isFree) => {
    const directory = newPath();
    mkdirSync(directory);
    const claim = claimWith(part, value);
    writeFileSync(join(directory, claim), '');
    if (isFree) {
      expect(entriesIn(directory)).toEqual([]);
      expect(existsSync(join(directory, claim))).toBe(false);
    } else {
      expect(refusalOf(() => openStore(directory)).data).toMatchObject({ lockFile: join(directory, claim) });
      rmSync(join(directory, claim));
      expect(entriesIn(directory)).toEqual([]);
    }
  });
});

describe('a full disk', () => {
  const mountPoint = newPath();
  mkdirSync(mountPoint);
  const isMounted = ((): boolean => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mountPoint], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();
  afterAll(() => {
    // Lazily: a failed test may have left its store open.
    if (isMounted) execFileSync('umount', ['-l', mountPoint]);
  });

  test.runIf(isMounted)('refuses changes and loses nothing', () => {
    const directory = join(mountPoint, 'node');
    const path = join(directory, 'journal');
    const store = openStore(directory);
    const filler = join(mountPoint, 'filler');
    writeFileSync(filler, 'x'.repeat(100_000));
    const kept: string[] = [];
    const append = (): void => {
      const text = `{"n":${kept.length},"x":"${'x'.repeat(5000)}"}`;
      store.append([text]);
      kept.push(text);
    };
    const refusal = refusalOf(() => {
      for (;;) append();
    });
    expect(refusal).toMatchObject({ code: 'store/full', data: { path, reason: 'ENOSPC' } });
    expect([...store.read()]).toEqual(kept);
    expect(refusalOf(() => store.rewrite(store.read())).code).toBe('store/full');
    expect([...store.read()]).toEqual(kept);
    expect(refusalOf(append).code).toBe('store/full');
    store.close();
    expect(entriesIn(directory)).toEqual(kept);
    rmSync(filler);
    const again = openStore(directory);
    again.rewrite(kept.slice(0, 2));
    again.append(['fits']);
    again.close();
    expect(entriesIn(directory)).toEqual([...kept.slice(0, 2), 'fits']);
  });
});

describe('a disk that is full when the store is opened', () => {
  const isFull = { value: true };
  const full = (): never => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  /** Names and existing bytes may change, but no file may grow. */
  const files: Files = {
    ...nodeFiles,
    writeSync: (file, from, offset, length, position) =>
      isFull.value && position + length > nodeFiles.fstatSync(file).size
        ? full()
        : nodeFiles.writeSync(file, from, offset, length, position),
  };

  test('reports the torn end of a journal, lets the rest be read, and repairs it once there is room', () => {
    const { directory, sizes } = filled([['{"n":1}'], ['{"n":2}']], false);
    const path = join(directory, 'journal');
    truncateSync(path, statSync(path).size - 3);
    const before = readFileSync(path);
    const piece = { path, offset: sizes[1] ?? 0, size: before.length - (sizes[1] ?? 0) };
    for (let i = 0; i < 2; i++) {
      isFull.value = true;
      const store = openStore(directory, files);
      expect(store.cut).toEqual({ ...piece, keptAs: undefined });
      expect(store.cut && cutText(store.cut)).toContain('the disk is full, so they stay in place');
      expect([...store.read()]).toEqual(['{"n":1}']);
      for (const change of [() => store.append(['x']), () => store.rewrite(['x'])]) {
        const refusal = refusalOf(change);
        expect(refusal).toMatchObject({ code: 'store/full', data: { reason: 'ENOSPC' } });
        expect(refusal.message).toMatch(/^Cannot use .*: the disk is full$/);
      }
      expect([...store.read()]).toEqual(['{"n":1}']);
      if (i === 1) {
        isFull.value = false;
        store.append(['{"n":3}']);
      }
      store.close();
      if (i === 0) {
        // Only the marks in the header changed, in place.
        expect(readFileSync(path).subarray(80).equals(before.subarray(80))).toBe(true);
        expect(readdirSync(directory)).toEqual(['journal']);
      }
    }
    expect(entriesIn(directory)).toEqual(['{"n":1}', '{"n":3}']);
    const [name = ''] = readdirSync(directory).filter((file) => file.includes('cut'));
    expect(readFileSync(join(directory, name)).equals(before.subarray(piece.offset))).toBe(true);
  });

  test('leaves a journal of version 1 as it is until there is room', () => {
    const directory = newPath();
    mkdirSync(directory, { mode: 0o700 });
    const path = join(directory, 'journal');
    const bytes = firstVersion(['first'], []);
    writeFileSync(path, bytes);
    isFull.value = true;
    const store = openStore(directory, files);
    expect([...store.read()]).toEqual(['first']);
    expect(refusalOf(() => store.append(['x'])).code).toBe('store/full');
    store.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
    isFull.value = false;
    openStore(directory, files).close();
    expect(readFileSync(path, 'latin1')).toMatch(/^countersign journal 2 /);
    expect(entriesIn(directory)).toEqual(['first']);
  });
});
