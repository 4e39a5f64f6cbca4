import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { RecordChange, RecordStore } from '../../src/node/store/recordStore.ts';

/** Where each batch writes its number; the other keys begin with `r`. */
const COUNT = 'count';

/** Returns bytes that a text determines. */
function bytesFrom(text: string, size: number): Uint8Array {
  const hash = createHash('sha256').update(text).digest();
  return Uint8Array.from({ length: size }, (_, i) => (hash[i % 32] ?? 0) ^ (i >> 5));
}

/** Returns the changes of the n-th batch: records of many sizes, and removals of earlier ones. */
export function batchOf(n: number): readonly RecordChange[] {
  const kept = Array.from({ length: 1 + (n % 5) }, (_, i): RecordChange => {
    const size = i === 0 && n % 7 === 0 ? 9_000 : (n * 131 + i * 17) % 400;
    return [`r${(n * 13 + i) % 60}`, bytesFrom(`${n} ${i}`, size)];
  });
  return [
    [COUNT, Uint8Array.of(n & 0xff, n >> 8)],
    ...kept,
    [`r${60 + (n % 9)}`, n % 2 === 0 ? bytesFrom(`${n}`, 30) : undefined],
  ];
}

const states: ReadonlyMap<string, string>[] = [new Map()];

/** Returns the records that the first n batches leave, as hex by their keys. */
export function recordsAfter(n: number): ReadonlyMap<string, string> {
  for (let i = states.length; i <= n; i++) states.push(applied(states[i - 1] ?? new Map(), batchOf(i)));
  return states[n] ?? new Map();
}

function applied(records: ReadonlyMap<string, string>, changes: readonly RecordChange[]): ReadonlyMap<string, string> {
  const next = new Map(records);
  for (const [key, value] of changes) {
    if (value) next.set(key, Buffer.from(value).toString('hex'));
    else next.delete(key);
  }
  return next;
}

/** Expects a store to hold exactly what the first n batches leave. */
export function expectBatches({ list }: RecordStore, n: number): void {
  const stored = Array.from(list(''), ([key, value]) => [key, Buffer.from(value).toString('hex')]);
  expect(stored).toEqual([...recordsAfter(n)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the number of the last batch by its record, 0 without one. */
export function countIn(get: (key: string) => Uint8Array | undefined): number {
  const [low = 0, high = 0] = get(COUNT) ?? [];
  return low + high * 256;
}
