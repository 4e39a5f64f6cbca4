import { refreshChain } from '../chain/chainState.ts';
import type { JournalCodec } from './journalCodec.ts';
import type { JournalStore, Refresh } from './journalStore.ts';
import { openState, type StateParts, settle } from './nodeState.ts';
import type { NodeState } from './nodeWallets.ts';
import { restoreEvent } from './restoreEvent.ts';
import { readSnapshot, type SnapshotReading } from './snapshot.ts';

/** Restores the chain from its records, and the wallets from the journal. @throws BtcError `store/*` */
export function restoreState(store: JournalStore, codec: JournalCodec, parts: StateParts): NodeState {
  const snapshot = store.caches?.snapshot();
  if (snapshot === undefined) return restoreAfter(undefined, { store, codec, parts });
  try {
    return restoreAfter(readSnapshot(snapshot), { store, codec, parts });
  } catch {
    // The journal alone gives the state, or its error.
    return restoreAfter(undefined, { store, codec, parts });
  }
}

interface RestoreParts {
  readonly store: JournalStore;
  readonly codec: JournalCodec;
  readonly parts: StateParts;
}

function restoreAfter(snapshot: SnapshotReading | undefined, { store, codec, parts }: RestoreParts): NodeState {
  const state = openState(parts);
  snapshot?.restore(state, (entry) => codec.parse(store.entryAt(entry)));
  for (const entry of store.read(snapshot?.entries)) {
    countEntry(state, entry);
    restoreEvent(state, codec.parse(entry));
  }
  settle(state);
  return state;
}

export function countEntry({ trace }: NodeState, entry: string): void {
  trace.size += entry.length;
  trace.added += entry.length;
}

export function applyForeign(
  state: NodeState,
  codec: JournalCodec,
  { appended, changed }: Exclude<Refresh, 'all'>,
): void {
  if (appended.length + changed.length === 0) return;
  refreshChain(state.chain, changed);
  for (const entry of appended) restoreEvent(state, codec.parse(entry));
  settle(state);
}
