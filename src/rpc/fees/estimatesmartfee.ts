import { parseInt32 } from '../argumentValues.ts';
import { invalidParameter } from '../errorCodes.ts';
import { quote } from '../json/stringify.ts';
import { number, optional, string } from '../parameters.ts';
import type { FeeEstimateJson } from '../views/chainJsonTypes.ts';
import { nodeMethod } from '../wallet/context.ts';

/** The farthest block for which a node estimates. */
const MAX_TARGET = 1008;
/** The ways to estimate, in lower case. */
const MODES: readonly string[] = ['unset', 'economical', 'conservative'];

/** @see Bitcoin Core `estimatesmartfee` */
export const estimatesmartfee = nodeMethod({
  name: 'estimatesmartfee',
  about:
    'Estimates no fee, as a node that has seen too few transactions: an estimate needs connections to other nodes.',
  params: [
    number('conf_target', `within how many blocks the transaction should confirm, 1 to ${MAX_TARGET}`),
    optional(string('estimate_mode', 'unset, economical or conservative')),
  ],
  result: 'the error, and the number of blocks',
  examples: ['estimatesmartfee 6'],
  run: (args): FeeEstimateJson => {
    parseConfTarget(args.conf_target);
    const mode = args.estimate_mode;
    if (mode !== undefined) assertEstimateMode(mode);
    return { errors: ['Insufficient data or no feerate found'], blocks: 0 };
  },
});

/** Parses the number of blocks within which a transaction should confirm. @throws RpcError -1, -8 */
export function parseConfTarget(value: { readonly text: string }): number {
  const target = parseInt32(value);
  if (target >= 1 && target <= MAX_TARGET) return target;
  throw invalidParameter(`Invalid conf_target, must be between 1 and ${MAX_TARGET}`);
}

/** Refuses an unknown way to estimate. @throws RpcError -8 @see Bitcoin Core `FeeModeFromString` */
export function assertEstimateMode(mode: string): void {
  if (MODES.includes(mode.toLowerCase())) return;
  throw invalidParameter(`Invalid estimate_mode parameter, must be one of: ${MODES.map(quote).join(', ')}`);
}
