import type { DialectName } from '../../answers/dialect/dialectNames.ts';
import { type CallJson, typedCall } from '../../answers/method/call.ts';
import { parseAddress } from '../../core/address/address.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { networks } from '../../core/network/networks.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import { BITCOIND_OPTIONS, type BitcoindOptions } from '../../node/bitcoindOptions.ts';
import { activeTip, type Chain, findActiveBlock, txsInBlock } from '../../node/chain/chainState.ts';
import { COINBASE_MATURITY, totalValue } from '../../node/chain/spendRules.ts';
import type { FeeEstimate } from '../../node/chain/types.ts';
import { isWaived } from '../../node/chain/waivers.ts';
import { createNodeRpc, type NodeRpc, type NodeRpcOptions } from '../../node/createNodeRpc.ts';
import type { RefusalReason } from '../../node/mempool/plannedRefusals.ts';
import type { RpcMethods } from '../../node/registry.ts';
import { lockWallet } from '../../node/wallet/records/walletState.ts';
import { openAccounts, type RegtestAccount } from './accounts.ts';
import {
  assertBalance,
  assertCount,
  assertFeeRate,
  assertReason,
  assertSats,
  assertSeconds,
  assertTime,
  assertTimes,
} from './checkedArguments.ts';
import { buildLarge, type CongestionTerms, fillingCount } from './congestion.ts';
import {
  assertFunds,
  createFaucet,
  type Faucet,
  faucetAddress,
  keepOutput,
  payFrom,
  transactionHex,
} from './faucet.ts';
import { createFaults, type Refusal } from './faults.ts';
import { toEstimates } from './feeRates.ts';
import { type Impersonation, impersonate, setBalance } from './impersonation.ts';
import {
  type DoubleSpend,
  doubleSpend,
  type FeeSpike,
  pin,
  reorganize,
  type WithheldBlocks,
  withhold,
} from './incidents.ts';
import { createLink, type Link, relay } from './links.ts';
import type { EsploraOptions, Listening, ListenOptions, RpcListening } from './listen.ts';
import { seededRandom } from './random.ts';
import { createRewindableStore } from './rewindableStore.ts';
import { damagedState, formatState, parseState, type State } from './state.ts';
import type { Tools } from './tools.ts';
import { createWalletHandle, type RegtestWallet } from './wallet.ts';

/**
 * How a chain for tests begins; options of bitcoind have its names. By default, `fallbackfee` is 20 000 satoshi per 1000
 * virtual bytes, and `keypool` 10.
 */
export interface RegtestOptions extends BitcoindOptions {
  /** The release that answers. Default `core-31`. */
  readonly dialect?: DialectName;
  /** UNIX time of the chain's clock, which moves one second with each call that changes the tip. Default 1 750 000 000. */
  readonly time?: number;
  /** Makes the keys of wallets; the same seed makes the same ones. Default: a constant. */
  readonly seed?: string;
  /** The arithmetic. Default: @noble/secp256k1. */
  readonly ecc?: Ecc;
}

const OPTIONS: OptionNames<RegtestOptions> = {
  ...BITCOIND_OPTIONS,
  dialect: true,
  time: true,
  seed: true,
  ecc: true,
};

declare const snapshotBrand: unique symbol;

/** A state to which a chain can return. */
export interface Snapshot {
  readonly [snapshotBrand]: true;
}

