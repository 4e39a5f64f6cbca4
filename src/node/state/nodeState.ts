import type { Ecc } from '../../core/crypto/ecc.ts';
import { BtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { txKey } from '../../core/tx/txid.ts';
import { blockKey } from '../chain/blockHeader.ts';
import {
  activeBlock,
  activeTip,
  type BlockValidation,
  type Chain,
  genesisBlock,
  openChain,
  refreshChain,
} from '../chain/chainState.ts';
import { chainTx } from '../chain/chainTx.ts';
import {
  invalidateBlock,
  preferBlock,
  reconsiderBlock,
  submitBlock,
  submitHeader,
  submitHeaders,
  updateCoins,
} from '../chain/connect.ts';
import { setEstimates } from '../chain/feeEstimates.ts';
import { keepFilterHeaders } from '../chain/filterHeaders.ts';
import { addTransaction, dropTransaction, limitMempool, prioritise } from '../chain/mempool.ts';
import { prependHeaders, pruneBlocks, startChain } from '../chain/partialChain.ts';
import { setWaived } from '../chain/waivers.ts';
import { KINDS } from '../store/kinds.ts';
import { orderKey } from '../store/orderKey.ts';
import type { Table, Tables } from '../store/tables.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import {
  catchUp,
  computeAbsence,
  concerns,
  connectBlock,
  disconnectBlock,
  minedTxs,
  rescan,
  scanWithin,
  transactionAddedToMempool,
  transactionRemovedFromMempool,
} from '../wallet/records/chainSync.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import { openWallet, type WalletParts } from '../wallet/records/openWallet.ts';
import { recordsByArrival } from '../wallet/records/recordIndex.ts';
import { restoreSpends } from '../wallet/records/records.ts';
import { settle } from '../wallet/records/settledAmounts.ts';
import { newWalletRow, toPlace, type WalletRow, walletRowCodec } from '../wallet/records/walletRow.ts';
import { lockWallet, type Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { NodeEvent } from './events.ts';
import { type OwnerTable, ownerRow } from './owner.ts';
import { copyWallet } from './walletBackup.ts';

/** A chain and the wallets that follow it, in records and in memory. Only events change it. */
export interface NodeState {
  readonly network: Network;
  readonly chain: Chain;
  /** By name, loaded or not. */
  readonly wallets: Map<string, Wallet>;
  /** In loading order. */
  readonly loaded: Set<string>;
  /** By the numbers of the wallets. */
  readonly rows: Table<string, WalletRow>;
  readonly owners: OwnerTable;
  /** All wallets that were ever opened, by number. */
  readonly opened: Map<string, Wallet>;
  readonly parts: Required<WalletParts>;
  /** UNIX time of the event being applied. */
  at: number;
}

interface StateOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly ecc: Ecc;
  readonly validation: BlockValidation;
  readonly tables: Tables;
  readonly owners: OwnerTable;
}

/** @throws BtcError `store/*` */
export function openState({ network, rules, ecc, validation, tables, owners }: StateOptions): NodeState {
  const rows = tables.table(KINDS.wallet, walletRowCodec, Number.POSITIVE_INFINITY);
  const state: NodeState = {
    network,
    chain: openChain(network, tables, { ecc, ...validation }),
    wallets: new Map(),
    loaded: new Set(),
    rows,
    owners,
    opened: new Map(),
    parts: { rules, network, ecc, tables, rows, recorded: new Set() },
    at: 0,
  };
  listWallets(state);
  follow(state);
  return state;
}

