import {
  type Answer,
  dictionary,
  double,
  either,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  oneOf,
  text,
  time,
} from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { decodeBlockHeader } from '../../chain/blockHeader.ts';
import { activeTip, bestHeader, type Chain, inactiveBranch, isActive, medianTimePast } from '../../chain/chainState.ts';
import { blockDiskSize } from '../../chain/diskSize.ts';
import { genesisBody } from '../../chain/genesis.ts';
import { isPartial, lastMissing } from '../../chain/partialChain.ts';
import type { ChainBlock } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import { chainRules, nodeMethodRules } from '../chainRules.ts';
import { nodeMethod } from '../context.ts';
import { computeDifficulty, hex256, targetDraft } from '../targets.ts';
import { listWarnings } from '../warnings.ts';
import { softForkResult, softForks } from './softForks.ts';
import { verificationProgress } from './verificationProgress.ts';

const chainInfoResult = members({
  chain: text('main, test, testnet4, signet or regtest'),
  blocks: numeric('the height of the last block'),
  headers: numeric('the height of the last header'),
  bestblockhash: hex(),
  bits: maybe(hex(), { since: 'core-29' }),
  target: maybe(hex(), { since: 'core-29' }),
  difficulty: double(),
  time: maybe(time(), { since: 'core-29' }),
  mediantime: time(),
  verificationprogress: double(),
  initialblockdownload: flag(),
  chainwork: hex(),
  size_on_disk: numeric("about how many bytes the blocks take on a node's disk"),
  pruned: flag('whether blocks are missing'),
  pruneheight: maybe(numeric('the height of the first block that is present')),
  automatic_pruning: maybe(flag()),
  prune_target_size: maybe(numeric('in bytes, never here')),
  backgroundvalidation: maybe(
    members(
      {
        snapshotheight: numeric(),
        blocks: numeric('a height'),
        bestblockhash: hex(),
        mediantime: time(),
        verificationprogress: double(),
        chainwork: hex(),
      },
      'of the blocks before a snapshot, never here',
    ),
    { since: 'core-32' },
  ),
  softforks: maybe(dictionary(softForkResult, 'by name'), { until: 'core-0.21' }),
  signet_challenge: maybe(hex()),
  warnings: either(text(), list(text())),
});

/** The answer of `getblockchaininfo`. */
export type ChainInfoJson = Answer<typeof chainInfoResult>;

const chainTipResult = members({
  height: numeric(),
  hash: hex(),
  branchlen: numeric('the number of its blocks outside the active chain'),
  status: oneOf(['active', 'valid-fork', 'valid-headers', 'headers-only', 'invalid']),
});

/** An element of `getchaintips`. */
export type ChainTipJson = Answer<typeof chainTipResult>;

export const getblockchaininfo = nodeMethod({
  name: 'getblockchaininfo',
  category: 'blockchain',
  about: 'Shows the state of the chain. The progress is a guess by the time of the last block.',
  params: [],
  result: chainInfoResult,
  examples: ['getblockchaininfo'],
  run: (_, context) => {
    const { node, dialect } = context;
    const { chain, network } = node;
    const tip = activeTip(chain);
    const { bits } = decodeBlockHeader(tip.header);
    const { listsSoftForks } = chainRules[dialect.generation];
    return {
      chain: network.nodeName ?? network.name,
      blocks: tip.height,
      headers: bestHeader(chain).height,
      bestblockhash: formatReversedHex(tip.hash),
      ...targetDraft(bits),
      difficulty: computeDifficulty(bits),
      time: tip.time,
      mediantime: medianTimePast(chain, tip),
      verificationprogress: verificationProgress(context),
      initialblockdownload: node.isCatchingUp(nodeMethodRules[dialect.generation].looksAtTip),
      chainwork: hex256(tip.work),
      size_on_disk: diskSize(node),
      ...pruningMembers(chain),
      ...(listsSoftForks && { softforks: softForks(tip, context) }),
      signet_challenge: network.signetChallenge,
      warnings: listWarnings(context),
    };
  },
});

/** Returns the size of Core's files of the submitted blocks and the genesis block. */
function diskSize({ chain, network }: Node): number {
  const genesis = genesisBody(network);
  return chain.counts.diskSize + (genesis ? blockDiskSize(genesis.bytes.length) : 0);
}

/** Reports missing blocks as pruned. */
function pruningMembers(chain: Chain): Pick<ChainInfoJson, 'pruned' | 'pruneheight' | 'automatic_pruning'> {
  if (!isPartial(chain)) return { pruned: false };
  return { pruned: true, pruneheight: firstKept(chain), automatic_pruning: false };
}

/** Caches the last missing height up to a tip, so that the next search reads only newer blocks. */
const looked = new WeakMap<Chain, { readonly tip: ChainBlock; readonly missing: number }>();

function firstKept(chain: Chain): number {
  const before = looked.get(chain);
  const isUseful = before !== undefined && isActive(chain, before.tip);
  const missingBlock = lastMissing(chain, isUseful ? before.tip.height + 1 : chain.first.height);
  const missing = missingBlock?.height ?? (isUseful ? before.missing : chain.first.height - 1);
  looked.set(chain, { tip: activeTip(chain), missing });
  return missing + 1;
}

export const getdifficulty = nodeMethod({
  name: 'getdifficulty',
  category: 'blockchain',
  about: "Returns the difficulty of the last block of the chain, as a multiple of the least of Bitcoin's main chain.",
  params: [],
  result: numeric('the difficulty'),
  examples: ['getdifficulty'],
  run: (_, { node }) => computeDifficulty(decodeBlockHeader(activeTip(node.chain).header).bits),
});

export const getchaintips = nodeMethod({
  name: 'getchaintips',
  category: 'blockchain',
  about: 'Lists the last blocks of all branches, the highest first.',
  params: [],
  result: list(chainTipResult),
  examples: ['getchaintips'],
  run: (_, { node: { chain } }) => {
    const tip = activeTip(chain);
    const tips = new Map([[tip.key, tip], ...chain.leaves]);
    return [...tips.values()]
      .sort((a, b) => b.height - a.height || a.order - b.order)
      .map((block) => ({
        height: block.height,
        hash: formatReversedHex(block.hash),
        branchlen: inactiveBranch(chain, block).length,
        status: tipStatus(chain, block),
      }));
  },
});

function tipStatus(chain: Chain, block: ChainBlock): ChainTipJson['status'] {
  if (isActive(chain, block)) return 'active';
  if (chain.invalid.has(block.key)) return 'invalid';
  if (!chain.bodies.has(block.key)) return 'headers-only';
  return chain.undo.has(block.key) ? 'valid-fork' : 'valid-headers';
}
