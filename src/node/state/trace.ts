import type { TxEffect, Wallet } from '../wallet/records/walletState.ts';
import { isNews, type LoggedEvent } from './events.ts';

export interface TracedEffect {
  /** Numbered from 0. */
  readonly entry: number;
  readonly wallet: string;
  readonly effect: TxEffect;
}

/**
 * The changes of wallets besides records: the entries that change keys, scripts and labels, and the effects of all
 * others. With the records, they give the state again.
 */
export interface Trace {
  entries: number;
  /** Numbers of the entries to apply again. */
  readonly kept: number[];
  readonly effects: TracedEffect[];
  /** Characters of all entries. */
  size: number;
  /** Of those since the last snapshot. */
  added: number;
  /** The greatest index of each descriptor since the last kept entry. */
  readonly used: Map<string, number>;
  /** Set by what no snapshot holds: removing a record, whose rivals count differently, or restoring a wallet. */
  needsJournal: boolean;
}

export const createTrace = (): Trace => ({
  entries: 0,
  kept: [],
  effects: [],
  size: 0,
  added: 0,
  used: new Map(),
  needsJournal: false,
});

type WalletEventType = Extract<LoggedEvent, { type: 'wallet' }>['event']['type'];

/** Events that change records only, apart from their effects. */
const OF_RECORDS: ReadonlySet<WalletEventType> = new Set<WalletEventType>([
  'rescan',
  'abandon',
  'payment',
  'pruned-funds',
  'remove',
  'note',
  'lock',
  'unlock',
]);

/** Events that come before the one that needs their keys. */
const OF_KEYS: ReadonlySet<WalletEventType> = new Set<WalletEventType>(['seed-keys', 'descriptor-keys']);

/** Notes the next entry, and takes the effects of its event from the wallets. */
export function traceEntry(trace: Trace, event: LoggedEvent, wallets: ReadonlyMap<string, Wallet>): void {
  const entry = trace.entries;
  trace.entries += 1;
  trace.needsJournal ||= event.type === 'restore' || (event.type === 'wallet' && event.event.type === 'remove');
  const isOfRecords = isNews(event) || (event.type === 'wallet' && OF_RECORDS.has(event.event.type));
  if (!isOfRecords) {
    trace.kept.push(entry);
    trace.used.clear();
  }
  // The effects are those of the event that follows the keys.
  if (event.type === 'wallet' && OF_KEYS.has(event.event.type)) return;
  for (const [name, { effects }] of wallets) {
    for (const effect of effects) if (isNew(trace, name, effect)) trace.effects.push({ entry, wallet: name, effect });
    effects.length = 0;
  }
}

/** Tells whether an effect changes anything: an index does not after a greater one. */
function isNew({ used }: Trace, wallet: string, effect: TxEffect): boolean {
  if (effect.type !== 'index') return true;
  const name = `${effect.descriptor} ${wallet}`;
  if ((used.get(name) ?? -1) >= effect.index) return false;
  used.set(name, effect.index);
  return true;
}