/** A node of its own, in this process: it mines when it is told to. */
export interface Regtest {
  /** Calls methods as on a node. */
  readonly rpc: Pick<NodeRpc, 'call' | 'callJson' | 'context'>;
  /** Mines blocks, none for a count of 0. @returns their hashes. @throws `argument/invalid` for another number */
  readonly mine: (count?: number, address?: string) => readonly string[];
  /** Pays satoshi to an address out of coins of the chain's own, in a new block unless `isMined` is false. */
  readonly fund: (address: string, sats: bigint, options?: FundOptions) => Payment;
  /** Opens a wallet, and creates it first if there is none of that name. */
  readonly wallet: (name: string) => RegtestWallet;
  /**
   * Opens wallets whose seed words are known, the same at every start of a seed. The first call that asks for one pays
   * it, all in one transaction and a new block.
   *
   * - `count`: default 10
   * - `sats`: for each, default 10 coins
   */
  readonly accounts: (count?: number, sats?: bigint) => readonly RegtestAccount[];
  /**
   * Plays the owner of an address without its key: from now on, no node of this chain runs the scripts of inputs that spend
   * its coins, so that any transaction may. `warnings` of `getblockchaininfo` say so, since no other node follows the chain.
   */
  readonly impersonate: (address: string) => Impersonation;
  /**
   * Makes the confirmed coins of an address that can be spent worth so many satoshi, in a new block. To lower them, it
   * impersonates the address.
   */
  readonly setBalance: (address: string, sats: bigint) => void;
  /** UNIX time of the clock. */
  readonly time: () => number;
  /** Sets the clock to a later time. @throws `argument/invalid` for an earlier one */
  readonly setTime: (time: number) => void;
  /** Sets the clock forward by seconds. @throws `argument/invalid` for a negative number */
  readonly advance: (seconds: number) => void;
  readonly snapshot: () => Snapshot;
  /**
   * Returns to a snapshot: chain, mempool, wallets, the keys that follow, and clock. Nodes that were linked since then are
   * linked no more.
   */
  readonly rewind: (snapshot: Snapshot) => void;
  /** Writes all that a snapshot holds, keys included, as a text (JSON) for `load`. */
  readonly dump: () => string;
  /**
   * Continues from a text of `dump` in the place of what this chain holds; its wallets are locked, as after a start.
   * @throws BtcError `regtest/state` for a text that is damaged, or of a newer release or another dialect: nothing changes
   */
  readonly load: (text: string) => void;
  /** Starts another node with the same options, which gets all blocks and transactions, and passes on its own. */
  readonly link: (options?: Pick<RegtestOptions, 'seed'>) => Regtest;
  /** Cuts the links of this node, so that its chain and those of others part. */
  readonly disconnect: () => void;
  /** Restores the links, and all nodes follow the chain with the most work. */
  readonly reconnect: () => void;
  /** Lets the next calls of a method fail. Default: one. */
  readonly failNext: (method: keyof RpcMethods, refusal: Refusal, times?: number) => void;
  /**
   * Sets what estimators answer and wallets pay, in satoshi per virtual byte: one rate, or rates by target in blocks; nothing
   * returns to a node that has no estimates.
   */
  readonly setFeeRates: (rates?: number | Readonly<Record<number, number>>) => void;
  /**
   * Refuses the next broadcasts that a node would accept, for a reason of the release. Default: one. Leaves alone a package
   * whose transactions are accepted only together.
   * @throws BtcError `argument/invalid` for a reason that the release does not give
   */
  readonly refuseNext: (reason: RefusalReason, times?: number) => void;
  /** Replaces the last blocks by others, one more, without transactions. @returns the hashes of the new blocks */
  readonly reorganize: (count?: number) => readonly string[];
  /** Mines blocks that the node does not see before they are released. */
  readonly withhold: (count?: number) => WithheldBlocks;
  /** Mines a block with another spend of a coin that a transaction of the mempool spends; impersonates the owner. */
  readonly doubleSpend: (txid: string) => DoubleSpend;
  /**
   * Spends an output of a transaction of the mempool by a large transaction with a low fee rate, so that replacing it has to
   * pay for both; impersonates the owner of the output. @returns the txid of the large one
   */
  readonly pin: (txid: string, vout?: number) => string;
  /**
   * Lets estimators answer a fee rate, in satoshi per virtual byte, and fills each block with transactions that pay it, until
   * `end` of the result is called. Of several blocks that one call of the node brings, it fills the first.
   */
  readonly spike: (feeRate: number) => FeeSpike;
  /** Fills the next blocks with transactions that pay a fee rate, so that cheaper ones have to wait, as long as none pays more. */
  readonly congest: (terms: CongestionTerms) => readonly string[];
  /**
   * Listens for JSON-RPC requests over HTTP, as a node does, on this machine. Needs Node, Bun or Deno.
   *
   * - `port`: default any free one
   * - `rest`: answers REST requests, too, without a login; default false
   */
  readonly listen: (options?: ListenOptions) => Promise<RpcListening>;
  /** Listens for requests of the Esplora HTTP API, without a login, on this machine. Needs Node, Bun or Deno. */
  readonly listenEsplora: (options?: EsploraOptions) => Promise<Listening>;
  /** Ends the node and what listens. */
  readonly close: () => Promise<void>;
}

/** How a payment of the chain is sent. */
export interface FundOptions {
  /** Default true. */
  readonly isMined?: boolean;
}

/** An output that pays an address. */
export interface Payment {
  readonly txid: string;
  readonly vout: number;
}

