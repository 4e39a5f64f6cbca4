import { expect, test } from 'vitest';
import { KINDS } from '../../../src/node/store/kinds.ts';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import { blockAfter, type MadeBlock } from '../../support/blocks.ts';
import { createMemoryStore } from '../../support/library.ts';
import { begin, play } from '../../support/walletHistory.ts';
import { allAnswers, ask, LEGACY, MODERN, makeWorld, openWalletRpc } from '../../support/walletWorld.ts';

/** Counts the records that are read, by kind. */
function counting(inner: RecordStore): {
  readonly store: RecordStore;
  readonly counts: () => Readonly<Record<string, number>>;
} {
  const counts: Record<string, number> = {};
  const count = (key: string): void => {
    const kind = Object.entries(KINDS).find(([, letter]) => key.startsWith(letter))?.[0] ?? 'unknown';
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  function* list(prefix: string, from?: string): Generator<readonly [string, Uint8Array]> {
    for (const row of inner.list(prefix, from)) {
      count(row[0]);
      yield row;
    }
  }
  const get: RecordStore['get'] = (key) => {
    count(key);
    return inner.get(key);
  };
  return { store: { ...inner, get, list }, counts: () => ({ ...counts }) };
}

test.each([
  ['0.21', LEGACY],
  ['31', MODERN],
] as const)('opening a node of %s reads neither blocks nor coins, however many there are', (_, kind) => {
  const store = createMemoryStore();
  const world = makeWorld(kind, { store });
  const played = begin(world);
  for (const coin of [0, 1]) play(world, played, { type: 'pay', coin, to: [coin, 1] });
  play(world, played, { type: 'mine', most: 1, miner: 0 });
  const opened = (): Readonly<Record<string, number>> => {
    const { store: counted, counts } = counting(store);
    const rpc = openWalletRpc(kind, counted);
    const read = counts();
    expect(allAnswers({ ...world, rpc })).toEqual(allAnswers(world));
    return read;
  };
  const before = opened();
  expect(before).toMatchObject({ 'mempool transaction': 1, 'branch end': 1 });
  for (const kindOfChain of ['block body', 'coin', 'undo data', 'unknown']) expect(before[kindOfChain]).toBeUndefined();
  let last: MadeBlock = played.tip;
  for (let i = 0; i < 200; i += 1) {
    last = blockAfter(last);
    expect(ask(world.rpc, 'submitblock', [last.hex])).toBeNull();
  }
  expect(opened()).toEqual(before);
});
