import { derivedScripts } from '../../../answers/arguments/descriptorArgument.ts';
import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { array, bool, optional, reading } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, either, hex, list, maybe, members, numeric, oneOf } from '../../../answers/method/results.ts';
import { scriptPubKeyDraft } from '../../../answers/views/scriptJson.ts';
import { scriptPubKeyResult } from '../../../answers/views/transactionResults.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { formatTxid, parseOutpointKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, TxOut } from '../../../core/tx/types.ts';
import { coinAt } from '../../chain/chainState.ts';
import type { ChainBlock, ChainTx } from '../../chain/types.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { getActiveBlock } from './blockArguments.ts';
import { getBody, spentCoins } from './blockJson.ts';
import { SCANOBJECTS } from './scanblocks.ts';

const place = {
  blockhash: maybe(hex('of the block, if confirmed')),
  height: maybe(numeric('of the block')),
};

const spendResult = members({
  type: oneOf(['spend']),
  amount: amount('of the spent output'),
  ...place,
  spend_txid: hex('the transaction that spends it'),
  spend_vin: numeric('its input'),
  prevout_txid: hex('of the spent output'),
  prevout_vout: numeric('of the spent output'),
  prevout_spk: scriptPubKeyResult,
});

const receiveResult = members({
  type: oneOf(['receive']),
  amount: amount('of the output'),
  ...place,
  txid: hex('of the output'),
  vout: numeric('of the output'),
  output_spk: scriptPubKeyResult,
});

type SpendDraft = Draft<typeof spendResult>;
type ReceiveDraft = Draft<typeof receiveResult>;

const activityResult = members({ activity: list(either(spendResult, receiveResult), 'block by block') });

const BLOCKHASHES = array('blockhashes', hash('blockhash', 'a block'), 'blocks of the active chain, in any order');

export const getdescriptoractivity = lasting(
  nodeMethod({
    name: 'getdescriptoractivity',
    category: 'blockchain',
    checksLate: true,
    about:
      'Lists what descriptors receive and spend in blocks, such as those that scanblocks finds, and in the mempool.',
    params: [
      lasting(BLOCKHASHES, { since: 'core-30' }),
      lasting(optional(reading(BLOCKHASHES, BLOCKHASHES.read)), { until: 'core-29' }),
      lasting(SCANOBJECTS, { since: 'core-30' }),
      lasting(optional(reading(SCANOBJECTS, SCANOBJECTS.read)), { until: 'core-29' }),
      optional(bool('include_mempool', 'look into the mempool, too'), true),
    ],
    result: activityResult,
    examples: [`getdescriptoractivity '["00000000000000000001..."]' '["addr(bcrt1q...)"]'`],
    run: (args, context) => {
      const { node } = context;
      const blocks = new Set(args.blockhashes.map((hash) => getActiveBlock(hash, context)));
      const watched = new Set(derivedScripts(args.scanobjects, context).map(scriptKey));
      const confirmed = [...blocks]
        .sort((a, b) => a.height - b.height)
        .flatMap((block) => {
          const { txs } = getBody(block, context);
          const coins = spentCoins(block, txs, context);
          const findCoin = (outpoint: OutpointKey): TxOut | undefined => coins.get(outpoint);
          return txs.flatMap((tx) => activityOf(tx, { watched, findCoin, block }, context));
        });
      const findCoin = (outpoint: OutpointKey): TxOut | undefined => coinAt(node.chain, outpoint);
      const pooled = args.include_mempool ? [...node.chain.mempool.values()] : [];
      const unconfirmed = pooled.flatMap((tx) => activityOf(tx, { watched, findCoin, block: undefined }, context));
      return { activity: [...confirmed, ...unconfirmed] };
    },
  }),
  { since: 'core-29' },
);

interface Search {
  readonly watched: ReadonlySet<ScriptKey>;
  readonly findCoin: (outpoint: OutpointKey) => TxOut | undefined;
  readonly block: ChainBlock | undefined;
}

function activityOf(
  { tx, id, spends }: ChainTx,
  { watched, findCoin, block }: Search,
  context: NodeContext,
): readonly (SpendDraft | ReceiveDraft)[] {
  const txid = formatTxid(id);
  const where = block && { blockhash: formatReversedHex(block.hash), height: block.height };
  const spent = spends.flatMap((outpoint, vin) => {
    const coin = findCoin(outpoint);
    if (!coin || !watched.has(scriptKey(coin.scriptPubKey))) return [];
    const { txid: previous, vout } = parseOutpointKey(outpoint);
    const spend: SpendDraft = {
      type: 'spend',
      amount: coin.value,
      ...where,
      spend_txid: txid,
      spend_vin: vin,
      prevout_txid: formatTxid(previous),
      prevout_vout: vout,
      prevout_spk: scriptPubKeyDraft(coin.scriptPubKey, context),
    };
    return spend;
  });
  const received = tx.outputs.flatMap(({ value, scriptPubKey }, vout): readonly ReceiveDraft[] =>
    watched.has(scriptKey(scriptPubKey))
      ? [
          {
            type: 'receive',
            amount: value,
            ...where,
            txid,
            vout,
            output_spk: scriptPubKeyDraft(scriptPubKey, context),
          },
        ]
      : [],
  );
  return [...spent, ...received];
}
