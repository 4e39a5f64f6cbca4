import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesCodec } from '../../../src/node/store/codecs.ts';
import { openTables, type Table, type Tables } from '../../../src/node/store/tables.ts';
import { campaign } from '../../support/campaign.ts';
import { createMemoryStore, type RecordStore } from '../../support/library.ts';

const KEYS = ['', 'a', 'ab', 'abc', 'b', 'ba', '\xff', '\xff\xff'];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('set' as const), key: fc.constantFrom(...KEYS), byte: fc.nat(255) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), key: fc.constantFrom(...KEYS) }) },
  fc.record({ type: fc.constantFrom('write' as const, 'discard' as const, 'forgetAll' as const) }),
  fc.record({ type: fc.constant('forget' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ type: fc.constant('list' as const), under: fc.constantFrom(...KEYS), from: fc.constantFrom(...KEYS) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Subject {
  readonly store: RecordStore;
  readonly tables: Tables;
  /** What the table should read as, and what the store should. */
  waiting: Map<string, number>;
  written: Map<string, number>;
}

function take(subject: Subject, table: Table<string, Uint8Array>, each: Step): void {
  const { tables, waiting } = subject;
  switch (each.type) {
    case 'set':
      table.set(each.key, Uint8Array.of(each.byte));
      waiting.set(each.key, each.byte);
      break;
    case 'delete':
      table.delete(each.key);
      waiting.delete(each.key);
      break;
    case 'list':
      expect([...table.entries(each.under, each.from)].map(withByte)).toEqual(listed(waiting, each.under, each.from));
      break;
    case 'forget':
      tables.forget(`T${each.key}`);
      break;
    case 'write':
      tables.write();
      subject.written = new Map(waiting);
      break;
    default:
      tables[each.type]();
      subject.waiting = new Map(subject.written);
  }
}

function assertAlike({ store, waiting, written }: Subject, table: Table<string, Uint8Array>): void {
  for (const key of KEYS) {
    expect([key, table.get(key)?.[0], table.has(key)]).toEqual([key, waiting.get(key), waiting.has(key)]);
  }
  expect([...table.keys()]).toEqual([...waiting.keys()].sort());
  expect([...table.encoded()].map(withByte)).toEqual(listed(waiting));
  const stored = [...store.list('T')].map(([key, value]) => withByte([key.slice(1), value]));
  expect(stored).toEqual(listed(written));
}

const withByte = ([key, value]: readonly [string, Uint8Array]): unknown => [key, value[0]];

/** Reads what a plain map of the same changes holds. */
function listed(values: ReadonlyMap<string, number>, under = '', from = under): readonly unknown[] {
  return [...values].filter(([key]) => key.startsWith(under) && key >= from).sort(([a], [b]) => (a < b ? -1 : 1));
}

describe.each([1, 3, Number.POSITIVE_INFINITY])('a table that keeps %d values decoded', (capacity) => {
  test('reads as a map of its changes, before and after they are written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const store = createMemoryStore();
        store.write(['S', 'U'].map((key) => [key, Uint8Array.of(9)]));
        const subject = { store, tables: openTables(store), waiting: new Map(), written: new Map() };
        const table: Table<string, Uint8Array> = subject.tables.table('T', bytesCodec, capacity);
        for (const each of steps) {
          take(subject, table, each);
          assertAlike(subject, table);
        }
      }),
      campaign(60),
    );
  });

  test('gives what another process has written once it forgets what it kept', () => {
    const store = createMemoryStore();
    const tables = openTables(store);
    const table: Table<string, Uint8Array> = tables.table('T', bytesCodec, capacity);
    expect(table.get('a')).toBeUndefined();
    store.write([['Ta', Uint8Array.of(1)]]);
    tables.forget('Ta');
    expect(table.get('a')).toEqual(Uint8Array.of(1));
    store.write([['Ta', undefined]]);
    tables.forgetAll();
    expect([table.get('a'), ...table.keys()]).toEqual([undefined]);
  });

  test('asks before each change', () => {
    const tables = openTables(createMemoryStore(), () => {
      throw new RangeError('not now');
    });
    const table: Table<string, Uint8Array> = tables.table('T', bytesCodec, capacity);
    expect(() => table.set('a', Uint8Array.of(1))).toThrow('not now');
    expect(tables.isChanged()).toBe(false);
  });
});
