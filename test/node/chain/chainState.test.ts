import { expect, test } from 'vitest';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import type { NodeEvent } from '../../../src/node/state/events.ts';
import { blockAfter, GENESIS } from '../../support/blocks.ts';
import { openNode } from '../../support/feeding.ts';
import { createMemoryStore, parseHex } from '../../support/library.ts';

const BLOCK = blockAfter(GENESIS);
const bytes = parseHex(BLOCK.hex);

test.each<NodeEvent>([
  { type: 'block', block: decodeBlock(bytes), bytes },
  { type: 'start', header: bytes.slice(0, 80), height: 1 },
])('a process that ends before its first change ($type) is committed leaves an empty chain', (event) => {
  const store = createMemoryStore();
  const { node } = openNode(store);
  node.inCall(() => node.change(event));
  const again = openNode(store);
  expect(again.call('getbestblockhash')).toBe(GENESIS.hash);
  expect(again.call('submitblock', [BLOCK.hex])).toBe(null);
  expect(again.call('getblockcount')).toBe(1);
});
