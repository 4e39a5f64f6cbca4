import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallHooks, type JournalStore, openJournalStore } from '../../../src/node/state/journalStore.ts';
import { KINDS } from '../../../src/node/store/kinds.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { rounds } from '../../support/campaign.ts';
import { changeJournal, journalOf } from '../../support/journals.ts';
import { BtcError, createMemoryStore, type RecordChange, type RecordStore } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** The journal of the wallets, as records of a store. */

const HOOKS: CallHooks = { refresh: () => undefined, revert: () => undefined };
const BYTES = Uint8Array.of(1, 2, 3);
const ENTRIES = ['{"a":1}', '{"b":2}', '{"c":3}'];

const append = (store: RecordStore, ...entries: readonly string[]): void =>
  changeJournal(store, (journal) => journal.append(entries));

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

interface Subject {
  readonly store: RecordStore;
  /** Closes and opens the store, if it outlasts its process. */
  readonly reopen: () => RecordStore;
  /** Everything that the medium holds, as Latin-1 text. */
  readonly content: () => string;
}

function inMemory(): Subject {
  const store = createMemoryStore();
  const content = (): string => [...store.list('')].map(([, value]) => Buffer.from(value).toString('latin1')).join();
  return { store, reopen: () => store, content };
}

const paths = temporaryPaths();

function inDirectory(): Subject {
  const directory = paths();
  const store = openStore(directory);
  const reopen = (): RecordStore => {
    store.close();
    return openStore(directory);
  };
  const content = (): string =>
    readdirSync(directory, { withFileTypes: true })
      .flatMap((file) => (file.isFile() ? [readFileSync(join(directory, file.name), 'latin1')] : []))
      .join();
  return { store, reopen, content };
}

