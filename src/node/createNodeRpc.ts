import type { Rpc } from '../answers/createRpc.ts';
import { RPC_OPTIONS, type RpcContext, type RpcOptions, resolveContext } from '../answers/dialect/dialect.ts';
import type { JsonValue } from '../answers/json/jsonValue.ts';
import { type CallJson, typedCall } from '../answers/method/call.ts';
import { RPC_DATABASE_ERROR, RPC_METHOD_NOT_FOUND } from '../answers/method/errorCodes.ts';
import type { RpcAnswer } from '../answers/method/method.ts';
import { readParams, runMethod } from '../answers/method/readParams.ts';
import { assertKnownOptions, assertList, assertShape, type OptionNames } from '../core/bytes/knownOptions.ts';
import { nobleEcc } from '../core/crypto/nobleEcc.ts';
import type { Scrypt } from '../core/crypto/sealing.ts';
import { createSignatureCache, withSignatureCache } from '../core/crypto/signatureCache.ts';
import { BtcError, isBtcError, RpcError } from '../core/errors.ts';
import { isWithin } from '../core/generations.ts';
import { BITCOIND_OPTIONS, type BitcoindOptions, settleOptions } from './bitcoindOptions.ts';
import { mayReturn } from './mempool/acceptance.ts';
import { findExcess } from './mempool/excess.ts';
import { overflowing } from './mempool/trim.ts';
import { type BackupFiles, getWallet, type NodeContext, type Peers, type ZmqNotification } from './methods/context.ts';
import { createValidation } from './methods/gate.ts';
import { chainOutputs } from './methods/nodeOutputs.ts';
import { reloadMempool } from './methods/reloadMempool.ts';
import { walletDialects } from './methods/walletDialect.ts';
import { walletSettings } from './methods/walletOptions.ts';
import {
  assertOptionKinds,
  createIndexes,
  createMempoolPolicy,
  createMining,
  createNodeRules,
  pickRpcOptions,
} from './nodeOptions.ts';
import { findMethod, methodsIn, type RpcMethods } from './registry.ts';
import { checkWallets } from './state/checkWallets.ts';
import { type Node, openNode } from './state/node.ts';
import type { RecordStore, SharedStore } from './store/recordStore.ts';
import type { Random } from './wallet/keys/vault.ts';

/** The dependencies of a node. */
export interface NodeRpcOptions extends RpcOptions, BitcoindOptions {
  /** Keeps the chain and the wallets. Default: the node lives in memory only. */
  readonly store?: RecordStore | SharedStore;
  /** Absolute path of the wallet directory, for error texts. Default: they show the wallet's name only. */
  readonly walletDir?: string;
  /** Access to files for `backupwallet` and `restorewallet`. Default: these methods fail. */
  readonly backupFiles?: BackupFiles;
  /** Returns UNIX time in seconds; fractions count for unlock times. */
  readonly clock: () => number;
  /**
   * Returns seconds of a monotonic clock, such as `performance.now() / 1000`. A wallet locks at the earlier deadline of
   * both clocks. Default `clock`: setting it back then keeps a wallet unlocked for longer.
   */
  readonly steadyClock?: () => number;
  /**
   * The hash of a block whose ancestors may have been accepted without running their scripts, as in Core's
   * `-assumevalid`; `0` for none, or `all` for blocks that a node of yours has validated. Default: the block that the
   * network's Core knows, if any.
   */
  readonly assumevalid?: string;
  /** The scrypt for passphrases of wallets. Default: that of @noble/hashes, which is slow. */
  readonly scrypt?: Scrypt;
  /** Stops the server of the node, for `stop`. Default: this method fails. */
  readonly onStop?: () => void;
  /** What the caller publishes of the node over ZeroMQ, for `getzmqnotifications`. Default: nothing. */
  readonly zmqNotifications?: readonly ZmqNotification[];
  /** Returns cryptographically secure random bytes. */
  readonly random: Random;
}

const NODE_OPTIONS: OptionNames<NodeRpcOptions> = {
  ...RPC_OPTIONS,
  ...BITCOIND_OPTIONS,
  store: true,
  walletDir: true,
  backupFiles: true,
  clock: 'needed',
  steadyClock: true,
  assumevalid: true,
  scrypt: true,
  onStop: true,
  zmqNotifications: true,
  random: 'needed',
};

/** A dispatcher with a chain of submitted blocks, and wallets that follow it. */
export interface NodeRpc extends Rpc<RpcMethods> {
  /**
   * The state that the methods work on, for the command line.
   * @internal
   */
  readonly node: Node;
  /**
   * Runs work as a call, on what the methods work on. @throws RpcError -20
   * @internal
   */
  readonly inContext: <T>(work: (context: NodeContext) => T) => T;
  /** Locks wallets whose unlock time is over, as every call does. Call it on a timer between calls. */
  readonly lockExpired: () => void;
  /**
   * Verifies that the records of each wallet agree with each other: that every private key and script is there, and
   * every transaction, wherever it is looked up. @throws BtcError `store/corrupt` at the first fault
   */
  readonly checkWallets: () => void;
  /** Judges the transactions of the mempool anew, as a node does when it starts. */
  readonly reloadMempool: () => void;
  /** Locks all wallets and closes the store. */
  readonly close: () => void;
}

