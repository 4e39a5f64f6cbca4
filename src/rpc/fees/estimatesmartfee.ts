import { parseInt32, readOptional, readValue } from '../argumentValues.ts';
import { invalidParameter } from '../errorCodes.ts';
import { quote } from '../json/stringify.ts';
import type { FeeEstimateJson } from '../views/chainJsonTypes.ts';
import type { NodeMethod } from '../wallet/context.ts';

/** The farthest block for which a node estimates. */
const MAX_TARGET = 1008;
/** The ways to estimate, in lower case. */
const MODES: readonly string[] = ['unset', 'economical', 'conservative'];

/** @see Bitcoin Core `estimatesmartfee` */
export const estimatesmartfee: NodeMethod<FeeEstimateJson> = {
  name: 'estimatesmartfee',
  needs: 'node',
  params: [
    { name: 'conf_target', type: 'number' },
    { name: 'estimate_mode', type: 'string', isOptional: true },
  ],
  help: `Estimates no fee, as a node that has seen too few transactions: an estimate needs connections to other nodes.

Arguments:
1. conf_target      (number, required) within how many blocks the transaction should confirm, 1 to ${MAX_TARGET}
2. estimate_mode    (string, optional) unset, economical or conservative

Result:
the error, and the number of blocks

Examples:
> countersign estimatesmartfee 6`,
  run: (args, { dialect }) => {
    parseConfTarget(readValue(args[0], 'number', dialect));
    const mode = readOptional(args[1], 'string', dialect);
    if (mode) assertEstimateMode(mode.value);
    return { errors: ['Insufficient data or no feerate found'], blocks: 0 };
  },
};

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
