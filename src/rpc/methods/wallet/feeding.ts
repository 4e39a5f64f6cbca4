import { byteName } from '../../../bytes/compare.ts';
import { formatHex, formatReversedHex, isHex } from '../../../bytes/hex.ts';
import { RpcError } from '../../../errors.ts';
import { checkTransaction } from '../../../tx/check.ts';
import { encodeTransaction } from '../../../tx/codec.ts';
import { formatTxid, txid } from '../../../tx/txid.ts';
import type { Block } from '../../../wallet/block.ts';
import { blockFault, blockOutcome } from '../../../wallet/chain.ts';
import { chainTx, outputName, tipOf } from '../../../wallet/chainState.ts';
import { MISSING_INPUTS, mempoolFault, rivalFault, valuesFault } from '../../../wallet/mempool.ts';
import type { Node } from '../../../wallet/node.ts';
import { unlessRefused } from '../../attempt.ts';
import {
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_INVALID_PARAMETER,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
} from '../../errorCodes.ts';
import { int32Of, int64Of, txidOf } from '../../members.ts';
import { guessTransaction } from '../../rawTransaction.ts';
import { taken, takenArg } from '../../wallet/args.ts';
import type { NodeMethod } from '../../wallet/context.ts';

/** @see Bitcoin Core `submitblock`, BIP22 */
export const submitblock: NodeMethod<string | null> = {
  name: 'submitblock',
  params: [
    { name: 'hexdata', type: 'string' },
    { name: 'dummy', type: 'any', isOptional: true },
  ],
  checksLate: true,
  help: `Feeds a block. What it proves is not looked at: feed what a node of yours has checked.

Arguments:
1. hexdata    (string, required) the block in hex

Result:
null, or why the block was not taken

Examples:
> countersign submitblock 0000002006226e46111a0b59caaf12604...`,
  run: (args, { node, dialect }) => {
    const hex = taken(args[0], 'string', dialect).value;
    const block = blockOf(hex, node);
    const fault = blockFault(node.chain, block);
    if (fault !== undefined) return fault;
    node.change({ type: 'block', block: hex });
    return blockOutcome(node.chain, block) ?? null;
  },
};

/** @throws RpcError -22 */
function blockOf(hex: string, node: Node): Block {
  const block = isHex(hex) ? unlessRefused(() => node.decodeBlock(hex)) : undefined;
  if (block) return block;
  throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Block decode failed');
}

/** @see Bitcoin Core `invalidateblock` */
export const invalidateblock: NodeMethod<null> = {
  name: 'invalidateblock',
  params: [{ name: 'blockhash', type: 'string' }],
  checksLate: true,
  help: `Takes a block and all after it out of the chain, until it is reconsidered.

Arguments:
1. blockhash    (string, required) the hash of the block

Result:
null

Examples:
> countersign invalidateblock 00000000000000000001...`,
  run: (args, { node, dialect }) => {
    const text = taken(args[0], 'string', dialect).value;
    const hash = txidOf('blockhash', text);
    const block = node.chain.blocks.get(byteName(hash));
    if (!block || block.height === 0) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
    node.change({ type: 'invalidate', hash: formatHex(hash) });
    return null;
  },
};

/** @see Bitcoin Core `reconsiderblock` */
export const reconsiderblock: NodeMethod<null> = {
  name: 'reconsiderblock',
  params: [{ name: 'blockhash', type: 'string' }],
  checksLate: true,
  help: `Takes back what invalidateblock did, or what made a block invalid, for it and all before and after it.

Arguments:
1. blockhash    (string, required) the hash of the block

Result:
null

Examples:
> countersign reconsiderblock 00000000000000000001...`,
  run: (args, { node, dialect }) => {
    const hash = txidOf('blockhash', taken(args[0], 'string', dialect).value);
    if (!node.chain.blocks.has(byteName(hash))) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
    node.change({ type: 'reconsider', hash: formatHex(hash) });
    return null;
  },
};

