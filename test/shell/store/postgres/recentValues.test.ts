import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentValues } from '../../../../src/shell/store/postgres/recentValues.ts';

const MOST = 4000;

test('values that are found are those kept last, and take a bounded room', () => {
  const step = fc.record({
    key: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    size: fc.option(fc.nat(899), { nil: undefined }),
    isFind: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const values = createRecentValues(MOST);
      const model = new Map<string, Uint8Array | undefined>();
      for (const { key, size, isFind } of steps) {
        const value = size === undefined ? undefined : new Uint8Array(size);
        if (!isFind) {
          values.keep(key, value);
          model.set(key, value);
          expect(values.find(key)).toEqual([value]);
        }
        const found = values.find(key);
        if (found) expect(found[0]).toBe(model.get(key));
      }
      const kept = [...model.keys()].flatMap((key) => values.find(key) ?? []);
      expect(kept.reduce((sum, value) => sum + (value?.length ?? 0) + 100, 0)).toBeLessThanOrEqual(MOST);
    }),
  );
});

test('what was used longest ago makes room', () => {
  const values = createRecentValues(MOST);
  for (const key of ['a', 'b', 'c', 'd']) values.keep(key, new Uint8Array(800));
  values.find('a');
  values.keep('e', new Uint8Array(800));
  expect(values.find('b')).toBeUndefined();
  expect(values.find('a')).toEqual([new Uint8Array(800)]);
});

test('a value that would take most of the room is not kept, and its old one is gone', () => {
  const values = createRecentValues(MOST);
  values.keep('a', new Uint8Array(10));
  values.keep('a', new Uint8Array(2000));
  expect(values.find('a')).toBeUndefined();
  values.keep('b', undefined);
  values.clear();
  expect(values.find('b')).toBeUndefined();
});
