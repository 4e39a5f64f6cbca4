import { byteName } from '../bytes/compare.ts';
import { hasWitness } from '../tx/codec.ts';
import type { Transaction } from '../tx/types.ts';
import { type ChainTx, outputName } from './chainState.ts';
import { noteCopy } from './copies.ts';
import type { OwnedDescriptor } from './ownedDescriptor.ts';
import { destinationOf, editEntry, isFromMe, isMine, prevoutOf } from './ownership.ts';
import type { BlockPlace, TxState, Wallet, WalletTx } from './walletState.ts';

/** How deep in the chain a transaction is: 0 outside of it, negative where one that was mined conflicts with it. */
export function depthOf({ tip }: Wallet, { state }: WalletTx): number {
  if (state.kind !== 'confirmed' && state.kind !== 'conflicted') return 0;
  const depth = tip.height - state.block.height + 1;
  return state.kind === 'confirmed' ? depth : -depth;
}

/** What is known of a transaction as it comes. */
export interface Arrival {
  readonly state: TxState;
  /** UNIX time. */
  readonly now: number;
  /** Where blocks are looked through again: what stands for the block's time. */
  readonly pastTime?: number;
}

/**
 * Takes note of a transaction, if it concerns the wallet or is known already.
 * @returns its record
 * @see Bitcoin Core `CWallet::AddToWalletIfInvolvingMe`
 */
export function takeNote(wallet: Wallet, one: ChainTx, arrival: Arrival): WalletTx | undefined {
  const { state } = arrival;
  if (state.kind === 'confirmed') markRivals(wallet, one, state.block);
  const isKnown = wallet.records.has(one.name);
  const concerns = isKnown || one.tx.outputs.some(({ scriptPubKey }) => isMine(wallet, scriptPubKey));
  if (!concerns && !isFromMe(wallet, one.tx)) return undefined;
  usePlaces(wallet, one.tx);
  return record(wallet, one, arrival);
}

/** Payments to descriptors move on what is watched. @see Bitcoin Core 31 `MarkUnusedAddresses` */
function usePlaces(wallet: Wallet, { outputs }: Transaction): void {
  const { descriptors } = wallet;
  if (!descriptors) return;
  for (const { scriptPubKey } of outputs) {
    for (const place of descriptors.placesOf(scriptPubKey)) {
      const used = descriptors.use(place);
      const { owned } = place;
      if (descriptors.sideOf(owned) === 'external') labelUsed(wallet, owned, used);
    }
  }
}

/** Addresses that somebody was given, though nobody has written down to whom. */
function labelUsed(wallet: Wallet, { derive }: OwnedDescriptor, indexes: readonly number[]): void {
  for (const index of indexes) {
    const [script] = derive(index).scriptPubKeys;
    const destination = script && destinationOf(wallet, script);
    if (destination) editEntry(wallet, destination).label ??= '';
  }
}

/** @see Bitcoin Core `CWallet::AddToWallet` */
function record(wallet: Wallet, one: ChainTx, arrival: Arrival): WalletTx {
  if (wallet.avoidsReuse) noteReuse(wallet, one.tx);
  const known = wallet.records.get(one.name);
  if (!known) return insert(wallet, one, arrival);
  update(wallet, known, one, arrival.state);
  return known;
}

/** Addresses from which something is spent are used. */
function noteReuse(wallet: Wallet, { inputs }: Transaction): void {
  for (const input of inputs) {
    const prevout = prevoutOf(wallet, input);
    const destination = prevout && destinationOf(wallet, prevout.scriptPubKey);
    if (destination && isMine(wallet, destination)) editEntry(wallet, destination).isUsed = true;
  }
}

/** Times are written down in 32 bits: in 2106, they begin anew. @see Bitcoin Core `CWalletTx::nTimeReceived` */
const TIME_RANGE = 2 ** 32;

/** Shared by the records of which one copy is known, which most are. */
const NO_COPIES: WalletTx['alternates'] = [];

function insert(wallet: Wallet, one: ChainTx, arrival: Arrival): WalletTx {
  const timeReceived = arrival.now % TIME_RANGE;
  const { tx, id, name, isCoinbase, spends } = one;
  // Not by spreading, which makes objects that engines are slower to read.
  const added: WalletTx = {
    tx,
    alternates: NO_COPIES,
    id,
    name,
    isCoinbase,
    spends,
    state: arrival.state,
    isInMempool: false,
    order: wallet.ordered.length,
    timeReceived,
    timeSmart: smartTime(wallet, { ...arrival, now: timeReceived }),
    mempoolConflicts: new Map(),
  };
  wallet.records.set(one.name, added);
  wallet.ordered.push(added);
  for (const spent of one.spends) {
    const spenders = wallet.spenders.get(spent) ?? new Set();
    spenders.add(one.name);
    wallet.spenders.set(spent, spenders);
    wallet.locked.delete(spent);
    syncTime(wallet, spenders, added);
  }
  wallet.birth = Math.min(wallet.birth, added.timeSmart);
  if (one.isCoinbase) giveUpWithCoinbase(wallet, added);
  return added;
}

