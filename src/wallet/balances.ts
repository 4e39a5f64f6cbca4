import { outputName } from './chainState.ts';
import { isImmature, isSpent, isTrusted, type Verdicts, type View } from './derived.ts';
import { isUsedBefore, ownershipOf } from './ownership.ts';
import { depthOf } from './records.ts';
import type { Wallet, WalletTx } from './walletState.ts';

/** What a wallet has, in the smallest unit; what is only watched is not counted. */
interface Balances {
  /** What can be built on. */
  readonly trusted: bigint;
  /** What others have sent and nobody has mined. */
  readonly pending: bigint;
  readonly immature: bigint;
}

/** @see Bitcoin Core 0.21 `CWallet::GetBalance` */
export function balancesOf(view: View): Balances {
  const { wallet } = view;
  const known: Verdicts = new Map();
  const sums = { trusted: 0n, pending: 0n, immature: 0n };
  for (const one of wallet.ordered) {
    if (isImmature(wallet, one)) {
      if (depthOf(wallet, one) > 0) sums.immature += creditOf(wallet, one, () => true);
      continue;
    }
    const isPending = depthOf(wallet, one) === 0 && one.isInMempool;
    const kind = isTrusted(view, one, known) ? 'trusted' : isPending ? 'pending' : undefined;
    if (kind) sums[kind] += creditOf(wallet, one, (vout, script) => isAvailable(wallet, one, vout, script));
  }
  return sums;
}

type Counts = (vout: number, scriptPubKey: Uint8Array) => boolean;

/** What of a transaction's outputs is one's own, of those that count. */
function creditOf(wallet: Wallet, { tx }: WalletTx, counts: Counts): bigint {
  let sum = 0n;
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    if (ownershipOf(wallet, scriptPubKey) === 'own' && counts(vout, scriptPubKey)) sum += value;
  }
  return sum;
}

/** Whether an output is unspent; a wallet that avoids to reuse addresses leaves out what came to used ones. */
const isAvailable = (wallet: Wallet, { name }: WalletTx, vout: number, scriptPubKey: Uint8Array): boolean =>
  !isSpent(wallet, outputName(name, vout)) && !(wallet.avoidsReuse && isUsedBefore(wallet, scriptPubKey));
