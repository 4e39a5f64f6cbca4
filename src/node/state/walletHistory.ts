import { genesisBlock } from '../chain/chainState.ts';
import { createMemoryStore } from '../store/memoryStore.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { isNews, type LoggedEvent, type TimedEvent } from './events.ts';
import { createFindings } from './findings.ts';
import type { JournalCodec } from './journalCodec.ts';
import type { JournalStore } from './journalStore.ts';
import { openState, type StateParts } from './nodeState.ts';
import { type NodeState, tipAfter } from './nodeWallets.ts';
import { type Observer, restoreEvent } from './restoreEvent.ts';

/**
 * Returns a wallet's events as if it were the only wallet of the node; the last one, at the UNIX time `at`, unloads it.
 * @throws BtcError `store/*`
 */
export function walletHistory(
  name: string,
  at: number,
  { store, codec, parts }: { readonly store: JournalStore; readonly codec: JournalCodec; readonly parts: StateParts },
): readonly TimedEvent[] {
  // Restores all wallets: a finding may be the txid of another wallet's transaction.
  const state = openState({ ...parts, records: createMemoryStore(), log: () => undefined });
  const history: TimedEvent[] = [];
  let loggedTip = genesisBlock(parts.network);
  const add = (time: number, event: LoggedEvent, tip = state.tip): void => {
    history.push({ at: time, ...(tip.key !== loggedTip.key && { tip }), event });
    loggedTip = { ...loggedTip, ...(tipAfter(event) ?? tip) };
  };
  for (const entry of store.read()) {
    const timed = codec.parse(entry);
    if (timed.event.type === 'restore' && timed.event.name === name) {
      history.push(...timed.event.history);
      for (const past of timed.event.history) loggedTip = { ...loggedTip, ...(tipAfter(past.event) ?? past.tip) };
    }
    const before = timed.tip ?? state.tip;
    for (const event of ownEvents(state, timed, name)) add(timed.at, event, before);
  }
  add(at, { type: 'unload', name });
  return history;
}

/** Applies an event, and returns it as far as it concerns a wallet. */
function ownEvents(state: NodeState, timed: TimedEvent, name: string): readonly LoggedEvent[] {
  const { event } = timed;
  const own = new Map<string, Wallet>();
  const wallet = state.wallets.get(name);
  if (wallet) own.set(name, wallet);
  const findings = createFindings(own);
  const observer: Observer = { name, findings };
  restoreEvent(state, timed, observer);
  const { blocks, mempool } = findings.collected();
  if (isNews(event)) {
    if (event.type === 'added' || event.type === 'removed') return mempool.map((tx) => ({ ...event, tx }));
    return blocks.map((block) => ({ ...event, ...block }));
  }
  if (!('name' in event) || event.name !== name) return [];
  const ownFindings = { blocks, mempool };
  switch (event.type) {
    case 'load':
      return [{ ...event, ...(event.missed && { missed: { ...event.missed, ...ownFindings } }) }];
    case 'restore':
      return [{ type: 'load', name, ...(event.missed && { missed: { ...event.missed, ...ownFindings } }) }];
    case 'wallet':
      return [event.event.type === 'rescan' ? { ...event, event: { ...event.event, found: ownFindings } } : event];
    default:
      return [event];
  }
}
