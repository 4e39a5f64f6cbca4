import type { Outpoint, Transaction, TxOut } from '../core/tx/types.ts';

/** Looks up the outputs that a transaction spends, in the chain and mempool of a node. */
export interface ChainOutputs {
  /** Finds an output that is unspent in the chain, or created in the mempool. @see Bitcoin Core `FindCoins` */
  readonly coin: (outpoint: Outpoint) => TxOut | undefined;
  /** Finds the whole transaction that creates an output, if the dialect puts it into PSBTs. */
  readonly transaction: (outpoint: Outpoint) => Transaction | undefined;
}
