import { byteName } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { decodeTransaction } from '../tx/codec.ts';
import { parseTxid } from '../tx/txid.ts';
import { applyWalletEvent, sealEvent } from './applyEvent.ts';
import { type Block, decodeBlock } from './block.ts';
import { invalidateBlock, reconsiderBlock, submitBlock } from './chain.ts';
import { activeBlock, type Chain, chainTx, createChain, tipOf } from './chainState.ts';
import { createWallet } from './createWallet.ts';
import type { NodeEvent, TimedEvent, WalletEvent } from './events.ts';
import { catchUp, connectBlock, disconnectBlock, missTransaction, seeTransaction } from './follow.ts';
import { addTransaction, dropTransaction } from './mempool.ts';
import type { WalletRules } from './rules.ts';
import { createMemoryStore, type JournalStore } from './store.ts';
import { lockVault, type Random } from './vault.ts';
import type { Wallet } from './walletState.ts';

/** What a node is made of. */
export interface NodeOptions {
  readonly network: Network;
  readonly rules: WalletRules;
  /** Where its life is written down. Default in memory only. */
  readonly store?: JournalStore;
  /** UNIX time in seconds, of a clock that is right; fractions count for how long a wallet stays unlocked. */
  readonly clock: () => number;
  readonly random: Random;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
}

/** A chain that is fed, and the wallets that follow it. It changes by events only. */
export interface Node {
  readonly network: Network;
  readonly rules: WalletRules;
  /** A block in hex, decoded; the last one is remembered. @throws as `decodeBlock` and `parseHex` do */
  readonly decodeBlock: (hex: string) => Block;
  readonly chain: Chain;
  /** All wallets there are, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Names of those that are loaded, in the order in which they were. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  /** UNIX time: of the clock, or the one that was set. */
  readonly now: () => number;
  /** The clock itself, with fractions. */
  readonly clock: () => number;
  readonly setTime: (time: number | undefined) => void;
  /** Has events happen. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /**
   * Writes down, as one, what has happened since the last time.
   * @throws BtcError `store/*`: then none of it has happened, and all wallets are locked; where not even the journal can
   *   be read, nothing is answered any more
   */
  readonly commit: () => void;
  /**
   * Writes down that a wallet is encrypted, and leaves none of its private keys in the clear. Where it has none, this is
   * one more event: with those since the last time, it is kept or is not.
   * @throws BtcError `store/*`
   */
  readonly encrypt: (name: string, event: Extract<WalletEvent, { type: 'encrypt' }>) => void;
  /** Locks wallets whose time is over by the clock. */
  readonly lockExpired: () => void;
  /** Locks all wallets and ends the use of the store. */
  readonly close: () => void;
}

/**
 * Opens a node: everything that was written down happens again, to the same end.
 * @throws BtcError `store/*`, `network/invalid`
 */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, ecc = nobleEcc } = options;
  const blockOf = rememberLast((hex: string) => decodeBlock(parseHex(hex), network));
  const relive = (): State => {
    const state = newState({ network, rules, ecc, blockOf });
    for (const entry of store.read()) {
      const { at, event } = timedEvent(entry);
      happen(state, at, event);
    }
    return state;
  };
  beginJournal(store, options);
  let state = relive();
  let unwritten: string[] = [];
  /** Set once nobody knows what has happened. */
  let lost: BtcError | undefined;
  let mockTime: number | undefined;
  const now = (): number => mockTime ?? Math.floor(clock());
  const lockAll = (): void => {
    for (const { vault } of state.wallets.values()) lockVault(vault);
  };
  /** Does, or leaves everything as the journal has it. */
  const orRelive = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      unwritten = [];
      lockAll();
      try {
        state = relive();
      } catch {
        lost = new BtcError('store/failed', { path: '', reason: 'what is kept shows when it is opened again' });
      }
      throw error;
    }
  };
  const current = (): State => {
    if (lost) throw lost;
    return state;
  };
  const commit = (): void =>
    orRelive(() => {
      if (unwritten.length > 0) store.append(unwritten);
      unwritten = [];
    });
  const change = (...events: readonly NodeEvent[]): void => {
    const at = now();
    orRelive(() => {
      for (const event of events) {
        happen(state, at, event);
        unwritten.push(JSON.stringify({ at, event } satisfies TimedEvent));
      }
    });
  };
  return {
    ...{ network, rules },
    decodeBlock: blockOf,
    get chain() {
      return current().chain;
    },
    get wallets() {
      return current().wallets;
    },
    get loaded() {
      return current().loaded;
    },
    random,
    now,
    clock,
    setTime: (time) => {
      mockTime = time;
    },
    change,
    commit,
    encrypt: (name, event) => {
      if (Object.keys(event.secrets).length === 0) return change({ type: 'wallet', name, event });
      commit();
      const at = now();
      const last: TimedEvent = { at, event: { type: 'wallet', name, event } };
      store.rewrite(sealed(store.read(), name, event, JSON.stringify(last)));
      happen(state, at, last.event);
    },
    lockExpired: () => {
      for (const { vault, unlockedUntil } of state.wallets.values()) if (clock() >= unlockedUntil) lockVault(vault);
    },
    close: () => {
      lockAll();
      store.close();
    },
  };
}

