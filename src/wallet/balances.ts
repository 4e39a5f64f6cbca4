import { outputKey } from '../tx/txid.ts';
import { isUsedBefore, ownershipOf } from './ownership.ts';
import { openRecords } from './recordIndex.ts';
import { depthOf } from './records.ts';
import { isImmature, isSpent, isTrusted, type TrustCache, type View } from './txQueries.ts';
import type { Wallet, WalletTx } from './walletState.ts';

/** A wallet's balances in satoshi, without watch-only outputs. */
interface Balances {
  /** Confirmed outputs, and unconfirmed ones that the wallet created itself. */
  readonly trusted: bigint;
  /** Unconfirmed outputs in the mempool that others created. */
  readonly pending: bigint;
  readonly immature: bigint;
}

/** Computes a wallet's balances. @see Bitcoin Core 0.21 `CWallet::GetBalance` */
export function balancesOf(view: View): Balances {
  const { wallet } = view;
  const known: TrustCache = new Map();
  const sums = { trusted: 0n, pending: 0n, immature: 0n };
  for (const wtx of openRecords(wallet)) {
    if (isImmature(wallet, wtx)) {
      if (depthOf(wallet, wtx) > 0) sums.immature += creditOf(wallet, wtx, () => true);
      continue;
    }
    const isPending = depthOf(wallet, wtx) === 0 && wtx.isInMempool;
    const kind = isTrusted(view, wtx, known) ? 'trusted' : isPending ? 'pending' : undefined;
    if (kind) sums[kind] += creditOf(wallet, wtx, (vout, script) => isAvailable(wallet, wtx, vout, script));
  }
  return sums;
}

type Counts = (vout: number, scriptPubKey: Uint8Array) => boolean;

/** Sums the wallet's own outputs of a transaction, as far as `counts` accepts them. */
function creditOf(wallet: Wallet, { tx }: WalletTx, counts: Counts): bigint {
  let sum = 0n;
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    if (ownershipOf(wallet, scriptPubKey) === 'own' && counts(vout, scriptPubKey)) sum += value;
  }
  return sum;
}

/** Tells whether an output is unspent and, in a wallet with `avoid_reuse`, not on a used address. */
const isAvailable = (wallet: Wallet, { key }: WalletTx, vout: number, scriptPubKey: Uint8Array): boolean =>
  !isSpent(wallet, outputKey(key, vout)) && !(wallet.avoidsReuse && isUsedBefore(wallet, scriptPubKey));
