import { outputKey } from '../../../core/tx/txid.ts';
import type { TxOut } from '../../../core/tx/types.ts';
import { chainDepth } from '../records/records.ts';
import type { WalletTx } from '../records/walletTx.ts';
import { isMine } from './ownership.ts';
import { isFinalNow, isImmature, isSpent, isTrusted, type TrustView, type View } from './txQueries.ts';

/** @see Bitcoin Core `CoinFilterParams` */
export interface CoinFilter {
  readonly minDepth: number;
  readonly maxDepth: number;
  readonly includesUnsafe: boolean;
  readonly includesImmature: boolean;
  /** Satoshi, as is `maximum`. */
  readonly minimum: bigint;
  readonly maximum: bigint;
}

/** Neither spent nor locked. */
export interface WalletCoin {
  readonly record: WalletTx;
  readonly vout: number;
  readonly output: TxOut;
  /** True if its transaction is unlikely to be replaced. */
  readonly isSafe: boolean;
}

/** Lists the coins that a filter lets pass. @see Bitcoin Core `AvailableCoins` */
export function coinsOfRecord(record: WalletTx, filter: CoinFilter, trustView: TrustView): readonly WalletCoin[] {
  return mayHoldCoins(record, filter, trustView.view) ? coinsIn(record, filter, trustView) : NO_COINS;
}

const NO_COINS: readonly WalletCoin[] = [];

function coinsIn(record: WalletTx, filter: CoinFilter, { view, trusted }: TrustView): readonly WalletCoin[] {
  const { wallet } = view;
  const isConfirmed = chainDepth(wallet, record) > 0;
  const isSafe = isConfirmed || (isTrusted(view, record, trusted) && !isReplacement(record));
  if (!filter.includesUnsafe && !isSafe) return NO_COINS;
  const coins: WalletCoin[] = [];
  for (const [vout, output] of record.tx.outputs.entries()) {
    const { value, scriptPubKey } = output;
    if (value < filter.minimum || value > filter.maximum || !isMine(wallet, scriptPubKey)) continue;
    const key = outputKey(record.key, vout);
    if (!wallet.locked.has(key) && !isSpent(wallet, key)) coins.push({ record, vout, output, isSafe });
  }
  return coins;
}

function mayHoldCoins(record: WalletTx, filter: CoinFilter, view: View): boolean {
  const { wallet } = view;
  if (wallet.rules.checksLocktimes && !isFinalNow(view, record)) return false;
  if (isImmature(wallet, record) && !filter.includesImmature) return false;
  const depth = chainDepth(wallet, record);
  if (depth < 0 || (depth === 0 && !record.isInMempool)) return false;
  return depth >= filter.minDepth && depth <= filter.maxDepth;
}

/** Tells whether spending an unconfirmed transaction could make a payment twice. */
const isReplacement = ({ notes }: WalletTx): boolean => (notes?.replaces ?? notes?.replacedBy) !== undefined;