/** An entry of the journal, which `change` made. */
const timedEvent = (entry: string): TimedEvent => JSON.parse(entry) as TimedEvent;

/**
 * Writes the first entry of a journal in which nothing has happened yet: nothing is lost then if it was begun for
 * another network or dialect.
 * @throws BtcError `store/mismatch` for the journal of a life in another network or dialect
 */
function beginJournal(store: JournalStore, { network, rules, clock }: NodeOptions): void {
  const begin: NodeEvent = { type: 'begin', network: network.name, rules: rules.name };
  const first = [JSON.stringify({ at: Math.floor(clock()), event: begin } satisfies TimedEvent)];
  const [entry, another] = store.read();
  if (entry === undefined) {
    store.append(first);
    return;
  }
  const { event } = timedEvent(entry);
  if (JSON.stringify(event) === JSON.stringify(begin)) return;
  if (event.type === 'begin' && another === undefined) {
    store.rewrite(first);
    return;
  }
  const found = event.type === 'begin' ? `${event.network} ${event.rules}` : event.type;
  throw new BtcError('store/mismatch', { found, wanted: `${begin.network} ${begin.rules}` });
}

/** A function that need not be asked twice in a row for the same. */
function rememberLast<R>(work: (text: string) => R): (text: string) => R {
  let last: { readonly text: string; readonly result: R } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) };
    return last.result;
  };
}

function* sealed(
  entries: Iterable<string>,
  name: string,
  { secrets }: Extract<WalletEvent, { type: 'encrypt' }>,
  last: string,
): Iterable<string> {
  for (const entry of entries) {
    const { at, event } = timedEvent(entry);
    const isOurs = event.type === 'wallet' && event.name === name;
    yield isOurs ? JSON.stringify({ at, event: { ...event, event: sealEvent(event.event, secrets) } }) : entry;
  }
  yield last;
}

interface State {
  readonly network: Network;
  readonly rules: WalletRules;
  readonly ecc: Ecc;
  readonly blockOf: (hex: string) => Block;
  readonly chain: Chain;
  readonly wallets: Map<string, Wallet>;
  readonly loaded: Set<string>;
  /** When what happens happens. */
  at: number;
}

/** A chain that has just begun, and no wallets. */
function newState(given: Pick<State, 'network' | 'rules' | 'ecc' | 'blockOf'>): State {
  const state: State = {
    ...given,
    chain: createChain(given.network),
    wallets: new Map(),
    loaded: new Set(),
    at: 0,
  };
  follow(state);
  return state;
}

/** Tells the loaded wallets what happens to the chain. */
function follow(state: State): void {
  const { chain } = state;
  const each = (tell: (wallet: Wallet, now: number) => void): void => {
    for (const name of state.loaded) tell(walletNamed(state, name), state.at);
  };
  chain.listeners.add({
    transactionAdded: (one) => each((wallet, now) => seeTransaction(wallet, one, now)),
    transactionRemoved: (one, reason) => each((wallet, now) => missTransaction(wallet, one, reason, now)),
    blockConnected: (block) => each((wallet, now) => connectBlock(wallet, block, now)),
    blockDisconnected: (block) =>
      each((wallet, now) => disconnectBlock(wallet, block, activeBlock(chain, block.height - 1), now)),
  });
}

function walletNamed({ wallets }: Pick<State, 'wallets'>, name: string): Wallet {
  const wallet = wallets.get(name);
  if (!wallet) throw new BtcError('store/failed', { path: '', reason: `no wallet ${name}` });
  return wallet;
}

/** What a wallet has in memory only is gone once it is unloaded. */
function putAway({ vault, locked, legacy }: Wallet): void {
  lockVault(vault);
  legacy?.forgetTimes();
  for (const [name, { isPersistent }] of locked) if (!isPersistent) locked.delete(name);
}

function happen(state: State, at: number, event: NodeEvent): void {
  const { chain, network, ecc, rules, wallets, loaded } = state;
  state.at = at;
  switch (event.type) {
    case 'begin':
      break;
    case 'block':
      submitBlock(chain, state.blockOf(event.block));
      break;
    case 'invalidate':
      invalidateBlock(chain, byteName(parseHex(event.hash)));
      break;
    case 'reconsider':
      reconsiderBlock(chain, byteName(parseHex(event.hash)));
      break;
    case 'transaction':
      addTransaction(chain, chainTx(decodeTransaction(parseHex(event.transaction), { mweb: network.mweb })));
      break;
    case 'drop':
      dropTransaction(chain, byteName(parseTxid(event.txid)));
      break;
    case 'create':
      wallets.set(event.name, createWallet(event, { rules, network, ecc, tip: tipOf(chain) }));
      loaded.add(event.name);
      break;
    case 'load': {
      loaded.add(event.name);
      catchUp(walletNamed(state, event.name), chain, at);
      break;
    }
    case 'unload':
      loaded.delete(event.name);
      putAway(walletNamed(state, event.name));
      break;
    default:
      applyWalletEvent(walletNamed(state, event.name), event.event, { chain, network, ecc, now: at });
  }
}
