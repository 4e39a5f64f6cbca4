import { inputWeight } from '../../core/tx/spendSize.ts';
import { WITNESS_SCALE_FACTOR } from '../../core/tx/weight.ts';
import type { SpendInput } from '../account/buildOptions.ts';
import { prepareBuild } from '../account/buildPsbt.ts';
import { sizeInput } from '../account/signedSize.ts';

/**
 * Leaves out coins that cost more than they are worth: anyone can send such coins. `feeRate`: satoshi per virtual byte.
 * @throws as `buildPsbt`
 */
export function worthSpending<C extends SpendInput>(coins: readonly C[], feeRate: number): readonly C[] {
  if (coins.length === 0) return [];
  const { spends } = prepareBuild({ inputs: coins, outputs: [] });
  return coins.filter((_, index) => {
    const spend = spends[index];
    if (!spend) return false;
    const weight = inputWeight(sizeInput(spend, index, 0).size);
    return Number(spend.value) > (feeRate * weight) / WITNESS_SCALE_FACTOR;
  });
}
