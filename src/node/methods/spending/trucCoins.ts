import { outpointKey } from '../../../core/tx/txid.ts';
import type { FundingCoin } from '../../../kit/coins/coinGroups.ts';
import { mempoolAncestors } from '../../chain/mempool.ts';
import { poolLinks } from '../../mempool/clusters.ts';
import { TRUC_VERSION } from '../../mempool/truc.ts';
import { chainDepth } from '../../wallet/records/records.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import type { WalletContext } from '../context.ts';
import { spendingRules } from './spendingRules.ts';

/** The version of payments that state none. */
export const DEFAULT_VERSION = 2;

/**
 * Tells whether a payment of this version may spend a transaction: an unconfirmed one must be as restricted (BIP431),
 * and have no other relatives.
 * @see Bitcoin Core 30 `AvailableCoins`
 */
export function fitsVersion(record: WalletTx, version: number, context: WalletContext): boolean {
  const { node, wallet, dialect } = context;
  const { restrictsVersions, refusesGrandchildren } = spendingRules[dialect.generation];
  if (!restrictsVersions || chainDepth(wallet, record) !== 0) return true;
  if (version !== TRUC_VERSION || record.tx.version !== TRUC_VERSION) {
    return (version === TRUC_VERSION) === (record.tx.version === TRUC_VERSION);
  }
  if (poolLinks(node.chain).findChildren(record).length > 0) return false;
  const entry = node.chain.mempool.get(record.key);
  return !refusesGrandchildren || !entry || mempoolAncestors(node.chain, entry).length === 0;
}

/** Keeps the coins of only one unconfirmed transaction, the most valuable: a payment has one such parent. */
export function coinsOfOneParent(coins: readonly FundingCoin[]): readonly FundingCoin[] {
  const values = new Map<string, bigint>();
  const parentOf = ({ outpoint }: FundingCoin): string => outpointKey({ ...outpoint, vout: 0 });
  const unconfirmed = coins.filter(({ depth }) => depth === 0);
  for (const coin of unconfirmed) values.set(parentOf(coin), (values.get(parentOf(coin)) ?? 0n) + coin.value);
  let chosen: string | undefined;
  for (const [parent, value] of values) {
    if (chosen === undefined || value > (values.get(chosen) ?? 0n)) chosen = parent;
  }
  return coins.filter((coin) => coin.depth !== 0 || parentOf(coin) === chosen);
}

/** Says why a payment of this version cannot spend a coin of an unconfirmed transaction. */
export function versionFault(
  record: WalletTx | undefined,
  version: number,
  { wallet, dialect }: WalletContext,
): string | undefined {
  if (!record || !spendingRules[dialect.generation].restrictsVersions || chainDepth(wallet, record) !== 0) {
    return undefined;
  }
  const spent = record.tx.version;
  if ((spent === TRUC_VERSION) === (version === TRUC_VERSION)) return undefined;
  return `Can't spend unconfirmed version ${spent} pre-selected input with a version ${version} tx`;
}
