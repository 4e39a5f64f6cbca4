import { createHash } from 'node:crypto';
import type { RecordChange } from '../../src/node/store/recordStore.ts';

/** Where each batch writes its number. */
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

/** Returns the records that the first n batches leave, as hex by their keys. */
export function recordsAfter(n: number): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let i = 1; i <= n; i++) apply(records, batchOf(i));
  return records;
}

/** Applies changes to the records of {@link recordsAfter}. */
export function apply(records: Map<string, string>, changes: Iterable<RecordChange>): void {
  for (const [key, value] of changes) {
    if (value) records.set(key, Buffer.from(value).toString('hex'));
    else records.delete(key);
  }
}

/** Returns the number of the last batch by its record, 0 without one. */
export function countIn(get: (key: string) => Uint8Array | undefined): number {
  const [low = 0, high = 0] = get(COUNT) ?? [];
  return low + high * 256;
}

/** Sorts records for a comparison with those that a store lists. */
export const sorted = (records: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...records].sort(([a], [b]) => (a < b ? -1 : 1));
