import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import { scriptKey } from '../../../core/script/scriptKey.ts';
import { jsonCodec } from '../../store/codecs.ts';
import type { RecordCodec } from '../../store/tables.ts';
import { touchEach, touchPayers } from './recordIndex.ts';
import type { BookEntry, Wallet } from './walletState.ts';

export const bookEntryCodec: RecordCodec<BookEntry> = jsonCodec(
  ({ script, ...rest }: BookEntry) => ({ script: formatHex(script), ...rest }),
  ({ script, ...rest }) => ({ script: parseHex(script), ...rest }),
);

interface LabelTerms extends Pick<BookEntry, 'script'> {
  readonly label: string;
  /** Default: `receive`. */
  readonly purpose?: BookEntry['purpose'];
}

/** @see Bitcoin Core `CWallet::SetAddressBook` */
export function setLabel(wallet: Wallet, { script, label, purpose = 'receive' }: LabelTerms): void {
  wallet.book.set(scriptKey(script), { ...entryFor(wallet, script), label, purpose });
}

/** @see Bitcoin Core `CWallet::SetSpentKeyState` */
export function markUsed(wallet: Wallet, destination: Uint8Array): void {
  const entry = entryFor(wallet, destination);
  if (entry.isUsed) return;
  wallet.book.set(scriptKey(destination), { ...entry, isUsed: true });
  // `avoid_reuse` leaves out more coins; in 0.21 those of all scripts with the same key.
  if (wallet.legacy) touchEach(wallet);
  else touchPayers(wallet, [scriptKey(destination)]);
}

const entryFor = ({ book }: Wallet, script: Uint8Array): BookEntry =>
  book.get(scriptKey(script)) ?? { script, isUsed: false, purpose: 'receive' };

/** In any order. */
export function* labelledEntries({ book }: Wallet): Generator<readonly [label: string, entry: BookEntry]> {
  for (const [, entry] of book.entries()) if (entry.label !== undefined) yield [entry.label, entry];
}

/** In any order. */
export const entriesWithLabel = (wallet: Wallet, label: string): readonly BookEntry[] =>
  [...labelledEntries(wallet)].flatMap(([other, entry]) => (other === label ? [entry] : []));
