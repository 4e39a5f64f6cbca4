import type { Outpoint, Transaction, TxOut } from '../core/tx/types.ts';

/** The outputs in the chain and mempool of a node. */
export interface ChainOutputs {
  /** Unspent in the chain, or created in the mempool. @see Core `FindCoins` */
  readonly coin: (outpoint: Outpoint) => TxOut | undefined;
  /** The whole transaction that creates an output, if the dialect puts it into PSBTs. */
  readonly transaction: (outpoint: Outpoint) => Transaction | undefined;
}
