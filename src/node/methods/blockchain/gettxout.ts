import { parseInt32, parseTxidArgument, parseUint32 } from '../../../answers/arguments/argumentValues.ts';
import { bool, hexString, number, optional } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { type Answer, amount, either, flag, hex, members, nothing, numeric } from '../../../answers/method/results.ts';
import { scriptPubKeyDraft } from '../../../answers/views/scriptJson.ts';
import { scriptPubKeyResult } from '../../../answers/views/transactionResults.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import { activeTip, findUnspent } from '../../chain/chainState.ts';
import type { ChainCoin } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';

const coinResult = members({
  bestblock: hex('the last block of the chain'),
  confirmations: numeric('0 in the mempool'),
  value: amount(),
  scriptPubKey: scriptPubKeyResult,
  coinbase: flag(),
});

/** The answer of `gettxout`. */
export type CoinJson = Answer<typeof coinResult>;

export const gettxout = nodeMethod({
  name: 'gettxout',
  category: 'blockchain',
  checksLate: true,
  about: 'Shows an unspent output.',
  params: [
    hexString('txid', 'the transaction id'),
    number('n', 'the output number'),
    optional(bool('include_mempool', 'whether the mempool counts: it creates outputs and spends them'), true),
  ],
  result: either(coinResult, nothing('if it is unknown or spent')),
  examples: ['gettxout b56862e91da29eadd13d6ca1ded756ed... 0'],
  run: (args, context) => {
    const { dialect, node } = context;
    const txid = parseTxidArgument('txid', args.txid);
    const number = args.n;
    const vout = chainRules[dialect.generation].readsUnsignedVout ? parseUint32(number) : parseInt32(number) >>> 0;
    return coinDraft(findUnspent(node.chain, outpointKey({ txid, vout }), args.include_mempool), context);
  },
});

function coinDraft(coin: ChainCoin | undefined, context: NodeContext): Draft<typeof coinResult> | null {
  if (!coin) return null;
  const { height, value, scriptPubKey, isCoinbase } = coin;
  const tip = activeTip(context.node.chain);
  return {
    bestblock: formatReversedHex(tip.hash),
    confirmations: height === undefined ? 0 : tip.height - height + 1,
    value,
    scriptPubKey: scriptPubKeyDraft(scriptPubKey, context),
    coinbase: isCoinbase,
  };
}
