import { BtcError } from '../../core/errors.ts';
import { formatTxid, txKey } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import type { BlockKey } from '../chain/blockHeader.ts';
import type { ChainTx } from '../chain/types.ts';
import type { MinedTx, SeenBlock, Witness } from '../wallet/records/chainSync.ts';
import type { Findings, FoundMinedTx, FoundTx } from '../wallet/records/events.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { hasSameWitness } from '../wallet/records/witnessCopies.ts';

export interface FindingsLog extends Required<Witness> {
  readonly collected: () => Findings;
}

/** Keeps transactions that the wallets have already by txid only, so that a rescan adds little to the journal. */
export function createFindings(wallets: ReadonlyMap<string, Wallet>): FindingsLog {
  const blocks = new Map<BlockKey, { readonly block: SeenBlock; readonly txs: Map<number, FoundMinedTx> }>();
  const mempool = new Map<TxKey, FoundTx>();
  return {
    mined: (block, { index, tx }) => {
      const at = blocks.get(block.key) ?? { block, txs: new Map<number, FoundMinedTx>() };
      blocks.set(block.key, at);
      if (!at.txs.has(index)) at.txs.set(index, { index, tx: foundTx(wallets, tx) });
    },
    pooled: (tx) => {
      if (!mempool.has(tx.key)) mempool.set(tx.key, foundTx(wallets, tx));
    },
    collected: () => ({
      blocks: [...blocks.values()].map(({ block, txs }) => ({
        block,
        txs: [...txs.values()].sort((a, b) => a.index - b.index),
      })),
      mempool: [...mempool.values()],
    }),
  };
}

/** Returns the txid if all wallets that recorded the transaction have this one copy of it. */
function foundTx(wallets: ReadonlyMap<string, Wallet>, seen: ChainTx): FoundTx {
  const { key, id, tx } = seen;
  let isKnown = false;
  for (const { records } of wallets.values()) {
    const record = records.get(key);
    if (!record) continue;
    if (record.alternates.length > 0 || !hasSameWitness(record.tx, tx)) return seen;
    isKnown = true;
  }
  return isKnown ? id : seen;
}

/** Returns a lookup of txids in the wallets. @throws BtcError `store/failed` */
export function knownTx(wallets: ReadonlyMap<string, Wallet>): (finding: FoundTx) => ChainTx {
  return (finding) => {
    if (!(finding instanceof Uint8Array)) return finding;
    for (const { records } of wallets.values()) {
      const record = records.get(txKey(finding));
      if (record) return record;
    }
    const reason = `no transaction ${formatTxid(finding)}`;
    throw new BtcError(
      'store/failed',
      { path: '', reason },
      `The journal names the transaction ${formatTxid(finding)}, which no wallet has`,
    );
  };
}

export const minedFrom = (txs: readonly FoundMinedTx[], findTx: (finding: FoundTx) => ChainTx): readonly MinedTx[] =>
  txs.map(({ index, tx }) => ({ index, tx: findTx(tx) }));
