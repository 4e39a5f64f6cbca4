import type { RpcContext } from '../../answers/dialect/dialect.ts';
import {
  RPC_WALLET_NOT_FOUND,
  RPC_WALLET_NOT_SPECIFIED,
  RPC_WALLET_UNLOCK_NEEDED,
} from '../../answers/method/errorCodes.ts';
import { declareMethods } from '../../answers/method/method.ts';
import { RpcError } from '../../core/errors.ts';
import type { MempoolPolicy } from '../mempool/mempoolPolicy.ts';
import type { Node } from '../state/node.ts';
import { isLocked } from '../wallet/keys/vault.ts';
import type { View } from '../wallet/queries/txQueries.ts';
import { compareRecords, recordsById } from '../wallet/records/records.ts';
import type { Wallet, WalletTx } from '../wallet/records/walletState.ts';
import { walletMethodRules } from './walletMethodRules.ts';

/** The access to files that `backupwallet` and `restorewallet` need. */
export interface BackupFiles {
  /** Finds the file that a request names. Absent if requests may name any. */
  readonly locate?: (path: string) => BackupPlace;
  /**
   * Writes a new file, whole or not at all; only its owner may read it.
   * @returns why it could not be written, as the end of a sentence; `is a directory` for a directory
   */
  readonly write: (path: string, content: Uint8Array) => string | undefined;
  /** Reads a file. @returns its content, `missing`, or why it could not be read */
  readonly read: (path: string) => Uint8Array | string;
}

/** The path of a file, or why requests may not use it, as the end of a sentence: the same whether the file exists or not. */
export type BackupPlace = { readonly path: string } | { readonly fault: string };

/** The context of the methods of a node. */
export interface NodeContext extends RpcContext {
  readonly node: Node;
  /** Policy of the mempool for new transactions. */
  readonly mempool: MempoolPolicy;
  /** The wallet that the request names, if any. */
  readonly walletName?: string | undefined;
  /** The wallet directory as error texts show it, if any. */
  readonly walletDir?: string | undefined;
  /** Absent if backups can be neither written nor read. */
  readonly backupFiles?: BackupFiles | undefined;
}

/** The context of the methods of a wallet. */
export interface WalletContext extends NodeContext {
  readonly wallet: Wallet;
}

/** Declares a method of the node that needs no wallet. */
export const nodeMethod = declareMethods<NodeContext, 'node'>('node');

/** Declares a method of the wallet that the request names. */
export const walletMethod = declareMethods<WalletContext, 'wallet'>('wallet');

const NO_WALLET =
  'No wallet is loaded. Load a wallet using loadwallet or create a new one with createwallet. (Note: A default wallet is no longer automatically created)';

/**
 * Returns the wallet that a request names, or else the only loaded one.
 * @throws RpcError -18, -19
 * @see Bitcoin Core `GetWalletForJSONRPCRequest`
 */
export function walletOf({ wallets, loaded }: Node, name: string | undefined, { dialect }: RpcContext): Wallet {
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

/** Lists all wallet transactions in the order of a node. */
export const recordsInOrder = ({ wallet, dialect }: WalletContext): readonly WalletTx[] =>
  walletMethodRules[dialect.generation].listsByArrival ? wallet.ordered : recordsById(wallet);

/** Brings some of the wallet's transactions into the order of a node. */
export const inOrder = (records: readonly WalletTx[], context: WalletContext): readonly WalletTx[] =>
  [...records].sort(orderOf(context));

/** Returns the order in which a node lists transactions. */
export const orderOf = ({ dialect }: WalletContext): ((a: WalletTx, b: WalletTx) => number) =>
  walletMethodRules[dialect.generation].listsByArrival ? compareByArrival : compareRecords;

const compareByArrival = (a: WalletTx, b: WalletTx): number => a.order - b.order;

/** Returns the wallet with the chain and the time that its answers depend on. */
export const viewOf = ({ wallet, node }: WalletContext): View => ({ wallet, chain: node.chain, now: node.now() });

/** Refuses a locked wallet. @throws RpcError -13 */
export function assertUnlocked({ vault }: Wallet): void {
  if (!isLocked(vault)) return;
  throw new RpcError(
    RPC_WALLET_UNLOCK_NEEDED,
    'Error: Please enter the wallet passphrase with walletpassphrase first.',
  );
}
