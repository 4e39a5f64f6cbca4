import type { OutpointKey, TxKey } from '../../core/tx/types.ts';
import type { BlockKey } from './blockHeader.ts';
import { type Chain, isActive, txsInBlock } from './chainState.ts';
import { followActive } from './followActive.ts';
import type { ChainBlock, ChainTx } from './types.ts';

/** The blocks of transactions. @see Bitcoin Core `-txindex` */
export interface TxIndex {
  /** Returns the block of the active chain that holds a transaction. */
  readonly find: (key: TxKey) => ChainBlock | undefined;
}

/** Creates an index in memory, which reads blocks when it is used. */
export function createTxIndex(chain: Chain): TxIndex {
  const places = new Map<TxKey, BlockKey>();
  const catchUp = followActive(chain, {
    add: (block) => {
      for (const { key } of txsInBlock(chain, block)) places.set(key, block.key);
    },
  });
  return {
    find: (key) => {
      catchUp();
      const place = places.get(key);
      const block = place && chain.blocks.get(place);
      return block && isActive(chain, block) ? block : undefined;
    },
  };
}

/** The transactions of blocks that spend coins. @see Bitcoin Core `-txospenderindex` */
export interface SpenderIndex {
  readonly find: (outpoint: OutpointKey) => { readonly tx: ChainTx; readonly block: ChainBlock } | undefined;
}

/** Creates an index in memory, which reads blocks when it is used. */
export function createSpenderIndex(chain: Chain): SpenderIndex {
  const blocks = new Map<OutpointKey, ChainBlock>();
  const spentIn = (block: ChainBlock): readonly OutpointKey[] =>
    txsInBlock(chain, block).flatMap(({ spends }) => spends);
  const catchUp = followActive(chain, {
    add: (block) => {
      for (const outpoint of spentIn(block)) blocks.set(outpoint, block);
    },
    drop: (block) => {
      for (const outpoint of spentIn(block)) blocks.delete(outpoint);
    },
  });
  return {
    find: (outpoint) => {
      catchUp();
      const block = blocks.get(outpoint);
      const tx = block && txsInBlock(chain, block).find(({ spends }) => spends.includes(outpoint));
      return tx && { tx, block };
    },
  };
}
