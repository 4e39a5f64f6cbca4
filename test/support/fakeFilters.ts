import { decodeBlock } from '../../src/node/chain/block.ts';
import { encodeBlockFilter, filterElements, filterHeader } from '../../src/node/chain/blockFilter.ts';
import { genesisTransaction } from '../../src/node/chain/genesis.ts';
import type { MadeBlock } from './blocks.ts';
import { builtInGenesis } from './headers.ts';
import { formatHex, formatReversedHex, formatTxid, networks, parseHex, txid } from './library.ts';

/** Returns the header of a block, in hex. */
export const headerHex = ({ hex }: MadeBlock): string =>
  hex === '' ? formatHex(builtInGenesis('regtest').bytes) : hex.slice(0, 160);

const GENESIS_TXS = [genesisTransaction(networks.regtest)].filter((tx) => tx !== undefined);

/** A basic filter and its header, as a node shows them. */
export interface ShownFilter {
  readonly filter: string;
  readonly header: string;
}

/** Creates the filter index of a node. */
export function createFilterIndex(blocks: ReadonlyMap<string, MadeBlock>): (block: MadeBlock) => ShownFilter {
  const known = new Map<string, ShownFilter>();
  const scriptOf = (id: string, vout: number): Uint8Array | undefined => {
    for (const { txs } of blocks.values()) {
      for (const tx of txs) if (formatTxid(txid(tx)) === id) return tx.outputs[vout]?.scriptPubKey;
    }
    return undefined;
  };
  const filterOf = (block: MadeBlock): ShownFilter => {
    const before = blocks.get(block.previous);
    const previous = before ? parseHex(shownOf(before).header).reverse() : new Uint8Array(32);
    const spent = block.txs.slice(1).flatMap(({ inputs }) => inputs);
    const scripts = spent.flatMap(({ outpoint }) => scriptOf(formatTxid(outpoint.txid), outpoint.vout) ?? []);
    const content = block.hex === '' ? { txs: GENESIS_TXS } : decodeBlock(parseHex(block.hex));
    const elements = filterElements(content, scripts);
    const filter = encodeBlockFilter(elements, parseHex(block.hash).reverse());
    return { filter: formatHex(filter), header: formatReversedHex(filterHeader(filter, previous)) };
  };
  const shownOf = (block: MadeBlock): ShownFilter => {
    const shown = known.get(block.hash) ?? filterOf(block);
    known.set(block.hash, shown);
    return shown;
  };
  // From the first block on, so that long chains do not recurse deeply.
  return (block) => {
    const line: MadeBlock[] = [];
    for (let at: MadeBlock | undefined = block; at && !known.has(at.hash); at = blocks.get(at.previous))
      line.unshift(at);
    for (const each of line) shownOf(each);
    return shownOf(block);
  };
}
