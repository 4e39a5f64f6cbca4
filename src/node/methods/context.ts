import type { RpcContext } from '../../answers/dialect/dialect.ts';
import {
  RPC_WALLET_NOT_FOUND,
  RPC_WALLET_NOT_SPECIFIED,
  RPC_WALLET_UNLOCK_NEEDED,
} from '../../answers/method/errorCodes.ts';
import type { Category, Method } from '../../answers/method/method.ts';
import { declareMethods, type RpcSignature } from '../../answers/method/method.ts';
import type { Param } from '../../answers/method/param.ts';
import type { Result } from '../../answers/method/results.ts';
import { RpcError } from '../../core/errors.ts';
import type { IdentityOptions } from '../bitcoindOptions.ts';
import type { BlockKey } from '../chain/blockHeader.ts';
import type { CoinIndex } from '../chain/coinIndex.ts';
import type { FilterIndex } from '../chain/filterIndex.ts';
import type { SpenderIndex, TxIndex } from '../chain/txIndex.ts';
import type { MempoolPolicy } from '../mempool/mempoolPolicy.ts';
import type { RefusalReason } from '../mempool/plannedRefusals.ts';
import type { MiningTerms, UnminedBlock } from '../mining/blockTemplate.ts';
import type { Node } from '../state/node.ts';
import { isLocked } from '../wallet/keys/vault.ts';
import type { View } from '../wallet/queries/txQueries.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import type { Subnet } from './network/subnet.ts';
import { walletMethodRules } from './walletMethodRules.ts';
import type { WalletSettings } from './walletOptions.ts';

/** File access for `backupwallet` and `restorewallet`. */
export interface BackupFiles {
  /** Finds the file that a request names. Absent if requests may name any. */
  readonly locate?: (path: string) => BackupPlace;
  /**
   * Writes a new file, all or nothing; only its owner may read it.
   * @returns the reason of a failure, as the end of a sentence; `is a directory` for a directory
   */
  readonly write: (path: string, content: Uint8Array) => string | undefined;
  /** Writes a file in the place of one that may exist. Absent if no file may be replaced. @returns as `write` */
  readonly replace?: (path: string, content: Uint8Array) => string | undefined;
  /** Reads a file. @returns its content, `missing`, or the reason of a failure */
  readonly read: (path: string) => Uint8Array | string;
}

/** A path, or why requests may not use it, as the end of a sentence: the same whether the file exists or not. */
export type BackupPlace = { readonly path: string } | { readonly fault: string };

/** What the node looks up by index, if its options say so. */
export interface Indexes {
  readonly txs: TxIndex | undefined;
  readonly coins: CoinIndex | undefined;
  readonly spenders: SpenderIndex | undefined;
  readonly filters: FilterIndex | undefined;
}

/** How the node makes blocks, and what it made. */
export interface Mining {
  readonly terms: MiningTerms;
  /** The last block, in weight units and transactions without the coinbase. */
  last?: { readonly weight: number; readonly count: number };
  /** The last one. */
  cached?: CachedTemplate | undefined;
}

/** A template of `getblocktemplate`. `updates`: changes of the mempool that it knows; `time`: UNIX time. */
export interface CachedTemplate {
  readonly tip: BlockKey;
  readonly updates: number;
  readonly time: number;
  readonly block: UnminedBlock;
}

/** What the node was told of others, until the process ends. */
export interface Peers {
  /** As `addnode` took them. */
  added: readonly string[];
  bans: readonly Ban[];
  /** What `setnetworkactive` says. */
  isNetworkActive: boolean;
}

/** A ban, in UNIX time. */
export interface Ban {
  readonly subnet: Subnet;
  readonly created: number;
  readonly until: number;
}

/** What a node publishes over ZeroMQ, as `getzmqnotifications` shows it. */
export interface ZmqNotification {
  /** Such as `pubhashblock`. */
  readonly type: string;
  readonly address: string;
  /** The most messages that wait for a reader; 0 for no limit. */
  readonly hwm: number;
}

export interface NodeContext extends RpcContext {
  readonly node: Node;
  readonly mempool: MempoolPolicy;
  readonly mining: Mining;
  readonly peers: Peers;
  readonly indexes: Indexes;
  readonly identity: IdentityOptions;
  readonly zmqNotifications: readonly ZmqNotification[];
  /** Why the next broadcasts are refused, whatever they are. */
  readonly refusals: RefusalReason[];
  /** Of all wallets. */
  readonly settings: WalletSettings;
  readonly walletName?: string | undefined;
  /** As error texts show it. */
  readonly walletDir?: string | undefined;
  /** Those of the dialect, for help. */
  readonly methods: readonly RpcSignature[];
  /** Absent where no server runs. */
  readonly onStop?: (() => void) | undefined;
  /** Absent if backups can be neither written nor read. */
  readonly backupFiles?: BackupFiles | undefined;
}

export interface WalletContext extends NodeContext {
  readonly wallet: Wallet;
}

export const nodeMethod = declareMethods<NodeContext, 'node'>('node');

const declareWalletMethod = declareMethods<WalletContext, 'wallet'>('wallet');

export const walletMethod = <const N extends string, const P extends readonly Param[], R extends Result>({
  category = 'wallet',
  ...declaration
}: Omit<Method<N, P, WalletContext, R, 'wallet'>, 'needs' | 'category'> & {
  readonly category?: Category;
}): Method<N, P, WalletContext, R, 'wallet'> => declareWalletMethod({ category, ...declaration });

const NO_WALLET =
  'No wallet is loaded. Load a wallet using loadwallet or create a new one with createwallet. (Note: A default wallet is no longer automatically created)';

/** Returns the named wallet, or else the only loaded one. @see Bitcoin Core `GetWalletForJSONRPCRequest` */
export function getWallet({ wallets, loaded }: Node, name: string | undefined, { dialect }: RpcContext): Wallet {
  const [only = '', ...others] = loaded;
  const wallet = wallets.get(name ?? only);
  if (name !== undefined) {
    if (wallet && loaded.has(name)) return wallet;
    throw new RpcError(RPC_WALLET_NOT_FOUND, 'Requested wallet does not exist or is not loaded');
  }
  if (!wallet || loaded.size === 0) throw new RpcError(RPC_WALLET_NOT_FOUND, NO_WALLET);
  if (others.length === 0) return wallet;
  throw new RpcError(RPC_WALLET_NOT_SPECIFIED, walletMethodRules[dialect.generation].severalWallets);
}

/** @see Bitcoin Core `IsDeprecatedRPCEnabled` */
export const isDeprecatedUsed = (name: string, { keeps }: RpcContext): boolean => keeps?.includes(name) ?? false;

export const createView = ({ wallet, node, settings }: WalletContext): View => ({
  wallet,
  chain: node.chain,
  now: node.now(),
  trustsOwn: settings.spendsOwnUnconfirmed,
});

export function assertUnlocked({ vault }: Wallet): void {
  if (!isLocked(vault)) return;
  throw new RpcError(
    RPC_WALLET_UNLOCK_NEEDED,
    'Error: Please enter the wallet passphrase with walletpassphrase first.',
  );
}
