import { parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { findMember, type JsonMember } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_CLIENT_NOT_CONNECTED } from '../../../answers/method/errorCodes.ts';
import { object, of, optional, type ReadArguments } from '../../../answers/method/parameters.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';
import type { News, Wait, Waiting } from '../waiting.ts';
import { miningMethodRules } from './miningMethodRules.ts';

export interface TemplateRequest {
  readonly mode?: 'template' | 'proposal';
  readonly rules?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly longpollid?: string;
  readonly data?: string;
}

const TEMPLATE_REQUEST = object(
  'template_request',
  of<TemplateRequest>(),
  `
     { "rules": ["segwit", ...],        the rules that the miner knows
       "mode": "template"|"proposal",   default "template"
       "capabilities": [str, ...],      ignored
       "longpollid": str,               of the template that the miner has
       "data": hex }                    the block, with "proposal"`,
);

export const TEMPLATE_PARAMS = [
  lasting(TEMPLATE_REQUEST, { since: 'core-29' }),
  lasting(optional(TEMPLATE_REQUEST), { until: 'core-0.21' }),
] as const;

/** @throws RpcError -8 */
export function readMode(request: readonly JsonMember[]): string {
  const mode = findMember(request, 'mode');
  if (!mode || mode.type === 'null') return 'template';
  if (mode.type !== 'string') throw invalidParameter('Invalid mode');
  return mode.value;
}

export function readRules(
  request: readonly JsonMember[],
  { dialect }: Pick<NodeContext, 'dialect'>,
): ReadonlySet<string> {
  const rules = findMember(request, 'rules');
  if (rules?.type !== 'array') return new Set();
  return new Set(rules.items.map((item) => readValue(item, 'string', dialect).value));
}

/** Refuses to make templates for a network, as a node without peers. @throws RpcError -9 */
export function assertConnected({ network, dialect }: Pick<NodeContext, 'network' | 'dialect'>): void {
  if (!network.isMain && !miningMethodRules[dialect.generation].mustBeConnected) return;
  throw new RpcError(RPC_CLIENT_NOT_CONNECTED, `${dialect.coinName} Core is not connected!`);
}

/** @throws RpcError -8 */
export function assertRules(rules: ReadonlySet<string>, { network }: Pick<NodeContext, 'network'>): void {
  if (network.signetChallenge !== undefined && !rules.has('signet')) {
    throw invalidParameter(
      'getblocktemplate must be called with the signet rule set (call with {"rules": ["segwit", "signet"]})',
    );
  }
  if (!rules.has('segwit')) {
    throw invalidParameter(
      'getblocktemplate must be called with the segwit rule set (call with {"rules": ["segwit"]})',
    );
  }
}

/** What a miner knows: the last block, and the changes of the mempool. */
interface Known {
  readonly hash: string;
  readonly updates: number;
}

const HASH_DIGITS = 64;

/** Reads what a miner has. @throws RpcError -8 @see BIP22 "Optional: Long Polling" */
export function readLongPoll(request: readonly JsonMember[], { tip: { hash }, updates }: News): Known | undefined {
  const id = findMember(request, 'longpollid');
  if (!id || id.type === 'null') return undefined;
  if (id.type !== 'string') return { hash, updates };
  return {
    hash: formatReversedHex(parseTxidArgument('longpollid', id.value.slice(0, HASH_DIGITS))),
    updates: Number.parseInt(id.value.slice(HASH_DIGITS), 10) || 0,
  };
}

/** In milliseconds: when a call looks at the mempool. */
const [FIRST_LOOK, LATER_LOOKS] = [60_000, 10_000];

/** Waits for another last block, or for news of the mempool. @see Bitcoin Core `getblocktemplate` */
function untilNews({ hash, updates: known }: Known): Wait {
  let looks = 0;
  return {
    isOver: ({ tip, updates }, waited) => {
      if (tip.hash !== hash) return true;
      if (waited < FIRST_LOOK + looks * LATER_LOOKS) return false;
      looks += 1;
      return updates !== known;
    },
    timeout: 0,
    whenStopped: new RpcError(RPC_CLIENT_NOT_CONNECTED, 'Shutting down'),
  };
}

/** The waits of the methods, by name. @throws RpcError as the call does */
export const templateWaits = {
  getblocktemplate: (
    { template_request: request = [] }: ReadArguments<typeof TEMPLATE_PARAMS>,
    { before, ...waiting }: Waiting,
  ): Wait | undefined => {
    if (readMode(request) !== 'template') return undefined;
    readRules(request, waiting);
    assertConnected(waiting);
    const known = readLongPoll(request, before);
    return known && untilNews(known);
  },
};
