import { open, placeByHeight } from './recordIndex.ts';
import { noteSpender } from './records.ts';
import type { SettledSums, Wallet, WalletTx } from './walletState.ts';

interface Indexed {
  /** @see SettledAmounts */
  readonly isSettled: boolean;
}

/** Adds a record without looking at its transaction. Records come in the order of arrival. */
export function restoreRecord(wallet: Wallet, record: WalletTx, { isSettled }: Indexed): void {
  const { records, ordered, index } = wallet;
  records.set(record.key, record);
  ordered.push(record);
  for (const outpoint of record.spends) noteSpender(wallet, outpoint, record.key);
  placeByHeight(index, record);
  if (!isSettled) index.settled.others.add(record);
}

interface Restored {
  /** By txid bytes. */
  readonly byId: readonly WalletTx[];
  readonly isOpen: (record: WalletTx) => boolean;
  readonly sums: SettledSums;
}

/** Ends restoring: only scripts added since {@link forgetScripts} reopen records. */
export function endRestoring({ byId, index }: Wallet, restored: Restored): void {
  for (const record of restored.byId) {
    byId.push(record);
    // Sorting costs least in this order, which lists of coins want, too.
    if (restored.isOpen(record)) open(index, record.key);
  }
  Object.assign(index.settled.sums.total, restored.sums.total);
  for (const [height, sums] of restored.sums.byHeight) index.settled.sums.byHeight.set(height, sums);
  index.hasNewlyUsed = false;
  index.touched.clear();
  index.isStale = false;
}

/** Notes that the index to be restored holds all scripts that the wallet has by now. */
export function forgetScripts({ legacy, descriptors }: Wallet): void {
  legacy?.takeAdded(0);
  descriptors?.forgetAdded();
}

/** Makes an empty wallet read its scripts when it gets its first record. */
export function endEmpty({ index }: Wallet): void {
  index.hasNewlyUsed = false;
  index.touched.clear();
  index.isStale = true;
}
