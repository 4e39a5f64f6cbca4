import { parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { bool, hexString, optional, reading } from '../../../answers/method/parameters.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid, txKey } from '../../../core/tx/txid.ts';
import type { Txid } from '../../../core/tx/types.ts';
import { compareById, mempoolAncestors, mempoolDescendants } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import {
  createChunkLookup,
  mempoolEntriesDraft,
  mempoolEntryDraft,
  mempoolEntryResult,
  mempoolListResult,
} from './mempoolJson.ts';

/** A transaction of the mempool, whose name in errors depends on the release. */
const POOLED_TXID = reading(hexString('txid', 'the transaction id'), (value, { dialect }) => {
  const { value: text } = readValue(value, 'string', dialect);
  return parseTxidArgument(chainRules[dialect.generation].pooledTxidName, text);
});

export const getmempoolentry = nodeMethod({
  name: 'getmempoolentry',
  category: 'blockchain',
  checksLate: true,
  about: 'Shows a transaction of the mempool: its size, its fees and its relatives.',
  params: [POOLED_TXID],
  result: mempoolEntryResult,
  examples: ['getmempoolentry b56862e91da29eadd13d6ca1ded756ed...'],
  run: (args, context) => {
    return mempoolEntryDraft(getPooled(args.txid, context), createChunkLookup(context), context);
  },
});

export function getPooled(id: Txid, { node }: NodeContext): PoolEntry {
  const entry = node.chain.mempool.get(txKey(id));
  if (entry) return entry;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
}

const relativesMethod = <const N extends string>(
  name: N,
  about: string,
  find: (entry: PoolEntry, context: NodeContext) => readonly PoolEntry[],
) =>
  nodeMethod({
    name,
    category: 'blockchain',
    checksLate: true,
    about,
    params: [POOLED_TXID, optional(bool('verbose', 'whether to show each as getmempoolentry does'), false)],
    result: mempoolListResult,
    examples: [`${name} b56862e91da29eadd13d6ca1ded756ed...`],
    run: (args, context) => {
      const isVerbose = args.verbose;
      const relatives = [...find(getPooled(args.txid, context), context)].sort(compareById);
      return isVerbose ? mempoolEntriesDraft(relatives, context) : relatives.map((entry) => formatTxid(entry.id));
    },
  });

export const getmempoolancestors = relativesMethod(
  'getmempoolancestors',
  'Lists the transactions of the mempool on which one of them depends.',
  (entry, { node }) => mempoolAncestors(node.chain, entry),
);

export const getmempooldescendants = relativesMethod(
  'getmempooldescendants',
  'Lists the transactions of the mempool that depend on one of them.',
  (entry, { node }) => mempoolDescendants(node.chain, [entry]),
);
