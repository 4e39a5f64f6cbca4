import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFast } from './corpus.ts';
import type { JournalStore } from './library.ts';
import { refusalOf } from './refusal.ts';

/** A store under test; `reopen` closes it and opens it again, if that kind of store is persistent. */
export interface Subject {
  readonly store: JournalStore;
  readonly reopen: (store: JournalStore) => JournalStore;
}

const entry = fc.string({ unit: 'grapheme', maxLength: 40 });

interface Action {
  readonly kind: 'append' | 'rewrite' | 'truncate' | 'reopen';
  readonly entries: readonly string[];
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('append', 'append', 'append', 'append', 'rewrite', 'truncate', 'reopen'),
  entries: fc.array(entry, { maxLength: 6 }),
});

/** Defines the tests that every store must pass, wherever it keeps its entries. */
export function describeStore(name: string, make: () => Subject): void {
  const opened = (): JournalStore => make().store;

  describe(name, () => {
    test('starts empty', () => {
      expect([...opened().read()]).toEqual([]);
    });

    test('returns entries in order, whatever text they contain', () => {
      const store = opened();
      const texts = ['', '{}', 'a\nb\r\n\0', '\ufeffmark', '\u00ff\u00fe', '\u{1f600}', '\uffff', ' '];
      store.append(texts);
      store.append([]);
      store.append(['last']);
      expect([...store.read()]).toEqual([...texts, 'last']);
    });

    test('accepts very many entries at once, and very long ones', () => {
      const store = opened();
      const many = Array.from({ length: 300_000 }, (_, i) => `{"n":${i}}`);
      store.append(many);
      const long = '\u20ac'.repeat(3_000_000);
      store.append([long]);
      expect([...store.read()]).toEqual([...many, long]);
    });

    test('refuses all entries of a call if one holds a lone surrogate', () => {
      const store = opened();
      store.append(['before']);
      expect(refusalOf(() => store.append(['good', '\ud800'])).code).toBe('store/failed');
      expect(refusalOf(() => store.rewrite(['good', 'x\udfff'])).code).toBe('store/failed');
      expect([...store.read()]).toEqual(['before']);
    });

    test('reads the entries that existed when reading began', () => {
      const store = opened();
      store.append(['a', 'b']);
      const reading = store.read();
      store.append(['c']);
      expect([...reading]).toEqual(['a', 'b']);
    });

    test('can be rewritten from its own entries while reading them', () => {
      const store = opened();
      store.append(['a', 'b', 'c']);
      function* without(): Generator<string> {
        for (const text of store.read()) if (text !== 'b') yield text.toUpperCase();
      }
      store.rewrite(without());
      store.append(['d']);
      expect([...store.read()]).toEqual(['A', 'C', 'd']);
    });

    test('keeps all entries if the iterator passed to rewrite throws', () => {
      const store = opened();
      store.append(['a']);
      function* failing(): Generator<string> {
        yield 'x';
        throw new RangeError('enough');
      }
      expect(() => store.rewrite(failing())).toThrow(RangeError);
      store.append(['b']);
      expect([...store.read()]).toEqual(['a', 'b']);
    });

    test('refuses to continue a read that began before a rewrite', () => {
      const store = opened();
      store.append(['a', 'b']);
      const begun = store.read()[Symbol.iterator]();
      expect(begun.next().value).toBe('a');
      const notBegun = store.read()[Symbol.iterator]();
      store.rewrite(['c']);
      expect(refusalOf(() => begun.next()).code).toBe('store/failed');
      expect(refusalOf(() => notBegun.next()).code).toBe('store/failed');
    });

    test('keeps the first entries, wherever the others began, and takes new ones', () => {
      for (const length of [0, 1, 2, 3, 5, 9]) {
        const store = opened();
        for (const entries of [['a', 'b'], ['c'], ['d', 'e']]) store.append(entries);
        const begun = store.read()[Symbol.iterator]();
        begun.next();
        store.truncate(length);
        const kept = ['a', 'b', 'c', 'd', 'e'].slice(0, length);
        expect([...store.read()]).toEqual(kept);
        if (length < 5) expect(refusalOf(() => begun.next()).code).toBe('store/failed');
        store.append(['f']);
        expect([...store.read()]).toEqual([...kept, 'f']);
      }
    });

    test('refuses every call after close, except close', () => {
      const store = opened();
      store.append(['a']);
      const reading = store.read();
      store.close();
      store.close();
      expect(refusalOf(() => [...reading]).data).toMatchObject({ reason: 'closed' });
      expect(refusalOf(() => store.read()).data).toMatchObject({ reason: 'closed' });
      expect(refusalOf(() => store.append(['b'])).data).toMatchObject({ reason: 'closed' });
      expect(refusalOf(() => store.rewrite([])).data).toMatchObject({ reason: 'closed' });
      expect(refusalOf(() => store.truncate(0)).data).toMatchObject({ reason: 'closed' });
    });

    test('behaves like a list under any sequence of appends, rewrites and reopenings', () => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
          expectList(make(), actions);
        }),
        // On a slow disk, one run may exceed the time limit of the fast run.
        isFast ? { numRuns: 3, interruptAfterTimeLimit: 60_000 } : {},
      );
    });
  });
}

function expectList(subject: Subject, actions: readonly Action[]): void {
  let { store } = subject;
  let model: readonly string[] = [];
  for (const { kind, entries } of actions) {
    if (kind === 'reopen') store = subject.reopen(store);
    if (kind === 'append') store.append(entries);
    if (kind === 'rewrite') store.rewrite(entries);
    const shorter = model.slice(0, Math.max(0, model.length - entries.length));
    if (kind === 'truncate') store.truncate(shorter.length);
    model = { reopen: model, append: [...model, ...entries], rewrite: entries, truncate: shorter }[kind];
    expect([...store.read()]).toEqual(model);
  }
  store.close();
}
