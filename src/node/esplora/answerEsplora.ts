import { toJsonValue } from '../../answers/json/jsonValue.ts';
import { quote } from '../../answers/json/stringify.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../createNodeRpc.ts';
import { answerBlock, answerBlockHeight, answerBlocks } from './blockRoutes.ts';
import { broadcast, broadcastPackage } from './broadcast.ts';
import { type ChainIndex, createIndex, followChain } from './chainIndex.ts';
import type { Source } from './foundTx.ts';
import { answerMempool } from './mempoolRoutes.ts';
import { badRequest, type EsploraReply, jsonReply, notFound, textReply } from './replies.ts';
import { answerScript } from './scriptRoutes.ts';
import type { NamedScript } from './segments.ts';
import { answerTx } from './txRoutes.ts';

/** A node whose chain is indexed by script. */
export interface Esplora {
  readonly rpc: NodeRpc;
  readonly index: ChainIndex;
}

export interface EsploraRequest {
  readonly method: string;
  /** As sent, with query and percent-encoding. */
  readonly path: string;
  readonly body: string;
}

/**
 * Indexes the chain of a node in memory.
 * @throws BtcError `block/unknown` if the chain lacks the transactions of a block; `store/*`
 */
export function openEsplora(rpc: NodeRpc): Esplora {
  const index = createIndex();
  rpc.node.inCall(() => followChain(index, rpc.node));
  return { rpc, index };
}

/**
 * Answers a request of Esplora's HTTP API.
 * @see https://github.com/Blockstream/esplora/blob/master/API.md; Blockstream electrs `handle_request` of `rest.rs`
 */
export function answerEsplora({ rpc, index }: Esplora, { method, path, body }: EsploraRequest): EsploraReply {
  const [plain = '', query = ''] = path.split('?', 2);
  const segments = plain
    .replace(/^\/api(?=\/)/, '')
    .split('/')
    .slice(1);
  const reply =
    method === 'POST'
      ? answerPost(rpc, segments, { body, query })
      : method === 'GET'
        ? answerGet({ rpc, index }, segments)
        : undefined;
  return reply ?? notFound(`endpoint does not exist ${quote(shownPath(plain))}`);
}

function answerPost(
  rpc: NodeRpc,
  segments: readonly string[],
  { body, query }: { readonly body: string; readonly query: string },
): EsploraReply | undefined {
  switch (segments.join('/')) {
    case 'tx':
      return broadcast(rpc, body);
    case 'txs/package':
      return broadcastPackage(rpc, body, parseQuery(query));
    default:
      return undefined;
  }
}

const parseQuery = (query: string): ReadonlyMap<string, string> =>
  new Map(
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name, value] as const;
    }),
  );

function answerGet({ rpc, index }: Esplora, segments: readonly string[]): EsploraReply | undefined {
  const { node } = rpc;
  try {
    if (segments.join('/') === 'fee-estimates') return jsonReply(feeEstimates(rpc));
    return node.inCall(() => {
      followChain(index, node);
      return answerFrom({ node, index }, segments);
    });
  } catch (error) {
    if (error instanceof BtcError || error instanceof RpcError) return textReply(error.message, 503);
    throw error;
  }
}

interface Route {
  /** How many parts a path has after the first one. */
  readonly parts: readonly [least: number, most: number];
  readonly answer: (source: Source, ...parts: string[]) => EsploraReply | undefined;
}

const scriptRoute = (kind: NamedScript['kind']): Route => ({
  parts: [1, 4],
  answer: (source, text = '', ...rest) => answerScript(source, { kind, text }, rest),
});

const routes: Readonly<Record<string, Route>> = {
  tx: { parts: [1, 3], answer: answerTx },
  address: scriptRoute('address'),
  scripthash: scriptRoute('scripthash'),
  'address-prefix': { parts: [1, 1], answer: () => badRequest('address search disabled') },
  'block-template': { parts: [0, 0], answer: () => textReply('mining REST endpoints are disabled', 403) },
  block: { parts: [1, 3], answer: answerBlock },
  'block-height': { parts: [1, 1], answer: answerBlockHeight },
  blocks: { parts: [0, 2], answer: answerBlocks },
  mempool: { parts: [0, 1], answer: answerMempool },
};

function answerFrom(source: Source, [name = '', ...parts]: readonly string[]): EsploraReply | undefined {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (!route) return undefined;
  const [least, most] = route.parts;
  return parts.length >= least && parts.length <= most ? route.answer(source, ...parts) : undefined;
}

const CONFIRMATION_TARGETS: readonly number[] = [...Array.from({ length: 25 }, (_, i) => i + 1), 144, 504, 1008];
/** Satoshi per virtual byte in a coin per 1000. */
const RATE_UNIT = 100_000;

/** Returns the estimates of `estimatesmartfee`, by target; none where it has none. */
function feeEstimates({ callJson }: NodeRpc): object {
  const estimates = CONFIRMATION_TARGETS.flatMap((target) => {
    const { feerate } = callJson('estimatesmartfee', toJsonValue([target, 'ECONOMICAL'])) as { feerate?: number };
    return feerate === undefined ? [] : [[target, feerate * RATE_UNIT] as const];
  });
  return Object.fromEntries(estimates);
}
