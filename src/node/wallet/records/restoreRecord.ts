import { open, placeByHeight } from './recordIndex.ts';
import { noteSpender } from './records.ts';
import type { SettledSums, Wallet, WalletTx } from './walletState.ts';

/** Facts of a record that the index holds. */
interface Indexed {
  /** True if each of its outputs is spent for good or foreign, or neither and settled. */
  readonly isSettled: boolean;
}

/** Adds a record that was kept, without looking at its transaction. The records come in the order of arrival. */
export function restoreRecord(wallet: Wallet, record: WalletTx, { isSettled }: Indexed): void {
  const { records, ordered, index } = wallet;
  records.set(record.key, record);
  ordered.push(record);
  for (const outpoint of record.spends) noteSpender(wallet, outpoint, record.key);
  placeByHeight(index, record);
  if (!isSettled) index.settled.others.add(record);
}

/** The parts of an index that cover all records. */
interface Restored {
  /** The records by the bytes of their txids. */
  readonly byId: readonly WalletTx[];
  readonly isOpen: (record: WalletTx) => boolean;
  readonly sums: SettledSums;
}

/** Ends the restoring of records: the index holds all scripts of the wallet but those that {@link forgetScripts} left. */
export function endRestoring({ byId, index }: Wallet, restored: Restored): void {
  for (const record of restored.byId) {
    byId.push(record);
    // In this order, which lists of coins want, too, sorting costs least.
    if (restored.isOpen(record)) open(index, record.key);
  }
  Object.assign(index.settled.sums.total, restored.sums.total);
  for (const [height, sums] of restored.sums.byHeight) index.settled.sums.byHeight.set(height, sums);
  index.hasNewlyUsed = false;
  index.touched.clear();
  index.isStale = false;
}

/** Notes that the index which is about to be restored holds all scripts that the wallet has by now. */
export function forgetScripts({ legacy, descriptors }: Wallet): void {
  legacy?.takeAdded(0);
  descriptors?.forgetAdded();
}

/** Ends the restoring of an empty wallet, which reads the scripts when it gets its first record. */
export function endEmpty({ index }: Wallet): void {
  index.hasNewlyUsed = false;
  index.touched.clear();
  index.isStale = true;
}
