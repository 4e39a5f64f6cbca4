import { unlessRefused } from '../../core/errors.ts';
import { formatTxid, outpointVout, parseTxid, parseTxKey, txKey } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import { TXS_PER_PAGE } from './blockRoutes.ts';
import { type Movement, pooledMovements } from './chainIndex.ts';
import { findBlockOf, findSpend, findTx, type Source } from './foundTx.ts';
import { type EsploraReply, jsonReply } from './replies.ts';
import { type NamedScript, withScript } from './segments.ts';
import { statusJson, transactionJson } from './txJson.ts';

const MOST_POOLED_TXS = 50;

interface History {
  readonly confirmed: readonly Movement[];
  readonly pooled: readonly Movement[];
}

/** Answers `/address/:address…` and `/scripthash/:hash…`; returns nothing for another path. */
export function answerScript(source: Source, named: NamedScript, rest: readonly string[]): EsploraReply | undefined {
  const { node, index } = source;
  const answer = chooseAnswer(source, named, rest);
  if (!answer) return undefined;
  return withScript(named, node.network, (script) => {
    const confirmed = index.movements.get(script) ?? [];
    return answer({ confirmed, pooled: pooledMovements(index, node.chain, script) });
  });
}

function chooseAnswer(
  source: Source,
  { kind, text }: NamedScript,
  [part, place, lastSeen]: readonly string[],
): ((history: History) => EsploraReply) | undefined {
  const isPart = place === undefined;
  if (part === 'txs' && place === 'chain') {
    return ({ confirmed }) => txsReply(source, chainPage(confirmed, lastSeen));
  }
  if (part === 'txs' && place === 'mempool' && lastSeen === undefined) {
    return ({ pooled }) => txsReply(source, newestPooled(pooled));
  }
  if (part === undefined) {
    return ({ confirmed, pooled }) =>
      jsonReply({ [kind]: text, chain_stats: statsJson(confirmed), mempool_stats: statsJson(pooled) });
  }
  if (part === 'txs' && isPart) {
    return ({ confirmed, pooled }) => txsReply(source, [...newestPooled(pooled), ...chainPage(confirmed)]);
  }
  if (part === 'utxo' && isPart) {
    return ({ confirmed, pooled }) => jsonReply(utxosJson(source, [...confirmed, ...pooled]));
  }
  return undefined;
}

/** Lists the transactions of movements, newest first. */
const txsOf = (movements: readonly Movement[]): readonly TxKey[] => [
  ...new Set(movements.map(({ tx }) => tx).reverse()),
];

const newestPooled = (pooled: readonly Movement[]): readonly TxKey[] => txsOf(pooled).slice(0, MOST_POOLED_TXS);

/**
 * Begins after the last transaction that was seen. As in electrs, an invalid id counts as none, and an unknown one ends
 * the history.
 */
function chainPage(movements: readonly Movement[], lastSeen?: string): readonly TxKey[] {
  const txs = txsOf(movements);
  const seen = lastSeen === undefined ? undefined : unlessRefused(() => parseTxid(lastSeen));
  if (!seen) return txs.slice(0, TXS_PER_PAGE);
  const place = txs.indexOf(txKey(seen));
  return place < 0 ? [] : txs.slice(place + 1, place + 1 + TXS_PER_PAGE);
}

function txsReply(source: Source, txs: readonly TxKey[]): EsploraReply {
  const found = txs.flatMap((key) => findTx(source, key) ?? []);
  return jsonReply(found.map((tx) => transactionJson(tx, source.node.network)));
}

/** @see Blockstream electrs `ScriptStats` */
function statsJson(movements: readonly Movement[]): object {
  const [funded, spent] = (['funding', 'spending'] as const).map((kind) => {
    const values = movements.filter((movement) => movement.kind === kind).map(({ value }) => value);
    return { count: values.length, sum: values.reduce((sum, value) => sum + value, 0n) };
  });
  return {
    tx_count: new Set(movements.map(({ tx }) => tx)).size,
    funded_txo_count: funded?.count,
    funded_txo_sum: funded?.sum,
    spent_txo_count: spent?.count,
    spent_txo_sum: spent?.sum,
  };
}

/** @see Blockstream electrs `UtxoValue` */
function utxosJson(source: Source, movements: readonly Movement[]): readonly object[] {
  const unspent = movements.filter(({ kind, outpoint }) => kind === 'funding' && !findSpend(source, outpoint));
  return unspent.map(({ tx, outpoint, value }) => ({
    txid: formatTxid(parseTxKey(tx)),
    vout: outpointVout(outpoint),
    status: statusJson(findBlockOf(source, tx)),
    value,
  }));
}
