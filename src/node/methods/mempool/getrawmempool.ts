import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import {
  type Answer,
  amount,
  chosenBy,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  when,
} from '../../../answers/method/results.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import { compareById, mempoolAncestors } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { mempoolFloor } from '../gate.ts';
import { mempoolEntriesDraft, mempoolEntriesResult, mempoolIdsResult } from './mempoolJson.ts';

const mempoolInfoResult = members(
  {
    loaded: flag(),
    size: numeric('the number of transactions'),
    bytes: numeric('the sum of their virtual sizes'),
    usage: numeric('the memory that a node would count for them, in bytes, estimated'),
    total_fee: maybe(amount(), { since: 'core-29' }),
    maxmempool: numeric('in bytes'),
    mempoolminfee: amount('per 1000 virtual bytes'),
    minrelaytxfee: amount('per 1000 virtual bytes'),
    incrementalrelayfee: maybe(amount('per 1000 virtual bytes'), { since: 'core-29' }),
    unbroadcastcount: numeric(),
    fullrbf: maybe({ ...flag(), keptBy: 'fullrbf' }, { since: 'core-29', until: 'core-31' }),
    permitbaremultisig: maybe(flag(), { since: 'core-30' }),
    maxdatacarriersize: maybe(numeric(), { since: 'core-30' }),
    limitclustercount: maybe(numeric(), { since: 'core-31' }),
    limitclustersize: maybe(numeric(), { since: 'core-31' }),
    optimal: maybe(flag(), { since: 'core-31' }),
  },
  '',
  [{ since: 'core-32', last: ['fullrbf'] }],
);

/** The answer of `getmempoolinfo`. */
export type MempoolInfoJson = Answer<typeof mempoolInfoResult>;

const sequenceResult = members({ txids: list(hex()), mempool_sequence: numeric() });

export const getrawmempool = nodeMethod({
  name: 'getrawmempool',
  category: 'blockchain',
  checksLate: true,
  about: 'Lists the transactions in the mempool.',
  params: [
    optional(bool('verbose', 'whether to show each as getmempoolentry does'), false),
    optional(bool('mempool_sequence', 'whether to show the number of the next change of the mempool, too'), false),
  ],
  result: chosenBy(
    'verbose',
    when(
      [false, undefined],
      chosenBy('mempool_sequence', when([false, undefined], mempoolIdsResult), when([true], sequenceResult)),
    ),
    when([true], mempoolEntriesResult),
  ),
  examples: ['getrawmempool'],
  run: (args, context) => {
    const { node } = context;
    const isVerbose = args.verbose;
    const withSequence = args.mempool_sequence;
    if (isVerbose && withSequence) throw invalidParameter('Verbose results cannot contain mempool sequence values.');
    const entries = [...node.chain.mempool.values()];
    if (isVerbose) return mempoolEntriesDraft(entries, context);
    const txids = inListOrder(entries, context).map(({ id }) => formatTxid(id));
    return withSequence ? { txids, mempool_sequence: node.chain.poolTotals.sequence } : txids;
  },
});

/** Core 31 guarantees no order. @see Bitcoin Core 0.21 `CompareDepthAndScore` */
function inListOrder(entries: readonly PoolEntry[], { node, dialect }: NodeContext): readonly PoolEntry[] {
  if (!chainRules[dialect.generation].sortsMempool) return entries;
  const ranked = entries.map((entry, index) => ({
    entry,
    index,
    depth: countAncestors(entry, node),
    rate: entryRate(entry),
  }));
  ranked.sort((a, b) => {
    if (a.depth !== b.depth) return a.depth - b.depth;
    if (a.depth === MAX_DEPTH) return a.index - b.index;
    return compareRates(b.rate, a.rate) || compareById(b.entry, a.entry);
  });
  return ranked.map(({ entry }) => entry);
}

/** Bounds the work; nodes take far fewer ancestors. Beyond it, transactions are listed as they came. */
const MAX_DEPTH = 100;

const countAncestors = (entry: PoolEntry, { chain }: NodeContext['node']): number =>
  Math.min(mempoolAncestors(chain, entry, MAX_DEPTH).length, MAX_DEPTH);

/** Satoshi and virtual bytes. */
type Rate = readonly [fee: number, size: number];

const entryRate = ({ fee = 0n, policyWeight }: PoolEntry): Rate => [Number(fee), sizeOfWeight(policyWeight)];
const compareRates = (a: Rate, b: Rate): number => a[0] * b[1] - b[0] * a[1];

export const getmempoolinfo = nodeMethod({
  name: 'getmempoolinfo',
  category: 'blockchain',
  about: 'Shows the size of the mempool and the fee rates that it asks for.',
  params: [],
  result: mempoolInfoResult,
  examples: ['getmempoolinfo'],
  run: (_, context) => {
    const { node, mempool: policy } = context;
    const { mempool, poolTotals } = node.chain;
    const { minRelayFee, incrementalFee, cluster, maxDataCarrier } = policy.rules;
    const least = BigInt(minRelayFee);
    const { size: bytes, usage, fees, unbroadcast: unbroadcastcount } = poolTotals;
    return {
      loaded: true,
      size: mempool.size,
      bytes,
      usage,
      total_fee: fees,
      maxmempool: policy.maxMemory,
      mempoolminfee: BigInt(Math.max(mempoolFloor(context), minRelayFee)),
      minrelaytxfee: least,
      incrementalrelayfee: BigInt(incrementalFee),
      unbroadcastcount,
      fullrbf: true,
      permitbaremultisig: policy.permitsBareMultisig,
      maxdatacarriersize: maxDataCarrier,
      ...(cluster && { limitclustercount: cluster.count, limitclustersize: cluster.size, optimal: true }),
    };
  },
});
