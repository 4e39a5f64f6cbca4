import { number, optional, string } from '../../../answers/method/parameters.ts';
import { type Answer, list, members, numeric, text } from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';
import { assertEstimateMode, MAX_TARGET, parseConfTarget } from '../feeEstimates.ts';

const feeEstimateResult = members({ errors: list(text(), 'why there is no estimate'), blocks: numeric('0') });

/** The answer of `estimatesmartfee`. */
export type FeeEstimateJson = Answer<typeof feeEstimateResult>;

export const estimatesmartfee = nodeMethod({
  name: 'estimatesmartfee',
  about:
    'Estimates no fee, like a node that has seen too few transactions: an estimate needs connections to other nodes.',
  params: [
    number('conf_target', `within how many blocks the transaction should confirm, 1 to ${MAX_TARGET}`),
    optional(string('estimate_mode', 'unset, economical or conservative')),
  ],
  result: feeEstimateResult,
  examples: ['estimatesmartfee 6'],
  run: (args) => {
    parseConfTarget(args.conf_target);
    const mode = args.estimate_mode;
    if (mode !== undefined) assertEstimateMode(mode);
    return { errors: ['Insufficient data or no feerate found'], blocks: 0 };
  },
});
