import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SharedStore } from '../../src/node/store/recordStore.ts';
import { openShared, PASSWORD, POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { refusalOf } from '../support/refusal.ts';

const PROXY = new URL('../support/cuttingProxy.mjs', import.meta.url).pathname;

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const textOf = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

/** Reads all records with a prefix into one list. */
const listed = (store: SharedStore, prefix = '', from?: string): readonly (readonly [string, string | undefined])[] =>
  [...store.list(prefix, from)].map(([key, value]) => [key, textOf(value)]);

/** Few characters, so that keys are often prefixes of others; the last has no successor. */
const key = fc.string({ unit: fc.constantFrom('\0', 'a', 'b', '\u0080', '\u00fe', '\u00ff'), maxLength: 4 });
const changes = fc.uniqueArray(fc.tuple(key, fc.option(fc.string({ maxLength: 20 }), { nil: undefined })), {
  selector: ([name]) => name,
  maxLength: 8,
});

type TextChange = readonly [key: string, text: string | undefined];

function applyAll(map: Map<string, string>, given: readonly TextChange[]): void {
  for (const [name, text] of given) {
    if (text === undefined) map.delete(name);
    else map.set(name, text);
  }
}

const sorted = (map: ReadonlyMap<string, string>): (readonly [string, string])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the changes that a call begins with. */
function changesTold(store: SharedStore): readonly TextChange[] {
  const told = store.begin();
  store.end();
  if (told === 'all') throw new Error('the changes were not listed');
  return told.map(([name, value]) => [name, textOf(value)]);
}

describe.skipIf(!POSTGRES_PROGRAMS)('records in PostgreSQL', () => {
  let server: PostgresServer;
  let schemas = 0;
  const opened: SharedStore[] = [];
  const proxies: ChildProcess[] = [];
  const freshUrl = (): string => {
    schemas += 1;
    return server.url(`Schema ${schemas}`);
  };
  const open = (url: string, limits: Parameters<typeof openShared>[1] = {}): SharedStore => {
    const store = openShared(url, limits);
    opened.push(store);
    return store;
  };
  const backendsOf = (condition: string): Promise<unknown> =>
    server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign' ${condition}`,
    );

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.kill();
    await server?.remove();
  });

  test('change for the process that writes and for others alike', () => {
    const url = freshUrl();
    const [store, other] = [open(url), open(url)];
    const model = new Map<string, string>();
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(changes, key, key, fc.boolean(), (given, prefix, from, isOwn) => {
        const writer = isOwn ? store : other;
        writer.write(given.map(([name, text]) => [name, text === undefined ? undefined : bytes(text)]));
        applyAll(model, given);
        for (const [name] of given) expect(textOf(store.get(name))).toEqual(model.get(name));
        expect(listed(store)).toEqual(sorted(model));
        const wanted = sorted(model).filter(([name]) => name.startsWith(prefix) && name >= from);
        expect(listed(other, prefix, from)).toEqual(wanted);
        const told = changesTold(store);
        expect(told.map(([name]) => name)).toEqual(isOwn ? [] : given.map(([name]) => name).sort());
        applyAll(seen, isOwn ? given : told);
        expect(sorted(seen)).toEqual(sorted(model));
      }),
      { numRuns: 150 },
    );
  });

  test('may be many and large, and arrive in pages', () => {
    const url = freshUrl();
    const store = open(url);
    const many = Array.from({ length: 2500 }, (_, i) => [`n${String(i).padStart(5, '0')}`, bytes(`${i}`)] as const);
    const block = (fill: number): Uint8Array => new Uint8Array(3_000_000).fill(fill);
    store.write([...many, ...[1, 2, 3, 4, 5].map((fill) => [`x${fill}`, block(fill)] as const)]);
    expect([...store.list('n')]).toEqual(many);
    const blocks = [...store.list('x')];
    expect(blocks.map(([name]) => name)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5']);
    expect(blocks.every(([, value], i) => Buffer.compare(value, block(i + 1)) === 0)).toBe(true);
    const large = new Uint8Array(32_000_000).map((_, i) => (i * 7919) >> 3);
    store.write([['large', large]]);
    expect(Buffer.compare(open(url).get('large') ?? bytes(''), large)).toBe(0);
  });

  test('change for no one until the call ends, and then for all', () => {
    const url = freshUrl();
    const [writer, reader] = [open(url), open(url)];
    writer.write([['a', bytes('old')]]);
    reader.begin();
    writer.begin();
    expect(writer.claim()).toBe(true);
    writer.write([
      ['a', bytes('new')],
      ['b', bytes('new')],
    ]);
    writer.end();
    expect(listed(reader)).toEqual([['a', 'old']]);
    expect(textOf(reader.get('b'))).toBeUndefined();
    reader.end();
    expect(reader.begin()).toEqual([
      ['a', bytes('new')],
      ['b', bytes('new')],
    ]);
    expect(listed(reader)).toEqual([
      ['a', 'new'],
      ['b', 'new'],
    ]);
    reader.end();
    expect(reader.begin()).toEqual([]);
    reader.end();
  });

  test('refuse a claim after another process wrote, and give the next call the turn', () => {
    const url = freshUrl();
    const [slow, fast] = [open(url), open(url, { turn: 200 })];
    slow.begin();
    fast.begin();
    expect(fast.claim()).toBe(true);
    fast.write([['a', bytes('1')]]);
    fast.end();
    expect(slow.claim()).toBe(false);
    slow.end();
    expect(slow.begin()).toEqual([['a', bytes('1')]]);
    // The turn is slow's, already before it claims.
    fast.begin();
    expect(refusalOf(() => fast.claim()).message).toContain('another process has had the turn to write for 0.2 s');
    fast.end();
    expect(slow.claim()).toBe(true);
    slow.write([['a', bytes('2')]]);
    slow.end();
    expect(textOf(fast.get('a'))).toBe('2');
    fast.write([['a', bytes('3')]]);
    expect(textOf(slow.get('a'))).toBe('3');
  });

  test('end an iteration when they are written', () => {
    const store = open(freshUrl());
    store.write([
      ['a', bytes('1')],
      ['b', bytes('2')],
    ]);
    const reading = store.list('')[Symbol.iterator]();
    reading.next();
    store.write([['c', bytes('3')]]);
    expect(refusalOf(() => reading.next()).code).toBe('store/failed');
  });

  test('are read anew if too many have changed to list', async () => {
    const url = freshUrl();
    const [store, other] = [open(url), open(url)];
    store.write(Array.from({ length: 10_001 }, (_, i) => [`n${i}`, bytes('')]));
    expect(other.begin()).toBe('all');
    other.end();
    store.write([['big', new Uint8Array(16_000_001)]]);
    expect(other.begin()).toBe('all');
    expect(other.get('big')?.length).toBe(16_000_001);
    other.end();
    expect(other.begin()).toEqual([]);
    other.end();
    await server.sql(`UPDATE "Schema ${schemas}".head SET version = 999`);
    store.write([['n1', undefined]]);
    await server.sql(`UPDATE "Schema ${schemas}".head SET version = 10999`);
    store.write([['n2', undefined]]);
    const rows = await server.sql(`SELECT version::int FROM "Schema ${schemas}".records WHERE value IS NULL`);
    expect(rows).toEqual([{ version: 11_000 }]);
    expect(other.begin()).toBe('all');
    other.end();
  });

  test('refuse every call once closed, and closing again is harmless', () => {
    const store = open(freshUrl());
    store.close();
    store.close();
    for (const call of [
      () => store.get('a'),
      () => [...store.list('')],
      () => store.write([]),
      () => store.begin(),
      () => store.claim(),
    ]) {
      expect(refusalOf(call).message).toMatch(/: closed$/);
    }
  });

  test('come back after the server ended the connection between two calls', async () => {
    const store = open(freshUrl());
    store.write([['a', bytes('1')]]);
    await backendsOf('');
    expect(store.begin()).toBe('all');
    expect(textOf(store.get('a'))).toBe('1');
    store.end();
    await server.crash();
    expect(textOf(store.get('a'))).toBe('1');
  });

  test('survive a server that restarts in a call: nothing is half done, and the next call works', async () => {
    const store = open(freshUrl());
    store.write([['a', bytes('1')]]);
    for (const hasTurn of [false, true]) {
      store.begin();
      if (hasTurn) store.claim();
      await server.crash();
      const { code, message } = refusalOf(() => (hasTurn ? store.write([['a', bytes('2')]]) : store.get('b')));
      expect(code).toBe('store/failed');
      expect(message).toMatch(/the connection was lost \(.*\); nothing was changed, so repeat the call$/);
      store.end();
      expect(store.begin()).toBe('all');
      expect(textOf(store.get('a'))).toBe('1');
      store.end();
    }
  });

  /** Starts a proxy in a process of its own, since this one waits for the store. @returns a URL for it */
  const startProxy = async (when: string): Promise<string> => {
    const proxy = spawn(process.execPath, [PROXY, server.socket, when], { stdio: ['ignore', 'pipe', 'inherit'] });
    proxies.push(proxy);
    const [port] = (await once(proxy.stdout, 'data')) as [Buffer];
    return `postgres://owner@127.0.0.1:${String(port).trim()}/postgres?schema=Cut`;
  };

  test('are stored once if the answer to their commit is lost', async () => {
    const store = open(await startProxy('after'));
    store.begin();
    store.claim();
    store.write([['a', bytes('1')]]);
    store.end();
    expect(store.begin()).toBe('all');
    expect(textOf(store.get('a'))).toBe('1');
    store.end();
    expect(await server.sql('SELECT version::int FROM "Cut".head')).toEqual([{ version: 1 }]);
  });

  test('are as before if the connection is lost before their commit', async () => {
    const store = open(await startProxy('before'));
    expect(refusalOf(() => store.write([['a', bytes('2')]])).message).toMatch(
      /; nothing was changed, so repeat the call$/,
    );
    expect(textOf(store.get('a'))).toBe('1');
    store.write([['a', bytes('2')]]);
    expect(textOf(store.get('a'))).toBe('2');
  });

  test('are in an unknown state if the answer to their commit is lost and the server stays away', async () => {
    const store = open(await startProxy('after and stay away'), { absence: 500 });
    const { code, message } = refusalOf(() => store.write([['a', bytes('3')]]));
    expect(code).toBe('store/failed');
    expect(message).toMatch(/: see whether the change took place before you repeat it$/);
  });

  test('are refused to a process that was silent for too long in its turn, and others go on', async () => {
    const url = freshUrl();
    const [other, store] = [open(url), open(url)];
    store.begin();
    expect(store.claim()).toBe(true);
    await backendsOf("AND state = 'idle in transaction'");
    other.write([['a', bytes('other')]]);
    expect(refusalOf(() => store.write([['a', bytes('mine')]])).message).toContain('nothing was changed');
    store.end();
    expect(textOf(store.get('a'))).toBe('other');
  });

  // A busy machine may silence a process for longer than the server waits.
  test('keep the turn of a process that computes for long', { retry: 2 }, async () => {
    const url = freshUrl();
    const store = open(url, { silence: 1500 });
    store.begin();
    store.claim();
    await sleep(4000);
    store.write([['a', bytes('1')]]);
    store.end();
    expect(textOf(open(url).get('a'))).toBe('1');
  });

  test('are created once by processes that begin at the same time', async () => {
    const url = freshUrl();
    const stores = Array.from({ length: 3 }, () => open(url));
    for (const [i, store] of stores.entries()) store.write([[`k${i}`, bytes('')]]);
    expect(listed(stores[0] as SharedStore).length).toBe(3);
  });

  test.each([
    [1, 'use another schema'],
    [3, 'use a newer release'],
  ])('of version %i are refused', async (version, advice) => {
    const url = freshUrl();
    open(url).close();
    await server.sql(`UPDATE "Schema ${schemas}".head SET format = ${version}`);
    expect(refusalOf(() => open(url))).toMatchObject({
      code: 'store/version',
      data: { version, newest: 2 },
      message: expect.stringMatching(new RegExp(`: ${advice}$`)),
    });
  });

  test('need the right password, which no error shows', () => {
    expect(open(server.guardedUrl(PASSWORD)).get('a')).toBeUndefined();
    const { code, message } = refusalOf(() => open(server.guardedUrl(`wrong${PASSWORD}`)));
    expect(code).toBe('store/failed');
    expect(message).toContain('it refuses the login (password authentication failed for user "guarded")');
    expect(message).not.toMatch(/p@ss|word\?#/);
  });

  test('need a server that can be reached', () => {
    const refused = refusalOf(() => open('postgres://127.0.0.1:1/nowhere'));
    expect(refused.message).toMatch(/^Cannot use the database postgres:\/\/127.0.0.1:1\/nowhere: it cannot be reached/);
    const missing = refusalOf(() => open(server.url('x').replace('///postgres', '///missing')));
    expect(missing.message).toContain('database "missing" does not exist');
  });

  test('tell what is wrong with a server that accepts connections and says nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    const start = performance.now();
    const { message } = refusalOf(() => open(`postgres://127.0.0.1:${port}/x`, { connect: 300 }));
    expect(message).toContain('it did not answer within 0.3 s');
    expect(performance.now() - start).toBeLessThan(5000);
    silent.close();
  });
});
