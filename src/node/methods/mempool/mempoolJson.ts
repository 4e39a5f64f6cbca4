import type { Draft } from '../../../answers/method/results.ts';
import {
  type Answer,
  amount,
  chosenBy,
  dictionary,
  flag,
  hex,
  likeAnswer,
  list,
  maybe,
  members,
  numeric,
  time,
  when,
} from '../../../answers/method/results.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import { formatTxid, wtxid } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { sizeOfWeight, transactionSize } from '../../../core/tx/weight.ts';
import {
  compareById,
  type FamilyTotals,
  familyTotals,
  mempoolAncestors,
  mempoolDescendants,
  modifiedFee,
} from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { type Chunk, linearize } from '../../mempool/chunks.ts';
import { clusterTx, findCluster, poolLinks } from '../../mempool/clusters.ts';
import type { NodeContext } from '../context.ts';

const mempoolFeesResult = members({
  base: amount(),
  modified: amount(),
  ancestor: amount('with all ancestors'),
  descendant: amount('with all descendants'),
  chunk: maybe(amount('of that chunk'), { since: 'core-31' }),
});

/** The fees of a mempool transaction and its relatives, in coins. */
export type MempoolFeesJson = Answer<typeof mempoolFeesResult>;

const mwebOnly = { onlyInDialect: 'litecoin-0.21' } as const;

export const mempoolEntryResult = members(
  {
    vsize_adjusted: maybe(numeric('adjusted for signature operations'), { since: 'core-32' }),
    vsize: numeric('the same'),
    vsize_bip141: maybe(numeric(), { since: 'core-32' }),
    weight: numeric(),
    mwebweight: maybe(numeric(), mwebOnly),
    fee: maybe(amount(), { until: 'core-0.21' }),
    modifiedfee: maybe(amount(), { until: 'core-0.21' }),
    time: time('when it entered the mempool'),
    height: numeric('of the chain at that time'),
    descendantcount: numeric(),
    descendantsize: numeric(),
    descendantmwebweight: maybe(numeric(), mwebOnly),
    descendantfees: maybe(numeric('in satoshi'), { until: 'core-0.21' }),
    ancestorcount: numeric(),
    ancestorsize: numeric(),
    ancestormwebweight: maybe(numeric(), mwebOnly),
    ancestorfees: maybe(numeric('in satoshi'), { until: 'core-0.21' }),
    wtxid: hex(),
    chunkweight: maybe(numeric('of the chunk with which it would be mined'), { since: 'core-31' }),
    fees: mempoolFeesResult,
    depends: list(hex(), 'the ids of its parents'),
    spentby: list(hex(), 'the ids of its children'),
    'bip125-replaceable': maybe({ ...flag(), keptBy: 'bip125' }, { until: 'core-31' }),
    unbroadcast: flag('whether it was sent, rather than returned by a block that left the chain'),
  },
  'the entry; fees of transactions whose coins are unknown count as 0',
  [
    { until: 'core-0.21', first: ['fees'] },
    { since: 'core-32', last: ['bip125-replaceable'] },
  ],
);

/** The answer of `getmempoolentry`, and an element of `getrawmempool`. */
export type MempoolEntryJson = Answer<typeof mempoolEntryResult>;

export const mempoolIdsResult = list(hex(), 'the ids, parents before their children');

export const mempoolEntriesResult = dictionary(likeAnswer('getmempoolentry', mempoolEntryResult), 'by txid');

export const mempoolListResult = chosenBy(
  'verbose',
  when([false, undefined], mempoolIdsResult),
  when([true], mempoolEntriesResult),
);

/** Mempool transactions: their txids, or with `verbose` their entries by txid. */
export type MempoolListJson = Answer<typeof mempoolListResult>;

export type FindChunk = (entry: PoolEntry) => Chunk | undefined;

/** Divides each cluster once. */
export function createChunkLookup({ node }: NodeContext): FindChunk {
  const chunksByKey = new Map<TxKey, Chunk>();
  const links = poolLinks(node.chain);
  return (entry) => {
    if (!chunksByKey.has(entry.key)) {
      const chunks = linearize(findCluster(links, [entry]).map(clusterTx));
      for (const chunk of chunks) for (const key of chunk.keys) chunksByKey.set(key, chunk);
    }
    return chunksByKey.get(entry.key);
  };
}

const shownId = ({ id }: PoolEntry): string => formatTxid(id);

interface Relatives {
  readonly above: readonly PoolEntry[];
  readonly ancestors: FamilyTotals;
  readonly descendants: FamilyTotals;
  readonly links: Pick<MempoolEntryJson, 'depends' | 'spentby'>;
}

function findRelatives(entry: PoolEntry, { node: { chain } }: NodeContext): Relatives {
  const above = mempoolAncestors(chain, entry);
  const { findParents, findChildren } = poolLinks(chain);
  return {
    above,
    ancestors: familyTotals([entry, ...above]),
    descendants: familyTotals([entry, ...mempoolDescendants(chain, [entry])]),
    links: {
      depends: findParents(entry).map(shownId).sort(),
      spentby: [...findChildren(entry)].sort(compareById).map(shownId),
    },
  };
}

/** Counts a fee as 0 if the chain lacks the coins. @see Bitcoin Core `entryToJSON` */
export function mempoolEntryDraft(
  entry: PoolEntry,
  findChunk: FindChunk,
  context: NodeContext,
): Draft<typeof mempoolEntryResult> {
  const { above, ancestors, descendants, links } = findRelatives(entry, context);
  const { vsize: bip141, weight } = transactionSize(entry.tx);
  const adjusted = sizeOfWeight(entry.policyWeight);
  const { fee: base = 0n } = entry;
  const chunk = context.mempool.rules.cluster && findChunk(entry);
  const modified = modifiedFee(entry);
  return {
    vsize_adjusted: adjusted,
    vsize: adjusted,
    vsize_bip141: bip141,
    weight,
    mwebweight: 0,
    fee: base,
    modifiedfee: modified,
    time: entry.time,
    height: entry.height,
    descendantcount: descendants.count,
    descendantsize: descendants.size,
    descendantmwebweight: 0,
    descendantfees: Number(descendants.fees),
    ancestorcount: ancestors.count,
    ancestorsize: ancestors.size,
    ancestormwebweight: 0,
    ancestorfees: Number(ancestors.fees),
    wtxid: formatTxid(wtxid(entry.tx)),
    chunkweight: chunk?.weight ?? entry.policyWeight,
    fees: {
      base,
      modified,
      ancestor: ancestors.fees,
      descendant: descendants.fees,
      chunk: chunk?.fee ?? modified,
    },
    ...links,
    'bip125-replaceable': isReplaceable(entry, above),
    unbroadcast: entry.isUnbroadcast,
  };
}

const isReplaceable = (entry: PoolEntry, above: readonly PoolEntry[]): boolean =>
  [entry, ...above].some(({ tx }) => signalsReplacement(tx));

export function mempoolEntriesDraft(
  entries: readonly PoolEntry[],
  context: NodeContext,
): Readonly<Record<string, Draft<typeof mempoolEntryResult>>> {
  const findChunk = createChunkLookup(context);
  return Object.fromEntries(entries.map((entry) => [shownId(entry), mempoolEntryDraft(entry, findChunk, context)]));
}
