import { equalBytes } from '../../../core/bytes/compare.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { payToTaproot } from '../../../core/script/build.ts';
import { paymentKey } from '../../../core/silentPayments/outputs.ts';
import type { Account } from '../../../kit/account/account.ts';
import type { BuildOptions, SpendInput } from '../../../kit/account/buildOptions.ts';
import type { SilentPaymentAccount } from '../../../kit/account/silentPaymentAccount.ts';
import type { FundingInput } from '../../../kit/funding/fundPsbt.ts';
import { counted } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { ListedCoin } from './coinFiles.ts';

export type Wallet = Account | SilentPaymentAccount;

export const isSilentWallet = (wallet: Wallet): wallet is SilentPaymentAccount => !('receive' in wallet);

/** Returns the coins of the wallet, and says how many that a list names are of others. @throws UsageError if none is left */
export function ownCoins(coins: readonly ListedCoin[], wallet: Wallet, io: Io): readonly FundingInput[] {
  const matched = coins.map((coin) => ({ coin, input: fundingInput(coin, wallet) }));
  const own = matched.flatMap(({ input }) => input ?? []);
  if (own.length === 0)
    throw new UsageError(`none of the ${counted(coins.length, 'coin')} is of this wallet: ${ADVICE}`);
  const foreign = matched.filter(({ coin, input }) => !input && coin.isListed).length;
  if (foreign > 0) io.writeError(`left out ${counted(foreign, 'coin')}: not of this wallet\n`);
  return own;
}

const ADVICE = 'its addresses ("countersign addresses") are others; --purpose chooses the kind';

/** Returns `undefined` for a coin of another wallet. */
function fundingInput(coin: ListedCoin, wallet: Wallet): FundingInput | undefined {
  const from = sourceOf(coin, wallet);
  if (!from) return undefined;
  const { txid, vout, value, previousTransaction, confirmations, isSafe } = coin;
  return {
    ...{ txid, vout, value, from },
    ...(previousTransaction && { previousTransaction }),
    ...(confirmations !== undefined && { confirmations }),
    ...(confirmations === 0 && isSafe && { isOwnChange: true }),
  };
}

/** Searches the usual number of addresses. */
export function sourceOf(coin: ListedCoin, wallet: Wallet): SpendInput['from'] | undefined {
  if (!isSilentWallet(wallet)) return withUsageErrors(() => wallet.find(coin.scriptPubKey));
  const { name, scriptPubKey, tweak } = coin;
  if (!tweak) {
    throw new UsageError(
      `the coin ${name} has no "tweak", without which no wallet of silent payments can spend it: list the coins with "countersign coins --json"`,
    );
  }
  const { network, holds } = wallet;
  const spendKey = holds.silent?.[0]?.receiver.address().spendKey;
  const key = spendKey && unlessRefused(() => paymentKey(spendKey, tweak, holds.ecc));
  if (!spendKey || !key || !equalBytes(payToTaproot(key.subarray(-X_ONLY)), scriptPubKey)) return undefined;
  const { bip32Derivations = [] } = wallet.change().records;
  const origin = bip32Derivations.find(({ pubkey }) => equalBytes(pubkey, spendKey));
  const spendOrigin = origin && { fingerprint: origin.fingerprint, path: origin.path };
  return { scriptPubKey, network, spendKey, tweak, ...(spendOrigin && { spendOrigin }) };
}

const X_ONLY = 32;

/** Drops what only the choice of coins asks for. */
export const toSpendInput = ({ confirmations: _c, isOwnChange: _o, ...coin }: FundingInput): SpendInput => coin;

/** Returns the change address after those of the coins: which others were used is not known here. */
export function ownChange(
  wallet: Wallet,
  coins: readonly Pick<SpendInput, 'from'>[],
): NonNullable<BuildOptions['change']> {
  if (isSilentWallet(wallet)) return withUsageErrors(() => wallet.change());
  const used = coins.flatMap(({ from }) =>
    typeof from === 'object' && 'chain' in from && 'index' in from && from.chain === 'change'
      ? [Number(from.index)]
      : [],
  );
  return withUsageErrors(() => wallet.change(Math.max(-1, ...used) + 1));
}
