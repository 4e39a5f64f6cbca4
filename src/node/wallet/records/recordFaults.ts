import { formatTxid, txid, txKey } from '../../../core/tx/txid.ts';
import { orderKey } from '../../store/orderKey.ts';
import { missingSecret } from '../keys/vault.ts';
import { paymentKeys } from './payments.ts';
import { heightKey } from './recordIndex.ts';
import { addSettled, computeCoins, isSameCoins, isSameSums } from './settledAmounts.ts';
import type { HeightSums, Wallet } from './walletState.ts';
import type { WalletTx } from './walletTx.ts';

type Tally = Record<'arrivals' | 'byHeight' | 'payments' | 'open' | 'unsettled', number>;

/** @throws BtcError `store/corrupt` for a wallet that lacks a private key which its records name */
export function assertSecrets({ legacy, descriptors }: Wallet): void {
  if ((legacy ?? descriptors)?.lacksSecret()) throw missingSecret();
}

/** Yields what is wrong with the recorded transactions and their indexes, as the end of a sentence. */
export function* recordFaults(wallet: Wallet): Generator<string> {
  const { records, index } = wallet;
  const tally: Tally = { arrivals: 0, byHeight: 0, payments: 0, open: 0, unsettled: 0 };
  const sums = new Map<string, HeightSums>();
  for (const [, wtx] of records.entries()) {
    if (!isIndexed(wallet, wtx, tally)) yield `has lost its place for transaction ${formatTxid(wtx.id)}`;
    if (wtx.settled) addSettled(sums, wtx.settled, 1n);
  }
  if (tally.arrivals !== wallet.row.recordCount)
    yield `has ${tally.arrivals} of ${wallet.row.recordCount} transactions`;
  for (const name of Object.keys(tally) as (keyof Tally)[]) {
    if ([...index[name].keys()].length !== tally[name]) yield 'has places for transactions that it lacks';
  }
  const stored = [...index.sums.entries()];
  const isSummed = stored.length === sums.size && stored.every(([key, sum]) => isSameSums(sum, sums.get(key)));
  if (!isSummed) yield 'has other sums than those of its coins';
}

/** Tells whether all indexes have a transaction, and counts it in them. */
function isIndexed(wallet: Wallet, wtx: WalletTx, tally: Tally): boolean {
  const { index, spenders, rules } = wallet;
  const { key, order, spends } = wtx;
  const { isOpen, isSettled, settled } = computeCoins(wallet, wtx);
  const payments = paymentKeys(wallet, wtx);
  tally.arrivals += 1;
  tally.byHeight += 1;
  tally.payments += payments.length;
  tally.open += Number(isOpen);
  tally.unsettled += Number(!isSettled);
  return (
    txKey(txid(wtx.tx)) === key &&
    index.arrivals.get(orderKey(order)) === key &&
    index.byHeight.has(heightKey(wtx)) &&
    payments.every((payment) => index.payments.get(payment) === key) &&
    (rules.forgetsRivalSpends || spends.every((spent) => spenders.get(spent)?.includes(key))) &&
    index.open.has(key) === isOpen &&
    index.unsettled.has(key) === !isSettled &&
    isSameCoins(settled, wtx.settled)
  );
}
