import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { hexString, optional, string } from '../../../answers/method/parameters.ts';
import { hex, members } from '../../../answers/method/results.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import type { FilterIndex } from '../../chain/filterIndex.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { getBlock } from './blockArguments.ts';

export const getblockfilter = nodeMethod({
  name: 'getblockfilter',
  category: 'blockchain',
  checksLate: true,
  about: 'Returns the filter of a block (BIP158), if the node has an index of them (blockfilterindex).',
  params: [hexString('blockhash', 'the hash of the block'), optional(string('filtertype', 'basic'), 'basic')],
  result: members({ filter: hex(), header: hex('that commits to it and to those before') }),
  examples: ['getblockfilter 00000000c937983704a73af28acdec37b049d214adbda81d7e2a3dd146f6ed09'],
  run: ({ blockhash, filtertype }, context) => {
    const hash = parseTxidArgument('blockhash', blockhash);
    const index = filterIndex(filtertype, context);
    const found = index.find(getBlock(hash, context));
    if (!found) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Filter not found. Block was not connected to active chain.');
    }
    return { filter: formatHex(found.filter), header: formatReversedHex(found.header) };
  },
});

/** @throws RpcError -5, -1 */
export function filterIndex(type: string, { indexes }: NodeContext): FilterIndex {
  if (type !== 'basic') throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Unknown filtertype');
  if (indexes.filters) return indexes.filters;
  throw new RpcError(RPC_MISC_ERROR, 'Index is not enabled for filtertype basic');
}
