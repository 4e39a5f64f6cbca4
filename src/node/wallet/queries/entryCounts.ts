import { scriptKey } from '../../../core/script/scriptKey.ts';
import type { TxOut } from '../../../core/tx/types.ts';
import { paymentsTo } from '../records/payments.ts';
import { forgetCounts, reopenPayments } from '../records/recordIndex.ts';
import { chainDepth } from '../records/records.ts';
import type { Wallet, WalletTx } from '../records/walletState.ts';
import { type Filter, isChange, matches, sumRecordDebits } from './ownership.ts';

export interface ListedOutput {
  readonly vout: number;
  readonly output: TxOut;
  /** True if the filter matches it. */
  readonly isMeant: boolean;
}

/** `debits`: the wallet's coins that the record spends, in satoshi. */
export interface Listed {
  readonly debits: Readonly<Record<Filter, bigint>>;
  readonly outputs: readonly ListedOutput[];
}

/** Lists all outputs of the wallet's payments but change, else those that a filter matches. */
export function listedOutputs(
  wallet: Wallet,
  record: WalletTx,
  { filter, includesChange }: { readonly filter: Filter; readonly includesChange: boolean },
): Listed {
  const debits = sumRecordDebits(wallet, record);
  const isPayment = debits[filter] > 0n;
  const outputs: ListedOutput[] = [];
  for (const [vout, output] of record.tx.outputs.entries()) {
    const { scriptPubKey } = output;
    const isMeant = matches(wallet, scriptPubKey, filter);
    const isListed = isPayment ? includesChange || !isChange(wallet, scriptPubKey) : isMeant;
    if (isListed) outputs.push({ vout, output, isMeant });
  }
  return { debits, outputs };
}

/**
 * Counts a record's entries in lists of all labels, without change. Caches them, so that lists skip records cheaply.
 */
export function entryCounter(wallet: Wallet, filter: Filter): (record: WalletTx) => number {
  reopenPayments(wallet);
  forgetRelabelled(wallet);
  const counts = wallet.index.entryCounts[filter];
  // Grows in order: engines keep an array with a wide gap as a hash table.
  while (counts.sent.length < wallet.ordered.length) counts.sent.push(undefined);
  while (counts.received.length < wallet.ordered.length) counts.received.push(undefined);
  return (record) => {
    const { order } = record;
    if (counts.sent[order] === undefined) count(wallet, record, filter);
    const received = chainDepth(wallet, record) >= 0 ? (counts.received[order] ?? 0) : 0;
    return (counts.sent[order] ?? 0) + received;
  };
}

function count(wallet: Wallet, record: WalletTx, filter: Filter): void {
  const { sent, received } = wallet.index.entryCounts[filter];
  const { debits, outputs } = listedOutputs(wallet, record, { filter, includesChange: false });
  sent[record.order] = debits[filter] > 0n ? outputs.length : 0;
  received[record.order] = outputs.filter(({ isMeant }) => isMeant).length;
}

/** Forgets the entries of payments to addresses with their first label: they are not change any more. */
function forgetRelabelled(wallet: Wallet): void {
  const { index } = wallet;
  const targets = index.labelled;
  index.labelled = [];
  for (const target of targets) for (const record of paymentsTo(wallet, target)) forgetCounts(wallet, record);
}

/** Returns records in the order of arrival. */
export function recordsLabelled(wallet: Wallet, label: string): readonly WalletTx[] {
  const records = new Set<WalletTx>();
  for (const { script } of wallet.labels.get(label) ?? []) {
    for (const record of paymentsTo(wallet, scriptKey(script))) records.add(record);
  }
  return [...records].sort((a, b) => a.order - b.order);
}
