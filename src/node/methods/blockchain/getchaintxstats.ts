import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { int32, optional } from '../../../answers/method/parameters.ts';
import { type Answer, double, hex, maybe, members, numeric, time } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { headerRules } from '../../../core/network/networks.ts';
import { activeBlock, activeTip, medianTimePast } from '../../chain/chainState.ts';
import { nodeMethod } from '../context.ts';
import { getActiveBlock } from './blockArguments.ts';
import { chainTxCount } from './chainTxCount.ts';

const chainTxStatsResult = members(
  {
    time: time('of the last block of the window'),
    txcount: maybe(numeric('the transactions of the chain up to that block, unless some are missing here')),
    window_final_block_hash: hex(),
    window_final_block_height: numeric(),
    window_block_count: numeric(),
    window_interval: maybe(numeric('in seconds, by the median times')),
    window_tx_count: maybe(numeric('unless some are missing here')),
    txrate: maybe(double('transactions per second')),
  },
  '',
  [{ until: 'core-0.21', last: ['window_interval', 'txrate'] }],
);

/** The answer of `getchaintxstats`. */
export type ChainTxStatsJson = Answer<typeof chainTxStatsResult>;

const MONTH = 30 * 24 * 60 * 60;
const DEFAULT_SPACING = 600;

export const getchaintxstats = nodeMethod({
  name: 'getchaintxstats',
  category: 'blockchain',
  checksLate: true,
  about: 'Computes how many transactions the chain has, and how many per second the last blocks had.',
  params: [
    optional(int32('nblocks', 'the number of blocks; by default those of a month')),
    optional(hash('blockhash', 'the hash of the last block of the window; by default the last of the chain')),
  ],
  result: chainTxStatsResult,
  examples: ['getchaintxstats', 'getchaintxstats 2016'],
  run: ({ nblocks, blockhash }, context) => {
    const { node } = context;
    const { chain, network } = node;
    const last = blockhash === undefined ? activeTip(chain) : getActiveBlock(blockhash, context);
    const month = Math.floor(MONTH / (headerRules(network)?.targetSpacing ?? DEFAULT_SPACING));
    const count = nblocks ?? Math.max(0, Math.min(month, last.height - 1));
    if (count < 0 || (count > 0 && count >= last.height))
      throw invalidParameter("Invalid block count: should be between 0 and the block's height - 1");
    const first = activeBlock(chain, Math.max(chain.first.height, last.height - count));
    const [txcount, before] = [chainTxCount(node, last), chainTxCount(node, first)];
    const stats = {
      time: last.time,
      txcount,
      window_final_block_hash: formatReversedHex(last.hash),
      window_final_block_height: last.height,
      window_block_count: count,
    };
    if (count === 0) return stats;
    const interval = medianTimePast(chain, last) - medianTimePast(chain, first);
    const txs = txcount === undefined || before === undefined ? undefined : txcount - before;
    return {
      ...stats,
      window_interval: interval,
      window_tx_count: txs,
      txrate: txs !== undefined && interval > 0 ? txs / interval : undefined,
    };
  },
});
