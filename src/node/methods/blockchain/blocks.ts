import { parseInt64 } from '../../../answers/arguments/argumentValues.ts';
import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_INVALID_PARAMETER } from '../../../answers/method/errorCodes.ts';
import { hexString, int32, number, optional, string } from '../../../answers/method/parameters.ts';
import { either, hex, nothing, numeric, text } from '../../../answers/method/results.ts';
import { formatReversedHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import { RpcError, unlessRefused } from '../../../core/errors.ts';
import { isCoinbase } from '../../../core/tx/check.ts';
import { isComplete } from '../../chain/acceptBlock.ts';
import { type Block, decodeBlock } from '../../chain/block.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { activeTip, findActiveBlock } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import { nodeMethodRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { processNewBlock } from '../processNewBlock.ts';
import { getBlock } from './blockArguments.ts';
import { unavailableBlock } from './blockJson.ts';

export const submitblock = nodeMethod({
  name: 'submitblock',
  category: 'mining',
  checksLate: true,
  about: 'Validates a block, and adds it to the chain.',
  params: [hexString('hexdata', 'the block'), optional(string('dummy', ''))],
  result: either(nothing('if the block was accepted'), text('why the block was not accepted')),
  examples: ['submitblock 0000002006226e46111a0b59caaf12604...'],
  run: (args, { node, dialect }) => {
    const hex = args.hexdata;
    const { block, bytes } = parseBlock(hex, node);
    if (!nodeMethodRules[dialect.generation].checksContentFirst) {
      const reason = lookUp(block, node);
      if (reason !== undefined) return reason;
    }
    const fault = processNewBlock(block, bytes, node);
    return fault === undefined ? null : typeof fault === 'string' ? fault : fault.reason;
  },
});

/** Looks the block up before it checks more than the coinbase. */
function lookUp({ hash, txs: [first] }: Block, { chain }: Node): string | undefined {
  if (!first || !isCoinbase(first)) {
    throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Block does not start with a coinbase');
  }
  const key = blockKey(hash);
  if (chain.invalid.get(key)) return 'duplicate-invalid';
  return isComplete(chain, key) ? 'duplicate' : undefined;
}

function parseBlock(hex: string, { network }: Node): { readonly block: Block; readonly bytes: Uint8Array } {
  const bytes = isHex(hex) ? parseHex(hex) : undefined;
  const block = bytes && unlessRefused(() => decodeBlock(bytes, network));
  if (block) return { block, bytes };
  throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Block decode failed');
}

export const invalidateblock = nodeMethod({
  name: 'invalidateblock',
  category: 'hidden',
  checksLate: true,
  about: 'Marks a block as invalid: takes it and all its descendants out of the chain, until reconsiderblock.',
  params: [hash('blockhash', 'the hash of the block')],
  result: nothing(),
  examples: ['invalidateblock 00000000000000000001...'],
  run: (args, context) => {
    const { node } = context;
    const block = getBlock(args.blockhash, context);
    const invalid = block.height === 0 ? afterGenesis(context) : block;
    if (!invalid) return null;
    if (invalid.key === node.chain.first.key) throw unavailableBlock(invalid, context);
    node.change({ type: 'invalidate', hash: invalid.hash });
    return null;
  },
});

/** Finds the block that stands for the genesis block, which itself stays valid. @see Bitcoin Core 0.21 `DisconnectTip` */
function afterGenesis({ node, dialect }: NodeContext): ChainBlock | undefined {
  return nodeMethodRules[dialect.generation].sparesGenesis ? undefined : findActiveBlock(node.chain, 1);
}

export const reconsiderblock = nodeMethod({
  name: 'reconsiderblock',
  category: 'hidden',
  checksLate: true,
  about: 'Removes the invalid mark from a block and all its ancestors and descendants, however they got it.',
  params: [hash('blockhash', 'the hash of the block')],
  result: nothing(),
  examples: ['reconsiderblock 00000000000000000001...'],
  run: (args, context) => {
    const { hash } = getBlock(args.blockhash, context);
    context.node.change({ type: 'reconsider', hash });
    return null;
  },
});

export const preciousblock = nodeMethod({
  name: 'preciousblock',
  category: 'blockchain',
  checksLate: true,
  about: 'Prefers a block to others with as much work, as if it had been submitted first, until the process ends.',
  params: [hash('blockhash', 'the hash of the block')],
  result: nothing(),
  examples: ['preciousblock 00000000000000000001...'],
  run: (args, context) => {
    const { hash } = getBlock(args.blockhash, context);
    context.node.change({ type: 'prefer', hash });
    return null;
  },
});

export const setmocktime = nodeMethod({
  name: 'setmocktime',
  category: 'hidden',
  about: 'Sets the clock to a fixed time, until the process ends.',
  params: [number('timestamp', 'UNIX time in seconds; 0 returns to the system clock')],
  result: nothing(),
  examples: ['setmocktime 1750000000'],
  run: (args, { node, dialect }) => {
    const timestamp = args.timestamp;
    const time = parseInt64(timestamp);
    const { maxMockTime, wrongMockTime } = nodeMethodRules[dialect.generation];
    if (time < 0 || time > maxMockTime)
      throw new RpcError(RPC_INVALID_PARAMETER, wrongMockTime(timestamp.text, maxMockTime));
    node.setTime(time === 0 ? undefined : time);
    return null;
  },
});

export const getblockcount = nodeMethod({
  name: 'getblockcount',
  category: 'blockchain',
  about: 'Returns the height of the last block of the chain.',
  params: [],
  result: numeric('the height of the last block'),
  examples: ['getblockcount'],
  run: (_, { node }) => activeTip(node.chain).height,
});

export const getblockhash = nodeMethod({
  name: 'getblockhash',
  category: 'blockchain',
  checksLate: true,
  about: 'Returns the hash of the block at a height of the chain.',
  params: [int32('height', 'the height of the block')],
  result: hex('the hash'),
  examples: ['getblockhash 0'],
  run: (args, { node }) => {
    const height = args.height;
    const block = findActiveBlock(node.chain, height);
    if (block) return formatReversedHex(block.hash);
    throw new RpcError(RPC_INVALID_PARAMETER, 'Block height out of range');
  },
});

export const getbestblockhash = nodeMethod({
  name: 'getbestblockhash',
  category: 'blockchain',
  about: 'Returns the hash of the last block of the chain.',
  params: [],
  result: hex('the hash'),
  examples: ['getbestblockhash'],
  run: (_, { node }) => formatReversedHex(activeTip(node.chain).hash),
});
