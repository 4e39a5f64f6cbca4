import { type GenerationName, isWithin, type Lifetime } from '../../core/generations.ts';
import type { NodeRpc } from '../createNodeRpc.ts';
import { answerBlock, answerBlockPart, answerBlockWithIds, answerSpentOutputs } from './blocks.ts';
import { answerBlockHash, answerFilter, answerFilterHeaders, answerHeaders } from './headers.ts';
import {
  answerChainInfo,
  answerDeployments,
  answerMempool,
  answerMempoolInfo,
  answerWholeMempool,
} from './nodeState.ts';
import type { RestReply } from './replies.ts';
import type { Asked } from './requestParts.ts';
import { restRules } from './restRules.ts';
import { answerTransaction } from './transactions.ts';
import { answerUnspent } from './unspentOutputs.ts';

interface Endpoint extends Lifetime {
  readonly prefix: string;
  readonly answer: (asked: Asked) => RestReply;
}

/** The first prefix of a path counts. @see Bitcoin Core `uri_prefixes` */
const ENDPOINTS: readonly Endpoint[] = [
  { prefix: '/rest/tx/', answer: answerTransaction },
  { prefix: '/rest/block/notxdetails/', answer: answerBlockWithIds },
  { prefix: '/rest/block/', answer: answerBlock },
  { prefix: '/rest/blockpart/', answer: answerBlockPart, since: 'core-31' },
  { prefix: '/rest/blockfilter/', answer: answerFilter, since: 'core-29' },
  { prefix: '/rest/blockfilterheaders/', answer: answerFilterHeaders, since: 'core-29' },
  { prefix: '/rest/chaininfo', answer: answerChainInfo },
  { prefix: '/rest/mempool/info', answer: answerMempoolInfo, until: 'core-0.21' },
  { prefix: '/rest/mempool/contents', answer: answerWholeMempool, until: 'core-0.21' },
  { prefix: '/rest/mempool/', answer: answerMempool, since: 'core-29' },
  { prefix: '/rest/headers/', answer: answerHeaders },
  { prefix: '/rest/getutxos', answer: answerUnspent },
  { prefix: '/rest/deploymentinfo/', answer: answerDeployments, since: 'core-29' },
  { prefix: '/rest/deploymentinfo', answer: answerDeployments, since: 'core-29' },
  { prefix: '/rest/blockhashbyheight/', answer: answerBlockHash },
  { prefix: '/rest/spenttxouts/', answer: answerSpentOutputs, since: 'core-30' },
];

export interface RestRequest {
  /** As sent, with query and percent-encoding; a character for each byte. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Tells whether a release answers such a path at all. */
export const isRestPath = (generation: GenerationName, path: string): boolean =>
  findEndpoint(generation, path) !== undefined;

const findEndpoint = (generation: GenerationName, path: string): Endpoint | undefined =>
  ENDPOINTS.find((endpoint) => path.startsWith(endpoint.prefix) && isWithin(generation, endpoint));

/** A reply, and what its `Cache-Control` says. */
export type CachedReply = RestReply & { readonly cacheControl?: string };

/**
 * Answers a request of a node's REST interface, of whatever method. Returns nothing for another path.
 * @throws RpcError -20 if the store fails
 * @see Bitcoin Core `rest.cpp`
 */
export function answerRest(rpc: NodeRpc, { path, body }: RestRequest): CachedReply | undefined {
  const { generation } = rpc.context.dialect;
  const endpoint = findEndpoint(generation, path);
  if (!endpoint) return undefined;
  const rules = restRules[generation];
  const rest = path.slice(endpoint.prefix.length);
  const reply = rpc.inContext((context) => endpoint.answer({ path, rest, body, context, rules }));
  if (!rules.saysCaching) return reply;
  return { ...reply, cacheControl: reply.isLasting ? 'public, immutable, max-age=86400' : 'no-store' };
}
