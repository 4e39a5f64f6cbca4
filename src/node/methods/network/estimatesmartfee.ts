import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { choice, emptyIfAbsent, int32, number, object, optional, string } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { type Answer, amount, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { isWithin } from '../../../core/generations.ts';
import { estimateFor } from '../../chain/feeEstimates.ts';
import type { FeeEstimate } from '../../chain/types.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { assertEstimateMode, MAX_TARGET, parseConfTarget } from '../feeEstimates.ts';
import { mempoolFloor } from '../gate.ts';

const feeEstimateResult = members({
  feerate: maybe(amount('per 1000 virtual bytes')),
  estimator: maybe(text('block_policy, of all estimators'), { since: 'core-32' }),
  errors: maybe(list(text(), 'why there is no estimate')),
  blocks: numeric('the target of the estimate, 2 or more; 0 without one, but 2 for the mempool estimator'),
  mempool_health_statistics: maybe(
    list(
      members({ block_height: numeric(), block_weight: numeric(), mempool_txs_weight: numeric() }),
      'empty, with verbosity 2',
    ),
    { since: 'core-32' },
  ),
});

/** The answer of `estimatesmartfee`. */
export type FeeEstimateJson = Answer<typeof feeEstimateResult>;

/** In blocks. */
const SHORTEST = 2;
const NO_BLOCK_ESTIMATE: Draft<typeof feeEstimateResult> = {
  errors: ['Insufficient data or no feerate found'],
  blocks: 0,
};
/** @see Bitcoin Core 32 `MemPoolFeeRateEstimator` */
const NO_MEMPOOL_ESTIMATE: Draft<typeof feeEstimateResult> = {
  errors: ['Not enough recent block data for fee rate estimation'],
  blocks: SHORTEST,
};

export const estimatesmartfee = nodeMethod({
  name: 'estimatesmartfee',
  category: 'util',
  about:
    'Estimates no fee, like a node that has seen too few transactions: an estimate needs connections to other nodes, or setFeeRates of countersign/regtest.',
  params: [
    number('conf_target', `within how many blocks the transaction should confirm, 1 to ${MAX_TARGET}`),
    optional(string('estimate_mode', 'unset, economical or conservative')),
    lasting(
      optional(
        emptyIfAbsent(
          object(
            'options',
            [
              optional(
                choice(
                  'fee_rate_estimator',
                  ['none', 'block_policy', 'mempool_policy'],
                  'the estimator; none for all of them',
                ),
              ),
              optional(int32('verbosity', '2 to show the health of the mempool'), 1),
            ],
            '',
          ),
        ),
      ),
      { since: 'core-32' },
    ),
  ],
  result: feeEstimateResult,
  examples: ['estimatesmartfee 6'],
  run: (args, context) => {
    const target = parseConfTarget(args.conf_target);
    const mode = args.estimate_mode;
    if (mode !== undefined) assertEstimateMode(mode);
    const { options: given } = args;
    checkMembers(given, { isStrict: true });
    const estimator = given.fee_rate_estimator;
    const estimate = estimateFor(context.node.chain, target);
    const missing = estimator === 'mempool_policy' ? NO_MEMPOOL_ESTIMATE : NO_BLOCK_ESTIMATE;
    return {
      ...(estimate ? foundEstimate(estimate, { target, estimator }, context) : missing),
      ...(given.verbosity >= 2 && { mempool_health_statistics: [] }),
    };
  },
});

/** An estimate that was set is one of all estimators. */
function foundEstimate(
  { rate, target: shortest }: FeeEstimate,
  { target, estimator }: { readonly target: number; readonly estimator: string | undefined },
  context: NodeContext,
): Draft<typeof feeEstimateResult> {
  const least = Math.max(rate, mempoolFloor(context), context.mempool.rules.minRelayFee);
  const isChosen = estimator === 'block_policy' || estimator === 'mempool_policy';
  const isNamed = !isChosen && isWithin(context.dialect.generation, { since: 'core-32' });
  return {
    feerate: BigInt(least),
    ...(isNamed && { estimator: 'block_policy' }),
    blocks: estimator === 'mempool_policy' ? SHORTEST : Math.max(SHORTEST, target, shortest),
  };
}
