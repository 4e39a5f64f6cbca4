import { BtcError } from '../errors.ts';
import type { NodeEvent, TimedEvent, WalletEvent } from './events.ts';
import type { SealedMasterKey } from './secrets.ts';
import type { JournalStore } from './store.ts';
import type { StoredSecret } from './vault.ts';

type BeginEvent = Extract<NodeEvent, { type: 'begin' }>;
type EncryptEvent = Extract<WalletEvent, { type: 'encrypt' }>;

/** Formats an event as a journal entry. */
export const journalEntry = (timed: TimedEvent): string => JSON.stringify(timed);

/** Parses an entry made by {@link journalEntry}. */
const timedEvent = (entry: string): TimedEvent => JSON.parse(entry) as TimedEvent;

/** Reads all events, oldest first. @throws BtcError `store/*` */
export function* readJournal(store: JournalStore): Generator<TimedEvent> {
  for (const entry of store.read()) yield timedEvent(entry);
}

/**
 * Writes the first entry of a new journal. A journal that holds nothing but the first entry of another network or
 * dialect is restarted, since that loses nothing.
 * @throws BtcError `store/mismatch` for a journal of another network or dialect that holds more events
 */
export function beginJournal(store: JournalStore, begin: BeginEvent, at: number): void {
  const first = [journalEntry({ at, event: begin })];
  const [entry, another] = readJournal(store);
  if (entry === undefined) {
    store.append(first);
    return;
  }
  const { event } = entry;
  if (JSON.stringify(event) === JSON.stringify(begin)) return;
  if (event.type === 'begin' && another === undefined) {
    store.rewrite(first);
    return;
  }
  const found = event.type === 'begin' ? `${event.network} ${event.rules}` : event.type;
  throw new BtcError('store/mismatch', { found, wanted: `${begin.network} ${begin.rules}` });
}

/**
 * Records that a wallet is encrypted, and seals its private keys throughout the journal.
 * @throws BtcError `store/*`
 */
export function sealJournal(store: JournalStore, name: string, event: EncryptEvent, at: number): void {
  function* entries(): Generator<string> {
    for (const entry of store.read()) {
      const { at: then, event: past } = timedEvent(entry);
      const isOurs = past.type === 'wallet' && past.name === name;
      yield isOurs
        ? journalEntry({ at: then, event: { ...past, event: sealEvent(past.event, event.secrets) } })
        : entry;
    }
    yield journalEntry({ at, event: { type: 'wallet', name, event } });
  }
  store.rewrite(entries());
}

/**
 * Replaces a wallet's sealed master key throughout the journal, so that no former passphrase opens it.
 * @throws BtcError `store/*`
 */
export function replaceMaster(store: JournalStore, name: string, master: SealedMasterKey): void {
  function* entries(): Generator<string> {
    for (const entry of store.read()) {
      const { at, event } = timedEvent(entry);
      const isOurs = event.type === 'wallet' && event.name === name && event.event.type === 'encrypt';
      yield isOurs ? journalEntry({ at, event: { ...event, event: { ...event.event, master } } }) : entry;
    }
  }
  store.rewrite(entries());
}

/** Replaces the private keys of an event by their sealed forms, so that none stays in the clear. */
function sealEvent(event: WalletEvent, sealed: EncryptEvent['secrets']): WalletEvent {
  const seal = (publicKey: string, secret: StoredSecret): StoredSecret => sealed[publicKey] ?? secret;
  if (event.type === 'key') return { ...event, secret: seal(event.publicKey, event.secret) };
  if (event.type !== 'descriptor') return event;
  const secrets = event.secrets.map(({ publicKey, secret }) => ({ publicKey, secret: seal(publicKey, secret) }));
  return { ...event, secrets };
}
