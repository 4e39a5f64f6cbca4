import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS } from '../../../src/node/store/kinds.ts';

const FORMAT = new URL('../../../src/shell/store/FORMAT.md', import.meta.url);

test('FORMAT.md describes each kind of record, by its letter and name', () => {
  const rows = [...readFileSync(FORMAT, 'utf8').matchAll(/^\| ((?:`[A-Za-z]`(?:, )?)+) \| ([^|]+) \|/gm)];
  const described = rows.flatMap(([, letters = '', names = '']) => {
    const all = names.split(', ');
    return letters.split(', ').map((letter, i) => [all[i], letter.replaceAll('`', '')]);
  });
  expect(Object.fromEntries(described)).toEqual(KINDS);
  expect(described).toHaveLength(Object.keys(KINDS).length);
});
