import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { hash } from '../../../answers/arguments/outpointArgument.ts';
import type { Dialect } from '../../../answers/dialect/dialect.ts';
import { invalidAddressOrKey, invalidParameter } from '../../../answers/method/errorCodes.ts';
import type { List } from '../../../answers/method/parameters.ts';
import { array, hexString, optional } from '../../../answers/method/parameters.ts';
import { hex, list } from '../../../answers/method/results.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { txKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { findActiveBlock, findBody } from '../../chain/chainState.ts';
import { createMerkleBlock, encodeMerkleBlock } from '../../chain/merkleBlock.ts';
import type { ChainBlock, ChainTx } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { notInChain, proof, provenBlock, provenTxs } from '../txProof.ts';
import { getBlock } from './blockArguments.ts';
import { transactionCount, unavailableBlock } from './blockJson.ts';

export const gettxoutproof = nodeMethod({
  name: 'gettxoutproof',
  category: 'blockchain',
  checksLate: true,
  about: 'Proves that transactions are in a block.',
  params: [
    array('txids', hexString('txid', 'a transaction id'), 'the transaction ids'),
    optional(hash('blockhash', 'the hash of their block; by default the one of an unspent output of theirs')),
  ],
  result: hex('the proof'),
  examples: ['gettxoutproof \'["1f3a..."]\' 00000000000000000001...'],
  run: (args, context) => {
    const { dialect } = context;
    const txidKeys = wantedTxids(args.txids, dialect);
    const block = chooseBlock(args.blockhash, txidKeys, context);
    const txs = txsToProve(block, context);
    if (txs.filter(({ key }) => txidKeys.has(key)).length !== txidKeys.size) {
      throw invalidAddressOrKey('Not all transactions found in specified or retrieved block');
    }
    const ids = txs.map(({ id }) => id);
    const isAsked = (index: number): boolean => txs[index] !== undefined && txidKeys.has(txs[index].key);
    return formatHex(encodeMerkleBlock(createMerkleBlock(block.header, ids, isAsked)));
  },
});

function wantedTxids(items: List<string>, dialect: Dialect): ReadonlySet<TxKey> {
  if (items.length === 0 && chainRules[dialect.generation].refusesEmptyProofs) {
    throw invalidParameter("Parameter 'txids' cannot be empty");
  }
  const keys = new Set<TxKey>();
  for (const text of items) {
    const key = txKey(parseTxidArgument('txid', text));
    if (keys.has(key)) throw invalidParameter(`Invalid parameter, duplicated txid: ${withoutSecrets(text, 'hash')}`);
    keys.add(key);
  }
  return keys;
}

function chooseBlock(hash: Uint8Array | undefined, txidKeys: ReadonlySet<TxKey>, context: NodeContext): ChainBlock {
  const { node, indexes } = context;
  if (hash) return getBlock(hash, context);
  for (const tx of txidKeys) {
    for (const [, { height = 0 }] of node.chain.coins.entries(`${tx}:`)) {
      const block = findActiveBlock(node.chain, height);
      if (block) return block;
    }
  }
  const [first] = txidKeys;
  const indexed = first && indexes.txs?.find(first);
  if (indexed) return indexed;
  throw invalidAddressOrKey('Transaction not yet in block');
}

function txsToProve(block: ChainBlock, context: NodeContext): readonly ChainTx[] {
  const body = findBody(context.node.chain, block);
  if (body) return body.txs;
  const { unprovableBlock } = chainRules[context.dialect.generation];
  throw unprovableBlock
    ? new RpcError(unprovableBlock.code, unprovableBlock.message)
    : unavailableBlock(block, context);
}

export const verifytxoutproof = nodeMethod({
  name: 'verifytxoutproof',
  category: 'blockchain',
  checksLate: true,
  about: 'Verifies a proof from gettxoutproof, for a block of the active chain.',
  params: [proof('proof', 'the proof')],
  result: list(hex(), 'the ids of the proven transactions; none if the proof is wrong'),
  examples: ['verifytxoutproof 00000020...'],
  run: (args, context) => {
    const { node } = context;
    const { proof: given } = args;
    const { hash, txs } = provenTxs(given);
    if (!hash) return [];
    const count = transactionCount(provenBlock(hash, context), node);
    if (count === 0) throw notInChain();
    return count === given.count ? txs.map(({ id }) => formatReversedHex(id)) : [];
  },
});
