import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import { either, hex } from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';
import { getBlock, verbosity } from './blockArguments.ts';
import { blockDraft, blockHeaderDraft, blockHeaderResult, blockHex, blockResult } from './blockJson.ts';

export const getblock = nodeMethod({
  name: 'getblock',
  category: 'blockchain',
  checksLate: true,
  about: 'Shows a block, of the active chain or not.',
  params: [
    hash('blockhash', 'the hash of the block'),
    verbosity(
      1,
      '0 for hex, 1 for the ids of the transactions, 2 for the transactions and, since core-29, their fees, 3 for the coins that they spend, too',
    ),
  ],
  result: either(blockResult, hex('with verbosity 0')),
  examples: ['getblock 00000000000000000001...', 'getblock 00000000000000000001... 2'],
  run: (args, context) => {
    const { blockhash, verbosity: level } = args;
    const block = getBlock(blockhash, context);
    return level <= 0 ? blockHex(block, context) : blockDraft(block, level, context);
  },
});

export const getblockheader = nodeMethod({
  name: 'getblockheader',
  category: 'blockchain',
  checksLate: true,
  about: 'Shows the header of a block, of the active chain or not.',
  params: [
    hash('blockhash', 'the hash of the block', { shown: 'hash' }),
    optional(bool('verbose', 'false for the header in hex'), true),
  ],
  result: either(blockHeaderResult, hex('if verbose is false')),
  examples: ['getblockheader 00000000000000000001...'],
  run: (args, context) => {
    const { blockhash, verbose: isVerbose } = args;
    const block = getBlock(blockhash, context);
    return isVerbose ? blockHeaderDraft(block, context) : block.header;
  },
});
