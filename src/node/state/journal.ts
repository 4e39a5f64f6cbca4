import { formatHex } from '../../core/bytes/hex.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import type { NotedKeys } from '../wallet/keys/hdSeeds.ts';
import type { SealedMasterKey } from '../wallet/keys/sealedSecrets.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import type { LoggedEvent } from './events.ts';
import type { EntryJson, JournalCodec } from './journalCodec.ts';
import type { JournalStore } from './journalStore.ts';
import { seedKeysJson, type WalletEventJson } from './walletEventCodec.ts';

type BeginEvent = Extract<LoggedEvent, { type: 'begin' }>;
type EncryptEvent = Extract<WalletEvent, { type: 'encrypt' }>;

export type Owner = Pick<BeginEvent, 'network' | 'rules'>;

/** Returns the owner that a first entry names. */
export function ownerIn(entry: string): Owner | undefined {
  const { event } = JSON.parse(entry) as EntryJson;
  return event.type === 'begin' ? { network: event.network, rules: event.rules } : undefined;
}

/**
 * Writes the first entry. Restarts a journal that holds only the first entry of another owner, since that loses
 * nothing.
 * @throws BtcError `store/mismatch` for a journal of another owner that holds more events
 */
export function beginJournal(store: JournalStore, { network, rules }: Owner, at: number): void {
  const first = JSON.stringify({ at, event: { type: 'begin', network, rules } } satisfies EntryJson);
  const owner = store.length() > 0 ? ownerIn(store.entryAt(0)) : undefined;
  if (owner?.network === network && owner.rules === rules) return;
  if (store.length() <= 1) {
    if (owner) store.rewrite([first]);
    else store.append([first]);
    return;
  }
  const actual = owner ? `${owner.network} ${owner.rules}` : 'another program';
  const expected = `${network} ${rules}`;
  const message = `The store belongs to ${withoutSecrets(actual)}, not to ${withoutSecrets(expected)}: open it as that, or use another`;
  throw new BtcError('store/mismatch', { found: actual, wanted: expected }, message);
}

interface Encryption {
  readonly at: number;
  readonly name: string;
  readonly event: EncryptEvent;
  /** Public keys derived from its seeds, which are sealed now. */
  readonly keys: readonly NotedKeys[];
}

/** Records an encryption, and seals the wallet's private keys throughout the journal. @throws BtcError `store/*` */
export function sealJournal(store: JournalStore, codec: JournalCodec, encryption: Encryption): void {
  const { at, name, event, keys } = encryption;
  const entry = codec.format({ at, event: { type: 'wallet', name, event } });
  const { event: sealed } = JSON.parse(entry) as EntryJson;
  const secrets = sealed.type === 'wallet' && sealed.event.type === 'encrypt' ? sealed.event.secrets : {};
  function* entries(): Generator<string> {
    yield* rewritten(store, name, (past) => sealEvent(past, secrets, keys));
    yield entry;
  }
  store.rewrite(entries());
}

/**
 * Replaces a sealed master key throughout the journal, so that no former passphrase opens it.
 * @throws BtcError `store/*`
 */
export function replaceMaster(store: JournalStore, name: string, master: SealedMasterKey): void {
  store.rewrite(rewritten(store, name, (past) => (past.type === 'encrypt' ? { ...past, master } : past)));
}

function* rewritten(
  store: JournalStore,
  name: string,
  change: (event: WalletEventJson) => WalletEventJson,
): Generator<string> {
  for (const entry of store.read()) {
    const { event, ...rest } = JSON.parse(entry) as EntryJson;
    const next = changed(event, name, change);
    yield next === event ? entry : JSON.stringify({ ...rest, event: next } satisfies EntryJson);
  }
}

/** Changes an event, or the events of the history in a backup. */
function changed(
  event: EntryJson['event'],
  name: string,
  change: (event: WalletEventJson) => WalletEventJson,
): EntryJson['event'] {
  if (event.type === 'restore' && event.name === name) {
    return { ...event, history: event.history.map((past) => ({ ...past, event: changed(past.event, name, change) })) };
  }
  if (event.type !== 'wallet' || event.name !== name) return event;
  const next = change(event.event);
  return next === event.event ? event : { ...event, event: next };
}

/** Seals the private keys of an event, and adds the public keys that can no longer be derived. */
function sealEvent(
  event: WalletEventJson,
  sealed: Extract<WalletEventJson, { type: 'encrypt' }>['secrets'],
  derived: readonly NotedKeys[],
): WalletEventJson {
  if (event.type === 'key') return { ...event, secret: sealed[event.publicKey] ?? event.secret };
  if (event.type === 'seed') {
    const own = derived.filter(({ seed }) => formatHex(seed) === event.publicKey);
    return { ...event, keys: own.map(seedKeysJson) };
  }
  if (event.type !== 'descriptor') return event;
  const secrets = event.secrets.map(({ publicKey, secret }) => ({ publicKey, secret: sealed[publicKey] ?? secret }));
  return { ...event, secrets };
}
