import { isCoinbase } from '../../core/tx/check.ts';
import { outpointKey, txid, txKey } from '../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';
import type { ChainTx } from './types.ts';

export function chainTx(tx: Transaction, id: Txid = txid(tx)): ChainTx {
  const isGenerated = isCoinbase(tx);
  const spends = isGenerated ? [] : tx.inputs.map(({ outpoint }) => outpointKey(outpoint));
  return { tx, id, key: txKey(id), isCoinbase: isGenerated, spends };
}
