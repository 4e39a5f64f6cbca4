import {
  hasType,
  isAbsent,
  parseInt32,
  parseTxidArgument,
  readValue,
} from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { anyOf, bool, number, optional, reading, string, unread } from '../../../answers/method/parameters.ts';
import { RpcError } from '../../../core/errors.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { activeTip, findActiveBlock, isActive } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
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
export function getActiveBlock(hash: Uint8Array, context: NodeContext): ChainBlock {
  const block = getBlock(hash, context);
  if (isActive(context.node.chain, block)) return block;
  throw invalidParameter('Block is not in main chain');
}

/** A block by its hash or height. */
export const HASH_OR_HEIGHT = unread(
  anyOf('hash_or_height', [number('', ''), string('', '')], 'the hash of the block, or its height in the active chain'),
);

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

/** Declares how much to show: a number, or true as 1 and false as 0. @see Bitcoin Core `ParseVerbosity` */
export const verbosity = (usual: number, about: string) =>
  optional(
    reading(
      anyOf('verbosity', [number('', ''), bool('', '')], about, { aliases: ['verbose'], default: String(usual) }),
      (value, { dialect }): number => {
        if (isAbsent(value)) return usual;
        const isNumber = chainRules[dialect.generation].readsVerbosityAsNumber;
        if (value.type === 'number' || (isNumber && value.type !== 'bool')) {
          return parseInt32(readValue(value, 'number', dialect));
        }
        return readValue(value, 'bool', dialect).value ? 1 : 0;
      },
    ),
  );
