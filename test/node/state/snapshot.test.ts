import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../support/campaign.ts';
import type { JournalStore } from '../../support/library.ts';
import { createSnapshotStore } from '../../support/snapshots.ts';
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

const KINDS = [
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

const without = ({ snapshots: _, ...store }: JournalStore): JournalStore => store;

describe.each(KINDS)('a wallet of %s', (_, kind, avoidsReuse) => {
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
          reopened.rpc.close();
          store.reads = 0;
          reopened = { ...reopened, rpc: openWalletRpc(kind, store) };
          // One reading tells the owner, one applies the entries: a refused snapshot would take another.
          expect(store.reads).toBe(2);
          summed += expectSums(reopened, lasting);
          // Later steps then change a wallet whose transactions wait.
          if (looks) expect(lookAt(reopened)).toEqual(lookAt(lasting));
        }
        expect(lookAt({ ...reopened, rpc: openWalletRpc(kind, without(store)) })).toEqual(lookAt(lasting));
        expect(answersOf(reopened)).toEqual(answersOf(lasting));
        expect(store.found).toBeGreaterThan(0);
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
    world.rpc.close();
    return { world, store };
  }

  test.each(['head', 'rows'] as const)('whose %s make no sense is left out', (part) => {
    const { world, store } = made();
    const whole = store.snapshots?.read();
    const expected = lookAt({ ...world, rpc: openWalletRpc(kind, without(store)) });
    const cut = { head: '', rows: '', ...whole, [part]: whole?.[part].slice(0, -40) };
    const broken = { ...cut, size: cut.rows.length };
    const snapshots = { isDue: () => false, write: () => undefined, read: () => broken };
    expect(lookAt({ ...world, rpc: openWalletRpc(kind, { ...store, snapshots }) })).toEqual(expected);
  });

  test('whose rows are those of another wallet is named when a transaction is asked for, and never believed', () => {
    const { world, store } = made();
    const whole = store.snapshots?.read();
    if (!whole) throw new Error('no snapshot');
    const rows = whole.rows.replace(/./gs, '\u00ff');
    const snapshots = { isDue: () => false, write: () => undefined, read: () => ({ ...whole, rows }) };
    const broken = { ...world, rpc: openWalletRpc(kind, { ...store, snapshots }) };
    for (let i = 0; i < 2; i += 1) {
      expect(() => broken.rpc.call('listtransactions')).toThrow(
        'The file "snapshot" does not fit the journal: delete it, nothing is lost without it',
      );
    }
  });

  test('holds no private key', () => {
    const { store } = made();
    const { head = '', rows = '' } = store.snapshots?.read() ?? {};
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of SECRETS) {
      expect(head).not.toContain(secret);
      expect(rows).not.toContain(secret);
      expect(Buffer.from(rows, 'latin1').toString('hex')).not.toContain(secret);
    }
  });
});
