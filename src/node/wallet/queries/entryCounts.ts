import { scriptKey } from '../../../core/script/scriptKey.ts';
import type { TxKey, TxOut } from '../../../core/tx/types.ts';
import { entriesWithLabel } from '../records/addressBook.ts';
import { paymentsTo } from '../records/payments.ts';
import { chainDepth } from '../records/records.ts';
import type { Wallet } from '../records/walletState.ts';
import type { WalletTx } from '../records/walletTx.ts';
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

/** Counts a record's entries in lists of all labels, without change. */
export function countEntries(wallet: Wallet, record: WalletTx, filter: Filter): number {
  const { debits, outputs } = listedOutputs(wallet, record, { filter, includesChange: false });
  const sent = debits[filter] > 0n ? outputs.length : 0;
  const received = chainDepth(wallet, record) >= 0 ? outputs.filter(({ isMeant }) => isMeant).length : 0;
  return sent + received;
}

/** Returns records in the order of arrival. */
export function recordsLabelled(wallet: Wallet, label: string): readonly WalletTx[] {
  const records = new Map<TxKey, WalletTx>();
  for (const { script } of entriesWithLabel(wallet, label)) {
    for (const record of paymentsTo(wallet, scriptKey(script))) records.set(record.key, record);
  }
  return [...records.values()].sort((a, b) => a.order - b.order);
}
