/** A call that has read: all its values come from the state after write number `n`. Times are in nanoseconds. */
export interface ReadEntry {
  readonly kind: 'read';
  readonly start: string;
  readonly end: string;
  readonly n: number;
  readonly reads: Readonly<Record<string, string | null>>;
  /** Whether the changes that the calls of this process began with give the same values. */
  readonly isFollowed: boolean;
}

/** An entry in the log of a process, which has its calls in order. */
export type HistoryEntry =
  | ReadEntry
  /** It is about to make write number `n`. */
  | {
      readonly kind: 'try';
      readonly start: string;
      readonly n: number;
      readonly id: string;
      readonly changes: readonly (readonly [key: string, text: string | null])[];
    }
  /** The write was acknowledged. */
  | { readonly kind: 'done'; readonly end: string; readonly n: number; readonly id: string }
  /** The call has failed, and with it the write that was tried just before, if any. */
  | { readonly kind: 'fault'; readonly message: string };

/** Counts the calls of a history. */
export interface HistorySummary {
  readonly reads: number;
  readonly acknowledged: number;
  /** Writes that took place though their process did not live to hear of it. */
  readonly unheard: number;
  readonly faults: number;
  /** The longest time in milliseconds from one acknowledged write to the next. */
  readonly longestGap: number;
}

type Try = Extract<HistoryEntry, { readonly kind: 'try' }>;
type Done = Extract<HistoryEntry, { readonly kind: 'done' }>;

/**
 * Checks that one order of the calls explains all answers: each write follows the one numbered before it, each call reads
 * the state that some write left, and no call that began after a write was acknowledged misses it (strict
 * serializability).
 *
 * - `logs`: one for each process
 * - `ids`: the ids of the writes in the database, by their numbers from 1 on
 *
 * @returns what is wrong, in words, and the summary
 */
export function checkHistory(
  logs: readonly (readonly HistoryEntry[])[],
  ids: readonly string[],
): { readonly faults: readonly string[]; readonly summary: HistorySummary } {
  const all = logs.flat();
  const tries = new Map(all.flatMap((entry) => (entry.kind === 'try' ? [[entry.id, entry] as const] : [])));
  const done = all.filter((entry) => entry.kind === 'done');
  const reads = all.filter((entry) => entry.kind === 'read');
  const faults = [
    ...ids.flatMap((id, i) => (tries.get(id)?.n === i + 1 ? [] : [`write ${i + 1} has no author`])),
    ...done.flatMap(({ n, id }) => (ids[n - 1] === id ? [] : [`write ${n} of ${id} was acknowledged and is lost`])),
    ...logs.flatMap((log) => wrongRefusals(log, ids)),
    ...wrongReads(reads, statesOf(ids, tries)),
    ...missedWrites(reads, done),
    ...reads.flatMap(({ n, end }) =>
      isLater(tries.get(ids[n - 1] ?? '')?.start, end) ? [`a call read write ${n} before it began`] : [],
    ),
    ...reads.flatMap(({ n, isFollowed }) => (isFollowed ? [] : [`a process has missed a change up to write ${n}`])),
  ];
  return {
    faults,
    summary: {
      reads: reads.length,
      acknowledged: done.length,
      unheard: ids.length - done.length,
      faults: all.filter(({ kind }) => kind === 'fault').length,
      longestGap: longestGap(done),
    },
  };
}

const isLater = (a: string | undefined, b: string): boolean => a !== undefined && BigInt(a) > BigInt(b);

/** Lists the writes that took place although their process read that nothing was changed. */
function wrongRefusals(log: readonly HistoryEntry[], ids: readonly string[]): readonly string[] {
  return log.flatMap((entry, i) => {
    const before = log[i - 1];
    if (entry.kind !== 'fault' || before?.kind !== 'try') return [];
    const isRefused = entry.message.includes('nothing was changed');
    return isRefused && ids[before.n - 1] === before.id ? [`write ${before.n} took place and was refused`] : [];
  });
}

type State = ReadonlyMap<string, string | null>;

/** Returns the state after each write; the first is that before all of them. */
function statesOf(ids: readonly string[], tries: ReadonlyMap<string, Try>): readonly State[] {
  const states: State[] = [new Map()];
  for (const id of ids) states.push(new Map([...(states.at(-1) ?? []), ...(tries.get(id)?.changes ?? [])]));
  return states;
}

const wrongReads = (reads: readonly ReadEntry[], states: readonly State[]): readonly string[] =>
  reads.flatMap(({ n, reads: found }) =>
    Object.entries(found).flatMap(([key, text]) =>
      (states[n]?.get(key) ?? null) === text ? [] : [`a call at write ${n} read ${key} as of another`],
    ),
  );

/** Lists the calls that began after a write was acknowledged, and read an older state. */
function missedWrites(reads: readonly ReadEntry[], done: readonly Done[]): readonly string[] {
  const moments = [
    ...done.map(({ end, n }) => ({ at: BigInt(end), n, isWrite: true })),
    ...reads.map(({ start, n }) => ({ at: BigInt(start), n, isWrite: false })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  let newest = 0;
  return moments.flatMap(({ n, isWrite }) => {
    if (isWrite) newest = Math.max(newest, n);
    return !isWrite && n < newest ? [`a call read write ${n} after write ${newest} was acknowledged`] : [];
  });
}

function longestGap(done: readonly Done[]): number {
  const times = done.map(({ end }) => BigInt(end)).sort((a, b) => (a < b ? -1 : 1));
  return Math.max(0, ...times.slice(1).map((time, i) => Number(time - (times[i] ?? time)) / 1e6));
}
