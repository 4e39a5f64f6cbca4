import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import { chosenBy, hex, when } from '../../../answers/method/results.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import { nodeMethod } from '../context.ts';
import { getBlock, verbosity } from './blockArguments.ts';
import {
  blockDraft,
  blockHeaderDraft,
  blockHeaderResult,
  blockHex,
  blockResult,
  blockWithCoinsResult,
  blockWithTransactionsResult,
  detailsIn,
} from './blockJson.ts';

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
  result: chosenBy(
    'verbosity',
    when([0, false], hex()),
    when([1, true, undefined], blockResult),
    when([2], blockWithTransactionsResult),
    when([3], blockWithCoinsResult),
  ),
  examples: ['getblock 00000000000000000001...', 'getblock 00000000000000000001... 2'],
  run: (args, context) => {
    const { blockhash, verbosity: level } = args;
    const block = getBlock(blockhash, context);
    if (level <= 0) return blockHex(block, context);
    if (level === 1) return blockDraft(block, ({ id }) => formatTxid(id), context);
    return blockDraft(block, detailsIn(block, { showsSpent: level >= 3 }, context), context);
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
  result: chosenBy('verbose', when([false], hex()), when([true, undefined], blockHeaderResult)),
  examples: ['getblockheader 00000000000000000001...'],
  run: (args, context) => {
    const { blockhash, verbose: isVerbose } = args;
    const block = getBlock(blockhash, context);
    return isVerbose ? blockHeaderDraft(block, context) : block.header;
  },
});
