import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { array, choice, optional } from '../../../answers/method/parameters.ts';
import { type Answer, hex, list, maybe, members, numeric, time } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { compactSizeLength } from '../../../core/bytes/writer.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { isUnspendable } from '../../../core/script/instructions.ts';
import type { OutpointKey, TxOut } from '../../../core/tx/types.ts';
import { transactionSize } from '../../../core/tx/weight.ts';
import { medianTimePast } from '../../chain/chainState.ts';
import { isRepeated } from '../../chain/connectRules.ts';
import { blockSubsidy } from '../../chain/subsidy.ts';
import type { ChainBlock, ChainCoin, ChainTx } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { HASH_OR_HEIGHT, parseHashOrHeight } from './blockArguments.ts';
import { getBody, spentCoins } from './blockJson.ts';

/** Each may be left out by the argument `stats`. */
const sats = (about?: string) => maybe(numeric(about ? `in satoshi: ${about}` : 'in satoshi'));
const count = (about?: string) => maybe(numeric(about));

const blockStatsResult = members({
  avgfee: sats(),
  avgfeerate: sats('per virtual byte'),
  avgtxsize: count(),
  blockhash: maybe(hex()),
  feerate_percentiles: maybe(list(numeric(), 'satoshi per virtual byte at 10, 25, 50, 75 and 90 % of the weight')),
  height: count(),
  ins: count('without the coinbase'),
  maxfee: sats(),
  maxfeerate: sats('per virtual byte'),
  maxtxsize: count(),
  medianfee: sats(),
  mediantime: maybe(time()),
  mediantxsize: count(),
  minfee: sats(),
  minfeerate: sats('per virtual byte'),
  mintxsize: count(),
  outs: count(),
  subsidy: sats(),
  swtotal_size: count('of the transactions with witnesses'),
  swtotal_weight: count('of the transactions with witnesses'),
  swtxs: count('the transactions with witnesses'),
  time: maybe(time()),
  total_out: sats('without the coinbase'),
  total_size: count('without the coinbase'),
  total_weight: count('without the coinbase'),
  totalfee: sats(),
  txs: count('with the coinbase'),
  utxo_increase: count('outputs less inputs'),
  utxo_size_inc: count('the bytes of the outputs less those of the spent ones'),
  utxo_increase_actual: maybe(numeric('without unspendable outputs'), { since: 'core-29' }),
  utxo_size_inc_actual: maybe(numeric('without unspendable outputs'), { since: 'core-29' }),
});

/** The answer of `getblockstats`. */
export type BlockStatsJson = Answer<typeof blockStatsResult>;

const STATS = Object.keys(blockStatsResult.members) as readonly (keyof BlockStatsJson & string)[];

export const getblockstats = nodeMethod({
  name: 'getblockstats',
  category: 'blockchain',
  checksLate: true,
  about: 'Computes statistics of a block: fees, sizes and coins.',
  params: [
    HASH_OR_HEIGHT,
    optional(
      array('stats', choice('stat', STATS, 'a member'), 'the members to show; by default all', { shownAs: 'stats' }),
    ),
  ],
  result: blockStatsResult,
  examples: ['getblockstats 103', 'getblockstats 103 \'["minfeerate","avgfeerate"]\''],
  run: (args, context) => {
    const block = parseHashOrHeight(args.hash_or_height, context);
    const names = [...(args.stats ?? [])];
    const all = computeStats(block, context);
    return names.length === 0 ? all : select(all, [...new Set(names)].sort(), context);
  },
});

function select(all: BlockStatsJson, names: readonly string[], { dialect }: NodeContext): BlockStatsJson {
  const unknown = names.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) {
    const shown = withoutSecrets(unknown, 'name');
    const { explainsStatistics } = chainRules[dialect.generation];
    throw invalidParameter(`Invalid selected statistic ${explainsStatistics ? `'${shown}'` : shown}`);
  }
  return Object.fromEntries(names.map((name) => [name, all[name as keyof BlockStatsJson]]));
}

interface TxStats {
  readonly fee: number;
  /** Satoshi per virtual byte. */
  readonly feeRate: number;
  readonly out: bigint;
  readonly size: number;
  readonly weight: number;
  readonly hasWitness: boolean;
}

