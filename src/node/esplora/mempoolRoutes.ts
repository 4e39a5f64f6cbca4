import { formatTxid } from '../../core/tx/txid.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { Source } from './foundTx.ts';
import { type EsploraReply, jsonReply } from './replies.ts';
import { totalValue } from './txJson.ts';

const MOST_RECENT = 10;
/** A histogram has bins of at least this many virtual bytes. */
const BIN_SIZE = 50_000;

interface PooledFee {
  readonly fee: bigint;
  readonly vsize: number;
  /** In satoshi per virtual byte, of which a quarter may be a part. */
  readonly rate: number;
}

/** Answers `/mempool…`; returns nothing for another path. */
export function answerMempool({ node }: Source, part?: string): EsploraReply | undefined {
  const entries = [...node.chain.mempool.values()];
  switch (part) {
    case undefined:
      return jsonReply(backlogJson(entries.map(feeOf)));
    case 'txids':
      return jsonReply(entries.map(({ id }) => formatTxid(id)));
    case 'recent':
      return jsonReply(entries.slice(-MOST_RECENT).reverse().map(overviewJson));
    default:
      return undefined;
  }
}

function feeOf({ tx, fee = 0n }: PoolEntry): PooledFee {
  const { weight, vsize } = transactionSize(tx);
  return { fee, vsize, rate: Number(fee) / (weight / 4) };
}

/** @see Blockstream electrs `TxOverview` */
function overviewJson(entry: PoolEntry): object {
  const { fee, vsize } = feeOf(entry);
  return { txid: formatTxid(entry.id), fee, vsize, value: totalValue(entry.tx.outputs) + fee };
}

/** @see Blockstream electrs `BacklogStats` */
function backlogJson(fees: readonly PooledFee[]): object {
  return {
    count: fees.length,
    vsize: fees.reduce((sum, { vsize }) => sum + vsize, 0),
    total_fee: fees.reduce((sum, { fee }) => sum + fee, 0n),
    fee_histogram: feeHistogram(fees),
  };
}

/** Divides transactions by their fee rates, best first; each bin names the lowest one in it. */
function feeHistogram(fees: readonly PooledFee[]): readonly (readonly [rate: number, vsize: number])[] {
  const bins: [rate: number, vsize: number][] = [];
  for (const { rate, vsize } of [...fees].sort((a, b) => b.rate - a.rate)) {
    const bin = bins.at(-1);
    if (!bin || (bin[1] > BIN_SIZE && bin[0] !== rate)) bins.push([rate, vsize]);
    else bins[bins.length - 1] = [rate, bin[1] + vsize];
  }
  return bins;
}
