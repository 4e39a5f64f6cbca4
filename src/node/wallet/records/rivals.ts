import { outpointTxKey, outputKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import type { ChainTx } from '../../chain/types.ts';
import { TRUC_VERSION } from '../../mempool/truc.ts';
import type { Wallet } from './walletState.ts';
import type { WalletTx } from './walletTx.ts';

export function findRivals({ spenders }: Wallet, { key, spends }: ChainTx): readonly TxKey[] {
  return spends.flatMap((spent) => [...(spenders.get(spent) ?? [])].filter((rival) => rival !== key));
}

/** Lists the spenders of other outputs of the parents: a restricted parent has one child in the mempool (BIP431). */
export function findTrucSiblings(
  { records, spenders, rules }: Wallet,
  { key, spends, tx }: ChainTx,
  isMeant: (parent: WalletTx) => boolean = () => true,
): readonly TxKey[] {
  if (!rules.tracksTrucSiblings || tx.version !== TRUC_VERSION) return [];
  const parents = spends.flatMap((spent) => records.get(outpointTxKey(spent)) ?? []).filter(isMeant);
  return parents.flatMap((parent) =>
    [...parent.tx.outputs.keys()].flatMap((vout) =>
      [...(spenders.get(outputKey(parent.key, vout)) ?? [])].filter((sibling) => sibling !== key),
    ),
  );
}
