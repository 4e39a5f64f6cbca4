import { hasType, parseInt32, parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { RpcError } from '../../../core/errors.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { activeTip, findActiveBlock, isActive } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import type { NodeContext } from '../context.ts';
import { unavailableBlock } from './blockJson.ts';

/** @throws RpcError -5 */
export function getBlock(hash: Uint8Array, { node }: Pick<NodeContext, 'node'>): ChainBlock {
  const block = node.chain.blocks.get(blockKey(hash));
  if (block) return block;
  throw unknownBlock();
}

const unknownBlock = (): RpcError => new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');

/** @throws RpcError -5 or -8 */
export function parseActiveBlock(text: string, context: NodeContext): ChainBlock {
  const block = getBlock(parseTxidArgument('blockhash', text), context);
  if (isActive(context.node.chain, block)) return block;
  throw invalidParameter('Block is not in main chain');
}

/** @see Bitcoin Core `ParseHashOrHeight` */
export function parseHashOrHeight(value: JsonValue | undefined, context: NodeContext): ChainBlock {
  const { chain } = context.node;
  if (!hasType(value, 'number')) {
    return getBlock(parseTxidArgument('hash_or_height', readValue(value, 'string', context.dialect).value), context);
  }
  const height = parseInt32(value);
  const tip = activeTip(chain).height;
  if (height < 0) throw invalidParameter(`Target block height ${height} is negative`);
  if (height > tip) throw invalidParameter(`Target block height ${height} after current tip ${tip}`);
  const block = findActiveBlock(chain, height);
  if (block) return block;
  throw unavailableBlock(block, context);
}
