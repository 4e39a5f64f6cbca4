import { appendFileSync } from 'node:fs';
import type { SharedStore } from '../../src/node/store/recordStore.ts';
import type { PostgresSettings } from '../../src/shell/store/postgres/postgresSession.ts';
import { openPostgresStore } from '../../src/shell/store/postgres/postgresStore.ts';
import type { HistoryEntry, ReadEntry } from './recordHistory.ts';

/** The task of a process that uses the shared records; it comes as JSON in the first argument. */
export interface ClientTask {
  readonly settings: PostgresSettings;
  /**
   * - `load`: reads and writes at random, and logs it, until it is killed
   * - `hold`: takes the turn, says so, waits for a second, and writes
   * - `reads`, `writes`: makes as many calls as it can in two seconds, and says how many
   */
  readonly kind: 'load' | 'hold' | 'reads' | 'writes';
  /** The file for the log of `load`. */
  readonly log?: string;
}

const task: ClientTask = JSON.parse(process.argv[2] ?? '');
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const pause = (milliseconds: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const textOf = (value: Uint8Array | undefined): string | null => (value ? Buffer.from(value).toString() : null);
const below = (limit: number): number => Math.floor(Math.random() * limit);

const KEYS = Array.from({ length: 10 }, (_, i) => `k${i}`);

switch (task.kind) {
  case 'load':
    load(openPostgresStore(task.settings), task.log ?? '');
    break;
  case 'hold':
    hold(openPostgresStore(task.settings));
    break;
  case 'reads':
  case 'writes':
    measure(openPostgresStore(task.settings), task.kind === 'writes');
    break;
}

function hold(store: SharedStore): void {
  store.begin();
  store.claim();
  // Standard output is a pipe, which is written at once.
  say('turn');
  setTimeout(() => {
    try {
      store.write([['a', bytes('held')]]);
      say('written');
    } catch (error) {
      say(error instanceof Error ? error.message : 'unknown');
    }
    store.end();
    say(`then ${textOf(store.get('a'))}`);
    store.close();
  }, 1000);
}

function measure(store: SharedStore, isWriting: boolean): void {
  const name = `p${process.pid}`;
  const start = performance.now();
  let calls = 0;
  for (; performance.now() - start < 2000; calls++) {
    store.begin();
    store.get(name);
    if (isWriting) {
      while (!store.claim()) {
        store.end();
        store.begin();
      }
      store.write([[name, bytes(String(calls))]]);
    }
    store.end();
  }
  say(String(calls / ((performance.now() - start) / 1000)));
  store.close();
}

/** Returns nanoseconds of a clock that all processes share, in text. */
function now(): string {
  return String(process.hrtime.bigint());
}

function load(store: SharedStore, file: string): void {
  const log = (entry: HistoryEntry): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
  const mirror = createMirror(store);
  say('ready');
  for (let count = 0; ; count++) {
    try {
      const start = now();
      mirror.follow(store.begin());
      log(readEntry(store, start, mirror));
      if (below(2) === 0) writeOnce({ store, mirror, log, id: `${process.pid}.${count}` });
    } catch (error) {
      log({ kind: 'fault', message: error instanceof Error ? error.message : 'unknown' });
      if (!(error instanceof Error && 'code' in error)) throw error;
      pause(20);
    }
    store.end();
    if (below(4) === 0) pause(below(10));
  }
}

/** The records of a process, as the changes that calls began with have made them. */
interface Mirror {
  readonly follow: (told: ReturnType<SharedStore['begin']>) => void;
  readonly own: (key: string, text: string | null) => void;
  readonly get: (key: string) => string | null;
}

function createMirror(store: SharedStore): Mirror {
  const known = new Map<string, string | null>();
  let isWhole = false;
  return {
    follow: (told) => {
      if (told === 'all' || !isWhole) {
        for (const key of ['n', ...KEYS]) known.set(key, textOf(store.get(key)));
        isWhole = true;
      } else for (const [key, value] of told) known.set(key, textOf(value));
    },
    own: (key, text) => void known.set(key, text),
    get: (key) => known.get(key) ?? null,
  };
}

/** Reads some records, one by one or in a list, and tells whether the changes told until now give the same. */
function readEntry(store: SharedStore, start: string, mirror: Mirror): ReadEntry {
  const reads: Record<string, string | null> = {};
  if (below(3) === 0) {
    for (const key of KEYS) reads[key] = null;
    for (const [key, value] of store.list('k')) reads[key] = textOf(value);
  } else for (const key of KEYS.slice(below(10))) reads[key] = textOf(store.get(key));
  const [n = '0'] = (textOf(store.get('n')) ?? '0').split(' ');
  const isFollowed = Object.entries(reads).every(([key, text]) => mirror.get(key) === text);
  return { kind: 'read', start, end: now(), n: Number(n), reads, isFollowed };
}

interface WriteGiven {
  readonly store: SharedStore;
  readonly mirror: Mirror;
  readonly log: (entry: HistoryEntry) => void;
  readonly id: string;
}

function writeOnce({ store, mirror, log, id }: WriteGiven): void {
  if (!store.claim()) {
    store.end();
    const start = now();
    mirror.follow(store.begin());
    log(readEntry(store, start, mirror));
    if (!store.claim()) throw new Error('the turn did not come with the call');
  }
  const [before = '0'] = (mirror.get('n') ?? '0').split(' ');
  const n = Number(before) + 1;
  const changes = KEYS.filter(() => below(3) === 0).map(
    (key) => [key, below(4) === 0 ? null : `${id}${'x'.repeat(below(2) * below(3000))}`] as const,
  );
  log({ kind: 'try', start: now(), n, id, changes });
  const all = [...changes, ['n', `${n} ${id}`] as const, [`w${String(n).padStart(8, '0')}`, id] as const];
  store.write(all.map(([key, text]) => [key, text === null ? undefined : bytes(text)]));
  log({ kind: 'done', end: now(), n, id });
  for (const [key, text] of all) mirror.own(key, text);
}
