import { formatReversedHex } from '../../bytes/hex.ts';
import { coinAt, tipOf } from '../../chain/chainState.ts';
import type { ChainCoin } from '../../chain/types.ts';
import { outpointKey } from '../../tx/txid.ts';
import { parseInt32, parseTxidArgument, parseUint32 } from '../argumentValues.ts';
import type { Json } from '../json/jsonForm.ts';
import { bool, number, optional, string } from '../parameters.ts';
import type { CoinJson } from '../views/chainJsonTypes.ts';
import { scriptPubKeyJson } from '../views/scriptJson.ts';
import type { NodeContext } from '../wallet/context.ts';
import { nodeMethod } from '../wallet/context.ts';
import { chainRules } from './chainRules.ts';

/** @see Bitcoin Core `gettxout` */
export const gettxout = nodeMethod({
  name: 'gettxout',
  checksLate: true,
  about: 'Shows an unspent output.',
  params: [
    string('txid', 'the transaction id'),
    number('n', 'the output number'),
    optional(bool('include_mempool', 'whether the mempool counts: it creates outputs and spends them'), true),
  ],
  result: 'the output, or null if it is unknown or spent',
  examples: ['gettxout b56862e91da29eadd13d6ca1ded756ed... 0'],
  run: (args, context): CoinJson | null => {
    const { dialect, node } = context;
    const txid = parseTxidArgument('txid', args.txid);
    const number = args.n;
    const vout = chainRules[dialect.generation].readsUnsignedVout ? parseUint32(number) : parseInt32(number) >>> 0;
    const seesMempool = args.include_mempool;
    const key = outpointKey({ txid, vout });
    if (!seesMempool) return coinAnswer(node.chain.coins.get(key), context);
    return node.chain.spends.has(key) ? null : coinAnswer(coinAt(node.chain, key), context);
  },
});

const coinAnswer = (coin: ChainCoin | undefined, context: NodeContext): CoinJson | null =>
  coin ? context.json.answer(coinJson(coin, context)) : null;

function coinJson({ height, value, scriptPubKey, isCoinbase }: ChainCoin, context: NodeContext): Json<CoinJson> {
  const { json, node } = context;
  const tip = tipOf(node.chain);
  return json.object<CoinJson>({
    bestblock: json.plain(formatReversedHex(tip.hash)),
    confirmations: height === undefined ? 0 : tip.height - height + 1,
    value: json.amount(value),
    scriptPubKey: scriptPubKeyJson(scriptPubKey, context),
    coinbase: isCoinbase,
  });
}
