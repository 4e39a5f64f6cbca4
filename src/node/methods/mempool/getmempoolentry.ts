import { parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { bool, json, of, optional } from '../../../answers/method/parameters.ts';
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
  mempoolEntriesJson,
  mempoolEntryJson,
  mempoolEntryResult,
  mempoolListResult,
} from './mempoolJson.ts';

export const getmempoolentry = nodeMethod({
  name: 'getmempoolentry',
  checksLate: true,
  about: 'Shows a transaction of the mempool: its size, its fees and its relatives.',
  params: [json('txid', of<string>(), { type: 'string' }, 'the transaction id')],
  result: mempoolEntryResult,
  examples: ['getmempoolentry b56862e91da29eadd13d6ca1ded756ed...'],
  run: (args, context) => {
    const id = parseTxidArgument(...pooledTxid(args.txid, context));
    return mempoolEntryJson(getPooled(id, context), createChunkLookup(context), context);
  },
});

const pooledTxid = (value: JsonValue | undefined, { dialect }: NodeContext): [name: string, text: string] => [
  chainRules[dialect.generation].pooledTxidName,
  readValue(value, 'string', dialect).value,
];

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
    checksLate: true,
    about,
    params: [
      json('txid', of<string>(), { type: 'string' }, 'the transaction id'),
      optional(bool('verbose', 'whether to show each as getmempoolentry does'), false),
    ],
    result: mempoolListResult,
    examples: [`${name} b56862e91da29eadd13d6ca1ded756ed...`],
    run: (args, context) => {
      const isVerbose = args.verbose;
      const id = parseTxidArgument(...pooledTxid(args.txid, context));
      const relatives = [...find(getPooled(id, context), context)].sort(compareById);
      return isVerbose ? mempoolEntriesJson(relatives, context) : relatives.map((entry) => formatTxid(entry.id));
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
