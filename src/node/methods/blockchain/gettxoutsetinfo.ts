import { isGiven } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_INTERNAL_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, optional, string } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, hex, maybe, members, numeric } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { activeTip } from '../../chain/chainState.ts';
import { allUnspendable, type CoinIndex } from '../../chain/coinIndex.ts';
import { type CoinHashType, coinStatistics } from '../../chain/coinStatistics.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { saveTips } from '../savedTips.ts';
import { HASH_OR_HEIGHT, parseHashOrHeight } from './blockArguments.ts';

const coinSetResult = members(
  {
    height: numeric('of the last block'),
    bestblock: hex('its hash'),
    txouts: numeric('the coins'),
    bogosize: numeric('a size of the coins that no database has'),
    hash_serialized_2: maybe(hex(), { until: 'core-0.21' }),
    hash_serialized_3: maybe(hex(), { since: 'core-29' }),
    muhash: maybe(hex(), { since: 'core-29' }),
    total_amount: amount(),
    transactions: maybe(numeric('with such coins; not from an index')),
    disk_size: maybe(numeric('always 0: it is not measured; not from an index')),
    total_unspendable_amount: maybe(amount('what can never be spent; from an index'), { since: 'core-29' }),
    block_info: maybe(
      members(
        {
          prevout_spent: amount(),
          coinbase: amount('created by the coinbase'),
          new_outputs_ex_coinbase: amount('created by other transactions'),
          unspendable: amount(),
          unspendables: members({
            genesis_block: amount(),
            bip30: amount('of coinbases that later ones repeat'),
            scripts: amount('sent to scripts such as OP_RETURN'),
            unclaimed_rewards: amount('subsidy and fees that the coinbase leaves'),
          }),
        },
        'what the block does; from an index',
      ),
      { since: 'core-29' },
    ),
  },
  '',
  [
    {
      until: 'core-0.21',
      first: ['height', 'bestblock', 'transactions', 'txouts', 'bogosize', 'hash_serialized_2', 'disk_size'],
    },
  ],
);

type CoinSetDraft = Draft<typeof coinSetResult>;

export const gettxoutsetinfo = nodeMethod({
  name: 'gettxoutsetinfo',
  category: 'blockchain',
  checksLate: true,
  about: 'Sums up and hashes all coins of the chain.',
  params: [
    optional(string('hash_type', 'hash_serialized_3 (in 0.21 hash_serialized_2), muhash or none')),
    lasting(optional({ ...HASH_OR_HEIGHT, about: 'the last block to count; needs coinstatsindex' }), {
      since: 'core-29',
    }),
    lasting(optional(bool('use_index', 'take coinstatsindex if there is one'), true), { since: 'core-29' }),
  ],
  result: coinSetResult,
  examples: ['gettxoutsetinfo', 'gettxoutsetinfo muhash'],
  run: (args, context) => {
    const { node, dialect, indexes } = context;
    const { coinHashTypes } = chainRules[dialect.generation];
    const [usual = 'none'] = coinHashTypes;
    const type = findHashType(args.hash_type ?? usual, coinHashTypes);
    const isIndexed = args.use_index;
    saveTips(context);
    const block = isGiven(args.hash_or_height)
      ? findBlock(args.hash_or_height, { type, isIndexed }, context)
      : activeTip(node.chain);
    if (indexes.coins && isIndexed && (type === 'muhash' || type === 'none'))
      return indexedJson(block, type, indexes.coins);
    const { transactions, txouts, bogosize, total, hash } = coinStatistics(node.chain, type);
    return {
      height: block.height,
      bestblock: formatReversedHex(block.hash),
      txouts,
      bogosize,
      ...(hash && { [type]: formatReversedHex(hash) }),
      total_amount: total,
      transactions,
      disk_size: 0,
    };
  },
});

function findBlock(
  wanted: JsonValue,
  { type, isIndexed }: { readonly type: CoinHashType; readonly isIndexed: boolean },
  context: NodeContext,
): ChainBlock {
  if (!context.indexes.coins) throw invalidParameter('Querying specific block heights requires coinstatsindex');
  if (type === 'hash_serialized_3') {
    throw invalidParameter('hash_serialized_3 hash type cannot be queried for a specific block');
  }
  if (!isIndexed) throw invalidParameter('Cannot set use_index to false when querying for a specific block');
  return parseHashOrHeight(wanted, context);
}

/** @throws RpcError -32603 if the block was never active */
function indexedJson(block: ChainBlock, type: 'muhash' | 'none', index: CoinIndex): CoinSetDraft {
  const coins = index.find(block);
  if (!coins) throw new RpcError(RPC_INTERNAL_ERROR, 'Unable to read UTXO set');
  const { txouts, bogosize, total, unspendable, flow } = coins;
  const { unspendables } = flow;
  return {
    height: block.height,
    bestblock: formatReversedHex(block.hash),
    txouts,
    bogosize,
    ...(type === 'muhash' && { muhash: formatReversedHex(coins.muhash()) }),
    total_amount: total,
    total_unspendable_amount: unspendable,
    block_info: {
      prevout_spent: flow.spent,
      coinbase: flow.coinbase,
      new_outputs_ex_coinbase: flow.outputs,
      unspendable: allUnspendable(unspendables),
      unspendables,
    },
  };
}

function findHashType(name: string, types: readonly CoinHashType[]): CoinHashType {
  const type = types.find((each) => each === name);
  if (type) return type;
  throw invalidParameter(`'${withoutSecrets(name)}' is not a valid hash_type`);
}
