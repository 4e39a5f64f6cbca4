import { parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { Dialect } from '../../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidAddressOrKey, invalidParameter } from '../../../answers/method/errorCodes.ts';
import { array, json, of, optional } from '../../../answers/method/parameters.ts';
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
import { notInChain, parseProof, provenBlock, provenTxs } from '../txProof.ts';
import { getBlock } from './blockArguments.ts';
import { transactionCount, unavailableBlock } from './blockJson.ts';

export const gettxoutproof = nodeMethod({
  name: 'gettxoutproof',
  checksLate: true,
  about: 'Proves that transactions are in a block.',
  params: [
    array('txids', of<string>(), 'the transaction ids'),
    optional(
      json(
        'blockhash',
        of<string>(),
        { type: 'string' },
        'the hash of their block; by default the one of an unspent output of theirs',
      ),
    ),
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

function wantedTxids(items: readonly JsonValue[], dialect: Dialect): ReadonlySet<TxKey> {
  if (items.length === 0 && chainRules[dialect.generation].refusesEmptyProofs) {
    throw invalidParameter("Parameter 'txids' cannot be empty");
  }
  const keys = new Set<TxKey>();
  for (const item of items) {
    const text = readValue(item, 'string', dialect).value;
    const key = txKey(parseTxidArgument('txid', text));
    if (keys.has(key)) throw invalidParameter(`Invalid parameter, duplicated txid: ${withoutSecrets(text, 'hash')}`);
    keys.add(key);
  }
  return keys;
}

function chooseBlock(value: JsonValue | undefined, txidKeys: ReadonlySet<TxKey>, context: NodeContext): ChainBlock {
  const { dialect, node, indexes } = context;
  if (value && value.type !== 'null') {
    return getBlock(parseTxidArgument('blockhash', readValue(value, 'string', dialect).value), context);
  }
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
  checksLate: true,
  about: 'Verifies a proof from gettxoutproof, for a block of the active chain.',
  params: [json('proof', of<string>(), { type: 'string' }, 'the proof in hex')],
  result: list(hex(), 'the ids of the proven transactions; none if the proof is wrong'),
  examples: ['verifytxoutproof 00000020...'],
  run: (args, context) => {
    const { node } = context;
    const proof = parseProof(args.proof, context);
    const { hash, txs } = provenTxs(proof);
    if (!hash) return [];
    const count = transactionCount(provenBlock(hash, context), node);
    if (count === 0) throw notInChain();
    return count === proof.count ? txs.map(({ id }) => formatReversedHex(id)) : [];
  },
});
