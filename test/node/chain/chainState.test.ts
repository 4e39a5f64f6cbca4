import { expect, test } from 'vitest';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import { beginChain } from '../../../src/node/chain/chainState.ts';
import type { NodeEvent } from '../../../src/node/state/events.ts';
import { createMemoryStore } from '../../../src/node/state/store.ts';
import { blockAfter, GENESIS } from '../../support/blocks.ts';
import { openNode } from '../../support/feeding.ts';
import { parseHex } from '../../support/library.ts';

const BLOCK = blockAfter(GENESIS);
const bytes = parseHex(BLOCK.hex);

test.each<NodeEvent>([
  { type: 'block', block: decodeBlock(bytes), bytes },
  { type: 'start', header: bytes.slice(0, 80), height: 1 },
])('a process that ends before its first change ($type) is saved leaves an empty chain', (event) => {
  const store = createMemoryStore();
  const rpc = openNode(store);
  rpc.node.change(event);
  beginChain(rpc.node.chain);
  const again = openNode(store);
  expect(again.call('getbestblockhash')).toBe(GENESIS.hash);
  expect(again.call('submitblock', [BLOCK.hex])).toBe(null);
  expect(again.call('getblockcount')).toBe(1);
});