const START = 1_750_000_000;
const SEED = 'countersign regtest';
/** In satoshi per 1000 virtual bytes. */
const FALLBACK_FEE = 20_000;
const ACCOUNT_SATS = 1_000_000_000n;
/** Deriving a thousand keys of each kind takes seconds. */
const KEYPOOL = 10;
const FUND_OPTIONS: OptionNames<FundOptions> = { isMined: true };
const CONGESTION_TERMS: OptionNames<CongestionTerms> = { feeRate: 'needed', blocks: true };

/**
 * Starts a regtest node in this process.
 * @throws BtcError `option/unknown`, `dialect/unknown`
 *
 * @example
 * ```ts
 * import { startRegtest } from 'countersign/regtest';
 *
 * const chain = startRegtest();
 * const alice = chain.wallet('alice');
 * chain.fund(alice.address(), 100_000_000n);
 * alice.send(alice.address(), 25_000_000n);
 * chain.mine();
 * alice.call('listunspent').length; // 2
 * chain.rpc.call('getblockcount'); // 103
 * ```
 */
export function startRegtest(options: RegtestOptions = {}): Regtest {
  assertKnownOptions(options, OPTIONS);
  return openRegtest(options).chain;
}

/** Starts a chain with its node, for the command line. */
export const openRegtest = (options: NodeStart): Started => startNode(options, { links: new Set(), count: 1 });

type NodeStart = RegtestOptions & Pick<NodeRpcOptions, 'onStop' | 'zmqNotifications'>;

/** Linked nodes. */
interface Group {
  readonly links: Set<Link>;
  count: number;
}

/** A spike that lasts. */
interface Spiking {
  readonly feeRate: number;
}

/** What a snapshot keeps. */
interface Kept {
  readonly state: State;
  readonly links: ReadonlySet<Link>;
  readonly count: number;
}

interface Started {
  readonly chain: Regtest;
  readonly inner: NodeRpc;
  readonly restore: (to: State) => void;
}