/** @see Bitcoin Core `sendrawtransaction` */
export const sendrawtransaction: NodeMethod<string> = {
  name: 'sendrawtransaction',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'maxfeerate', type: 'any', isOptional: true },
    { name: 'maxburnamount', type: 'any', isOptional: true, since: 'core-31' },
  ],
  checksLate: true,
  help: `Feeds a transaction that is in no block yet. It is sent to nobody, and its scripts are not run.

Arguments:
1. hexstring     (string, required) the transaction in hex
2. maxfeerate    (number or string, optional) is not looked at

Result:
its transaction id

Examples:
> countersign sendrawtransaction 0200000001...`,
  run: (args, { node, dialect, network }) => {
    const hex = taken(args[0], 'string', dialect).value;
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
    if (!tx) {
      const message = 'TX decode failed. Make sure the tx has at least one input.';
      throw new RpcError(RPC_DESERIALIZATION_ERROR, message);
    }
    const id = txid(tx);
    const one = chainTx(tx, id);
    const { chain } = node;
    if (chain.mempool.has(one.name)) return formatTxid(id);
    if (tx.outputs.some((_, vout) => chain.coins.has(outputName(one.name, vout)))) {
      const isModern = dialect.generation === 'core-31';
      throw new RpcError(
        RPC_VERIFY_ALREADY_IN_CHAIN,
        isModern ? 'Transaction outputs already in utxo set' : 'Transaction already in block chain',
      );
    }
    const fault =
      checkTransaction(tx, network) ??
      (one.isCoinbase ? 'coinbase' : undefined) ??
      mempoolFault(chain, one) ??
      valuesFault(chain, one, network) ??
      rivalFault(chain, one);
    if (fault !== undefined)
      throw new RpcError(fault === MISSING_INPUTS ? RPC_VERIFY_ERROR : RPC_VERIFY_REJECTED, fault);
    node.change({ type: 'transaction', transaction: formatHex(encodeTransaction(tx)) });
    return formatTxid(id);
  },
};

/** Ours: nodes drop what has waited too long, or what there is no room for, without being asked. */
export const droptransaction: NodeMethod<null> = {
  name: 'droptransaction',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Feeds that a transaction has left the mempool without being mined, with all that spend of it.

Arguments:
1. txid    (string, required) the transaction id

Result:
null

Examples:
> countersign droptransaction b56862e91da29eadd13d6ca1ded756ed...`,
  run: (args, { node, dialect }) => {
    const id = txidOf('txid', taken(args[0], 'string', dialect).value);
    if (!node.chain.mempool.has(byteName(id))) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
    }
    node.change({ type: 'drop', txid: formatTxid(id) });
    return null;
  },
};

/** @see Bitcoin Core `setmocktime` */
export const setmocktime: NodeMethod<null> = {
  name: 'setmocktime',
  params: [{ name: 'timestamp', type: 'number' }],
  checksLate: true,
  help: `Sets the clock, until the end of the process.

Arguments:
1. timestamp    (number, required) UNIX time in seconds; 0 goes back to the clock of the machine

Result:
null

Examples:
> countersign setmocktime 1750000000`,
  run: (args, { node, dialect }) => {
    const time = int64Of(taken(args[0], 'number', dialect));
    if (time < 0)
      throw new RpcError(RPC_INVALID_PARAMETER, `Mocktime must be in the range [0, 9223372036], not ${time}.`);
    node.setTime(time === 0 ? undefined : time);
    return null;
  },
};

/** @see Bitcoin Core `getblockcount` */
export const getblockcount: NodeMethod<number> = {
  name: 'getblockcount',
  params: [],
  help: `Tells the height of the last block of the chain.

Result:
the height

Examples:
> countersign getblockcount`,
  run: (_, { node }) => tipOf(node.chain).height,
};

/** @see Bitcoin Core `getblockhash` */
export const getblockhash: NodeMethod<string> = {
  name: 'getblockhash',
  params: [{ name: 'height', type: 'number' }],
  checksLate: true,
  help: `Tells the hash of a block of the chain.

Arguments:
1. height    (number, required) its height

Result:
the hash

Examples:
> countersign getblockhash 0`,
  run: (args, { node, dialect }) => {
    const height = int32Of(taken(args[0], 'number', dialect));
    const block = blockAt(node, height);
    if (block) return formatReversedHex(block.hash);
    throw new RpcError(RPC_INVALID_PARAMETER, 'Block height out of range');
  },
};

const blockAt = ({ chain }: Node, height: number) => chain.blocks.get(chain.active[height] ?? '');

/** @see Bitcoin Core `getbestblockhash` */
export const getbestblockhash: NodeMethod<string> = {
  name: 'getbestblockhash',
  params: [],
  help: `Tells the hash of the last block of the chain.

Result:
the hash

Examples:
> countersign getbestblockhash`,
  run: (_, { node }) => formatReversedHex(tipOf(node.chain).hash),
};

/** @see Bitcoin Core `getrawmempool` */
export const getrawmempool: NodeMethod<readonly string[]> = {
  name: 'getrawmempool',
  params: [
    { name: 'verbose', type: 'bool', isOptional: true },
    { name: 'mempool_sequence', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Lists the transactions that were fed and are in no block, those that others spend of before these.

Arguments:
1. verbose             (boolean, optional) only false: fees and times of arrival are not known
2. mempool_sequence    (boolean, optional) only false

Result:
their transaction ids

Examples:
> countersign getrawmempool`,
  run: (args, { node, dialect }) => {
    if (args.some((arg) => takenArg(arg, 'bool', dialect)?.value)) {
      throw new RpcError(RPC_INVALID_PARAMETER, 'Only the transaction ids are known');
    }
    return [...node.chain.mempool.values()].map(({ id }) => formatTxid(id));
  },
};
