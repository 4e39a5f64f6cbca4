import { bytesKey } from '../../bytes/compare.ts';
import { ancestorsOf, descendantsOf } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { RpcError } from '../../errors.ts';
import { chainRules } from '../../generations.ts';
import { formatTxid } from '../../tx/txid.ts';
import { parseTxidArgument, readOptional, readValue } from '../argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { MempoolEntryJson, MempoolListJson } from '../views/chainJsonTypes.ts';
import { compareById, createChunkLookup, mempoolEntriesJson, mempoolEntryJson } from '../views/mempoolJson.ts';
import type { NodeContext, NodeMethod } from '../wallet/context.ts';

/** @see Bitcoin Core `getmempoolentry` */
export const getmempoolentry: NodeMethod<MempoolEntryJson> = {
  name: 'getmempoolentry',
  needs: 'node',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Shows a transaction of the mempool: its size, its fees and its relatives.

Arguments:
1. txid    (string, required) the transaction id

Result:
the entry; fees of transactions whose coins are unknown count as 0

Examples:
> countersign getmempoolentry b56862e91da29eadd13d6ca1ded756ed...`,
  run: (args, context) => {
    const id = parseTxidArgument(...pooledTxid(args[0], context));
    return mempoolEntryJson(getPooled(id, context), createChunkLookup(context), context);
  },
};

/** Reads the txid of a query, with the name that its errors have. @throws RpcError -3, in 0.21 -1 */
const pooledTxid = (value: JsonValue | undefined, { dialect }: NodeContext): [name: string, text: string] => [
  chainRules[dialect.generation].pooledTxidName,
  readValue(value, 'string', dialect).value,
];

/** Returns a transaction of the mempool. @throws RpcError -5 */
function getPooled(id: Uint8Array, { node }: NodeContext): PoolEntry {
  const entry = node.chain.mempool.get(bytesKey(id));
  if (entry) return entry;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
}

/**
 * Makes a method that lists relatives of a mempool transaction.
 *
 * - `summary`: the first line of its help
 */
function relativesMethod(
  name: string,
  summary: string,
  find: (entry: PoolEntry, context: NodeContext) => readonly PoolEntry[],
): NodeMethod<MempoolListJson> {
  return {
    name,
    needs: 'node',
    params: [
      { name: 'txid', type: 'string' },
      { name: 'verbose', type: 'bool', isOptional: true },
    ],
    checksLate: true,
    help: `${summary}

Arguments:
1. txid       (string, required) the transaction id
2. verbose    (boolean, optional, default false) whether to show each as getmempoolentry does

Result:
the transaction ids, without its own; with verbose the entries by id

Examples:
> countersign ${name} b56862e91da29eadd13d6ca1ded756ed...`,
    run: (args, context) => {
      const isVerbose = readOptional(args[1], 'bool', context.dialect)?.value ?? false;
      const id = parseTxidArgument(...pooledTxid(args[0], context));
      const found = [...find(getPooled(id, context), context)].sort(compareById);
      return isVerbose ? mempoolEntriesJson(found, context) : found.map((entry) => formatTxid(entry.id));
    },
  };
}

/** @see Bitcoin Core `getmempoolancestors` */
export const getmempoolancestors: NodeMethod<MempoolListJson> = relativesMethod(
  'getmempoolancestors',
  'Lists the transactions of the mempool on which one of them depends.',
  (entry, { node }) => ancestorsOf(node.chain, entry),
);

/** @see Bitcoin Core `getmempooldescendants` */
export const getmempooldescendants: NodeMethod<MempoolListJson> = relativesMethod(
  'getmempooldescendants',
  'Lists the transactions of the mempool that depend on one of them.',
  (entry, { node }) => descendantsOf(node.chain, [entry]),
);
