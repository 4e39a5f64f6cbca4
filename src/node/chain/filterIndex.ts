import { encodeBlockFilter, filterElements, filterHeader } from './blockFilter.ts';
import { createBlockSeries } from './blockSeries.ts';
import { type Chain, findBody } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** A block's filter and the header that commits to it and to those before. @see BIP157, BIP158 */
interface IndexedFilter {
  readonly filter: Uint8Array;
  readonly header: Uint8Array;
}

/** The filters of blocks. @see Bitcoin Core `-blockfilterindex` */
export interface FilterIndex {
  /** Returns `undefined` for a block that was never active. */
  readonly find: (block: ChainBlock) => IndexedFilter | undefined;
}

const NO_HEADER = new Uint8Array(32);

/** Creates an index in memory, which computes filters when they are used. */
export const createFilterIndex = (chain: Chain): FilterIndex => ({
  find: createBlockSeries<IndexedFilter>(chain, (block, before) => {
    const filter = encodeBlockFilter(elementsOf(chain, block), block.hash);
    return { filter, header: filterHeader(filter, before?.header ?? NO_HEADER) };
  }),
});

/** Returns the scripts that a block creates and spends, apart from those of coins that it creates itself. */
export function elementsOf(chain: Chain, block: ChainBlock): readonly Uint8Array[] {
  const txs = findBody(chain, block)?.txs ?? [];
  const spent = (chain.undo.get(block.key) ?? []).map(([, { scriptPubKey }]) => scriptPubKey);
  return filterElements({ txs: txs.map(({ tx }) => tx) }, spent);
}
