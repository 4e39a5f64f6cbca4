import { formatTxid, outpointKey, parseTxid } from '../../core/tx/txid.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import { applyEffect } from '../wallet/records/effects.ts';
import { type RecordRows, readRows, writeRows } from '../wallet/records/recordRows.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { isNews, type TimedEvent } from './events.ts';
import { type PlaceJson, parsePlace, placeJson } from './findingsCodec.ts';
import { applyPlain, type NodeState, restoreSavedState, walletNamed } from './nodeWallets.ts';
import type { Snapshot } from './store.ts';
import type { Trace, TracedEffect } from './trace.ts';

/**
 * The wallets after a number of entries, without keys: the records as they are, and what of the journal to apply again
 * for everything else.
 */
interface SnapshotHead {
  readonly entries: number;
  readonly commit: number;
  readonly hasSeenBlocks: boolean;
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
  const { entries, commit, hasSeenBlocks, kept, effects } = trace;
  const written = [...wallets.values()].map(walletParts);
  const head: SnapshotHead = {
    entries,
    commit,
    hasSeenBlocks,
    at,
    kept,
    effects,
    tip: placeJson(tip),
    loggedTip: placeJson(loggedTip),
    wallets: written.map((parts) => parts.head),
  };
  const rows = written.map((parts) => parts.rows).join('');
  return { head: JSON.stringify(head), rows, size: rows.length };
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

export interface SnapshotReading extends Pick<SnapshotHead, 'entries' | 'commit' | 'hasSeenBlocks'> {
  /** Tells whether an entry must be applied again. */
  readonly needs: (entry: number) => boolean;
  readonly applyEffects: (state: NodeState, entry: number) => void;
  /** Restores the records, once the needed entries are applied. */
  readonly finish: (state: NodeState) => void;
}

/** @throws Error for a snapshot that {@link makeSnapshot} did not make */
export function readSnapshot(snapshot: Snapshot): SnapshotReading {
  const head = JSON.parse(snapshot.head) as SnapshotHead;
  if (head.wallets.reduce((sum, { size }) => sum + size, 0) !== snapshot.size) {
    throw new Error('the rows of the snapshot have another size');
  }
  const { entries, commit, hasSeenBlocks, kept, effects } = head;
  const needed = new Set(kept);
  let done = 0;
  return {
    entries,
    commit,
    hasSeenBlocks,
    needs: (entry) => needed.has(entry),
    applyEffects: (state, entry) => {
      for (let next = effects[done]; next?.entry === entry; next = effects[done]) {
        applyEffect(walletNamed(state, next.wallet), next.effect);
        done += 1;
      }
    },
    finish: (state) => {
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

function restoreTrace(trace: Trace, { entries, kept, effects, commit, hasSeenBlocks }: SnapshotHead): void {
  Object.assign(trace, { entries, commit, hasSeenBlocks });
  for (const entry of kept) trace.kept.push(entry);
  for (const effect of effects) trace.effects.push(effect);
}

/** Applies what a needed entry does besides the records. */
export function applyKept(state: NodeState, { at, event }: TimedEvent): void {
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
