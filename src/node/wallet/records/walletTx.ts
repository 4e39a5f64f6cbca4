import { parseTxKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction, Txid, TxKey } from '../../../core/tx/types.ts';
import type { ChainTx } from '../../chain/types.ts';
import type { Amounts } from './amounts.ts';
import type { BlockPlace } from './walletRow.ts';

/** `conflicted`: a rival was mined in `block`. @see Bitcoin Core 0.21 `CWalletTx::Status`, 31 `TxState` */
export type TxState =
  | { readonly kind: 'confirmed'; readonly block: BlockPlace; readonly index: number; readonly time: number }
  | { readonly kind: 'conflicted'; readonly block: BlockPlace }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'abandoned' };

/** @see Bitcoin Core `CWalletTx::mapValue` */
export interface TxNotes {
  readonly comment?: string;
  /** The recipient, in the user's words. */
  readonly to?: string;
  readonly replaces?: Txid;
  readonly replacedBy?: Txid;
}

/** The coins of a settled record. @see `settledAmounts.ts` */
export interface SettledCoins {
  readonly kind: 'coinbase' | 'payment';
  readonly height: number;
  readonly amounts: Readonly<Amounts>;
}

/** The facts of a transaction that only the wallet has. */
export interface TxFacts {
  /** The other copies with other witnesses; empty in 0.21. */
  readonly alternates: readonly Transaction[];
  readonly state: TxState;
  readonly isInMempool: boolean;
  /** Position in the order of arrival. */
  readonly order: number;
  /** UNIX time of arrival. */
  readonly timeReceived: number;
  /** Estimated UNIX time of creation. */
  readonly timeSmart: number;
  /**
   * Mempool transactions that spend the same coins as it or its ancestors.
   * @see Bitcoin Core 31 `mempool_conflicts`
   */
  readonly mempoolConflicts: ReadonlyMap<TxKey, Txid>;
  readonly notes: TxNotes | undefined;
  /** Missing without coins. */
  readonly settled: SettledCoins | undefined;
}

export type TxChange = Partial<Omit<TxFacts, 'timeReceived'> & { readonly tx: Transaction }>;

export const NO_CONFLICTS: TxFacts['mempoolConflicts'] = new Map();
export const NO_COPIES: TxFacts['alternates'] = [];

/**
 * A recorded transaction, never changed in place, whose copy is decoded when it is first read.
 * @see Bitcoin Core `CWalletTx`
 */
export class WalletTx implements ChainTx, TxFacts {
  readonly key: TxKey;
  readonly alternates: readonly Transaction[];
  readonly state: TxState;
  readonly isInMempool: boolean;
  readonly order: number;
  readonly timeReceived: number;
  readonly timeSmart: number;
  readonly mempoolConflicts: ReadonlyMap<TxKey, Txid>;
  readonly notes: TxNotes | undefined;
  readonly settled: SettledCoins | undefined;
  private source: ChainTx | (() => ChainTx);

  /** `source`: the canonical copy of those with different witnesses, or a function that decodes it. */
  constructor(key: TxKey, source: ChainTx | (() => ChainTx), facts: TxFacts) {
    this.key = key;
    this.source = source;
    this.alternates = facts.alternates;
    this.state = facts.state;
    this.isInMempool = facts.isInMempool;
    this.order = facts.order;
    this.timeReceived = facts.timeReceived;
    this.timeSmart = facts.timeSmart;
    this.mempoolConflicts = facts.mempoolConflicts;
    this.notes = facts.notes;
    this.settled = facts.settled;
  }

  /** Returns the record after a change. */
  changed({ tx, ...change }: TxChange): WalletTx {
    return new WalletTx(this.key, tx ? { ...this.chainTx, tx } : this.source, { ...this, ...change });
  }

  private get chainTx(): ChainTx {
    if (typeof this.source === 'function') this.source = this.source();
    return this.source;
  }

  get tx(): Transaction {
    return this.chainTx.tx;
  }

  get id(): Txid {
    return parseTxKey(this.key);
  }

  get isCoinbase(): boolean {
    return this.chainTx.isCoinbase;
  }

  get spends(): readonly OutpointKey[] {
    return this.chainTx.spends;
  }
}

export const newWalletTx = (
  tx: ChainTx,
  facts: Pick<TxFacts, 'state' | 'order' | 'timeReceived' | 'timeSmart'>,
): WalletTx =>
  new WalletTx(tx.key, tx, {
    ...facts,
    alternates: NO_COPIES,
    isInMempool: false,
    mempoolConflicts: NO_CONFLICTS,
    notes: undefined,
    settled: undefined,
  });
