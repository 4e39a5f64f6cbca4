import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { choice, emptyIfAbsent, int32, number, object, optional, string } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { type Answer, amount, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { nodeMethod } from '../context.ts';
import { assertEstimateMode, MAX_TARGET, parseConfTarget } from '../feeEstimates.ts';

const feeEstimateResult = members({
  feerate: maybe(amount('per 1000 virtual bytes, never here')),
  estimator: maybe(text('never here'), { since: 'core-32' }),
  errors: maybe(list(text(), 'why there is no estimate')),
  blocks: numeric('0, or 2 for the mempool estimator'),
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

const NO_BLOCK_ESTIMATE: Draft<typeof feeEstimateResult> = {
  errors: ['Insufficient data or no feerate found'],
  blocks: 0,
};
/** @see Bitcoin Core 32 `MemPoolFeeRateEstimator` */
const NO_MEMPOOL_ESTIMATE: Draft<typeof feeEstimateResult> = {
  errors: ['Not enough recent block data for fee rate estimation'],
  blocks: 2,
};

export const estimatesmartfee = nodeMethod({
  name: 'estimatesmartfee',
  category: 'util',
  about:
    'Estimates no fee, like a node that has seen too few transactions: an estimate needs connections to other nodes.',
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
  run: (args) => {
    parseConfTarget(args.conf_target);
    const mode = args.estimate_mode;
    if (mode !== undefined) assertEstimateMode(mode);
    const { options: given } = args;
    checkMembers(given, { isStrict: true });
    const isDetailed = given.verbosity >= 2;
    const isOfMempool = given.fee_rate_estimator === 'mempool_policy';
    return {
      ...(isOfMempool ? NO_MEMPOOL_ESTIMATE : NO_BLOCK_ESTIMATE),
      ...(isDetailed && { mempool_health_statistics: [] }),
    };
  },
});
