import { bytesKey } from '../../core/bytes/compare.ts';
import { BtcError } from '../../core/errors.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { ChainTx } from '../chain/types.ts';
import type { MinedTx, SeenBlock, Witness } from '../wallet/records/chainSync.ts';
import type { Findings, FoundMinedTx, FoundTx } from '../wallet/records/events.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { hasSameWitness } from '../wallet/records/witnessCopies.ts';

export interface FindingsLog extends Required<Witness> {
  readonly found: () => Findings;
}

/** Keeps transactions that the wallets have already by txid only, so that a rescan adds little to the journal. */
export function createFindings(wallets: ReadonlyMap<string, Wallet>): FindingsLog {
  const blocks = new Map<string, { readonly block: SeenBlock; readonly txs: Map<number, FoundMinedTx> }>();
  const mempool = new Map<string, FoundTx>();
  return {
    mined: (block, { index, tx }) => {
      const at = blocks.get(block.key) ?? { block, txs: new Map<number, FoundMinedTx>() };
      blocks.set(block.key, at);
      if (!at.txs.has(index)) at.txs.set(index, { index, tx: foundTx(wallets, tx) });
    },
    pooled: (tx) => {
      if (!mempool.has(tx.key)) mempool.set(tx.key, foundTx(wallets, tx));
    },
    found: () => ({
      blocks: [...blocks.values()].map(({ block, txs }) => ({
        block,
        txs: [...txs.values()].sort((a, b) => a.index - b.index),
      })),
      mempool: [...mempool.values()],
    }),
  };
}

/** Returns the txid if all wallets that recorded the transaction have this one copy of it. */
function foundTx(wallets: ReadonlyMap<string, Wallet>, found: ChainTx): FoundTx {
  const { key, id, tx } = found;
  let isKnown = false;
  for (const { records } of wallets.values()) {
    const known = records.get(key);
    if (!known) continue;
    if (known.alternates.length > 0 || !hasSameWitness(known.tx, tx)) return found;
    isKnown = true;
  }
  return isKnown ? id : found;
}

/** Returns a lookup of txids in the wallets. @throws BtcError `store/failed` */
export function knownTx(wallets: ReadonlyMap<string, Wallet>): (found: FoundTx) => ChainTx {
  return (found) => {
    if (!(found instanceof Uint8Array)) return found;
    for (const { records } of wallets.values()) {
      const known = records.get(bytesKey(found));
      if (known) return known;
    }
    const reason = `no transaction ${formatTxid(found)}`;
    throw new BtcError(
      'store/failed',
      { path: '', reason },
      `The journal names the transaction ${formatTxid(found)}, which no wallet has`,
    );
  };
}

export const minedFrom = (txs: readonly FoundMinedTx[], txOf: (found: FoundTx) => ChainTx): readonly MinedTx[] =>
  txs.map(({ index, tx }) => ({ index, tx: txOf(tx) }));
