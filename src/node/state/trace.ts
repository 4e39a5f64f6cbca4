import type { TxEffect, Wallet } from '../wallet/records/walletState.ts';
import { isNews, type LoggedEvent } from './events.ts';

/** An effect, after an entry of the journal. */
export interface TracedEffect {
  /** The number of the entry, from 0. */
  readonly entry: number;
  readonly wallet: string;
  readonly effect: TxEffect;
}

/**
 * Changes of a journal to the wallets other than records: the entries that change keys, scripts and labels, and the
 * effects of all others. With the records, they give the state again.
 */
export interface Trace {
  /** The number of the journal's entries. */
  entries: number;
  /** The numbers of the entries to apply again. */
  readonly kept: number[];
  readonly effects: TracedEffect[];
  /** The latest commit of the chain that an entry names; 0 without one. */
  commit: number;
  /** True if an entry holds a block. */
  hasSeenBlocks: boolean;
  /** The characters of the entries since the last snapshot. */
  added: number;
  /** The greatest index of each descriptor that came since the last kept entry. */
  readonly used: Map<string, number>;
  /** True if an entry did what no snapshot holds: it removed a record, whose rivals count differently, or restored a wallet. */
  needsJournal: boolean;
}

export const createTrace = (): Trace => ({
  entries: 0,
  kept: [],
  effects: [],
  commit: 0,
  hasSeenBlocks: false,
  added: 0,
  used: new Map(),
  needsJournal: false,
});

type WalletEventType = Extract<LoggedEvent, { type: 'wallet' }>['event']['type'];

/** The events of a wallet that change its records only, but for their effects. */
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

/** The events that come before the one that needs their keys. */
const OF_KEYS: ReadonlySet<WalletEventType> = new Set<WalletEventType>(['seed-keys', 'descriptor-keys']);

/** Notes the next entry of the journal, and takes the effects of its event from the wallets. */
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

/** Tells whether an effect may change anything: an index does not after a greater one. */
function isNew({ used }: Trace, wallet: string, effect: TxEffect): boolean {
  if (effect.type !== 'index') return true;
  const name = `${effect.descriptor} ${wallet}`;
  if ((used.get(name) ?? -1) >= effect.index) return false;
  used.set(name, effect.index);
  return true;
}
