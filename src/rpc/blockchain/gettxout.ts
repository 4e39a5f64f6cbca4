import { formatReversedHex } from '../../bytes/hex.ts';
import { coinAt, tipOf } from '../../chain/chainState.ts';
import type { ChainCoin } from '../../chain/types.ts';
import { chainRules } from '../../generations.ts';
import { outpointKey } from '../../tx/txid.ts';
import { parseInt32, parseTxidArgument, parseUint32, readOptional, readValue } from '../argumentValues.ts';
import type { Json } from '../json/jsonForm.ts';
import type { CoinJson } from '../views/chainJsonTypes.ts';
import { scriptPubKeyJson } from '../views/scriptJson.ts';
import type { NodeContext, NodeMethod } from '../wallet/context.ts';

/** @see Bitcoin Core `gettxout` */
export const gettxout: NodeMethod<CoinJson | null> = {
  name: 'gettxout',
  needs: 'node',
  params: [
    { name: 'txid', type: 'string' },
    { name: 'n', type: 'number' },
    { name: 'include_mempool', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Shows an unspent output.

Arguments:
1. txid               (string, required) the transaction id
2. n                  (number, required) the output number
3. include_mempool    (boolean, optional, default true) whether the mempool counts: it creates outputs and spends them

Result:
the output, or null if it is unknown or spent

Examples:
> countersign gettxout b56862e91da29eadd13d6ca1ded756ed... 0`,
  run: (args, context) => {
    const { dialect, node } = context;
    const txid = parseTxidArgument('txid', readValue(args[0], 'string', dialect).value);
    const number = readValue(args[1], 'number', dialect);
    const vout = chainRules[dialect.generation].readsUnsignedVout ? parseUint32(number) : parseInt32(number) >>> 0;
    const seesMempool = readOptional(args[2], 'bool', dialect)?.value ?? true;
    const key = outpointKey({ txid, vout });
    if (!seesMempool) return coinAnswer(node.chain.coins.get(key), context);
    return node.chain.spends.has(key) ? null : coinAnswer(coinAt(node.chain, key), context);
  },
};

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
