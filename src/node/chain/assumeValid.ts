import { parseHex } from '../../core/bytes/hex.ts';
import { headerRules } from '../../core/network/networks.ts';
import { blockKey } from './blockHeader.ts';
import { headerWork } from './chainCodec.ts';
import { ancestorAt, bestHeader, type Chain } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** In seconds. */
const TWO_WEEKS = 14n * 86_400n;
const NONE = '0';

/**
 * Tells whether the scripts of a block are assumed to be valid: it is an ancestor of the block that `assumevalid` names,
 * of which the node has the header, and long buried by work.
 * @see Bitcoin Core `ConnectBlock`, `-assumevalid`
 */
export function skipsScripts(chain: Chain, block: ChainBlock): boolean {
  const params = headerRules(chain.network);
  const { assumevalid = params?.knownBlock?.hash ?? NONE } = chain.validation;
  if (assumevalid === 'all') return true;
  const known = assumevalid === NONE ? undefined : chain.blocks.get(blockKey(parseHex(assumevalid).reverse()));
  if (!known || !params || ancestorAt(chain, known, block.height)?.key !== block.key) return false;
  const best = bestHeader(chain);
  if (best.work < params.minimumWork || ancestorAt(chain, best, block.height)?.key !== block.key) return false;
  const proof = headerWork(best);
  return ((best.work - block.work) * BigInt(params.targetSpacing)) / proof > TWO_WEEKS;
}
