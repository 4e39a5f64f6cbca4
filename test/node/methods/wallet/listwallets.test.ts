import { expect, test } from 'vitest';
import { openNode } from '../../../support/feeding.ts';
import { createMemoryStore } from '../../../support/library.ts';

test('listwalletdir lists all wallets, and listwallets those that are loaded, also when the node is opened anew', () => {
  const store = createMemoryStore();
  const rpc = openNode(store);
  expect(rpc.call('listwalletdir')).toEqual({ wallets: [] });
  for (const name of ['cold', 'specter/hot']) rpc.call('createwallet', [name, true]);
  rpc.call('unloadwallet', ['cold']);
  for (const node of [rpc, openNode(store)]) {
    expect(node.call('listwallets')).toEqual(['specter/hot']);
    expect(node.call('listwalletdir')).toEqual({
      wallets: ['cold', 'specter/hot'].map((name) => ({ name, warnings: [] })),
    });
  }
});
