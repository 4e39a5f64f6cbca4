import { formatMoney } from '../../core/encoding/amount.ts';
import { isBtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { inputCoin } from '../../core/psbt/format/inputCoin.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { toPsbtV2 } from '../../core/psbt/format/version.ts';
import type { SpendInput } from '../../kit/account/buildOptions.ts';
import { UsageError, withUsageErrors } from '../terminal/usageError.ts';

const total = (amounts: readonly (bigint | undefined)[]): bigint =>
  amounts.reduce<bigint>((sum, amount = 0n) => sum + amount, 0n);

/** Returns the fee of a PSBT that shows all its coins, in satoshi. */
export const feeOf = (psbt: Psbt): bigint =>
  total(psbt.inputs.map((_, index) => inputCoin(psbt, index)?.coin.value)) -
  total(toPsbtV2(psbt).outputs.map(({ amount }) => amount));

/** Says what a new PSBT costs, and the next step. `name` is that of its file. */
export const builtText = (psbt: Psbt, { ticker }: Network, name = 'FILE'): string =>
  `fee ${formatMoney(feeOf(psbt))} ${ticker}. Next: review it, then sign it (countersign sign ${name})`;

/** The options of functions that build, as the command line has them. */
const PLACES: Readonly<Record<string, string>> = {
  feeRate: '--fee-rate',
  change: '--change-to',
  coins: '--coins-file: the coins',
  inputs: '--coins-file: the coins',
  outputs: '--pays: the payments',
  sameReceiver: '--same-receiver:',
  psbt: 'the PSBT',
};

const COIN_FAULTS = {
  missing: 'is not of segwit, so that only the transaction that paid it proves its amount: give that with --tx-file',
  txid: 'is not of the transaction in --tx-file',
  output: 'is not an output of the transaction in --tx-file',
  value: 'has another amount in --coins-file than in --tx-file',
} as const;

/** Restates errors about options of a function in words of the command line; `coins` are those that the function takes. */
export function withBuildFaults<T>(coins: readonly Pick<SpendInput, 'txid' | 'vout'>[], work: () => T): T {
  return withUsageErrors(() => {
    try {
      return work();
    } catch (error) {
      if (isBtcError(error, 'build/previous-transaction')) {
        const { inputIndex, reason } = error.data;
        const { txid = '', vout = 0 } = coins[inputIndex] ?? {};
        throw new UsageError(`the coin ${txid}:${vout} ${COIN_FAULTS[reason]}`);
      }
      const place = isBtcError(error, 'build/invalid') ? PLACES[error.data.member] : undefined;
      throw place !== undefined && isBtcError(error, 'build/invalid')
        ? new UsageError(`${place} ${error.data.reason}`)
        : error;
    }
  });
}
