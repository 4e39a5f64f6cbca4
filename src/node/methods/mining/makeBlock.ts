import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { RpcError } from '../../../core/errors.ts';
import { transactionSize } from '../../../core/tx/weight.ts';
import { placeFault } from '../../chain/acceptBlock.ts';
import { type Block, type EncodedBlock, HEADER_SIZE, makeBlock } from '../../chain/block.ts';
import { encodeBlockHeader } from '../../chain/blockHeader.ts';
import { contentFault, contextualFault } from '../../chain/blockRules.ts';
import { activeTip } from '../../chain/chainState.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { placeBlock } from '../../chain/connect.ts';
import { connectFault } from '../../chain/connectRules.ts';
import { type Fault, faultText } from '../../chain/fault.ts';
import { createTemplate, filled, headerOf, type UnminedBlock } from '../../mining/blockTemplate.ts';
import { type Attempts, findNonce } from '../../mining/findNonce.ts';
import type { NodeContext } from '../context.ts';
import { miningMethodRules } from './miningMethodRules.ts';

/** Assembles a block from the mempool that pays to a script. @throws RpcError -1 if it would not be valid */
export function assembleBlock(script: Uint8Array, context: NodeContext): UnminedBlock {
  const block = assembleEmpty(script, context, false);
  const fault = validityFault(block, context);
  if (!fault) return block;
  const { templateFault } = miningMethodRules[context.dialect.generation];
  throw new RpcError(RPC_MISC_ERROR, templateFault(faultText(fault)));
}

/** Assembles a block, without transactions of the mempool if `isEmpty`. */
export function assembleEmpty(script: Uint8Array, { node, mining }: NodeContext, isEmpty = true): UnminedBlock {
  const template = createTemplate(node.chain, mining.terms, { script, now: node.now(), isEmpty });
  const others = template.chosen.map(({ entry }) => entry);
  const weights = others.map(({ tx }) => transactionSize(tx).weight);
  mining.last = {
    count: others.length,
    weight: weights.reduce((sum, weight) => sum + weight, mining.terms.rules.reservedWeight),
  };
  return filled(node.chain, template, others);
}

/** Tells why a block of the next height would be refused, apart from its proof of work. */
export function validityFault(unmined: UnminedBlock, context: NodeContext): Fault | undefined {
  const { block, bytes } = makeBlock(encodeBlockHeader(headerOf(unmined)), unmined);
  return proposalFault(block, bytes, context);
}

/** @see Bitcoin Core `TestBlockValidity` */
export function proposalFault(block: Block, bytes: Uint8Array, { node, dialect }: NodeContext): Fault | undefined {
  const { chain } = node;
  const header = bytes.slice(0, HEADER_SIZE);
  const tip = activeTip(chain);
  const ofPlace = (): Fault | undefined => placeFault(chain, header, tip, node.now());
  const ofContent = (): Fault | undefined => contentFault(block, chain.network);
  const [first, second] = miningMethodRules[dialect.generation].checksProposalsByContent
    ? [ofContent, ofPlace]
    : [ofPlace, ofContent];
  return (
    first() ??
    second() ??
    contextualFault(chain, block, tip) ??
    connectFault(
      chain,
      placeBlock(chain, header, block.hash),
      block.txs.map((tx, index) => chainTx(tx, block.txids[index])),
    )
  );
}

/** Finds proof of work. @returns the block, or why there is none */
export function mineBlock(
  unmined: UnminedBlock,
  attempts: Attempts,
  { network }: NodeContext,
): EncodedBlock | 'no attempts left' | 'no nonce left' {
  const header = findNonce(network, headerOf(unmined), attempts);
  return typeof header === 'string' ? header : makeBlock(header, unmined);
}
