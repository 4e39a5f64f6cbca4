import { expect, test } from 'vitest';
import { checkHistory, type HistoryEntry, type ReadEntry } from '../support/recordHistory.ts';

const written: readonly HistoryEntry[] = [
  { kind: 'try', start: '10', n: 1, id: 'a', changes: [['k', '1']] },
  { kind: 'done', end: '20', n: 1, id: 'a' },
  { kind: 'try', start: '30', n: 2, id: 'b', changes: [['k', '2']] },
  { kind: 'done', end: '40', n: 2, id: 'b' },
];
const read = (entry: Partial<ReadEntry>): ReadEntry => ({
  kind: 'read',
  start: '21',
  end: '25',
  n: 1,
  reads: { k: '1', j: null },
  isFollowed: true,
  ...entry,
});

const faultsOf = (log: readonly HistoryEntry[], ids = ['a', 'b']): readonly string[] =>
  checkHistory([written, log], ids).faults;

test('a history is accepted if an order of the calls explains it', () => {
  expect(faultsOf([read({}), read({ start: '35', end: '50' })])).toEqual([]);
  expect(checkHistory([written], ['a', 'b']).summary).toMatchObject({ acknowledged: 2, unheard: 0 });
});

test.each([
  ['a lost write', [], ['a'], 'write 2 of b was acknowledged and is lost'],
  ['a write without an author', [], ['a', 'b', 'c'], 'write 3 has no author'],
  ['a read of two states', [read({ reads: { k: '2' } })], undefined, 'a call at write 1 read k as of another'],
  [
    'a read of an old state',
    [read({ start: '41', end: '50' })],
    undefined,
    'a call read write 1 after write 2 was acknowledged',
  ],
  [
    'a read of the future',
    [read({ end: '29', n: 2, reads: { k: '2' } })],
    undefined,
    'a call read write 2 before it began',
  ],
  ['a missed change', [read({ isFollowed: false })], undefined, 'a process has missed a change up to write 1'],
  [
    'a write that was refused and took place',
    [
      { kind: 'try', start: '50', n: 3, id: 'c', changes: [] },
      { kind: 'fault', message: 'nothing was changed' },
    ],
    ['a', 'b', 'c'],
    'write 3 took place and was refused',
  ],
] as const)('%s is found', (_name, log, ids, fault) => {
  expect(faultsOf(log, ids ? [...ids] : undefined)).toEqual([fault]);
});
