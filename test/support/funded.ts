import { blockAfter, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from './blocks.ts';
import { openNode, submit } from './feeding.ts';
import {
  createMemoryStore,
  type DialectName,
  type NodeRpc,
  type NodeRpcOptions,
  type Outpoint,
  parseHex,
  type Transaction,
  type TxIn,
  txid,
} from './library.ts';

/** A chain of regtest. The next block may spend the first two coinbases, as anyone can. */
export const MATURE: readonly MadeBlock[] = blocksAfter(GENESIS, 101);
export const LAST: MadeBlock = MATURE.at(-1) ?? GENESIS;

/** Returns the coinbase's coin of a block, by its height. */
export const coinOf = (height: number): Outpoint => outputOf(coinbaseOf(MATURE[height - 1] ?? GENESIS));
/** In satoshi. */
export const COINBASE_VALUE = 5_000_000_000n;

export const outputOf = (tx: Transaction, vout = 0): Outpoint => ({ txid: txid(tx), vout });

/** Opens a node with that chain, and more blocks. */
export function openMature(
  dialect: DialectName = 'core-32',
  more: Partial<NodeRpcOptions> = {},
  blocks: readonly MadeBlock[] = [],
): NodeRpc {
  const rpc = openNode(createMemoryStore(), dialect, more);
  const refused = submit(rpc, [...MATURE, ...blocks]).filter((answer) => answer !== null);
  if (refused.length > 0) throw new Error(`a block is refused: ${refused[0]}`);
  return rpc;
}

/** The value of each coin of {@link fund}, in satoshi. */
export const FUNDS = 1_000_000n;

/** Makes the next block, which turns the first coin into coins with these scripts, in hex. */
export function fund(scripts: readonly string[]): { readonly block: MadeBlock; readonly coins: readonly Outpoint[] } {
  const outputs = scripts.map((script) => ({ value: FUNDS, scriptPubKey: parseHex(script) }));
  const tx = { ...spend([coinOf(1)]), outputs };
  return { block: blockAfter(LAST, { txs: [tx] }), coins: scripts.map((_, vout) => outputOf(tx, vout)) };
}

/** Changes all inputs of a transaction. */
export const withInputs = (tx: Transaction, input: Partial<TxIn>): Transaction => ({
  ...tx,
  inputs: tx.inputs.map((before) => ({ ...before, ...input })),
});