/**
 * Makes a dispatcher of all methods, including those of a node and its wallets.
 * @throws BtcError `argument/invalid`, `network/unknown`, `network/invalid`, `dialect/unknown`, `store/*`
 *
 * @example
 * ```ts
 * import { createNodeRpc } from 'countersign/rpc';
 *
 * const rpc = createNodeRpc({
 *   network: 'regtest',
 *   dialect: 'core-31',
 *   clock: () => 1_750_000_000,
 *   random: (size) => crypto.getRandomValues(new Uint8Array(size)),
 * });
 * rpc.call('createwallet', ['watcher', true]);
 * rpc.call('listunspent', [], 'watcher').length; // 0
 * rpc.call('getblockcount'); // 0
 * ```
 */
export function createNodeRpc(options: NodeRpcOptions): NodeRpc {
  assertKnownOptions(options, NODE_OPTIONS);
  assertOptionKinds(options);
  for (const name of ['clock', 'random'] as const) assertShape(name, typeof options[name] === 'function', 'a function');
  const { store, walletDir, backupFiles, clock, steadyClock = clock, scrypt, onStop, random, assumevalid } = options;
  const { zmqNotifications = [] } = options;
  assertList('zmqNotifications', zmqNotifications);
  const asked = resolveContext(pickRpcOptions(options));
  // What a wallet signed or the mempool accepted is not verified again in a block.
  const ecc = withSignatureCache(asked.ecc ?? nobleEcc, createSignatureCache());
  const resolved = { ...asked, ecc };
  const { network, dialect } = resolved;
  const settled = settleOptions(options, dialect.name);
  const node = openNode({
    network,
    rules: createNodeRules(dialect, settled),
    validation: createValidation(dialect, assumevalid),
    maxTipAge: settled.maxtipage,
    clock,
    steadyClock,
    scrypt,
    random,
    ...(store && { store }),
    ecc,
  });
  const { previousTransactions } = walletDialects[dialect.name];
  const mempool = createMempoolPolicy(resolved, settled);
  node.chain.mayReturn = (tx, returned) => mayReturn(node.chain, mempool, tx, returned);
  node.chain.overflowing = (returned) => overflowing(node.chain, mempool, returned);
  node.chain.excess = () => findExcess(node.chain, mempool);
  node.chain.bytesPerSigOp = settled.bytespersigop;
  const methods = methodsIn(dialect.generation);
  const context: RpcContext = {
    ...resolved,
    keeps: options.deprecatedrpc,
    bytesPerSigOp: settled.bytespersigop,
    chain: chainOutputs(() => node.chain, previousTransactions),
  };
  const mining = createMining(resolved, mempool, settled);
  const peers: Peers = { added: [], bans: [], isNetworkActive: true };
  const settings = walletSettings(dialect.generation, options, settled);
  const indexes = createIndexes(node.chain, options);
  const { uacomment, disablewallet, deprecatedrpc, debuglogfile } = options;
  const identity = { uacomment, disablewallet, deprecatedrpc, debuglogfile };
  const parts = {
    refusals: [],
    ...{ node, mempool, mining, peers, indexes, identity, zmqNotifications, settings, walletDir, backupFiles, methods },
    onStop,
  };
  // As in Core, a call that fails keeps its earlier changes.
  const inContext: NodeRpc['inContext'] = (work) =>
    withStoreErrors(() => node.inCall(() => work({ ...context, ...parts })));
  const callJson: CallJson = (name, params, walletName, form = context.form) =>
    inContext((whole) => answer(name, params, { ...whole, form, walletName }));
  return {
    context,
    node,
    inContext,
    callJson,
    call: typedCall(callJson),
    lockExpired: node.lockExpired,
    reloadMempool: () => node.inCall(() => reloadMempool({ ...context, ...parts })),
    checkWallets: () => checkWallets(node),
    close: node.close,
  };
}

function answer(name: string, params: JsonValue, context: NodeContext): RpcAnswer {
  const { node, dialect, walletName } = context;
  node.lockExpired();
  const method = findMethod(name);
  const isOff = method?.needs === 'wallet' && context.identity.disablewallet === true;
  if (!method || isOff || !isWithin(dialect.generation, method)) {
    throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
  }
  const args = readParams(method, params, context);
  return method.needs === 'wallet'
    ? runMethod(method, args, { ...context, wallet: getWallet(node, walletName, context) })
    : runMethod(method, args, context);
}

/** Turns a failure of the store into an RPC error. @throws RpcError -20 */
function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BtcError && error.code.startsWith('store/'))) throw error;
    const isUnsure = isBtcError(error, 'store/failed') && error.data.isUnsure;
    throw new RpcError(RPC_DATABASE_ERROR, isUnsure ? error.message : `Nothing was changed: ${error.message}`, {
      cause: error,
    });
  }
}
