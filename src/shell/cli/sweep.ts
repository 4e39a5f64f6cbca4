import type { Psbt } from '../../core/psbt/format/types.ts';
import type { BuildOptions, SpendInput } from '../../kit/account/buildOptions.ts';
import { buildPsbt } from '../../kit/account/buildPsbt.ts';
import { worthSpending } from '../../kit/funding/worthSpending.ts';
import { counted } from '../sync/syncProgress.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';

interface Sweep extends Pick<BuildOptions, 'network' | 'outputs' | 'sameReceiver' | 'ecc'> {
  readonly coins: readonly SpendInput[];
  readonly feeRate: number;
  readonly change: NonNullable<BuildOptions['change']>;
}

/** Spends all coins that are worth it: what the outputs and the fee leave goes to `change`. @throws UsageError, BtcError */
export function sweepPsbt({ coins, ...options }: Sweep, io: Io): Psbt {
  const inputs = worthSpending(coins, options.feeRate);
  const dust = coins.length - inputs.length;
  if (dust > 0)
    io.writeError(`left out ${counted(dust, 'coin')}: at this rate, spending costs more than it is worth\n`);
  if (inputs.length === 0) throw new UsageError('there are no coins to send');
  const psbt = buildPsbt({ ...options, inputs });
  const others = Array.isArray(options.outputs) ? options.outputs.length : Object.keys(options.outputs).length;
  if (psbt.outputs.length === others)
    throw new UsageError('nothing would be left of the coins but the fee: pass a lower --fee-rate');
  return psbt;
}
