import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { int64 } from '../../../answers/method/parameters.ts';
import { nothing } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { nodeMethod } from '../context.ts';

export const syncwithvalidationinterfacequeue = nodeMethod({
  name: 'syncwithvalidationinterfacequeue',
  category: 'hidden',
  about: 'Waits until wallets have seen all blocks and transactions: they always have.',
  params: [],
  result: nothing(),
  examples: ['syncwithvalidationinterfacequeue'],
  run: () => null,
});

/** In seconds. */
const MOST_DELTA = 3600;

export const mockscheduler = nodeMethod({
  name: 'mockscheduler',
  category: 'hidden',
  checksLate: true,
  about: 'Moves on the tasks that a node runs at times, on regtest only: there are none.',
  params: [int64('delta_time', 'seconds, at most 3600')],
  result: nothing(),
  examples: ['mockscheduler 60'],
  run: (args, { network }) => {
    if (network.consensus?.hasNoRetargeting !== true) {
      throw new RpcError(RPC_MISC_ERROR, 'mockscheduler is for regression testing (-regtest mode) only');
    }
    const { delta_time: delta } = args;
    if (delta <= 0 || delta > MOST_DELTA) {
      throw new RpcError(RPC_MISC_ERROR, 'delta_time must be between 1 and 3600 seconds (1 hr)');
    }
    return null;
  },
});