/** Reads the names of the wallets. @throws BtcError `store/corrupt` if one is missing */
function listWallets(state: NodeState): void {
  const { rows, wallets, loaded } = state;
  wallets.clear();
  loaded.clear();
  const loading: (readonly [order: number, name: string])[] = [];
  for (const [number, row] of rows.entries()) {
    wallets.set(row.name, walletAt(state, number));
    if (row.loaded !== undefined) loading.push([row.loaded, row.name]);
  }
  const count = ownerRow(state.owners).wallets;
  if (wallets.size !== count) {
    const message = `The store has ${wallets.size} of ${count} wallets: restore it from a backup`;
    throw new BtcError('store/corrupt', { path: '', reason: 'missing' }, message);
  }
  for (const [, name] of loading.sort(([a], [b]) => a - b)) loaded.add(name);
}

function walletAt({ opened, parts }: NodeState, number: string): Wallet {
  const wallet = opened.get(number) ?? openWallet(number, parts);
  opened.set(number, wallet);
  return wallet;
}

/** Takes in what other processes have changed; `all` if that cannot be listed. @throws BtcError `store/*` */
export function refreshState(state: NodeState, changed: readonly string[] | 'all'): void {
  const { tables } = state.parts;
  const unloads = unloadsIn(state);
  if (changed === 'all') tables.forgetAll();
  else for (const key of changed) tables.forget(key);
  refreshChain(state.chain);
  listWallets(state);
  for (const [number, wallet] of state.opened) {
    const { legacy, descriptors } = wallet;
    (legacy ?? descriptors)?.forgetCaches();
    wallet.touched = new Set();
    // Unloading locks a wallet, whichever process does it.
    if (state.rows.get(number)?.unloads !== unloads.get(number)) lockWallet(wallet);
  }
}

const unloadsIn = ({ rows }: NodeState): ReadonlyMap<string, number> =>
  new Map(Array.from(rows.entries(), ([number, { unloads }]) => [number, unloads]));

/** Computes what the changes of a call leave to compute. */
export function settleWallets({ wallets }: NodeState): void {
  for (const wallet of wallets.values()) settle(wallet);
}

/** Forwards chain and mempool changes to the loaded wallets. */
function follow(state: NodeState): void {
  const { chain } = state;
  const each = (tell: (wallet: Wallet) => void): void => {
    for (const name of state.loaded) tell(walletNamed(state, name));
  };
  chain.listeners.add({
    transactionAdded: (tx) =>
      each((wallet) => {
        if (concerns(wallet, tx)) transactionAddedToMempool(wallet, tx, state.at);
      }),
    transactionRemoved: (tx, reason) =>
      each((wallet) => {
        if (concerns(wallet, tx)) transactionRemovedFromMempool(wallet, tx, { reason, now: state.at });
      }),
    blockConnected: (block, txs) => each((wallet) => connectBlock(wallet, { block, txs: minedTxs(txs) }, state.at)),
    blockDisconnected: (block, txs) => {
      const before = toPlace(activeBlock(chain, block.height - 1));
      each((wallet) => disconnectBlock(wallet, { block, txs: minedTxs(txs), before }, state.at));
    },
  });
}

export function walletNamed({ wallets }: Pick<NodeState, 'wallets'>, name: string): Wallet {
  const wallet = wallets.get(name);
  if (!wallet) throw new TypeError('an event names a wallet that is not there');
  return wallet;
}

