import { byteName } from '../bytes/compare.ts';
import type { Outpoint, Transaction, TxOut } from '../tx/types.ts';
import { activeBlock, type Chain, coinAt, outpointName } from '../wallet/chainState.ts';

/** Looks up, in what a node was fed, the outputs that a transaction spends. */
export interface ChainOutputs {
  /** An output that is unspent in the chain, or made in the mempool. @see Bitcoin Core `FindCoins` */
  readonly coin: (outpoint: Outpoint) => TxOut | undefined;
  /** The whole transaction that makes an output, as far as PSBTs are given it. */
  readonly transaction: (outpoint: Outpoint) => Transaction | undefined;
}

/**
 * Makes the lookups of a node.
 *
 * - `chainOf`: gives the chain as it is at the time of a call
 * - `transactionsOf`: where whole transactions are taken from
 */
export function chainOutputs(
  chainOf: () => Chain,
  transactionsOf: 'nowhere' | 'mempool' | 'mempool-and-chain',
): ChainOutputs {
  const coin: ChainOutputs['coin'] = ({ txid, vout }) => {
    const found = coinAt(chainOf(), outpointName(txid, vout));
    return found && { value: found.value, scriptPubKey: found.scriptPubKey };
  };
  const mined = ({ txid, vout }: Outpoint): Transaction | undefined => {
    const chain = chainOf();
    const { height } = coinAt(chain, outpointName(txid, vout)) ?? {};
    const name = byteName(txid);
    return height === undefined ? undefined : activeBlock(chain, height).txs.find((one) => one.name === name)?.tx;
  };
  if (transactionsOf === 'nowhere') return { coin, transaction: () => undefined };
  return {
    coin,
    transaction: (outpoint) =>
      chainOf().mempool.get(byteName(outpoint.txid))?.tx ??
      (transactionsOf === 'mempool' ? undefined : mined(outpoint)),
  };
}
