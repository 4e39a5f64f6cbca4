import type { ChainOutputs } from '../../answers/chainOutputs.ts';
import { outpointKey, txKey } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction } from '../../core/tx/types.ts';
import { activeBlock, type Chain, coinAt, txsInBlock } from '../chain/chainState.ts';

export function chainOutputs(
  getChain: () => Chain,
  transactionSource: 'nowhere' | 'mempool' | 'mempool-and-chain',
): ChainOutputs {
  const coin: ChainOutputs['coin'] = (outpoint) => {
    const chainCoin = coinAt(getChain(), outpointKey(outpoint));
    return chainCoin && { value: chainCoin.value, scriptPubKey: chainCoin.scriptPubKey };
  };
  const mined = (outpoint: Outpoint): Transaction | undefined => {
    const chain = getChain();
    const { height } = coinAt(chain, outpointKey(outpoint)) ?? {};
    const key = txKey(outpoint.txid);
    if (height === undefined) return undefined;
    return txsInBlock(chain, activeBlock(chain, height)).find((tx) => tx.key === key)?.tx;
  };
  if (transactionSource === 'nowhere') return { coin, transaction: () => undefined };
  return {
    coin,
    transaction: (outpoint) =>
      getChain().mempool.get(txKey(outpoint.txid))?.tx ??
      (transactionSource === 'mempool' ? undefined : mined(outpoint)),
  };
}
