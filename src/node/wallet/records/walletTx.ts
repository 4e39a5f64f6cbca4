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

/** Never changed in place. `tx` is the canonical copy of those with different witnesses. @see Bitcoin Core `CWalletTx` */
export interface WalletTx extends ChainTx, TxFacts {}

export type TxChange = Partial<Omit<TxFacts, 'timeReceived'> & { readonly tx: Transaction }>;

export const NO_CONFLICTS: WalletTx['mempoolConflicts'] = new Map();
export const NO_COPIES: WalletTx['alternates'] = [];

/** Decodes the transaction when it is first read. */
class Recorded implements WalletTx {
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
  private readonly decode: () => ChainTx;
  private decoded: ChainTx | undefined = undefined;

  constructor(key: TxKey, decode: () => ChainTx, facts: TxFacts) {
    this.key = key;
    this.decode = decode;
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

  get chainTx(): ChainTx {
    this.decoded ??= this.decode();
    return this.decoded;
  }

  get tx(): Transaction {
    return this.chainTx.tx;
  }

  get id(): Txid {
    return this.decoded?.id ?? parseTxKey(this.key);
  }

  get isCoinbase(): boolean {
    return this.chainTx.isCoinbase;
  }

  get spends(): readonly OutpointKey[] {
    return this.chainTx.spends;
  }
}

/** Makes a record whose transaction is decoded when it is needed. */
export const recordedTx = (key: TxKey, decode: () => ChainTx, facts: TxFacts): WalletTx =>
  new Recorded(key, decode, facts);

export const newWalletTx = (
  tx: ChainTx,
  facts: Pick<TxFacts, 'state' | 'order' | 'timeReceived' | 'timeSmart'>,
): WalletTx =>
  new Recorded(tx.key, () => tx, {
    ...facts,
    alternates: NO_COPIES,
    isInMempool: false,
    mempoolConflicts: NO_CONFLICTS,
    notes: undefined,
    settled: undefined,
  });

export function changedTx(wtx: WalletTx, { tx, ...change }: TxChange): WalletTx {
  const source = (): ChainTx => (wtx instanceof Recorded ? wtx.chainTx : wtx);
  const decode = tx ? (): ChainTx => ({ ...source(), tx }) : source;
  return new Recorded(wtx.key, decode, { ...factsOf(wtx), ...change });
}

function factsOf(wtx: WalletTx): TxFacts {
  const { alternates, state, isInMempool, order, timeReceived, timeSmart, mempoolConflicts, notes, settled } = wtx;
  return { alternates, state, isInMempool, order, timeReceived, timeSmart, mempoolConflicts, notes, settled };
}
