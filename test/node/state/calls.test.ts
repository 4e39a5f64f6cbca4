import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CallHooks, type Calls, openCalls } from '../../../src/node/state/calls.ts';
import { bytesCodec } from '../../../src/node/store/codecs.ts';
import type { Table } from '../../../src/node/store/tables.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { BtcError, createMemoryStore, type RecordChange, type RecordStore } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** Calls on a store, whose changes are written together. */

const HOOKS: CallHooks = { refresh: () => undefined, finish: () => undefined, revert: (error) => error };
const [ONE, TWO] = [Uint8Array.of(1), Uint8Array.of(2)];

interface Opened extends Calls {
  readonly table: Table<string, Uint8Array>;
}

function open(store: RecordStore): Opened {
  const calls = openCalls(store);
  return { ...calls, table: calls.tables.table('T', bytesCodec, 10) };
}

/** Notes the keys of each write, in order. */
function noting(store: RecordStore): { readonly store: RecordStore; readonly writes: (readonly string[])[] } {
  const writes: (readonly string[])[] = [];
  const write: RecordStore['write'] = (changes) => {
    const batch = [...changes];
    writes.push(batch.map(([key]) => key).sort());
    store.write(batch);
  };
  return { store: { ...store, write }, writes };
}

const paths = temporaryPaths();

function inDirectory(): { readonly store: RecordStore; readonly content: () => string } {
  const directory = paths();
  const store = openStore(directory);
  const content = (): string =>
    readdirSync(directory, { withFileTypes: true })
      .flatMap((file) => (file.isFile() ? [readFileSync(join(directory, file.name), 'latin1')] : []))
      .join();
  return { store, content };
}

