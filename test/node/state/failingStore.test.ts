import { describe, expect, test } from 'vitest';
import { BtcError, createMemoryStore, type RecordStore } from '../../support/library.ts';
import { begin, type Played, play, type Step } from '../../support/walletHistory.ts';
import { allAnswers, LEGACY, MODERN, makeWorld, openWalletRpc, type WalletWorld } from '../../support/walletWorld.ts';

const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

/** Each step changes something: the wallet only, the chain only, or both. */
const HISTORY: readonly Step[] = [
  { type: 'pay', coin: 0, to: [0, 3] },
  { type: 'mine', most: 0, miner: 3 },
  { type: 'pay', coin: 1, to: [1, 4] },
  { type: 'mine', most: 1, miner: 0 },
  { type: 'label', address: 0, label: 'again' },
  { type: 'pay', coin: 24, to: [3, 2] },
  { type: 'import', which: 0 },
  { type: 'reload' },
  { type: 'mine', most: 4, miner: 1 },
  { type: 'undo' },
  { type: 'lock', coin: 26, unlock: false },
  { type: 'undo' },
  { type: 'pay', coin: 2, to: [0, 1] },
  { type: 'mine', most: 2, miner: 4 },
  { type: 'remove', tx: 3 },
  { type: 'prove', tx: 3 },
  { type: 'flag', isSet: true },
  { type: 'fee', rate: 0.0002 },
  { type: 'multisig', required: 2 },
  { type: 'remove', tx: 1 },
];

/** A store whose next write can fail. */
interface Fallible {
  readonly store: RecordStore;
  /** The next write is refused, or leaves the store unusable, with its changes or without them. */
  fault: 'refused' | 'unusable before' | 'unusable after' | undefined;
  isUsable: boolean;
  /** The same store, as one that is opened again. */
  readonly reopened: RecordStore;
}

const storeFault = (): BtcError =>
  new BtcError('store/full', { path: 'disk', reason: 'no space' }, 'Cannot use disk: the disk is full');

function fallible(): Fallible {
  const inner = createMemoryStore();
  const whileUsable = <A extends readonly unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      if (!made.isUsable) throw storeFault();
      return work(...args);
    };
  };
  const made: Fallible = {
    fault: undefined,
    isUsable: true,
    store: {
      ...inner,
      get: whileUsable(inner.get),
      list: whileUsable(inner.list),
      write: whileUsable((changes) => {
        const { fault } = made;
        if (fault === undefined || fault === 'unusable after') inner.write(changes);
        if (fault === undefined) return;
        Object.assign(made, { fault: undefined, isUsable: fault === 'refused' });
        throw storeFault();
      }),
    },
    reopened: inner,
  };
  return made;
}

const isRefused = (answer: unknown): boolean => JSON.stringify(answer)?.includes('Nothing was changed: ') ?? false;
const isUnsure = (answer: unknown): boolean => JSON.stringify(answer)?.includes('may or may not be kept') ?? false;

const copied = (played: Played): Played => ({
  ...played,
  coins: [...played.coins],
  txs: [...played.txs],
  parents: new Map(played.parents),
});

/** Returns the answers of a node that is opened anew on a store. */
const reopenedAnswers = (world: WalletWorld, store: RecordStore): unknown =>
  allAnswers({ ...world, rpc: openWalletRpc(world.kind, store) });

describe.each(KINDS)('a node of %s', (_, kind) => {
  test('changes nothing if its store refuses any one change', () => {
    const disk = fallible();
    const world = makeWorld(kind, { store: disk.store });
    let played = begin(world);
    let refused = 0;
    for (const step of HISTORY) {
      const before = allAnswers(world);
      disk.fault = 'refused';
      const tried = copied(played);
      if (isRefused(play(world, tried, step))) {
        refused += 1;
        expect(allAnswers(world)).toEqual(before);
        expect(reopenedAnswers(world, disk.reopened)).toEqual(before);
        expect(isRefused(play(world, played, step))).toBe(false);
      } else {
        disk.fault = undefined;
        played = tried;
      }
      expect(reopenedAnswers(world, disk.reopened)).toEqual(allAnswers(world));
    }
    expect(refused).toBeGreaterThan((2 * HISTORY.length) / 3);
  });

  test.each(['before', 'after'] as const)('whose store fails is as %s the call once it is opened again', (state) => {
    let unsure = 0;
    for (const [i, step] of HISTORY.entries()) {
      // That is two calls.
      if (step.type === 'reload') continue;
      const disk = fallible();
      const world = makeWorld(kind, { store: disk.store });
      const twin = makeWorld(kind);
      const [played, alike] = [begin(world), begin(twin)];
      for (const earlier of HISTORY.slice(0, i)) {
        play(world, played, earlier);
        play(twin, alike, earlier);
      }
      disk.fault = `unusable ${state}`;
      const answer = play(world, played, step);
      expect(isRefused(answer)).toBe(false);
      if (!isUnsure(answer)) continue;
      unsure += 1;
      if (state === 'after') play(twin, alike, step);
      expect(reopenedAnswers(world, disk.reopened)).toEqual(allAnswers(twin));
    }
    expect(unsure).toBeGreaterThan((2 * HISTORY.length) / 3);
  });
});

test('a change whose outcome is unknown is gone if the store lacks it, once the store works again', () => {
  const disk = fallible();
  const world = makeWorld(MODERN, { store: disk.store });
  const before = allAnswers(world);
  const records = [...disk.reopened.list('')];
  disk.fault = 'unusable before';
  expect(isUnsure(play(world, begin(world), { type: 'mine', most: 9, miner: 0 }))).toBe(true);
  disk.isUsable = true;
  expect(allAnswers(world)).toEqual(before);
  expect([...disk.reopened.list('')]).toEqual(records);
  expect(reopenedAnswers(world, disk.reopened)).toEqual(before);
});
