import type { OutpointKey, TxKey, TxOut } from '../../core/tx/types.ts';
import { type Chain, coinAt, findActiveBlock, findBody } from '../chain/chainState.ts';
import type { ChainBlock, ChainTx } from '../chain/types.ts';
import type { Node } from '../state/node.ts';
import type { ChainIndex } from './chainIndex.ts';

/** What an answer is taken from. The index is up to date. */
export interface Source {
  readonly node: Node;
  readonly index: ChainIndex;
}

/** A transaction of the active chain or, without a block, of the mempool. */
export interface FoundTx {
  readonly entry: ChainTx;
  readonly block: ChainBlock | undefined;
  /** Finds a coin that the transaction spends. */
  readonly findCoin: (outpoint: OutpointKey) => TxOut | undefined;
}

export function findTx(source: Source, key: TxKey): FoundTx | undefined {
  const { node, index } = source;
  const { chain } = node;
  const place = index.places.get(key);
  const block = findBlockOf(source, key);
  if (!place || !block) {
    const entry = chain.mempool.get(key);
    return entry && { entry, block: undefined, findCoin: (outpoint) => coinAt(chain, outpoint) };
  }
  const entry = findBody(node.chain, block)?.txs[place.position];
  return entry && { entry, block, findCoin: spentIn(chain, block) };
}

/** Finds the block that confirms a transaction. */
export function findBlockOf({ node, index }: Source, key: TxKey): ChainBlock | undefined {
  const place = index.places.get(key);
  return place && findActiveBlock(node.chain, place.height);
}

/** Finds coins that a block of the active chain spends. */
export function spentIn({ undo }: Chain, { key }: ChainBlock): FoundTx['findCoin'] {
  const coins = new Map<OutpointKey, TxOut>(undo.get(key));
  return (outpoint) => coins.get(outpoint);
}

/** Finds the transaction that spends a coin, and the input that does. */
export function findSpend({ node, index }: Source, outpoint: OutpointKey): { tx: TxKey; vin: number } | undefined {
  const { spends, mempool } = node.chain;
  const confirmed = index.spenders.get(outpoint);
  if (confirmed) return confirmed;
  const tx = spends.get(outpoint);
  const vin = tx === undefined ? undefined : mempool.get(tx)?.spends.indexOf(outpoint);
  return tx === undefined || vin === undefined ? undefined : { tx, vin };
}
