import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordChange, RecordStore } from '../../src/node/store/recordStore.ts';
import { isFast } from './corpus.ts';
import { refusalOf } from './refusal.ts';

/** A store under test; `reopen` closes it and opens it again, if that kind of store is persistent. */
export interface RecordSubject {
  readonly store: RecordStore;
  readonly reopen: (store: RecordStore) => RecordStore;
}

/** Few different bytes, so that keys are each other's prefixes; the greatest among them. */
const keyText = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\x7f', '\x80', '\xff'), maxLength: 4 }),
  )
  .map((parts) => parts.join(''));

/** Values on one page, near the limit up to which a listing reads them at once, and on many pages. */
const value = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.nat(60) }, fc.integer({ min: 4080, max: 4110 }), fc.nat(60_000)),
    fc.nat(255),
  )
  .map(([size, byte]) => Uint8Array.from({ length: size }, (_, i) => byte + i * i));

const change: fc.Arbitrary<RecordChange> = fc.tuple(
  keyText,
  fc.oneof({ weight: 3, arbitrary: value }, fc.constant(undefined)),
);

const batch = fc.uniqueArray(change, { selector: ([key]) => key, maxLength: 8 });

interface Step {
  readonly changes: readonly RecordChange[];
  readonly after: 'reopen' | 'purge' | 'nothing';
  readonly prefix: string;
  readonly from: string | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  changes: batch,
  after: fc.constantFrom('reopen', 'purge', 'nothing'),
  prefix: fc.oneof(keyText, fc.constantFrom('', 'a', 'd')),
  from: fc.option(keyText, { nil: undefined }),
});

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

type Listed = readonly (readonly [key: string, value: Uint8Array])[];

/** Returns what a listing of these records gives, with plain bytes to compare. */
function listedOf(records: Iterable<readonly [string, Uint8Array]>): Listed {
  return Array.from(records, ([key, found]) => [key, Uint8Array.from(found)] as const);
}

/** Defines the tests that every store of records must pass, wherever it keeps them. */
export function describeRecords(name: string, make: () => RecordSubject): void {
  const opened = (): RecordStore => make().store;

  describe(name, () => {
    test('starts empty', () => {
      const store = opened();
      expect(store.get('a')).toBeUndefined();
      expect([...store.list('')]).toEqual([]);
    });

    test('keeps any bytes under any key of a kind, also none', () => {
      const { store, reopen } = make();
      const keys = Array.from({ length: 256 }, (_, i) => `k${String.fromCharCode(i, i)}`);
      const big = Uint8Array.from({ length: 4_000_000 }, (_, i) => i % 251);
      store.write([['k', bytes()], ['big', big], ...keys.map((key, i) => [key, bytes(i, 0, 255)] as const)]);
      const again = reopen(store);
      expect(again.get('k')).toHaveLength(0);
      expect(Buffer.from(again.get('big') ?? []).equals(big)).toBe(true);
      for (const [i, key] of keys.entries()) expect(listedOf(again.list(key))).toEqual([[key, bytes(i, 0, 255)]]);
      expect([...again.list('')]).toHaveLength(258);
    });

    test('applies all changes of a call or none', () => {
      const store = opened();
      store.write([['a', bytes(1)]]);
      function* failing(): Generator<RecordChange> {
        yield ['a', bytes(2)];
        yield ['b', bytes(3)];
        throw new RangeError('enough');
      }
      expect(() => store.write(failing())).toThrow(RangeError);
      expect(listedOf(store.list(''))).toEqual([['a', bytes(1)]]);
      store.write([
        ['a', undefined],
        ['b', bytes(3)],
        ['c', undefined],
      ]);
      expect(listedOf(store.list(''))).toEqual([['b', bytes(3)]]);
    });

    test('may be read while its changes are computed', () => {
      const store = opened();
      store.write([['a', bytes(1)]]);
      function* moved(): Generator<RecordChange> {
        for (const [key, found] of store.list('')) yield [`x${key}`, found];
        yield ['a', undefined];
        expect(listedOf(store.list(''))).toEqual([['a', bytes(1)]]);
      }
      store.write(moved());
      expect(listedOf(store.list(''))).toEqual([['xa', bytes(1)]]);
    });

    test('lists lazily, and several times at once', () => {
      const store = opened();
      const keys = Array.from({ length: 1000 }, (_, i) => String(i).padStart(4, '0')).map((digits) => `k${digits}`);
      store.write(keys.map((key) => [key, bytes(7)]));
      const first = store.list('')[Symbol.iterator]();
      expect(first.next().value?.[0]).toBe('k0000');
      expect(Array.from(store.list('k05'), ([key]) => key)).toEqual(keys.slice(500, 600));
      expect(Array.from(store.list('', 'k0990'), ([key]) => key)).toEqual(keys.slice(990));
      expect(first.next().value?.[0]).toBe('k0001');
    });

    test('refuses to continue a listing after a change', () => {
      const store = opened();
      store.write(Array.from({ length: 50 }, (_, i) => [`k${i}`, bytes(i)]));
      const begun = store.list('')[Symbol.iterator]();
      expect(begun.next().value?.[0]).toBe('k0');
      store.write([['z', bytes()]]);
      expect(refusalOf(() => begun.next()).code).toBe('store/failed');
      expect([...store.list('')]).toHaveLength(51);
    });

    test('refuses every call after close, except close', () => {
      const store = opened();
      store.write([['a', bytes(1)]]);
      const listing = store.list('');
      store.close();
      store.close();
      for (const call of [() => [...listing], () => store.list(''), () => store.get('a'), () => store.write([])]) {
        expect(refusalOf(call)).toMatchObject({ code: 'store/failed', data: { reason: 'closed' } });
      }
    });

    test('behaves like a sorted map under any changes and reopenings', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), (steps) => expectMap(make(), steps)),
        // On a slow disk, one run may exceed the time limit of the fast run.
        isFast ? { numRuns: 5, interruptAfterTimeLimit: 60_000 } : { numRuns: 40 },
      );
    });
  });
}

function expectMap(subject: RecordSubject, steps: readonly Step[]): void {
  let { store } = subject;
  const model = new Map<string, Uint8Array>();
  for (const { changes, after, prefix, from } of steps) {
    store.write(changes);
    for (const [key, found] of changes) {
      if (found) model.set(key, found);
      else model.delete(key);
    }
    if (after === 'reopen') store = subject.reopen(store);
    if (after === 'purge') store.purge?.();
    const wanted = [...model]
      .filter(([key]) => key.startsWith(prefix) && key >= (from ?? ''))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    expect(listedOf(store.list(prefix, from))).toEqual(wanted);
    for (const [key] of changes) expect(store.get(key)?.slice()).toEqual(model.get(key));
  }
  store.close();
}
