import type { Recorded } from './corpus.ts';
import { type NodeRpc, RpcError, stringifyRpc } from './library.ts';

/** Compares answers with recorded ones, as the labels of the recordings say. */

/** Returns the answer of a node as a client parses it: a result, or an error. */
export function answerOf(rpc: NodeRpc, { method, params, wallet }: Recorded): unknown {
  try {
    return { result: JSON.parse(stringifyRpc(rpc.call(method, params, wallet))) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

type Members = Readonly<Record<string, unknown>>;

interface Listed {
  readonly txid: string;
  readonly vout?: number;
}

const inBytes = (txid: string): string => Buffer.from(txid, 'hex').reverse().toString('hex');
const byBytes = (a: string, b: string): number => inBytes(a).localeCompare(inBytes(b), 'en');
const byTxid = (a: Listed, b: Listed): number => byBytes(a.txid, b.txid);
const asText = (list: unknown): readonly string[] => [...(list as readonly string[])].sort();

/** Sorts what a mempool entry lists of its relatives. */
const inEntry = (entry: Members): Members =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) =>
      name === 'depends' || name === 'spentby' ? [name, asText(value)] : [name, value],
    ),
  );

/** Sorts a list of txids, or an object of entries by their txids. */
function inMempool(result: unknown): unknown {
  if (Array.isArray(result)) return asText(result);
  const entries = Object.entries(result as Readonly<Record<string, Members>>);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([txid, entry]) => [txid, inEntry(entry)]),
  );
}

const ORDERS: Readonly<Record<string, (result: unknown) => unknown>> = {
  listunspent: (result) =>
    [...(result as readonly Listed[])].sort((a, b) => byTxid(a, b) || (a.vout ?? 0) - (b.vout ?? 0)),
  listsinceblock: (result) => {
    type Lists = { readonly transactions: readonly Listed[]; readonly removed?: readonly Listed[] };
    const { transactions, removed, ...rest } = result as Lists;
    return {
      transactions: [...transactions].sort(byTxid),
      ...(removed && { removed: [...removed].sort(byTxid) }),
      ...rest,
    };
  },
  listreceivedbyaddress: (result) =>
    (result as readonly Members[]).map((element) => ({
      ...element,
      txids: [...(element['txids'] as readonly string[])].sort(byBytes),
    })),
  getmempoolentry: (result) => inEntry(result as Members),
  getmempoolancestors: inMempool,
  getmempooldescendants: inMempool,
  getrawmempool: inMempool,
};

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Reduces an object to the names of its members and their types; or only the named members, if any are named. */
const shapeOf = (result: unknown, names?: readonly string[]): Members =>
  Object.fromEntries(
    Object.entries(result as Members).map(([name, value]) =>
      names && !names.includes(name) ? [name, value] : [name, typeName(value)],
    ),
  );

/** Brings a result into the form in which it is compared. */
function comparable({ label = '', method }: Recorded, result: unknown): unknown {
  const order = ORDERS[method];
  return label.split(',').reduce((value, name) => {
    if (name === 'any-order' && order) return order(value);
    if (name === 'shape') return shapeOf(value);
    return name.startsWith('shape:') ? shapeOf(value, [name.slice('shape:'.length)]) : value;
  }, result);
}

/** Tells whether an answer equals the recorded one; of an error with a help text, only the code counts. */
export function isAnswered(call: Recorded, answer: unknown): boolean {
  const { error, result } = answer as Pick<Recorded, 'error' | 'result'>;
  const isHelp = call.error?.code === -1 && call.error.message.startsWith(call.method);
  if (isHelp) return error?.code === -1;
  if (call.error || error) return JSON.stringify(call.error) === JSON.stringify(error);
  return JSON.stringify(comparable(call, call.result)) === JSON.stringify(comparable(call, result));
}