function startNode(options: NodeStart, group: Group): Started {
  const { dialect = 'core-31', time = START, seed = SEED, ecc, ...settings } = options;
  assertTime(time);
  const store = createRewindableStore();
  const states = new WeakMap<Snapshot, Kept>();
  const closing = new Set<Listening>();
  const random = seededRandom(seed);
  let faucet = createFaucet({ number: group.count });
  const ownAddress = (): string => faucetAddress(faucet);
  let now = time;
  let lastTime = (): number => 0;
  const inner = createNodeRpc({
    network: 'regtest',
    dialect,
    // Blocks of linked nodes may be ahead.
    clock: () => Math.max(now, lastTime()),
    random: random.draw,
    fallbackfee: FALLBACK_FEE,
    keypool: KEYPOOL,
    ...settings,
    ...(ecc && { ecc }),
    store,
  });
  const { node } = inner;
  lastTime = () => activeTip(node.chain).time;
  const faults = createFaults();
  let spiking: Spiking | undefined;
  /** How many calls of the chain's own run, one in another: planned faults are not for them. */
  let ownCalls = 0;
  const clearFaults = (): void => {
    faults.clear();
    spiking = undefined;
    inner.inContext(({ refusals }) => refusals.splice(0));
  };
  const callJson: CallJson = (method, ...rest) => {
    if (ownCalls === 0) faults.check(method);
    const { hash } = activeTip(node.chain);
    const before = node.now();
    try {
      return inner.callJson(method, ...rest);
    } finally {
      // So that a block in the place of one that was taken back is another.
      const isNewTip = activeTip(node.chain).hash !== hash;
      if (isNewTip) now = Math.max(before, node.now()) + 1;
      relay(group.links);
      if (isNewTip && ownCalls === 0) refill();
    }
  };
  const rpc = { context: inner.context, callJson, call: typedCall<RpcMethods>(callJson) };
  const mine: Regtest['mine'] = (count = 1, address = ownAddress()) => {
    assertCount(count);
    // Each block of a spike is to be full.
    if (spiking && count > 1) return Array.from({ length: count }, () => mine(1, address)).flat();
    const hashes = rpc.call('generatetoaddress', [count, address]);
    if (address === ownAddress()) keepRewards(faucet, node.chain, hashes.length);
    return hashes;
  };
  const send = (tx: Transaction): string => rpc.call('sendrawtransaction', [transactionHex(tx), 0]);
  /** Mines blocks that confirm nothing. */
  const mineEmpty = (count: number): void => {
    if (node.chain.mempool.size === 0) mine(count);
    else for (let block = 0; block < count; block += 1) mineThese([]);
  };
  const mineThese = (txs: readonly Transaction[]): string => {
    const { hash } = rpc.call('generateblock', [ownAddress(), txs.map(transactionHex)]);
    keepRewards(faucet, node.chain, 1);
    return hash;
  };
  /** Does what the caller has asked of the chain rather than of the node. */
  const onItsOwn =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      const { hash } = activeTip(node.chain);
      const waiting = inner.inContext(({ refusals }) => refusals.splice(0));
      ownCalls += 1;
      try {
        return work(...args);
      } finally {
        ownCalls -= 1;
        inner.inContext(({ refusals }) => refusals.unshift(...waiting));
        if (ownCalls === 0 && activeTip(node.chain).hash !== hash) refill();
      }
    };
  /** Mines until the faucet has the coins for a transaction. */
  const build = (sats: bigint, make: () => Transaction | undefined): Transaction => {
    for (let tx = make(); ; tx = make()) {
      if (tx) return tx;
      assertFunds(faucet, node.chain, sats);
      mineEmpty(Math.max(1, COINBASE_MATURITY + 1 - activeTip(node.chain).height));
    }
  };
  const pay = (outputs: readonly TxOut[]): string =>
    send(build(totalValue(outputs), () => payFrom(faucet, node.chain, outputs)));
  const congest: Regtest['congest'] = (terms) => {
    assertKnownOptions(terms, CONGESTION_TERMS);
    assertFeeRate(terms.feeRate);
    assertCount(terms.blocks ?? 1);
    // Building them may mine blocks, which would take those that were sent.
    const txs = Array.from({ length: fillingCount(terms) }, () =>
      build(1n, () => buildLarge(faucet, node.chain, terms.feeRate)),
    );
    return txs.map(send);
  };
  /** Fills the next block, as long as a spike lasts. */
  const refill = (): void => {
    const lasting = spiking;
    if (!lasting) return;
    // Blocks that are mined for its coins are not filled.
    spiking = undefined;
    onItsOwn(congest)({ feeRate: lasting.feeRate });
    spiking = lasting;
  };
  const setEstimates = (estimates: readonly FeeEstimate[]): void =>
    inner.inContext(() => node.change({ type: 'estimate', estimates }));
  const fund: Regtest['fund'] = (address, sats, given = {}) => {
    assertKnownOptions(given, FUND_OPTIONS);
    assertSats(sats);
    const txid = pay([{ value: sats, scriptPubKey: parseAddress(address, networks.regtest) }]);
    if (given.isMined ?? true) mine();
    return { txid, vout: 0 };
  };
  const setOpen = (isOpen: boolean): void => {
    for (const link of group.links) if (link.ends.includes(inner)) link.isOpen = isOpen;
    relay(group.links);
  };
  const open = async <T extends Listening>(listening: Promise<T>): Promise<T> => {
    const opened = await listening;
    closing.add(opened);
    return opened;
  };
  const state = (): State => ({
    records: store.records(),
    time: now,
    mockTime: node.mockTime(),
    faucet: { number: faucet.number, coins: faucet.coins },
    random: random.position,
  });
  const restore = (to: State): void => {
    store.rewind(to.records);
    now = to.time;
    node.setTime(to.mockTime);
    faucet = createFaucet(to.faucet);
    random.position = to.random;
    // Reads the records anew.
    node.inCall(() => undefined);
    for (const { ends } of group.links) {
      if (ends.includes(inner)) for (const end of ends) if (end !== inner) waiveAs(end, inner);
    }
  };
  const tools: Tools = {
    call: rpc.call,
    node,
    faucet: () => faucet,
    fund,
    mineOnly: (tx) => mineThese([tx]),
    send,
    build,
    waiving: (scriptPubKey, work) => {
      const nodes = new Set([inner, ...[...group.links].flatMap(({ ends }) => ends)]);
      const added = [...nodes].filter((each) => !isWaived(each.node.chain, scriptPubKey));
      for (const each of added) setWaived(each, scriptPubKey, true);
      try {
        return work();
      } catch (error) {
        for (const each of added) setWaived(each, scriptPubKey, false);
        throw error;
      }
    },
    copy: () => {
      group.count += 1;
      const other = startNode(options, { links: new Set(), count: group.count });
      other.restore({ ...state(), faucet: { number: group.count, coins: [] } });
      return other.chain;
    },
  };
  const chain: Regtest = {
    rpc,
    mine,
    fund: onItsOwn(fund),
    wallet: (name) => createWalletHandle(rpc.call, name),
    accounts: onItsOwn((count = 10, sats = ACCOUNT_SATS) => {
      const terms = { count, sats, seed: random.position.seed, ecc };
      return openAccounts(rpc.call, terms, {
        assertFunds: (total) => assertFunds(faucet, node.chain, total),
        pay: (outputs) => {
          pay(outputs);
          mine();
        },
      });
    }),
    time: () => node.now(),
    advance: (seconds) => {
      assertSeconds(seconds, node.now());
      now = node.now() + seconds;
    },
    snapshot: () => {
      const snapshot = {} as Snapshot;
      states.set(snapshot, { state: state(), links: new Set(group.links), count: group.count });
      return snapshot;
    },
    rewind: (snapshot) => {
      const kept = states.get(snapshot);
      if (!kept) throw new TypeError('rewind needs a snapshot of the same chain');
      for (const link of group.links) if (!kept.links.has(link)) group.links.delete(link);
      group.count = kept.count;
      restore(kept.state);
      clearFaults();
    },
    dump: () => formatState(state()),
    load: (text) => {
      const [before, loaded] = [state(), parseState(text, node.rules.name)];
      try {
        restore(loaded);
      } catch {
        restore(before);
        throw damagedState();
      }
      // A wallet of the same number may have been unlocked.
      for (const wallet of node.wallets.values()) lockWallet(wallet);
      group.count = Math.max(group.count, faucet.number);
      clearFaults();
    },
    link: (more = {}) => {
      group.count += 1;
      const other = startNode({ ...options, seed: `${random.position.seed} ${group.count}`, ...more }, group);
      waiveAs(inner, other.inner);
      group.links.add(createLink([inner, other.inner]));
      relay(group.links);
      return other.chain;
    },
    disconnect: () => setOpen(false),
    reconnect: () => setOpen(true),
    failNext: faults.add,
    congest: onItsOwn(congest),
    impersonate: (address) => impersonate(address, tools),
    setBalance: onItsOwn((address, sats) => {
      assertBalance(sats);
      setBalance(address, sats, tools);
    }),
    setTime: (to) => {
      assertTime(to, node.now());
      now = to;
    },
    setFeeRates: (rates) => setEstimates(toEstimates(rates)),
    refuseNext: (reason, times = 1) => {
      assertTimes(times);
      inner.inContext(({ mempool, refusals }) => {
        assertReason(reason, mempool);
        refusals.push(...Array.from({ length: times }, () => reason));
      });
    },
    reorganize: onItsOwn((count = 1) => reorganize(count, tools)),
    withhold: (count = 1) => {
      const { hashes, release } = withhold(count, tools);
      return { hashes, release: onItsOwn(release) };
    },
    doubleSpend: onItsOwn((txid) => doubleSpend(txid, tools)),
    pin: onItsOwn((txid, vout = 0) => pin(txid, vout, tools)),
    spike: (feeRate) => {
      assertFeeRate(feeRate);
      const before = node.chain.estimates.get('') ?? [];
      const spike = { feeRate };
      setEstimates(toEstimates(feeRate));
      spiking = spike;
      refill();
      return {
        end: () => {
          // Another spike, or a rewind, has ended it.
          if (spiking !== spike) return;
          spiking = undefined;
          setEstimates(before);
        },
      };
    },
    listen: (given = {}) => open(import('./listen.ts').then(({ listenRpc }) => listenRpc({ ...inner, ...rpc }, given))),
    listenEsplora: (given = {}) =>
      open(import('./listen.ts').then(({ listenForEsplora }) => listenForEsplora(inner, given))),
    close: async () => {
      await Promise.all([...closing].map((listening) => listening.close()));
      inner.close();
    },
  };
  return { chain, inner, restore };
}

function setWaived({ inContext, node }: NodeRpc, scriptPubKey: Uint8Array, isOn: boolean): void {
  inContext(() => node.change({ type: 'waive', scriptPubKey, isOn }));
}

/** Waives in a node what is waived in another, whose blocks it is to follow. */
function waiveAs(from: NodeRpc, to: NodeRpc): void {
  for (const script of from.node.chain.waived.keys()) setWaived(to, parseHex(script), true);
}

/** Keeps the coins of the last blocks for the faucet. */
function keepRewards(faucet: Faucet, chain: Chain, count: number): void {
  const { height } = activeTip(chain);
  for (let at = height - count + 1; at <= height; at += 1) {
    const block = findActiveBlock(chain, at);
    const coinbase = block && txsInBlock(chain, block)[0];
    if (coinbase) keepOutput(faucet, coinbase.tx, 0);
  }
}
