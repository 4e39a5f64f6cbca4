import { inCoins } from '../../../answers/json/exactNumbers.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import { formatTxid, wtxid } from '../../../core/tx/txid.ts';
import { sizeOfWeight, transactionSize } from '../../../core/tx/weight.ts';
import { type FamilyTotals, familyTotals, mempoolAncestors, mempoolDescendants } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { type Chunk, linearize } from '../../mempool/chunks.ts';
import { clusterTx, findCluster, poolLinks } from '../../mempool/clusters.ts';
import type { MempoolEntryJson, MempoolFeesJson } from '../chainJsonTypes.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';

export type FindChunk = (entry: PoolEntry) => Chunk | undefined;

/** Divides each cluster once. */
export function createChunkLookup({ node }: NodeContext): FindChunk {
  const chunksByKey = new Map<string, Chunk>();
  const links = poolLinks(node.chain);
  return (entry) => {
    if (!chunksByKey.has(entry.key)) {
      const chunks = linearize(findCluster(links, [entry]).map(clusterTx));
      for (const chunk of chunks) for (const key of chunk.keys) chunksByKey.set(key, chunk);
    }
    return chunksByKey.get(entry.key);
  };
}

/** Compares the bytes of txids, by which a node sorts. */
export function compareById(a: PoolEntry, b: PoolEntry): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
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
export const mempoolEntryJson = (entry: PoolEntry, findChunk: FindChunk, context: NodeContext): MempoolEntryJson =>
  chainRules[context.dialect.generation].showsAdjustedSizes
    ? entryWithChunk(entry, findChunk, context)
    : entryWithFamilyFees(entry, context);

function entryWithChunk(entry: PoolEntry, findChunk: FindChunk, context: NodeContext): MempoolEntryJson {
  const { ancestors, descendants, links } = findRelatives(entry, context);
  const { vsize: bip141, weight } = transactionSize(entry.tx);
  const adjusted = sizeOfWeight(entry.policyWeight);
  const { fee: base = 0n } = entry;
  const chunk = findChunk(entry);
  const sums = { base, modified: base, ancestor: ancestors.fees, descendant: descendants.fees };
  return {
    vsize_adjusted: adjusted,
    vsize: adjusted,
    vsize_bip141: bip141,
    weight,
    time: entry.time,
    height: entry.height,
    descendantcount: descendants.count,
    descendantsize: descendants.size,
    ancestorcount: ancestors.count,
    ancestorsize: ancestors.size,
    wtxid: formatTxid(wtxid(entry.tx)),
    chunkweight: chunk?.weight ?? entry.policyWeight,
    fees: inCoins<MempoolFeesJson>({ ...sums, chunk: chunk?.fee ?? base }),
    ...links,
    unbroadcast: entry.isUnbroadcast,
  };
}

function entryWithFamilyFees(entry: PoolEntry, context: NodeContext): MempoolEntryJson {
  const { above, ancestors, descendants, links } = findRelatives(entry, context);
  const { fee: base = 0n } = entry;
  const { showsMweb } = context.dialect;
  const isReplaceable = [entry, ...above].some(({ tx }) => signalsReplacement(tx));
  return inCoins<MempoolEntryJson>({
    fees: inCoins<MempoolFeesJson>({ base, modified: base, ancestor: ancestors.fees, descendant: descendants.fees }),
    vsize: sizeOfWeight(entry.policyWeight),
    weight: transactionSize(entry.tx).weight,
    ...(showsMweb && { mwebweight: 0 }),
    fee: base,
    modifiedfee: base,
    time: entry.time,
    height: entry.height,
    descendantcount: descendants.count,
    descendantsize: descendants.size,
    ...(showsMweb && { descendantmwebweight: 0 }),
    descendantfees: Number(descendants.fees),
    ancestorcount: ancestors.count,
    ancestorsize: ancestors.size,
    ...(showsMweb && { ancestormwebweight: 0 }),
    ancestorfees: Number(ancestors.fees),
    wtxid: formatTxid(wtxid(entry.tx)),
    ...links,
    'bip125-replaceable': isReplaceable,
    unbroadcast: entry.isUnbroadcast,
  });
}

export function mempoolEntriesJson(
  entries: readonly PoolEntry[],
  context: NodeContext,
): Readonly<Record<string, MempoolEntryJson>> {
  const findChunk = createChunkLookup(context);
  return Object.fromEntries(entries.map((entry) => [shownId(entry), mempoolEntryJson(entry, findChunk, context)]));
}
