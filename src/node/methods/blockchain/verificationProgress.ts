import { headerRules, type Network, networks } from '../../../core/network/networks.ts';
import { activeTip, bestHeader } from '../../chain/chainState.ts';
import { isPartial } from '../../chain/partialChain.ts';
import type { ChainBlock } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import type { NodeContext } from '../context.ts';
import { chainTxCount } from './chainTxCount.ts';
import { type ChainTraffic, NO_TRAFFIC, verificationRules } from './verificationRules.ts';

/** In seconds. */
const RECENT = 7_200;
/** In bytes of blocks, all of which are read to count their transactions. */
const MOST_READ = 64 * 2 ** 20;

/**
 * Guesses which part of the network's transactions the chain has, from 0 to 1.
 * @see Bitcoin Core `ChainstateManager::GuessVerificationProgress`
 */
export function verificationProgress({ node, dialect }: NodeContext): number {
  const { traffic, countsBlocksAbove } = verificationRules[dialect.generation];
  const known = trafficOf(node.network, traffic);
  const tip = activeTip(node.chain);
  const count = countTransactions(tip, known, node);
  const total =
    count <= known.count
      ? known.count + (node.now() - known.time) * known.rate
      : count + ageOf(tip, countsBlocksAbove, node) * known.rate;
  return Math.min(count / total, 1);
}

function trafficOf(network: Network, traffic: Readonly<Record<string, ChainTraffic>>): ChainTraffic {
  // A signet of one's own has the name of the public one.
  const isOther = network.name === 'signet' && network.signetChallenge !== networks.signet.signetChallenge;
  return (isOther ? undefined : traffic[network.name]) ?? NO_TRAFFIC;
}

/** Returns the age of the last block in seconds; of a recent one, how long the headers above it should take. */
function ageOf(tip: ChainBlock, countsBlocksAbove: boolean, { chain, network, now }: Node): number {
  const age = now() - tip.time;
  const above = bestHeader(chain).height - tip.height;
  if (!countsBlocksAbove || Math.abs(age) > RECENT || above < 0) return age;
  return above * (headerRules(network)?.targetSpacing ?? 0);
}

/** Core keeps this count; ours costs reading the blocks, and lacks those of a partial chain. */
function countTransactions(tip: ChainBlock, known: ChainTraffic, node: Node): number {
  const isCountable = !isPartial(node.chain) && node.chain.counts.diskSize <= MOST_READ;
  return (isCountable ? chainTxCount(node, tip) : undefined) ?? estimateCount(tip, known, node.network);
}

/** Estimates by the time of a block: the count grew evenly up to the known one, and has grown at its rate since. */
function estimateCount({ time }: ChainBlock, known: ChainTraffic, { genesis }: Network): number {
  const start = genesis?.time ?? 0;
  const after = time - known.time;
  const count = after < 0 ? (known.count * (time - start)) / (known.time - start) : known.count + after * known.rate;
  return Math.max(1, Math.round(count));
}
