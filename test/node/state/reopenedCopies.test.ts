import { describe, expect, test } from 'vitest';
import { txKey } from '../../../src/core/tx/txid.ts';
import { blockAfter, type MadeBlock, spend } from '../../support/blocks.ts';
import { createMemoryStore, type Transaction, txid } from '../../support/library.ts';
import {
  allAnswers,
  ask,
  hexOf,
  idOf,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  put,
  type WalletWorld,
} from '../../support/walletWorld.ts';

/** Returns copies of a payment to the wallet that differ only in their witnesses, lightest first. */
function copiesIn({ coins, scripts }: WalletWorld): readonly Transaction[] {
  const [coin] = coins;
  if (!coin) throw new Error('no coin');
  const paying = spend([coin], scripts[0], 60_000n);
  return [1, 2, 3].map((size) => ({
    ...paying,
    inputs: paying.inputs.map((input) => ({ ...input, witness: [new Uint8Array(size).fill(size)] })),
  }));
}

/** Lists the copies of a transaction that each wallet has, the chosen one first, in hex. */
const copiesOf = ({ node }: WalletWorld['rpc'], tx: Transaction): unknown =>
  [...node.wallets].map(([name, { records }]) => {
    const known = records.get(txKey(txid(tx)));
    return [name, known && [known.tx, ...known.alternates].map(hexOf), known?.state.kind];
  });

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
] as const)('copies of a transaction with several witnesses, in wallets of %s', (_, kind) => {
  /** Plays all steps, and compares the node with one that is opened anew after each. */
  function playAll(steps: readonly ((world: WalletWorld) => unknown)[]): void {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store, assumevalid: 'all' });
    const [copy] = copiesIn(world);
    if (!copy) throw new Error('no copy');
    for (const step of steps) {
      step(world);
      const rpc = openWalletRpc(kind, store, undefined, { assumevalid: 'all' });
      expect(allAnswers({ ...world, rpc })).toEqual(allAnswers(world));
      expect(copiesOf(rpc, copy)).toEqual(copiesOf(world.rpc, copy));
    }
    expect(world.rpc.node.wallets.get('w')?.records.get(txKey(txid(copy)))?.alternates).toHaveLength(
      kind === MODERN ? 2 : 0,
    );
  }
  const pool =
    (which: number) =>
    (world: WalletWorld): void =>
      put(world.rpc, copiesIn(world)[which] ?? spend([]));
  const drop = (world: WalletWorld): unknown =>
    ask(world.rpc, 'droptransaction', [idOf(copiesIn(world)[0] ?? spend([]))]);
  const blockOf = (world: WalletWorld, which: number, salt = ''): MadeBlock =>
    blockAfter(world.base, { txs: copiesIn(world).slice(which, which + 1), salt });
  const mine =
    (which: number, salt?: string) =>
    (world: WalletWorld): void => {
      expect(ask(world.rpc, 'submitblock', [blockOf(world, which, salt).hex])).toBeNull();
    };
  const undo =
    (which: number, salt?: string) =>
    (world: WalletWorld): void => {
      expect(ask(world.rpc, 'invalidateblock', [blockOf(world, which, salt).hash])).toBeNull();
    };

  test('are restored, whichever came first and which was mined', () => {
    playAll([pool(2), drop, pool(1), mine(0), undo(0), drop, mine(2, 'aa'), undo(2, 'aa'), drop, pool(0)]);
  });

  test('are restored in each of two wallets, one of which has missed some', () => {
    const watch = (world: WalletWorld): void => {
      const { rpc } = world;
      rpc.call('createwallet', ['v', true]);
      const [script] = world.scripts;
      if (kind === LEGACY) rpc.call('importaddress', [script ?? '', '', false], 'v');
      else {
        const { descriptor } = rpc.call('getdescriptorinfo', [`raw(${script})`]) as { readonly descriptor: string };
        rpc.call('importdescriptors', [[{ desc: descriptor, timestamp: 'now' }]], 'v');
      }
    };
    const unload = ({ rpc }: WalletWorld): unknown => rpc.call('unloadwallet', ['v']);
    const load = ({ rpc }: WalletWorld): unknown => rpc.call('loadwallet', ['v']);
    playAll([watch, unload, pool(2), drop, pool(1), load, drop, mine(0), unload, undo(0), mine(2, 'aa'), load]);
  });
});