describe.each([
  ['in memory', inMemory],
  ['in SQLite', inDirectory],
])('a journal %s', (_, make) => {
  test('begins empty', () => {
    const { store } = make();
    expect(journalOf(store)).toEqual([]);
    changeJournal(store, ({ length }) => expect(length()).toBe(0));
  });

  test('gives the appended entries in order, after it is opened again too', () => {
    const { store, reopen } = make();
    append(store, ...ENTRIES);
    append(store);
    append(store, '{"d":4}');
    const again = reopen();
    expect(journalOf(again)).toEqual([...ENTRIES, '{"d":4}']);
    changeJournal(again, ({ length, entryAt, read }) => {
      expect([length(), entryAt(1), ...read(2)]).toEqual([4, '{"b":2}', '{"c":3}', '{"d":4}']);
    });
  });

  test('holds any JSON', () => {
    const { store } = make();
    const entry = fc.json({ stringUnit: 'binary', maxDepth: 2 });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        changeJournal(store, ({ rewrite }) => rewrite(entries));
        expect(journalOf(store).map((text) => JSON.parse(text))).toEqual(entries.map((text) => JSON.parse(text)));
      }),
      { numRuns: rounds(60) },
    );
  });

  test('accepts very many entries at once, and very long ones', () => {
    const { store } = make();
    const entries = [...Array.from({ length: 100_000 }, (__, i) => `${i}`), `"${'x'.repeat(5_000_000)}"`];
    append(store, ...entries);
    expect(journalOf(store)).toEqual(entries);
  });

  test('writes what a call changes in one batch at its end; until then only the call sees it', () => {
    const { store } = make();
    const { store: noted, writes } = noting(store);
    const journal = openJournalStore(noted);
    journal.run(HOOKS, () => {
      journal.append(ENTRIES.slice(0, 2));
      journal.records.write([['block', BYTES]]);
      journal.append(ENTRIES.slice(2));
      expect([...journal.read()]).toEqual(ENTRIES);
      expect(journal.records.get('block')).toEqual(BYTES);
      expect([...store.list('')]).toEqual([]);
    });
    expect(writes).toHaveLength(1);
    expect(journalOf(store)).toEqual(ENTRIES);
    expect(store.get('block')).toEqual(BYTES);
    journal.run(HOOKS, () => [...journal.read()]);
    expect(writes).toHaveLength(1);
  });

  test('keeps the changes of a call that throws', () => {
    const { store } = make();
    const failing = (): void =>
      changeJournal(store, ({ append: add }) => {
        add(ENTRIES);
        throw new RangeError('no');
      });
    expect(failing).toThrow(RangeError);
    expect(journalOf(store)).toEqual(ENTRIES);
  });

  test('keeps nothing of a call whose write fails, lets its caller revert, and goes on from there', () => {
    const { store } = make();
    append(store, ...ENTRIES);
    const fault = new BtcError('store/full', { path: 'here', reason: 'ENOSPC' }, 'The disk is full');
    let isFull = true;
    const write = (changes: Iterable<RecordChange>): void => {
      if (isFull) throw fault;
      store.write(changes);
    };
    const journal = openJournalStore({ ...store, write });
    const reverted: unknown[] = [];
    const revert = (error: unknown): void => void reverted.push(error, ...journal.read());
    const work = (): void => {
      journal.append(['{"d":4}']);
      journal.records.write([['block', BYTES]]);
    };
    expect(refusalOf(() => journal.run({ ...HOOKS, revert }, work)).code).toBe('store/full');
    expect(reverted).toEqual([fault, ...ENTRIES]);
    isFull = false;
    expect(store.get('block')).toBeUndefined();
    journal.run(HOOKS, () => journal.append(['{"e":5}']));
    expect(journalOf(store)).toEqual([...ENTRIES, '{"e":5}']);
  });

  test('can be rewritten from its own entries; no former one can be read then, and the snapshot is gone', () => {
    const { store, content, reopen } = make();
    const journal = openJournalStore(store);
    journal.run(HOOKS, () => journal.append([...ENTRIES, '{"secret":1}', '{"d":4}', '{"secret":2}']));
    journal.caches?.keepSnapshot({ head: '{}', rows: 'a secret' });
    expect(content()).toContain('secret');
    journal.run(HOOKS, () => {
      function* entries(): Generator<string> {
        for (const text of journal.read()) if (!text.includes('secret')) yield text.toUpperCase();
      }
      journal.rewrite(entries());
      expect(journal.length()).toBe(4);
      journal.append(['{"e":5}']);
    });
    expect(content()).not.toContain('secret');
    const again = reopen();
    expect(journalOf(again)).toEqual(['{"A":1}', '{"B":2}', '{"C":3}', '{"D":4}', '{"e":5}']);
    expect([...again.list(KINDS.snapshot)]).toEqual([]);
  });

  test('keeps its entries if those that replace them cannot be made', () => {
    const { store } = make();
    append(store, ...ENTRIES);
    function* entries(): Generator<string> {
      yield '{}';
      throw new RangeError('no');
    }
    expect(() => changeJournal(store, ({ rewrite }) => rewrite(entries()))).toThrow(RangeError);
    expect(journalOf(store)).toEqual(ENTRIES);
  });

  test('says so if former entries could not be removed from the medium, and removes them when it is opened again', () => {
    const { store } = make();
    append(store, ...ENTRIES);
    let [purged, isFull] = [0, true];
    const purge = (): void => {
      purged += 1;
      if (isFull) throw new BtcError('store/full', { path: 'here', reason: 'ENOSPC' }, 'the disk is full');
    };
    const disk = { ...store, purge };
    const rewriting = (): void => changeJournal(disk, ({ rewrite }) => rewrite(['{}']));
    expect(refusalOf(rewriting)).toMatchObject({
      code: 'store/failed',
      data: { isUnsure: true },
      message: 'The change was made, but what it replaced may still be readable: the disk is full',
    });
    isFull = false;
    for (let i = 0; i < 2; i += 1) expect(journalOf(disk)).toEqual(['{}']);
    expect(purged).toBe(2);
  });

  test.each([0, 1, 2])('that lacks entry %i is refused', (order) => {
    const { store } = make();
    append(store, ...ENTRIES);
    const [key = ''] = [...store.list(KINDS['journal entry'])][order] ?? [];
    store.write([[key, undefined]]);
    const refusal = {
      code: 'store/corrupt',
      data: { path: 'journal', reason: 'missing' },
      message: `The journal lacks entry ${order}, which was written: restore the whole store from a backup`,
    };
    for (const use of [({ read }) => [...read()], ({ entryAt }) => entryAt(order)] as ((
      of: JournalStore,
    ) => unknown)[]) {
      expect(refusalOf(() => changeJournal(store, use))).toMatchObject(refusal);
    }
  });

  test('refuses a change outside a call', () => {
    const { store } = make();
    const journal = openJournalStore(store);
    journal.run(HOOKS, () => journal.append(ENTRIES));
    for (const change of [
      () => journal.append(['{}']),
      () => journal.rewrite([]),
      () => journal.records.write([['block', BYTES]]),
      () => journal.claim(),
    ]) {
      expect(change).toThrow(new TypeError('a change must be part of a call'));
    }
    journal.run(HOOKS, () => undefined);
    expect(journalOf(store)).toEqual(ENTRIES);
    expect(store.get('block')).toBeUndefined();
  });

  test('keeps one snapshot, of any size', () => {
    const { store, reopen } = make();
    append(store, ...ENTRIES);
    const last = (of: RecordStore): unknown => {
      const { head, rows } = openJournalStore(of).caches?.snapshot() ?? {};
      return { head, rows };
    };
    expect(last(store)).toEqual({});
    const rows = Array.from({ length: 256 }, (__, i) => String.fromCharCode(i))
      .join('')
      .repeat(10_000);
    for (const snapshot of [
      { head: '{"€":1}', rows },
      { head: '{}', rows: 'few' },
      { head: '{}', rows: '' },
    ]) {
      openJournalStore(store).caches?.keepSnapshot(snapshot);
      expect(last(store)).toEqual(snapshot);
    }
    expect(last(reopen())).toEqual({ head: '{}', rows: '' });
  });

  test('keeps derived scripts', () => {
    const { store, reopen } = make();
    const journal = openJournalStore(store);
    journal.run(HOOKS, () => journal.caches?.derivations.append(['{"a":1}', '{"b":2}']));
    journal.run(HOOKS, () => journal.caches?.derivations.append(['{"c":3}']));
    expect([...(openJournalStore(reopen()).caches?.derivations.read() ?? [])]).toEqual(ENTRIES);
  });
});

