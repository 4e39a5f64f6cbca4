import type { ChainOutputs } from '../../answers/chainOutputs.ts';
import { bytesKey } from '../../core/bytes/compare.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction } from '../../core/tx/types.ts';
import { activeBlock, type Chain, coinAt, txsOf } from '../chain/chainState.ts';

export function chainOutputs(
  chainOf: () => Chain,
  transactionsOf: 'nowhere' | 'mempool' | 'mempool-and-chain',
): ChainOutputs {
  const coin: ChainOutputs['coin'] = (outpoint) => {
    const found = coinAt(chainOf(), outpointKey(outpoint));
    return found && { value: found.value, scriptPubKey: found.scriptPubKey };
  };
  const mined = (outpoint: Outpoint): Transaction | undefined => {
    const chain = chainOf();
    const { height } = coinAt(chain, outpointKey(outpoint)) ?? {};
    const key = bytesKey(outpoint.txid);
    if (height === undefined) return undefined;
    return txsOf(chain, activeBlock(chain, height)).find((tx) => tx.key === key)?.tx;
  };
  if (transactionsOf === 'nowhere') return { coin, transaction: () => undefined };
  return {
    coin,
    transaction: (outpoint) =>
      chainOf().mempool.get(bytesKey(outpoint.txid))?.tx ??
      (transactionsOf === 'mempool' ? undefined : mined(outpoint)),
  };
}
