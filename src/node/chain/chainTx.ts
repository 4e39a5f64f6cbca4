import { bytesKey } from '../../core/bytes/compare.ts';
import { isCoinbase } from '../../core/tx/check.ts';
import { outpointKey, txid } from '../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../core/tx/types.ts';
import type { ChainTx } from './types.ts';

export function chainTx(tx: Transaction, id: Txid = txid(tx)): ChainTx {
  const isGenerated = isCoinbase(tx);
  const spends = isGenerated ? [] : tx.inputs.map(({ outpoint }) => outpointKey(outpoint));
  return { tx, id, key: bytesKey(id), isCoinbase: isGenerated, spends };
}

const KEY_SIZE = 32;

export const outpointTxKey = (outpoint: string): string => outpoint.slice(0, KEY_SIZE);

export const outpointVout = (outpoint: string): number => Number(outpoint.slice(KEY_SIZE + 1));
