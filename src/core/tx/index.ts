export { type CheckTransactionOptions, checkTransaction, type TransactionFault } from './check.ts';
export { decodeTransaction, encodeTransaction, type TransactionFormat } from './codec.ts';
export { formatTxid, parseTxid, txid, wtxid } from './txid.ts';
export type { Outpoint, Transaction, TxIn, Txid, TxOut } from './types.ts';
export { type TransactionSize, transactionSize } from './weight.ts';