/** @see Bitcoin Core `getblockstats` */
function computeStats(block: ChainBlock, context: NodeContext): BlockStatsJson {
  const { node, dialect } = context;
  const { txs } = getBody(block, context);
  const coins = spentCoins(block, txs, context);
  const outputs = txs.flatMap(({ tx }) => tx.outputs);
  const kept = txs
    .filter(({ isCoinbase }) => block.height > 0 && !(isCoinbase && isRepeated(block)))
    .flatMap(({ tx }) => tx.outputs)
    .filter(({ scriptPubKey }) => !isUnspendable(scriptPubKey));
  const stats = txs.filter(({ isCoinbase }) => !isCoinbase).map((tx) => txStats(tx, coins));
  const spent = [...coins.values()];
  const { coinOverhead } = chainRules[dialect.generation];
  const sizeOf = (outs: readonly TxOut[]): number =>
    sum(outs.map(({ scriptPubKey: { length } }) => 8 + compactSizeLength(length) + length + coinOverhead));
  const [fees, rates, sizes] = [
    stats.map(({ fee }) => fee),
    stats.map(({ feeRate }) => feeRate),
    stats.map(({ size }) => size),
  ];
  const [totalFee, totalSize, totalWeight] = [sum(fees), sum(sizes), sum(stats.map(({ weight }) => weight))];
  const witnessed = stats.filter(({ hasWitness }) => hasWitness);
  const shown = {
    avgfee: quotient(totalFee, stats.length),
    avgfeerate: quotient(4 * totalFee, totalWeight),
    avgtxsize: quotient(totalSize, stats.length),
    blockhash: formatReversedHex(block.hash),
    feerate_percentiles: ratePercentiles(stats, totalWeight),
    height: block.height,
    ins: spent.length,
    maxfee: Math.max(0, ...fees),
    maxfeerate: Math.max(0, ...rates),
    maxtxsize: Math.max(0, ...sizes),
    medianfee: truncatedMedian(fees),
    mediantime: medianTimePast(node.chain, block),
    mediantxsize: truncatedMedian(sizes),
    minfee: least(fees),
    minfeerate: least(rates),
    mintxsize: least(sizes),
    outs: outputs.length,
    subsidy: Number(blockSubsidy(block.height, node.network)),
    swtotal_size: sum(witnessed.map(({ size }) => size)),
    swtotal_weight: sum(witnessed.map(({ weight }) => weight)),
    swtxs: witnessed.length,
    time: block.time,
    total_out: Number(stats.reduce((total, { out }) => total + out, 0n)),
    total_size: totalSize,
    total_weight: totalWeight,
    totalfee: totalFee,
    txs: txs.length,
    utxo_increase: outputs.length - spent.length,
    utxo_size_inc: sizeOf(outputs) - sizeOf(spent),
    utxo_increase_actual: kept.length - spent.length,
    utxo_size_inc_actual: sizeOf(kept) - sizeOf(spent),
  };
  return shown;
}

function txStats({ tx, spends }: ChainTx, coins: ReadonlyMap<OutpointKey, ChainCoin>): TxStats {
  const { size, strippedSize, weight } = transactionSize(tx);
  const paid = spends.reduce((total, key) => total + (coins.get(key)?.value ?? 0n), 0n);
  const out = tx.outputs.reduce((total, { value }) => total + value, 0n);
  const fee = Number(paid - out);
  return { fee, feeRate: quotient(4 * fee, weight), out, size, weight, hasWitness: size !== strippedSize };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** As integers divide in Core; 0 for a divisor of 0. */
const quotient = (dividend: number, divisor: number): number => (divisor === 0 ? 0 : Math.trunc(dividend / divisor));

const least = (numbers: readonly number[]): number => (numbers.length === 0 ? 0 : Math.min(...numbers));

function truncatedMedian(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const { [Math.floor(sorted.length / 2)]: upper = 0 } = sorted;
  const { [Math.floor((sorted.length - 1) / 2)]: lower = 0 } = sorted;
  return quotient(lower + upper, 2);
}

const PERCENTILES = [1 / 10, 1 / 4, 1 / 2, 3 / 4, 9 / 10];

/** @see Bitcoin Core `CalculatePercentilesByWeight` */
function ratePercentiles(stats: readonly TxStats[], totalWeight: number): readonly number[] {
  const sorted = [...stats].sort((a, b) => a.feeRate - b.feeRate || a.weight - b.weight);
  return PERCENTILES.map((share) => {
    let weight = 0;
    const reached = sorted.find((tx) => {
      weight += tx.weight;
      return weight >= totalWeight * share;
    });
    return (reached ?? sorted.at(-1))?.feeRate ?? 0;
  });
}
