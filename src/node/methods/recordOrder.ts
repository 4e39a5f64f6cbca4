import { recordsByArrival, recordsById, recordsWithCoins } from '../wallet/records/recordIndex.ts';
import { compareRecords } from '../wallet/records/records.ts';
import type { WalletTx } from '../wallet/records/walletTx.ts';
import type { WalletContext } from './context.ts';
import { walletMethodRules } from './walletMethodRules.ts';

/** Returns all records, in the order of lists. */
export const recordsInOrder = ({ wallet, dialect }: WalletContext): Iterable<WalletTx> =>
  walletMethodRules[dialect.generation].listsByArrival ? recordsByArrival(wallet) : recordsById(wallet);

/** Returns the records that hold coins, in order. */
export const coinRecordsInOrder = (context: WalletContext): Iterable<WalletTx> =>
  walletMethodRules[context.dialect.generation].listsByArrival
    ? inOrder([...recordsWithCoins(context.wallet)], context)
    : recordsWithCoins(context.wallet);

/** Sorts records as lists do. */
export const inOrder = (records: readonly WalletTx[], context: WalletContext): readonly WalletTx[] =>
  [...records].sort(recordOrder(context));

const recordOrder = ({ dialect }: WalletContext): ((a: WalletTx, b: WalletTx) => number) =>
  walletMethodRules[dialect.generation].listsByArrival ? compareByArrival : compareRecords;

const compareByArrival = (a: WalletTx, b: WalletTx): number => a.order - b.order;
