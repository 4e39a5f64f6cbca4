import { formatTxid, outpointKey, parseTxid } from '../../core/tx/txid.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import { applyEffect } from '../wallet/records/effects.ts';
import { type RecordRows, readRows, writeRows } from '../wallet/records/recordRows.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { isNews, type TimedEvent } from './events.ts';
import { type PlaceJson, parsePlace, placeJson } from './findingsCodec.ts';
import type { Snapshot } from './journalStore.ts';
import { applyPlain, type NodeState, restoreSavedState, walletNamed } from './nodeWallets.ts';
import type { Trace, TracedEffect } from './trace.ts';

/**
 * The wallets after a number of entries, without keys: the records as they are, and what of the journal to apply again
 * for everything else.
 */
interface SnapshotHead {
  readonly entries: number;
  readonly size: number;
  readonly at: number;
  readonly tip: PlaceJson;
  readonly loggedTip: PlaceJson;
  readonly kept: readonly number[];
  readonly effects: readonly TracedEffect[];
  readonly wallets: readonly WalletHead[];
}

interface WalletHead extends Omit<RecordRows, 'blocks' | 'rows'> {
  readonly name: string;
  readonly tip: PlaceJson;
  readonly written: PlaceJson;
  /** `null` while the wallet has neither keys nor records. */
  readonly birth: number | null;
  readonly locked: readonly (readonly [txid: string, vout: number, isPersistent: boolean])[];
  readonly blocks: readonly PlaceJson[];
  readonly size: number;
}

/** @throws RangeError for a number that a snapshot cannot hold */
export function makeSnapshot({ trace, at, tip, loggedTip, wallets }: NodeState): Snapshot {
  const { entries, size, kept, effects } = trace;
  const written = [...wallets.values()].map(walletParts);
  const head: SnapshotHead = {
    entries,
    size,
    at,
    kept,
    effects,
    tip: placeJson(tip),
    loggedTip: placeJson(loggedTip),
    wallets: written.map((parts) => parts.head),
  };
  const rows = written.map((parts) => parts.rows).join('');
  return { head: JSON.stringify(head), rows };
}

function walletParts(wallet: Wallet): { readonly head: WalletHead; readonly rows: string } {
  const { name, tip, written, birth, locked } = wallet;
  const { rows, blocks, ...kept } = writeRows(wallet);
  const head: WalletHead = {
    name,
    ...kept,
    tip: placeJson(tip),
    written: placeJson(written),
    birth: Number.isFinite(birth) ? birth : null,
    locked: [...locked.values()].map(({ txid, vout, isPersistent }) => [formatTxid(txid), vout, isPersistent]),
    blocks: blocks.map(placeJson),
    size: rows.length,
  };
  return { head, rows };
}

export interface SnapshotReading extends Pick<SnapshotHead, 'entries'> {
  /** Applies the entries that the snapshot needs, and restores the records. */
  readonly restore: (state: NodeState, entryAt: (entry: number) => TimedEvent) => void;
}

/** @throws Error for a snapshot that {@link makeSnapshot} did not make */
export function readSnapshot(snapshot: Snapshot): SnapshotReading {
  const head = JSON.parse(snapshot.head) as SnapshotHead;
  const { entries, kept, effects } = head;
  return {
    entries,
    restore: (state, entryAt) => {
      const waiting = [...effects];
      const applyEffects = (before: number): void => {
        for (let next = waiting[0]; next && next.entry < before; next = waiting[0]) {
          applyEffect(walletNamed(state, next.wallet), next.effect);
          waiting.shift();
        }
      };
      for (const entry of kept) {
        applyEffects(entry);
        applyKept(state, entryAt(entry));
      }
      applyEffects(entries);
      let at = 0;
      for (const wallet of head.wallets) {
        const [start, end] = [at, at + wallet.size];
        restoreWallet(state, wallet, () => snapshot.rows.slice(start, end));
        at = end;
      }
      Object.assign(state, { at: head.at, tip: parsePlace(head.tip), loggedTip: parsePlace(head.loggedTip) });
      restoreTrace(state.trace, head);
    },
  };
}

function restoreWallet(state: NodeState, head: WalletHead, rows: () => string): void {
  const wallet = walletNamed(state, head.name);
  const { count, others, heights, extras } = head;
  readRows(
    wallet,
    {
      count,
      others,
      heights,
      extras,
      get blocks() {
        return head.blocks.map(parsePlace);
      },
      get rows() {
        return rows();
      },
    },
    state.network,
  );
  wallet.tip = parsePlace(head.tip);
  wallet.written = parsePlace(head.written);
  wallet.birth = head.birth ?? Number.POSITIVE_INFINITY;
  wallet.effects.length = 0;
  wallet.locked.clear();
  for (const [text, vout, isPersistent] of head.locked) {
    const txid = parseTxid(text);
    wallet.locked.set(outpointKey({ txid, vout }), { txid, vout, isPersistent });
  }
}

function restoreTrace(trace: Trace, { entries, kept, effects, size }: SnapshotHead): void {
  Object.assign(trace, { entries, size });
  for (const entry of kept) trace.kept.push(entry);
  for (const effect of effects) trace.effects.push(effect);
}

/** Applies what a needed entry does besides the records. */
function applyKept(state: NodeState, { at, event }: TimedEvent): void {
  state.at = at;
  if (isNews(event)) return;
  switch (event.type) {
    case 'load':
      state.loaded.add(event.name);
      restoreSavedState(walletNamed(state, event.name), at);
      break;
    case 'wallet':
      if (event.event.type !== 'rescan') applyWalletEvent(walletNamed(state, event.name), event.event, at);
      break;
    case 'restore':
      throw new Error('no snapshot holds a restored wallet');
    default:
      applyPlain(state, event);
  }
}
