import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { type Answer, double, flag, hex, list, maybe, members, numeric } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { decodeBlockHeader } from '../../chain/blockHeader.ts';
import { activeTip, bestHeader } from '../../chain/chainState.ts';
import { chainRules } from '../chainRules.ts';
import { nodeMethod } from '../context.ts';
import { computeDifficulty, targetDraft } from '../targets.ts';
import { verificationProgress } from './verificationProgress.ts';

const chainStatesResult = members({
  headers: numeric('the height of the last header'),
  chainstates: list(
    members({
      blocks: numeric('the height of the last block'),
      bestblockhash: hex(),
      bits: hex(),
      target: hex(),
      difficulty: double(),
      verificationprogress: double(),
      snapshot_blockhash: maybe(hex('never here')),
      coins_db_cache_bytes: numeric("a node's default"),
      coins_tip_cache_bytes: numeric("a node's default"),
      validated: flag(),
    }),
    'the only one',
  ),
});

/** The answer of `getchainstates`. */
export type ChainStatesJson = Answer<typeof chainStatesResult>;

const DB_CACHE = 8 * 2 ** 20;

export const getchainstates = lasting(
  nodeMethod({
    name: 'getchainstates',
    category: 'blockchain',
    about: 'Shows the state of the chain, as a node that began with the first block.',
    params: [],
    result: chainStatesResult,
    examples: ['getchainstates'],
    run: (_, context) => {
      const { chain } = context.node;
      const tip = activeTip(chain);
      const { bits } = decodeBlockHeader(tip.header);
      return {
        headers: bestHeader(chain).height,
        chainstates: [
          {
            blocks: tip.height,
            bestblockhash: formatReversedHex(tip.hash),
            ...targetDraft(bits),
            difficulty: computeDifficulty(bits),
            verificationprogress: verificationProgress(context),
            coins_db_cache_bytes: DB_CACHE,
            coins_tip_cache_bytes: chainRules[context.dialect.generation].coinsCache,
            validated: true,
          },
        ],
      };
    },
  }),
  { since: 'core-29' },
);
