import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { int32, optional } from '../../../answers/method/parameters.ts';
import {
  type Answer,
  amount,
  double,
  either,
  hex,
  list,
  maybe,
  members,
  numeric,
  text,
} from '../../../answers/method/results.ts';
import { headerRules } from '../../../core/network/networks.ts';
import { decodeBlockHeader } from '../../chain/blockHeader.ts';
import { activeTip, type Chain, findActiveBlock, findParent } from '../../chain/chainState.ts';
import { retargetInterval } from '../../chain/difficulty.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { minimumTime, nextBits } from '../../mining/blockTemplate.ts';
import { nodeMethod } from '../context.ts';
import { computeDifficulty, targetDraft } from '../targets.ts';
import { listWarnings } from '../warnings.ts';
import { miningMethodRules } from './miningMethodRules.ts';

const DEFAULT_SPAN = 120;

export const getnetworkhashps = nodeMethod({
  name: 'getnetworkhashps',
  category: 'mining',
  checksLate: true,
  about: 'Estimates how many hashes per second the miners of some blocks computed.',
  params: [
    optional(int32('nblocks', 'how many blocks; -1 for those since the last change of difficulty'), DEFAULT_SPAN),
    optional(int32('height', 'the height of the last of them; -1 for the last block'), -1),
  ],
  result: double('hashes per second'),
  examples: ['getnetworkhashps'],
  run: ({ nblocks, height }, context) => {
    const { chain } = context.node;
    const tip = activeTip(chain);
    if (miningMethodRules[context.dialect.generation].checksHashSpans) {
      if (nblocks < -1 || nblocks === 0) throw invalidParameter('Invalid nblocks. Must be a positive number or -1.');
      if (height < -1 || height > tip.height) throw invalidParameter('Block does not exist at specified height');
    }
    const last = height >= 0 ? findActiveBlock(chain, height) : tip;
    return networkHashRate(chain, nblocks, last ?? tip);
  },
});

/** @see Bitcoin Core `GetNetworkHashPS` */
function networkHashRate(chain: Chain, span: number, last: ChainBlock): number {
  const params = headerRules(chain.network);
  const sinceRetarget = params ? (last.height % retargetInterval(params)) + 1 : last.height;
  const count = Math.min(span > 0 ? span : sinceRetarget, last.height);
  let [first, least, most] = [last, last.time, last.time];
  for (let i = 0; i < count; i += 1) {
    const parent = findParent(chain, first);
    if (!parent) break;
    first = parent;
    least = Math.min(least, first.time);
    most = Math.max(most, first.time);
  }
  return least === most ? 0 : Number(last.work - first.work) / (most - least);
}

const nextResult = members({
  height: numeric(),
  bits: hex(),
  difficulty: double(),
  target: hex(),
});

const miningInfoResult = members({
  blocks: numeric('the height of the last block'),
  currentblockweight: maybe(numeric('of the last block that was made, by any method')),
  currentblocktx: maybe(numeric('its transactions without the coinbase')),
  bits: maybe(hex(), { since: 'core-29' }),
  difficulty: double(),
  target: maybe(hex(), { since: 'core-29' }),
  networkhashps: double('as getnetworkhashps'),
  pooledtx: numeric('the transactions of the mempool'),
  blockmintxfee: maybe(amount('per 1000 virtual bytes'), { since: 'core-30' }),
  chain: text('main, test, testnet4, signet or regtest'),
  next: maybe(nextResult, { since: 'core-29' }),
  signet_challenge: maybe(hex(), { since: 'core-29' }),
  warnings: either(text(), list(text())),
});

/** The answer of `getmininginfo`. */
export type MiningInfoJson = Answer<typeof miningInfoResult>;

export const getmininginfo = nodeMethod({
  name: 'getmininginfo',
  category: 'mining',
  about: 'Shows what a miner needs to know.',
  params: [],
  result: miningInfoResult,
  examples: ['getmininginfo'],
  run: (_, context) => {
    const { node, mining, network } = context;
    const { chain } = node;
    const tip = activeTip(chain);
    const { bits } = decodeBlockHeader(tip.header);
    const next = nextBits(chain, Math.max(minimumTime(chain, mining.terms.rules), node.now()));
    return {
      blocks: tip.height,
      currentblockweight: mining.last?.weight,
      currentblocktx: mining.last?.count,
      ...targetDraft(bits),
      difficulty: computeDifficulty(bits),
      networkhashps: networkHashRate(chain, DEFAULT_SPAN, tip),
      pooledtx: chain.mempool.size,
      blockmintxfee: BigInt(mining.terms.rules.minFee),
      chain: network.nodeName ?? network.name,
      next: { height: tip.height + 1, ...targetDraft(next), difficulty: computeDifficulty(next) },
      signet_challenge: network.signetChallenge,
      warnings: listWarnings(context),
    };
  },
});
