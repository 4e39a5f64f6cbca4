import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import { storeFault } from '../../../src/node/store/storeFault.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { stride } from '../../support/campaign.ts';
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
      for (let room = 0; ; room += stride) {
        disk.fill(room);
        if (tryStep(step, copied(past))) break;
      }
      disk.free();
      expect(allAnswers(world)).toEqual(allAnswers(twin));
    }
    expect(refused).toBeGreaterThan(STEPS.length);
    store.close();
  });
});

describe.each(KINDS)('a directory of %s', (_, kind) => {
  const isIn = (directory: string, secret: string): boolean =>
    readdirSync(directory, { withFileTypes: true }).some(
      (entry) => entry.isFile() && readFileSync(join(directory, entry.name), 'latin1').includes(secret),
    );
  const sealedKey = ({ list }: RecordStore): string => {
    const texts = Array.from(list('j'), ([, entry]) => Buffer.from(entry).toString());
    return texts.flatMap((text) => /"master":\{[^}]*"box":"(\w+)"/.exec(text)?.[1] ?? []).at(-1) ?? '';
  };

  test('has no old secret in any file after encryptwallet and walletpassphrasechange, even if a crash came between', () => {
    for (const isCrashing of [false, true]) {
      const directory = newPath();
      const failing = (store: RecordStore): RecordStore => ({
        ...store,
        purge: () => {
          throw storeFault(directory, 'a crash');
        },
      });
      let store = openStore(directory);
      let { rpc } = makeWorld(kind, { store: isCrashing ? failing(store) : store });
      /** Makes a call after which these secrets must be gone. */
      const expectGone = (secrets: readonly string[], method: string, params: readonly string[]): void => {
        expect(secrets.some((secret) => isIn(directory, secret))).toBe(true);
        const answer = ask(rpc, method, params);
        expect(faultIn(answer) ?? '').toMatch(
          isCrashing ? /^The change was made, but what it replaced may still/ : /^$/,
        );
        if (isCrashing) {
          store.close();
          store = openStore(directory);
          rpc = openWalletRpc(kind, store);
          store.close();
          store = openStore(directory);
          rpc = openWalletRpc(kind, failing(store));
        }
        expect(secrets.filter((secret) => isIn(directory, secret))).toEqual([]);
      };
      expectGone(SECRETS, 'encryptwallet', ['first']);
      const key = sealedKey(store);
      expect(key.length).toBeGreaterThan(32);
      expectGone([key], 'walletpassphrasechange', ['first', 'second']);
      expect(ask(rpc, 'walletpassphrase', ['second', 60])).toBeNull();
      store.close();
    }
  });
});
