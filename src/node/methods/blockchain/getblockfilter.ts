import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { optional, string } from '../../../answers/method/parameters.ts';
import { hex, members } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { nodeMethod } from '../context.ts';

export const getblockfilter = nodeMethod({
  name: 'getblockfilter',
  checksLate: true,
  about: 'Refuses, as a node without an index of block filters (BIP158).',
  params: [string('blockhash', 'the hash of the block'), optional(string('filtertype', 'basic'), 'basic')],
  result: members({ filter: hex(), header: hex() }),
  examples: ['getblockfilter 00000000c937983704a73af28acdec37b049d214adbda81d7e2a3dd146f6ed09'],
  run: ({ blockhash, filtertype }) => {
    parseTxidArgument('blockhash', blockhash);
    if (filtertype !== 'basic') throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Unknown filtertype');
    throw new RpcError(RPC_MISC_ERROR, 'Index is not enabled for filtertype basic');
  },
});
