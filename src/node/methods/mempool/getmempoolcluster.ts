import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { hexString } from '../../../answers/method/parameters.ts';
import { type Answer, amount, hex, list, members, numeric } from '../../../answers/method/results.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import { linearize, mergeChunks } from '../../mempool/chunks.ts';
import { allClusters, clusterTx, findCluster, poolLinks } from '../../mempool/clusters.ts';
import { nodeMethod } from '../context.ts';
import { getPooled } from './getmempoolentry.ts';

const mempoolClusterResult = members({
  clusterweight: numeric('adjusted for signature operations'),
  txcount: numeric(),
  chunks: list(
    members({
      chunkfee: amount(),
      chunkweight: numeric('adjusted for signature operations'),
      txs: list(hex(), 'their ids'),
    }),
    'in the order of mining, as their transactions',
  ),
});

/** The answer of `getmempoolcluster`. */
export type MempoolClusterJson = Answer<typeof mempoolClusterResult>;

export const getmempoolcluster = lasting(
  nodeMethod({
    name: 'getmempoolcluster',
    category: 'blockchain',
    about: 'Shows the transactions of the mempool to which spending links one of them, in the order of mining.',
    params: [hexString('txid', 'the transaction id')],
    result: mempoolClusterResult,
    examples: ['getmempoolcluster b56862e91da29eadd13d6ca1ded756ed...'],
    run: ({ txid }, context) => {
      const { chain } = context.node;
      const cluster = findCluster(poolLinks(chain), [getPooled(parseTxidArgument('txid', txid), context)]);
      const ids = new Map(cluster.map(({ key, id }) => [key, formatTxid(id)]));
      return {
        clusterweight: cluster.reduce((sum, { policyWeight }) => sum + policyWeight, 0),
        txcount: cluster.length,
        chunks: linearize(cluster.map(clusterTx)).map(({ keys, fee, weight }) => ({
          chunkfee: fee,
          chunkweight: weight,
          txs: keys.flatMap((key) => ids.get(key) ?? []),
        })),
      };
    },
  }),
  { since: 'core-31' },
);

const diagramResult = list(
  members({ weight: numeric('adjusted for signature operations'), fee: amount() }),
  'the sums after each chunk, in the order of mining; the first is 0',
);

export const getmempoolfeeratediagram = lasting(
  nodeMethod({
    name: 'getmempoolfeeratediagram',
    category: 'hidden',
    about: 'Shows how the fees of the mempool grow with its weight, in the order of mining.',
    params: [],
    result: diagramResult,
    examples: ['getmempoolfeeratediagram'],
    run: (_, { node: { chain } }) => {
      let [weight, fee] = [0, 0n];
      const points = mergeChunks(allClusters(chain)).map((chunk) => {
        weight += chunk.weight;
        fee += chunk.fee;
        return { weight, fee };
      });
      return [{ weight: 0, fee: 0n }, ...points];
    },
  }),
  { since: 'core-31' },
);
