import { expect, test } from 'vitest';
import { blockAfter, GENESIS } from '../../../support/blocks.ts';
import { createMemoryStore, type NodeRpc } from '../../../support/library.ts';
import { ask, NOW, openWalletRpc } from '../../../support/walletWorld.ts';

const isCatchingUp = (rpc: NodeRpc): boolean => rpc.call('getblockchaininfo').initialblockdownload;

/** Sets the mock time to that of the last block. */
function goToTip(rpc: NodeRpc): void {
  const { time } = rpc.call('getblockheader', [rpc.call('getbestblockhash')]);
  ask(rpc, 'setmocktime', [time]);
}

test.each([
  ['core-29', false],
  ['core-30', false],
  ['core-31', true],
  ['core-32', true],
] as const)('a chain is caught up once its last block was recent, for %s', (dialect, isUnseen) => {
  const kind = { network: 'regtest', dialect } as const;
  const store = createMemoryStore();
  const rpc = openWalletRpc(kind, store);
  const first = blockAfter(GENESIS);
  expect(ask(rpc, 'submitblock', [first.hex])).toBeNull();
  expect(isCatchingUp(rpc)).toBe(true);
  goToTip(rpc);
  // Since Core 31, a question does not look at the last block.
  expect(isCatchingUp(rpc)).toBe(isUnseen);
  expect(ask(rpc, 'submitblock', [blockAfter(first).hex])).toBeNull();
  expect(isCatchingUp(rpc)).toBe(false);
  ask(rpc, 'setmocktime', [NOW]);
  expect(isCatchingUp(rpc)).toBe(false);
  // Another process knows nothing of the mock time.
  const again = openWalletRpc(kind, store);
  expect(isCatchingUp(again)).toBe(true);
  goToTip(again);
  expect(ask(again, 'invalidateblock', [again.call('getbestblockhash')])).toBeNull();
  expect(isCatchingUp(again)).toBe(false);
});

test('a node that is opened on a recent block is caught up at once', () => {
  const store = createMemoryStore();
  const kind = { network: 'regtest', dialect: 'core-32' } as const;
  const first = blockAfter(GENESIS);
  expect(ask(openWalletRpc(kind, store), 'submitblock', [first.hex])).toBeNull();
  const { time } = openWalletRpc(kind, store).call('getblockheader', [first.hash]);
  expect([0, 86_400, 86_401].map((age) => isCatchingUp(openWalletRpc(kind, store, () => time + age)))).toEqual([
    false,
    false,
    true,
  ]);
});