describe('a journal that several processes use', () => {
  test('tells each call what others have changed, and runs a call again that would change an older state', () => {
    const records = createSharedRecords();
    const [one, two] = [openJournalStore(records.open()), openJournalStore(records.open())];
    const seen: unknown[] = [];
    const hooks: CallHooks = { ...HOOKS, refresh: (changes) => seen.push(changes) };
    one.run(HOOKS, () => one.append(['{"a":1}']));
    two.run(HOOKS, () => undefined);
    let runs = 0;
    two.run(hooks, () => {
      runs += 1;
      if (runs === 1) {
        one.run(HOOKS, () => {
          one.append(['{"b":2}']);
          one.records.write([['block', BYTES]]);
        });
      }
      two.append(['{"c":3}']);
    });
    expect(runs).toBe(2);
    expect(seen).toEqual([
      { appended: [], changed: [] },
      { appended: ['{"b":2}'], changed: ['block'] },
    ]);
    expect(journalOf(records.open())).toEqual(ENTRIES);
  });

  test('is to be read anew after another process has rewritten it', () => {
    const records = createSharedRecords();
    const [one, two] = [openJournalStore(records.open()), openJournalStore(records.open())];
    for (const journal of [one, two]) journal.run(HOOKS, () => undefined);
    one.run(HOOKS, () => one.append(ENTRIES));
    two.run(HOOKS, () => two.rewrite(['{}']));
    const seen: unknown[] = [];
    one.run({ ...HOOKS, refresh: (changes) => seen.push(changes) }, () => one.append(['{"e":5}']));
    expect(seen).toEqual(['all']);
    expect(journalOf(records.open())).toEqual(['{}', '{"e":5}']);
  });
});
