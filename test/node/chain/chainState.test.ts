import { expect, test } from 'vitest';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import type { NodeEvent } from '../../../src/node/state/events.ts';
import { KINDS } from '../../../src/node/store/kinds.ts';
import { blockAfter, GENESIS } from '../../support/blocks.ts';
import { openNode } from '../../support/feeding.ts';
import { createMemoryStore, parseHex } from '../../support/library.ts';

const BLOCK = blockAfter(GENESIS);
const bytes = parseHex(BLOCK.hex);

test.each<NodeEvent>([
  { type: 'block', block: decodeBlock(bytes), bytes },
  { type: 'start', header: bytes.slice(0, 80), height: 1 },
])('a process that ends before its first change ($type) is written leaves an empty chain', (event) => {
  const store = createMemoryStore();
  const { node } = openNode({
    ...store,
    write: (changes) => {
      if (store.get(KINDS.owner)) throw new Error('the process has ended');
      store.write(changes);
    },
  });
  expect(() => node.inCall(() => node.change(event))).toThrow('the process has ended');
  const again = openNode(store);
  expect(again.call('getbestblockhash')).toBe(GENESIS.hash);
  expect(again.call('submitblock', [BLOCK.hex])).toBe(null);
  expect(again.call('getblockcount')).toBe(1);
});
