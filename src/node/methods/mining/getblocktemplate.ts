import { invalidParameter, RPC_DESERIALIZATION_ERROR } from '../../../answers/method/errorCodes.ts';
import {
  type Answer,
  dictionary,
  either,
  hex,
  list,
  maybe,
  members,
  nothing,
  numeric,
  text,
  time,
} from '../../../answers/method/results.ts';
import { formatHex, formatReversedHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import { RpcError, unlessRefused } from '../../../core/errors.ts';
import { headerRules } from '../../../core/network/networks.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, outpointTxKey, wtxid } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { transactionSize, WITNESS_SCALE_FACTOR } from '../../../core/tx/weight.ts';
import { isComplete } from '../../chain/acceptBlock.ts';
import { commitmentIndex, decodeBlock } from '../../chain/block.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { MAX_BLOCK_SIGOPS_COST, MAX_BLOCK_WEIGHT } from '../../chain/blockSizes.ts';
import { activeTip } from '../../chain/chainState.ts';
import { decodeCompact } from '../../chain/proofOfWork.ts';
import { deploymentState } from '../../chain/versionBits.ts';
import { minimumTime, nextBits } from '../../mining/blockTemplate.ts';
import type { ChosenTransaction } from '../../mining/chooseTransactions.ts';
import { type CachedTemplate, type NodeContext, nodeMethod } from '../context.ts';
import { asHex32, hex256 } from '../targets.ts';
import { readNews } from '../waiting.ts';
import { assembleBlock, proposalFault } from './makeBlock.ts';
import { miningMethodRules } from './miningMethodRules.ts';
import { assertConnected, assertRules, readLongPoll, TEMPLATE_PARAMS } from './templateRequest.ts';

const templateResult = members({
  capabilities: list(text()),
  version: numeric(),
  rules: list(text(), 'the rules that hold; ! marks those that a miner must know'),
  vbavailable: dictionary(numeric('its bit'), 'the soft forks on which blocks vote'),
  vbrequired: numeric(),
  previousblockhash: hex(),
  transactions: list(
    members({
      data: hex(),
      txid: hex(),
      hash: hex('with the witness'),
      depends: list(numeric('from 1'), 'the places of its parents'),
      fee: numeric('in satoshi'),
      sigops: numeric('in weight units'),
      weight: numeric(),
    }),
  ),
  coinbaseaux: members({}, 'empty'),
  coinbasevalue: numeric('in satoshi, with fees'),
  longpollid: text('to wait for another template'),
  target: hex(),
  mintime: time(),
  mutable: list(text(), 'what a miner may change'),
  noncerange: hex(),
  sigoplimit: numeric('in weight units'),
  sizelimit: numeric('in bytes'),
  weightlimit: maybe(numeric()),
  curtime: time(),
  bits: hex(),
  height: numeric(),
  signet_challenge: maybe(hex()),
  default_witness_commitment: maybe(hex('the script of the output that commits to the witnesses')),
});

/** A template of `getblocktemplate`. */
export type BlockTemplateJson = Answer<typeof templateResult>;

export const getblocktemplate = nodeMethod({
  name: 'getblocktemplate',
  category: 'mining',
  checksLate: true,
  about:
    'Returns a block for a miner, or judges one (BIP22, BIP23, BIP9, BIP145). With longpollid, serve waits for news.',
  params: TEMPLATE_PARAMS,
  result: either(templateResult, text('why a proposed block would be refused'), nothing('for a block that would not')),
  examples: [`getblocktemplate '{"rules": ["segwit"]}'`],
  run: ({ template_request: request }, context) => {
    const { mode } = request;
    if (mode === 'proposal') return judgeProposal(request.data, context);
    const { rules } = request;
    if (mode !== 'template') throw invalidParameter('Invalid mode');
    assertConnected(context);
    readLongPoll(request.longpollid, readNews(context.node));
    assertRules(rules, context);
    return templateJson(currentTemplate(context), context);
  },
});

/** @see BIP23 "Block Proposal" */
function judgeProposal(data: string, context: NodeContext): string | null {
  const { node, network } = context;
  const bytes = isHex(data) ? parseHex(data) : undefined;
  const block = bytes && unlessRefused(() => decodeBlock(bytes, network));
  if (!block) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Block decode failed');
  const { chain } = node;
  const key = blockKey(block.hash);
  if (chain.blocks.get(key)) {
    if (chain.invalid.get(key)) return 'duplicate-invalid';
    return chain.undo.has(key) || (isComplete(chain, key) && key === activeTip(chain).key)
      ? 'duplicate'
      : 'duplicate-inconclusive';
  }
  if (blockKey(block.previous) !== activeTip(chain).key) return 'inconclusive-not-best-prevblk';
  return proposalFault(block, bytes, context)?.reason ?? null;
}

/** In seconds, after which changes of the mempool make a new template. */
const TEMPLATE_AGE = 5;
const OP_TRUE = Uint8Array.of(0x51);

/** Makes a template anew after a new block, or some time after other news. */
function currentTemplate(context: NodeContext): CachedTemplate {
  const { node, mining } = context;
  const { key } = activeTip(node.chain);
  const { updates } = node.chain.poolTotals;
  const { cached } = mining;
  const isFresh = cached?.tip === key && (cached.updates === updates || node.now() - cached.time <= TEMPLATE_AGE);
  if (cached && isFresh) return cached;
  mining.cached = undefined;
  const made = { tip: key, updates, time: node.now(), block: assembleBlock(OP_TRUE, context) };
  mining.cached = made;
  return made;
}

function templateJson({ updates, block: { template, txs } }: CachedTemplate, context: NodeContext): BlockTemplateJson {
  const { node, mining, network } = context;
  const { chain } = node;
  const { tip, version, chosen } = template;
  const [coinbase] = txs;
  const height = tip.height + 1;
  const [csv = 0, segwit = 0] = headerRules(network)?.laterForks ?? [];
  const limits = height >= segwit ? SEGWIT_LIMITS : LIMITS;
  const mintime = minimumTime(chain, mining.terms.rules);
  const curtime = Math.max(mintime, node.now());
  const bits = nextBits(chain, curtime);
  const commitment = coinbase?.outputs[commitmentIndex(coinbase)];
  const { rules, vbavailable } = forksJson(context, { hasCsv: height >= csv, hasSegwit: height >= segwit });
  return {
    capabilities: ['proposal'],
    version,
    rules,
    vbavailable,
    vbrequired: 0,
    previousblockhash: formatReversedHex(tip.hash),
    transactions: transactionsJson(chosen, limits.sigOpCost),
    coinbaseaux: {},
    coinbasevalue: Number(coinbase?.outputs[0]?.value ?? 0n),
    longpollid: `${formatReversedHex(tip.hash)}${updates}`,
    target: hex256(decodeCompact(bits) ?? 0n),
    mintime,
    mutable: ['time', 'transactions', 'prevblock'],
    noncerange: '00000000ffffffff',
    sigoplimit: limits.sigoplimit,
    sizelimit: limits.sizelimit,
    ...(height >= segwit && { weightlimit: MAX_BLOCK_WEIGHT }),
    curtime,
    bits: asHex32(bits),
    height,
    ...(network.signetChallenge !== undefined && { signet_challenge: network.signetChallenge }),
    ...(commitment && { default_witness_commitment: formatHex(commitment.scriptPubKey) }),
  };
}

const LIMITS = {
  sigOpCost: WITNESS_SCALE_FACTOR,
  sigoplimit: MAX_BLOCK_SIGOPS_COST / WITNESS_SCALE_FACTOR,
  sizelimit: MAX_BLOCK_WEIGHT / WITNESS_SCALE_FACTOR,
};
const SEGWIT_LIMITS = { sigOpCost: 1, sigoplimit: MAX_BLOCK_SIGOPS_COST, sizelimit: MAX_BLOCK_WEIGHT };

function transactionsJson(chosen: readonly ChosenTransaction[], sigOpCost: number): BlockTemplateJson['transactions'] {
  const places = new Map<TxKey, number>();
  return chosen.map(({ entry: { tx, id, key, spends, fee = 0n }, sigOps }, index) => {
    places.set(key, index + 1);
    return {
      data: formatHex(encodeTransaction(tx)),
      txid: formatTxid(id),
      hash: formatTxid(wtxid(tx)),
      depends: spends.flatMap((spent) => places.get(outpointTxKey(spent)) ?? []),
      fee: Number(fee),
      sigops: Math.floor(sigOps / sigOpCost),
      weight: transactionSize(tx).weight,
    };
  });
}

/** @see BIP9 "getblocktemplate changes" */
function forksJson(
  { node: { chain }, network, mining, dialect }: NodeContext,
  { hasCsv, hasSegwit }: { readonly hasCsv: boolean; readonly hasSegwit: boolean },
): Pick<BlockTemplateJson, 'rules' | 'vbavailable'> {
  const { sortsDeployments, buriesTaproot, namesSignet } = miningMethodRules[dialect.generation];
  const votes = mining.terms.deployments.map((deployment) => ({
    ...deployment,
    ...deploymentState(chain, activeTip(chain), deployment),
  }));
  if (sortsDeployments) votes.sort((a, b) => (a.name < b.name ? -1 : 1));
  const withStatus = (status: string) => votes.filter((vote) => vote.status === status);
  const [started, locked] = [withStatus('started'), withStatus('locked_in')];
  const voting = sortsDeployments
    ? [...started, ...locked]
    : votes.filter((v) => started.includes(v) || locked.includes(v));
  return {
    rules: [
      ...(hasCsv ? ['csv'] : []),
      ...(hasSegwit ? ['!segwit', ...(buriesTaproot ? ['taproot'] : [])] : []),
      ...(namesSignet && network.signetChallenge !== undefined ? ['!signet'] : []),
      ...withStatus('active').map(({ name }) => name),
    ],
    vbavailable: Object.fromEntries(voting.map(({ name, bit }) => [name, bit])),
  };
}
