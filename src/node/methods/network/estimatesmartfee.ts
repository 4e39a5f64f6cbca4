import { checkFields, isGiven, parseInt32, readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { findMember } from '../../../answers/json/jsonValue.ts';
import { number, object, of, optional, string } from '../../../answers/method/parameters.ts';
import { type Answer, amount, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
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

const NO_BLOCK_ESTIMATE: FeeEstimateJson = { errors: ['Insufficient data or no feerate found'], blocks: 0 };
/** @see Bitcoin Core 32 `MemPoolFeeRateEstimator` */
const NO_MEMPOOL_ESTIMATE: FeeEstimateJson = {
  errors: ['Not enough recent block data for fee rate estimation'],
  blocks: 2,
};

export const estimatesmartfee = nodeMethod({
  name: 'estimatesmartfee',
  about:
    'Estimates no fee, like a node that has seen too few transactions: an estimate needs connections to other nodes.',
  params: [
    number('conf_target', `within how many blocks the transaction should confirm, 1 to ${MAX_TARGET}`),
    optional(string('estimate_mode', 'unset, economical or conservative')),
    lasting(
      optional(
        object(
          'options',
          of<{ readonly fee_rate_estimator?: string; readonly verbosity?: number }>(),
          '{ "fee_rate_estimator": "none", "block_policy" or "mempool_policy", "verbosity": 1 or 2 }',
        ),
      ),
      { since: 'core-32' },
    ),
  ],
  result: feeEstimateResult,
  examples: ['estimatesmartfee 6'],
  run: (args, { dialect }) => {
    parseConfTarget(args.conf_target);
    const mode = args.estimate_mode;
    if (mode !== undefined) assertEstimateMode(mode);
    const options = args.options ?? [];
    checkFields(options, { fee_rate_estimator: 'string', verbosity: 'number' }, dialect);
    const estimator = findMember(options, 'fee_rate_estimator');
    const verbosity = findMember(options, 'verbosity');
    const isDetailed = isGiven(verbosity) && parseInt32(readValue(verbosity, 'number', dialect)) >= 2;
    const isOfMempool = estimator?.type === 'string' && estimator.value === 'mempool_policy';
    return {
      ...(isOfMempool ? NO_MEMPOOL_ESTIMATE : NO_BLOCK_ESTIMATE),
      ...(isDetailed && { mempool_health_statistics: [] }),
    };
  },
});