describe('a call', () => {
  test('writes what it changes in one batch at its end; until then only the call sees it', () => {
    const inner = createMemoryStore();
    const { store, writes } = noting(inner);
    const { run, table } = open(store);
    run(HOOKS, () => {
      table.set('a', ONE);
      table.set('b', TWO);
      expect([...table.entries()]).toEqual([
        ['a', ONE],
        ['b', TWO],
      ]);
      expect([...inner.list('')]).toEqual([]);
    });
    expect(writes).toEqual([['Ta', 'Tb']]);
    run(HOOKS, () => [...table.entries()]);
    expect(writes).toHaveLength(1);
  });

  test('adds the changes with which it finishes', () => {
    const store = createMemoryStore();
    const { run, table } = open(store);
    run({ ...HOOKS, finish: () => table.set('b', TWO) }, () => table.set('a', ONE));
    expect([...store.list('T')]).toHaveLength(2);
  });

  test('keeps its changes if it throws', () => {
    const store = createMemoryStore();
    const { run, table } = open(store);
    const failing = (): void =>
      run(HOOKS, () => {
        table.set('a', ONE);
        throw new RangeError('no');
      });
    expect(failing).toThrow(RangeError);
    expect(store.get('Ta')).toEqual(ONE);
  });

  test('leaves nothing if its write fails, and the next one goes on from there', () => {
    const inner = createMemoryStore();
    const fault = new BtcError('store/full', { path: 'here', reason: 'ENOSPC' }, 'The disk is full');
    let isFull = true;
    const write = (changes: Iterable<RecordChange>): void => {
      if (isFull) throw fault;
      inner.write(changes);
    };
    const { run, beginChange, table } = open({ ...inner, write });
    const reverted: unknown[] = [];
    const revert = (error: unknown): unknown => {
      reverted.push(error, table.get('a'));
      return error;
    };
    const changing = (): void =>
      run({ ...HOOKS, revert }, () => {
        beginChange();
        table.set('a', ONE);
      });
    expect(refusalOf(changing).code).toBe('store/full');
    expect(reverted).toEqual([fault, undefined]);
    isFull = false;
    run(HOOKS, () => table.set('b', TWO));
    expect([...inner.list('')]).toEqual([['Tb', TWO]]);
  });

  test.each(['get', 'list'] as const)('leaves nothing, and gives no answer, if it could not read: %s', (kind) => {
    const inner = createMemoryStore();
    const fault = new BtcError('store/failed', { path: 'here', reason: 'EIO' }, 'Cannot read here');
    const failing = (): never => {
      throw fault;
    };
    const { run, beginChange, table } = open({ ...inner, [kind]: failing });
    const swallowing = (): number => {
      beginChange();
      table.set('a', ONE);
      try {
        if (kind === 'get') table.get('b');
        else Array.from(table.entries());
      } catch {
        throw new RangeError('another error');
      }
      return 7;
    };
    expect(() => run(HOOKS, swallowing)).toThrow(fault);
    expect([...inner.list('')]).toEqual([]);
  });

  test('that only keeps what it has computed needs no room', () => {
    const inner = createMemoryStore();
    const write = (): void => {
      throw new BtcError('store/full', { path: 'here', reason: 'ENOSPC' }, 'The disk is full');
    };
    const { run, table } = open({ ...inner, write });
    const computing = (): number => {
      table.set('a', ONE);
      return 7;
    };
    expect(run(HOOKS, computing)).toBe(7);
    expect(table.get('a')).toBeUndefined();
  });

  test('is needed for a change', () => {
    const store = createMemoryStore();
    const { run, beginChange, table } = open(store);
    run(HOOKS, () => table.set('a', ONE));
    for (const change of [() => table.set('b', TWO), () => table.delete('a'), beginChange]) {
      expect(change).toThrow(new TypeError('a change must be part of a call'));
    }
    run(HOOKS, () => undefined);
    expect([...store.list('')]).toEqual([['Ta', ONE]]);
  });

  test('that replaces secrets leaves no file with the former ones', () => {
    const { store, content } = inDirectory();
    const { run, table, purgeAfterwards } = open(store);
    const secret = Buffer.from('a former secret');
    run(HOOKS, () => table.set('a', secret));
    expect(content()).toContain('a former secret');
    run(HOOKS, () => {
      table.set('a', ONE);
      purgeAfterwards();
    });
    expect(content()).not.toContain('a former secret');
    expect([...store.list('')]).toEqual([['Ta', ONE]]);
    store.close();
  });

  test('says so if former secrets could not be removed; opening the store again removes them', () => {
    const store = createMemoryStore();
    let [purged, isFull] = [0, true];
    const purge = (): void => {
      purged += 1;
      if (isFull) throw new BtcError('store/full', { path: 'here', reason: 'ENOSPC' }, 'the disk is full');
    };
    const { run, table, purgeAfterwards } = open({ ...store, purge });
    const replacing = (): void =>
      run(HOOKS, () => {
        table.set('a', ONE);
        purgeAfterwards();
      });
    expect(refusalOf(replacing)).toMatchObject({
      code: 'store/failed',
      data: { isUnsure: true },
      message: 'The change was made, but what it replaced may still be readable: the disk is full',
    });
    isFull = false;
    for (let i = 0; i < 2; i += 1) open({ ...store, purge });
    expect([purged, ...store.list('')]).toEqual([2, ['Ta', ONE]]);
  });
});

describe('calls of several processes', () => {
  test('learn what others have changed, and run again if they would change an older state', () => {
    const records = createSharedRecords();
    const [one, two] = [open(records.open()), open(records.open())];
    const seen: unknown[] = [];
    const hooks: CallHooks = {
      ...HOOKS,
      refresh: (changed) => {
        seen.push(changed);
        if (changed !== 'all') for (const key of changed) two.tables.forget(key);
      },
    };
    one.run(HOOKS, () => one.table.set('a', ONE));
    two.run(HOOKS, () => undefined);
    let runs = 0;
    two.run(hooks, () => {
      runs += 1;
      two.table.get('b');
      if (runs === 1) one.run(HOOKS, () => one.table.set('b', TWO));
      two.table.set('c', two.table.get('b') ?? ONE);
    });
    expect(runs).toBe(2);
    expect(seen).toEqual([[], ['Tb']]);
    expect([...records.open().list('T')]).toEqual([
      ['Ta', ONE],
      ['Tb', TWO],
      ['Tc', TWO],
    ]);
  });
});
