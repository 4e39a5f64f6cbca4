import { byteName } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { decodeTransaction } from '../tx/codec.ts';
import { applyWalletEvent, sealEvent } from './applyEvent.ts';
import { decodeBlock } from './block.ts';
import { invalidateBlock, submitBlock } from './chain.ts';
import { activeBlock, type Chain, chainTx, createChain, tipOf } from './chainState.ts';
import { createWallet } from './createWallet.ts';
import type { NodeEvent, TimedEvent, WalletEvent } from './events.ts';
import { catchUp, connectBlock, disconnectBlock, missTransaction, seeTransaction } from './follow.ts';
import { addTransaction } from './mempool.ts';
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
  /** UNIX time in seconds, of a clock that is right. */
  readonly clock: () => number;
  readonly random: Random;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
}

/** A chain that is fed, and the wallets that follow it. It changes by events only, each written down before it happens. */
export interface Node {
  readonly network: Network;
  readonly rules: WalletRules;
  readonly chain: Chain;
  /** All wallets there are, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Names of those that are loaded, in the order in which they were. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  /** UNIX time: of the clock, or the one that was set. */
  readonly now: () => number;
  /** The clock itself. */
  readonly clock: () => number;
  readonly setTime: (time: number | undefined) => void;
  /**
   * Writes events down, and has them happen.
   * @throws BtcError `store/*`: then nothing has happened
   */
  readonly commit: (...events: readonly NodeEvent[]) => void;
  /** Writes down that a wallet is encrypted, and leaves none of its private keys in the clear. @throws BtcError `store/*` */
  readonly encrypt: (name: string, event: Extract<WalletEvent, { type: 'encrypt' }>) => void;
  /** Locks all wallets and ends the use of the store. */
  readonly close: () => void;
}

/**
 * Opens a node: everything that was written down happens again, to the same end.
 * @throws BtcError `store/*`, `network/invalid`
 */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, ecc = nobleEcc } = options;
  const state: State = {
    ...{ network, rules, ecc },
    chain: createChain(network),
    wallets: new Map(),
    loaded: new Set(),
    at: 0,
  };
  follow(state);
  let isNew = true;
  for (const entry of store.read()) {
    // Written by `commit`.
    const { at, event } = JSON.parse(entry) as TimedEvent;
    if (isNew) assertSame(event, options);
    isNew = false;
    happen(state, at, event);
  }
  if (isNew) {
    const event: NodeEvent = { type: 'begin', network: network.name, rules: rules.name };
    store.append([JSON.stringify({ at: clock(), event })]);
  }
  let mockTime: number | undefined;
  const now = (): number => mockTime ?? clock();
  return {
    ...state,
    random,
    now,
    clock,
    setTime: (time) => {
      mockTime = time;
    },
    commit: (...events) => {
      const at = now();
      store.append(events.map((event) => JSON.stringify({ at, event })));
      for (const event of events) happen(state, at, event);
    },
    encrypt: (name, event) => {
      const at = now();
      const last: TimedEvent = { at, event: { type: 'wallet', name, event } };
      store.rewrite(sealed(store.read(), name, event, JSON.stringify(last)));
      happen(state, at, last.event);
    },
    close: () => {
      for (const { vault } of state.wallets.values()) lockVault(vault);
      store.close();
    },
  };
}

/** @throws BtcError `store/failed` for a journal of another chain or generation */
function assertSame(event: NodeEvent, { network, rules }: NodeOptions): void {
  const began = event.type === 'begin' ? `${event.network}, ${event.rules}` : 'something else';
  const wanted = `${network.name}, ${rules.name}`;
  if (began !== wanted) throw new BtcError('store/failed', { path: '', reason: `is of ${began}, not of ${wanted}` });
}

function* sealed(
  entries: Iterable<string>,
  name: string,
  { secrets }: Extract<WalletEvent, { type: 'encrypt' }>,
  last: string,
): Iterable<string> {
  for (const entry of entries) {
    const { at, event } = JSON.parse(entry) as TimedEvent;
    const isOurs = event.type === 'wallet' && event.name === name;
    yield isOurs ? JSON.stringify({ at, event: { ...event, event: sealEvent(event.event, secrets) } }) : entry;
  }
  yield last;
}

interface State {
  readonly network: Network;
  readonly rules: WalletRules;
  readonly ecc: Ecc;
  readonly chain: Chain;
  readonly wallets: Map<string, Wallet>;
  readonly loaded: Set<string>;
  /** When what happens happens. */
  at: number;
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

function happen(state: State, at: number, event: NodeEvent): void {
  const { chain, network, ecc, rules, wallets, loaded } = state;
  state.at = at;
  switch (event.type) {
    case 'begin':
      break;
    case 'block':
      submitBlock(chain, decodeBlock(parseHex(event.block), network));
      break;
    case 'invalidate':
      invalidateBlock(chain, byteName(parseHex(event.hash)));
      break;
    case 'transaction':
      addTransaction(chain, chainTx(decodeTransaction(parseHex(event.transaction), { mweb: network.mweb })));
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
      lockVault(walletNamed(state, event.name).vault);
      break;
    default:
      applyWalletEvent(walletNamed(state, event.name), event.event, { chain, network, ecc, now: at });
  }
}
