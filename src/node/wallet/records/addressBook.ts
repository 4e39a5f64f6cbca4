import { scriptKey } from '../../../core/script/scriptKey.ts';
import { hasCounts } from './recordIndex.ts';
import type { BookEntry, Wallet } from './walletState.ts';

interface LabelTerms extends Pick<BookEntry, 'script'> {
  readonly label: string;
  /** Default: `receive`. */
  readonly purpose?: BookEntry['purpose'];
}

/** @see Bitcoin Core `CWallet::SetAddressBook` */
export function setLabel(wallet: Wallet, { script, label, purpose = 'receive' }: LabelTerms): void {
  const { labels } = wallet;
  const entry = editEntry(wallet, script);
  if (entry.label === undefined && hasCounts(wallet.index)) wallet.index.labelled.push(scriptKey(script));
  const before = entry.label === undefined ? undefined : labels.get(entry.label);
  before?.delete(entry);
  if (before?.size === 0 && entry.label !== undefined) labels.delete(entry.label);
  entry.label = label;
  entry.purpose = purpose;
  const entries = labels.get(label);
  if (entries) entries.add(entry);
  else labels.set(label, new Set([entry]));
}

/** @returns whether that is new @see Bitcoin Core `CWallet::SetSpentKeyState` */
export function markUsed(wallet: Wallet, destination: Uint8Array): boolean {
  const entry = editEntry(wallet, destination);
  if (entry.isUsed) return false;
  entry.isUsed = true;
  wallet.index.hasNewlyUsed = true;
  return true;
}

function editEntry({ book }: Wallet, destination: Uint8Array): BookEntry {
  const key = scriptKey(destination);
  const entry = book.get(key) ?? { script: destination, isUsed: false, purpose: 'receive' };
  book.set(key, entry);
  return entry;
}

/** In any order. */
export const entriesWithLabel = ({ labels }: Wallet, label: string): Iterable<BookEntry> => labels.get(label) ?? [];

/** In any order. */
export function* labelledEntries({ labels }: Wallet): Generator<readonly [label: string, entry: BookEntry]> {
  for (const [label, entries] of labels) for (const entry of entries) yield [label, entry];
}