/** Applies an event that the caller has validated. `at`: UNIX time. */
export function applyEvent(state: NodeState, at: number, event: NodeEvent): void {
  const { chain } = state;
  state.at = at;
  chain.now = at;
  switch (event.type) {
    case 'block':
      submitBlock(chain, event.block, event.bytes);
      break;
    case 'header':
      submitHeader(chain, event.header, event.isInvalid);
      break;
    case 'start':
      startChain(chain, event.header, event.height);
      for (const name of state.loaded) walletNamed(state, name).change({ tip: toPlace(activeTip(chain)) });
      break;
    case 'prepend':
      prependHeaders(chain, event.headers, genesisBlock(state.network));
      break;
    case 'prune':
      pruneBlocks(chain, event.kept);
      break;
    case 'headers':
      submitHeaders(chain, event.headers);
      break;
    case 'coins':
      updateCoins(chain, event.from);
      break;
    case 'filters':
      keepFilterHeaders(chain, event.headers);
      break;
    case 'invalidate':
      invalidateBlock(chain, blockKey(event.hash));
      break;
    case 'prefer':
      preferBlock(chain, blockKey(event.hash));
      break;
    case 'reconsider':
      reconsiderBlock(chain, blockKey(event.hash));
      break;
    case 'transaction':
      addTransaction(chain, chainTx(event.tx), event);
      break;
    case 'limit':
      limitMempool(chain);
      break;
    case 'drop':
      dropTransaction(chain, txKey(event.txid));
      break;
    case 'prioritise':
      prioritise(chain, txKey(event.txid), event.added, event.keepsZero);
      break;
    case 'waive':
      setWaived(chain, event.scriptPubKey, event.isOn);
      break;
    case 'estimate':
      setEstimates(chain, event.estimates);
      break;
    case 'create':
      setLoaded(state, create(state, newWalletRow(event, toPlace(activeTip(chain)))), true);
      break;
    case 'load':
      load(state, walletNamed(state, event.name));
      break;
    case 'restore': {
      const wallet = create(state, { ...event.from.row, name: event.name });
      copyWallet(event.from, wallet);
      dropTransientState(wallet);
      load(state, wallet);
      break;
    }
    case 'unload':
      setLoaded(state, walletNamed(state, event.name), false);
      dropTransientState(walletNamed(state, event.name));
      break;
    default:
      applyToWallet(state, walletNamed(state, event.name), event.event);
  }
}

function create(state: NodeState, row: WalletRow): Wallet {
  const owner = ownerRow(state.owners);
  const number = orderKey(owner.wallets);
  state.owners.set('', { ...owner, wallets: owner.wallets + 1 });
  state.rows.set(number, row);
  const wallet = walletAt(state, number);
  state.wallets.set(row.name, wallet);
  return wallet;
}

function setLoaded({ loaded, wallets }: NodeState, wallet: Wallet, isLoaded: boolean): void {
  let next = 0;
  for (const name of loaded) next = Math.max(next, (wallets.get(name)?.row.loaded ?? 0) + 1);
  wallet.change({ loaded: isLoaded ? next : undefined });
  if (isLoaded) loaded.add(wallet.row.name);
  else loaded.delete(wallet.row.name);
}

function load(state: NodeState, wallet: Wallet): void {
  setLoaded(state, wallet, true);
  restoreSavedState(wallet, state.at);
  catchUp(wallet, computeAbsence(wallet, state.chain), state.at);
}

/** Restores what Core reads from a wallet's file, and fills the keypool. */
function restoreSavedState(wallet: Wallet, now: number): void {
  const { descriptors, legacy } = wallet;
  legacy?.hd.topUp(now);
  if (wallet.rules.forgetsRivalSpends) restoreSpends(wallet);
  if (!descriptors) return;
  descriptors.reload();
  let birth = Number.POSITIVE_INFINITY;
  for (const { source } of descriptors.descriptors()) birth = Math.min(birth, source.timestamp);
  for (const { timeSmart } of recordsByArrival(wallet)) birth = Math.min(birth, timeSmart);
  wallet.change({ birth });
}

/** Locks an unloaded wallet and drops what Core keeps in memory only. */
function dropTransientState(wallet: Wallet): void {
  const { locked, legacy } = wallet;
  lockWallet(wallet);
  wallet.change({ unloads: wallet.row.unloads + 1, payTxFee: 0n });
  legacy?.forgetTimes();
  for (const [outpoint, { isPersistent }] of locked.entries()) if (!isPersistent) locked.delete(outpoint);
}

function applyToWallet(state: NodeState, wallet: Wallet, event: WalletEvent): void {
  if (event.type === 'rescan') rescan(wallet, scanWithin(state.chain, event), state.at);
  else applyWalletEvent(wallet, event, state.at);
}