/** Replaces the state where its kind changes. @see Bitcoin Core `CWallet::AddToWallet` */
function update(wallet: Wallet, known: WalletTx, { tx }: ChainTx, state: TxState): void {
  const isChanged = known.state.kind !== state.kind;
  if (isChanged) known.state = state;
  if (wallet.rules.isModern) noteCopy(known, tx, isChanged && state.kind === 'confirmed');
  else if (hasWitness(tx) && !hasWitness(known.tx)) known.tx = tx;
  if (known.isCoinbase) giveUpWithCoinbase(wallet, known);
}

/** What descends from a coinbase that is in no block can never be mined. @see Bitcoin Core 31 `AddToWallet` */
function giveUpWithCoinbase(wallet: Wallet, coinbase: WalletTx): void {
  if (!wallet.rules.isModern || coinbase.state.kind === 'confirmed' || coinbase.state.kind === 'conflicted') return;
  changeWithDescendants(wallet, coinbase.name, (one) => {
    one.state = { kind: 'abandoned' };
    return true;
  });
}

/** How far a clock may go wrong, in seconds. */
const TOLERANCE = 300;

/**
 * When a transaction seems to have been made: when it came or, for one that came in a block, when that was made, unless
 * others are newer.
 * @see Bitcoin Core `CWallet::ComputeTimeSmart`
 */
function smartTime({ ordered }: Wallet, { state, now, pastTime }: Arrival): number {
  if (state.kind !== 'confirmed') return now;
  if (pastTime !== undefined) return pastTime;
  let at = ordered.length - 1;
  while (at >= 0 && (ordered[at]?.timeSmart ?? 0) > now + TOLERANCE) at -= 1;
  const latest = ordered[at]?.timeSmart ?? 0;
  return Math.max(latest, Math.min(state.time, Math.max(now, latest)));
}

/**
 * A malleated copy takes over the time of the first one; those that came in between have done so.
 * @see Bitcoin Core `CWallet::SyncMetaData`
 */
function syncTime({ records }: Wallet, spenders: ReadonlySet<string>, added: WalletTx): void {
  const [name = ''] = spenders;
  const first = records.get(name);
  if (first && first !== added && isSameButForScripts(first.tx, added.tx)) added.timeSmart = first.timeSmart;
}

function isSameButForScripts(a: Transaction, b: Transaction): boolean {
  const blank = ({ inputs, ...rest }: Transaction): string =>
    JSON.stringify([rest, inputs.map(({ outpoint, sequence }) => [outpoint, sequence])], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
  return blank(a) === blank(b);
}

/** Whatever spends the same coins as a transaction that was mined is in conflict with its block. */
function markRivals(wallet: Wallet, { name, spends }: ChainTx, block: BlockPlace): void {
  for (const spent of spends) {
    for (const rival of [...(wallet.spenders.get(spent) ?? [])]) {
      if (rival !== name) markConflicted(wallet, rival, block);
    }
  }
}

/** @see Bitcoin Core `CWallet::MarkConflicted` */
function markConflicted(wallet: Wallet, name: string, block: BlockPlace): void {
  const depth = -(wallet.tip.height - block.height + 1);
  if (depth >= 0) return;
  changeWithDescendants(wallet, name, (one) => {
    if (depth >= depthOf(wallet, one)) return false;
    one.state = { kind: 'conflicted', block };
    return true;
  });
}

/** Changes a record and, where it did change, the recorded spenders of its outputs, and so on. */
export function changeWithDescendants(wallet: Wallet, name: string, change: (one: WalletTx) => boolean): void {
  const waiting = [name];
  const done = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const one = wallet.records.get(next);
    if (done.has(next) || !one) continue;
    done.add(next);
    if (!change(one)) continue;
    for (const vout of one.tx.outputs.keys()) {
      const spenders = [...(wallet.spenders.get(outputName(one.name, vout)) ?? [])];
      waiting.push(...(wallet.rules.followsFirstSpender ? spenders.slice(0, 1) : spenders));
    }
  }
}

/** Whether a transaction may be given up: neither mined nor in conflict nor in the mempool. */
export const canAbandon = (wallet: Wallet, one: WalletTx): boolean => depthOf(wallet, one) === 0 && !one.isInMempool;

/**
 * Gives up a transaction for which {@link canAbandon} holds, and all that spend of it.
 * @see Bitcoin Core `CWallet::AbandonTransaction`
 */
export function abandon(wallet: Wallet, { name }: WalletTx): void {
  changeWithDescendants(wallet, name, (one) => {
    const isChanged = wallet.rules.isModern
      ? one.state.kind !== 'conflicted' && one.state.kind !== 'abandoned'
      : depthOf(wallet, one) === 0 && one.state.kind !== 'abandoned';
    if (isChanged) one.state = { kind: 'abandoned' };
    return isChanged;
  });
}

/** All recorded transactions in the order of their ids' bytes. */
export function recordsById({ ordered, byId }: Wallet): readonly WalletTx[] {
  if (byId.length === ordered.length) return byId;
  for (const one of ordered.slice(byId.length)) byId.push(one);
  // A name has the bytes of the id as characters, so that their orders are the same.
  return byId.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The record of a transaction. */
export const recordOf = ({ records }: Wallet, id: Uint8Array): WalletTx | undefined => records.get(byteName(id));
