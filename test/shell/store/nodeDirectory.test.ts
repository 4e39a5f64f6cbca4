import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { KINDS as RECORDS } from '../../../src/node/store/kinds.ts';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import { storeFault } from '../../../src/node/store/storeFault.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { share, stride } from '../../support/campaign.ts';
import { fullDisk } from '../../support/fullDisk.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { begin, type Played, play, type Step } from '../../support/walletHistory.ts';
import { allAnswers, ask, LEGACY, MODERN, makeWorld, openWalletRpc, SECRETS } from '../../support/walletWorld.ts';

/** Nodes with a chain and a wallet in a directory. */

const newPath = temporaryPaths();
const disk = fullDisk();
afterEach(disk.free);
const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

const STEPS: readonly Step[] = [
  { type: 'pay', coin: 0, to: [0, 3] },
  { type: 'mine', most: 1, miner: 1 },
  { type: 'label', address: 0, label: 'again' },
  { type: 'import', which: 0 },
  { type: 'undo' },
  { type: 'mine', most: 3, miner: 0 },
  { type: 'remove', tx: 0 },
  { type: 'prove', tx: 0 },
  { type: 'flag', isSet: true },
];

const copied = (played: Played): Played => ({
  ...played,
  coins: [...played.coins],
  txs: [...played.txs],
  parents: new Map(played.parents),
});

/** Returns the message of an error of the store. */
function faultIn(answer: unknown): string | undefined {
  const { code, message } = (answer ?? {}) as { readonly code?: number; readonly message?: string };
  return code === -20 ? message : undefined;
}

/** Copies a directory as it would be after a crash of its process. */
function crashed(directory: string): string {
  const copy = newPath();
  cpSync(directory, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock-') });
  return copy;
}

describe.each(KINDS)('a node of %s on a full disk', (_, kind) => {
  test('refuses a change at any write without a trace, and answers the same after a crash or a restart', () => {
    const directory = newPath();
    const twin = makeWorld(kind);
    const played = begin(twin);
    let store = openStore(directory);
    let world = makeWorld(kind, { store });
    let refused = 0;

    /** Plays a step. A refusal must leave the answers as they were. @returns whether the change is there */
    function tryStep(step: Step, past: Played): boolean {
      const before = allAnswers(world);
      const fault = faultIn(play(world, past, step));
      if (fault === undefined) return true;
      refused += 1;
      // The last write was one of padding, after the change.
      const isThere = fault.includes('the last change may or may not be kept');
      if (!isThere) {
        expect(fault).toMatch(/^Nothing was changed: Cannot use .*wallet.sqlite: the disk is full: free some space$/);
        expect(allAnswers(world)).toEqual(before);
      }
      const copy = openStore(crashed(directory));
      const afterCrash = allAnswers({ ...world, rpc: openWalletRpc(kind, copy) });
      copy.close();
      store.close();
      store = openStore(directory);
      world = { ...world, rpc: openWalletRpc(kind, store) };
      expect(allAnswers(world)).toEqual(afterCrash);
      if (!isThere) expect(afterCrash).toEqual(before);
      return isThere;
    }

    for (const step of STEPS) {
      const past = copied(played);
      play(twin, played, step);
      for (let room = 0; ; room = room < share ? share : room + stride) {
        disk.fill(room);
        if (tryStep(step, copied(past))) break;
      }
      disk.free();
      expect(allAnswers(world)).toEqual(allAnswers(twin));
    }
    expect(refused).toBeGreaterThan(STEPS.length);
    store.close();
  });

  test('can be opened and read, also where a query derives scripts', () => {
    const directory = newPath();
    const first = openStore(directory);
    const world = makeWorld(kind, { store: first });
    const before = allAnswers(world);
    first.close();
    disk.fill(0);
    const store = openStore(directory);
    const rpc = openWalletRpc(kind, store);
    expect(allAnswers({ ...world, rpc })).toEqual(before);
    rpc.close();
  });
});

describe.each(KINDS)('a directory of %s', (_, kind) => {
  /** Looks for a text, and for bytes in hex. */
  const isIn = (directory: string, secret: string): boolean =>
    readdirSync(directory, { withFileTypes: true }).some((entry) => {
      const bytes = entry.isFile() ? readFileSync(join(directory, entry.name)) : Buffer.of();
      return bytes.includes(secret) || bytes.toString('hex').includes(secret);
    });

  function sealedKey(directory: string): string {
    const store = openStore(directory);
    const texts = Array.from(store.list(RECORDS.wallet), ([, entry]) => Buffer.from(entry).toString());
    store.close();
    return texts.flatMap((text) => /"master":\{[^}]*"box":"(\w+)"/.exec(text)?.[1] ?? []).at(-1) ?? 'no key';
  }

  /** Opens a node, asks, and closes it. @returns the answer, and how often it purged */
  function askIn(
    directory: string,
    purge: (store: RecordStore) => void,
    [method, ...params]: readonly [string, ...unknown[]],
  ): { readonly answer: unknown; readonly purges: number } {
    const store = openStore(directory);
    const spy = vi.fn(() => purge(store));
    const answer = ask(openWalletRpc(kind, { ...store, purge: spy }), method, params);
    store.close();
    return { answer, purges: spy.mock.calls.length };
  }

  const purged = (store: RecordStore): void => store.purge?.();
  const killed = (): never => {
    throw storeFault('wallet.sqlite', 'killed');
  };
  const CALLS = [
    ['encryptwallet', 'first'],
    ['walletpassphrasechange', 'first', 'second'],
  ] as const;

  test('has no old secret in any file after encryptwallet and walletpassphrasechange', () => {
    const directory = newPath();
    const store = openStore(directory);
    makeWorld(kind, { store });
    store.close();
    for (const call of CALLS) {
      const secrets = call[0] === 'encryptwallet' ? SECRETS : [sealedKey(directory)];
      expect(secrets.some((secret) => isIn(directory, secret))).toBe(true);
      const { answer, purges } = askIn(directory, purged, call);
      expect(faultIn(answer)).toBeUndefined();
      expect(purges).toBe(1);
      expect(secrets.filter((secret) => isIn(directory, secret))).toEqual([]);
    }
    expect(askIn(directory, purged, ['walletpassphrase', 'second', 60])).toEqual({ answer: null, purges: 0 });
  });

  test('is rid of old secrets at the next opening if a crash comes before the purge', () => {
    const directory = newPath();
    const store = openStore(directory);
    makeWorld(kind, { store });
    store.close();
    for (const call of CALLS) {
      const { answer } = askIn(directory, killed, call);
      expect(faultIn(answer)).toMatch(/^The change was made, but what it replaced may still be readable: /);
      for (const purges of [1, 0])
        expect(askIn(directory, purged, ['listwallets'])).toMatchObject({ answer: ['w'], purges });
    }
    expect(askIn(directory, purged, ['walletpassphrase', 'second', 60]).answer).toBeNull();
  });
});
