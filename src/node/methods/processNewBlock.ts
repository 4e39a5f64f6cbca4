import { headerRules } from '../../core/network/networks.ts';
import { judgeBlock } from '../chain/acceptBlock.ts';
import { type Block, completeBlock, HEADER_SIZE } from '../chain/block.ts';
import { blockKey } from '../chain/blockHeader.ts';
import { blockOutcome } from '../chain/connect.ts';
import type { Fault } from '../chain/fault.ts';
import type { Node } from '../state/node.ts';

/**
 * Validates a block, and adds it to the chain.
 * @returns why it is not active: `duplicate` if it is known, `inconclusive` on a side branch
 * @see Bitcoin Core `submitblock`, `ProcessNewBlock`
 */
export function processNewBlock(
  given: Block,
  givenBytes: Uint8Array,
  node: Node,
): Fault | 'duplicate' | 'inconclusive' | undefined {
  const { block, bytes } = hasWitnesses(given, node)
    ? completeBlock({ block: given, bytes: givenBytes })
    : { block: given, bytes: givenBytes };
  const verdict = judgeBlock(node.chain, block, bytes, node.now());
  if (verdict.kind === 'duplicate') return 'duplicate';
  if (verdict.kind === 'refused') {
    const { fault, keeps } = verdict;
    if (keeps !== 'nothing') {
      const header = bytes.slice(0, HEADER_SIZE);
      node.change({ type: 'header', header, isInvalid: keeps === 'invalid header' });
    }
    return fault;
  }
  node.change({ type: 'block', block, bytes });
  return blockOutcome(node.chain, block);
}

/** Tells whether the witnesses of a block count, as far as its place is known. */
function hasWitnesses({ previous }: Block, { chain, network }: Node): boolean {
  const parent = chain.blocks.get(blockKey(previous));
  const [, segwit = 0] = headerRules(network)?.laterForks ?? [];
  return parent !== undefined && parent.height + 1 >= segwit;
}
