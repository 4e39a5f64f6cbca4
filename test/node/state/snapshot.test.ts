import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/node/store/kinds.ts';
import { rounds } from '../../support/campaign.ts';
import type { RecordChange, RecordStore } from '../../support/library.ts';
import { createSnapshotStore, makeSnapshotDue } from '../../support/snapshots.ts';
import { begin, play, steps } from '../../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  SECRETS,
  type WalletWorld,
} from '../../support/walletWorld.ts';

const WALLETS = [
  ['0.21', LEGACY, false],
  ['0.21 with avoid_reuse', LEGACY, true],
  ['31', MODERN, false],
  ['31 with avoid_reuse', MODERN, true],
] as const;

const LISTS = ['getbalances', 'listlabels', 'listtransactions', 'listaddressgroupings'];

/** Answers that need no transaction of a snapshot, unless it holds some that are not settled. */
const sumsOf = (world: WalletWorld): unknown =>
  ['getwalletinfo', 'getbalances'].map((method) => ask(world.rpc, method));

/** Tells whether the transactions of any wallet still wait in its snapshot. */
const isWaiting = ({ rpc }: WalletWorld): boolean =>
  [...rpc.node.wallets.values()].some(({ waiting }) => waiting !== undefined);

/** Compares balances. @returns 1 if they came without the transactions of the snapshot, else 0 */
function expectSums(reopened: WalletWorld, lasting: WalletWorld): number {
  const waited = isWaiting(reopened);
  expect(sumsOf(reopened)).toEqual(sumsOf(lasting));
  return Number(waited && isWaiting(reopened));
}

/** The answers of a wallet, and of what a snapshot restores without its transactions. */
const answersOf = (world: WalletWorld): unknown => [
  allAnswers(world),
  LISTS.map((method) => ask(world.rpc, method)),
  ask(world.rpc, 'getnewaddress'),
];

/** The same without handing out an address. */
const lookAt = (world: WalletWorld): unknown => [allAnswers(world), LISTS.map((method) => ask(world.rpc, method))];

const without = (store: RecordStore): RecordStore => ({
  ...store,
  get: (key) => (key === KINDS.snapshot ? undefined : store.get(key)),
});

describe.each(WALLETS)('a wallet of %s', (_, kind, avoidsReuse) => {
  test('answers alike after an opening from a snapshot, at any step of a history', () => {
    let summed = 0;
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), fc.nat(3), fc.boolean(), (history, pause, looks) => {
        const lasting = makeWorld(kind, { avoidsReuse });
        const store = createSnapshotStore();
        let reopened = makeWorld(kind, { avoidsReuse, store });
        const [played, alike] = [begin(lasting), begin(reopened)];
        for (const [i, step] of history.entries()) {
          expect(play(reopened, alike, step)).toEqual(play(lasting, played, step));
          if (i % (pause + 1) !== 0) continue;
          makeSnapshotDue(reopened.rpc);
          reopened.rpc.close();
          store.reads = 0;
          reopened = { ...reopened, rpc: openWalletRpc(kind, store) };
          // A refused snapshot would take another reading.
          expect(store.reads).toBe(1);
          summed += expectSums(reopened, lasting);
          // Later steps then change a wallet whose transactions wait.
          if (looks) expect(lookAt(reopened)).toEqual(lookAt(lasting));
        }
        expect(lookAt({ ...reopened, rpc: openWalletRpc(kind, without(store)) })).toEqual(lookAt(lasting));
        expect(answersOf(reopened)).toEqual(answersOf(lasting));
        expect(store.get(KINDS.snapshot)).toBeDefined();
      }),
      { numRuns: rounds(25) },
    );
    expect(summed).toBeGreaterThan(0);
  });
});

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
] as const)('a snapshot of a wallet of %s', (_, kind) => {
  function made(): { readonly world: WalletWorld; readonly store: ReturnType<typeof createSnapshotStore> } {
    const store = createSnapshotStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 1] });
    play(world, played, { type: 'mine', most: 4, miner: 0 });
    makeSnapshotDue(world.rpc);
    world.rpc.close();
    return { world, store };
  }

  /** Changes the bytes of the snapshot's head, or of its rows. */
  function forge(store: RecordStore, part: 'head' | 'rows', change: (bytes: Uint8Array) => Uint8Array): void {
    const records = [...store.list(KINDS.snapshot)].filter(([key]) => (key === KINDS.snapshot) === (part === 'head'));
    expect(records.length).toBeGreaterThan(0);
    store.write(records.map(([key, bytes]): RecordChange => [key, change(bytes)]));
  }

  test('whose head makes no sense is left out', () => {
    const { world, store } = made();
    const expected = lookAt({ ...world, rpc: openWalletRpc(kind, without(store)) });
    forge(store, 'head', (bytes) => bytes.slice(0, -40));
    expect(lookAt({ ...world, rpc: openWalletRpc(kind, store) })).toEqual(expected);
  });

  test('whose rows are those of another wallet is named when a transaction is asked for, and never believed', () => {
    const { world, store } = made();
    forge(store, 'rows', (bytes) => bytes.map(() => 0xff));
    const broken = { ...world, rpc: openWalletRpc(kind, store) };
    for (let i = 0; i < 2; i += 1) {
      expect(() => broken.rpc.call('listtransactions')).toThrow(
        'The snapshot in the store does not fit the journal: remove it',
      );
    }
  });

  test('holds no private key', () => {
    const { store } = made();
    const bytes = Buffer.concat([...store.list(KINDS.snapshot)].map(([, value]) => value));
    expect(bytes.length).toBeGreaterThan(0);
    for (const secret of SECRETS) {
      expect(bytes.toString('latin1')).not.toContain(secret);
      expect(bytes.toString('hex')).not.toContain(secret);
    }
  });
});
