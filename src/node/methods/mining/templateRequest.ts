import { isAbsent, parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_CLIENT_NOT_CONNECTED, RPC_TYPE_ERROR } from '../../../answers/method/errorCodes.ts';
import {
  anyOf,
  array,
  choice,
  emptyIfAbsent,
  hexString,
  object,
  optional,
  type ReadArguments,
  reading,
  string,
  unread,
} from '../../../answers/method/parameters.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';
import type { News, Wait, Waiting } from '../waiting.ts';
import { miningMethodRules } from './miningMethodRules.ts';

const TEMPLATE_REQUEST = object(
  'template_request',
  [
    optional(
      reading(choice('mode', ['template', 'proposal'], 'template by default'), (value) => {
        if (isAbsent(value)) return 'template';
        if (value.type === 'string') return value.value;
        throw invalidParameter('Invalid mode');
      }),
    ),
    optional(array('capabilities', string('str', 'a capability'), 'what the miner can do; ignored')),
    optional(
      reading(
        array(
          'rules',
          anyOf('', [string('segwit', ''), string('str', '')], 'a rule'),
          'the rules that the miner knows, such as segwit',
        ),
        readRules,
      ),
    ),
    optional(unread(string('longpollid', 'of the template that the miner has'))),
    optional(
      reading(hexString('data', 'the block, in mode proposal'), (value) => {
        if (value?.type === 'string') return value.value;
        throw new RpcError(RPC_TYPE_ERROR, 'Missing data String key for proposal');
      }),
    ),
  ],
  'what the miner wants',
);

export const TEMPLATE_PARAMS = [
  lasting(TEMPLATE_REQUEST, { since: 'core-29' }),
  lasting(optional(emptyIfAbsent(TEMPLATE_REQUEST)), { until: 'core-0.21' }),
] as const;

/** Takes anything but a list as no rules. */
function readRules(value: JsonValue | undefined, { dialect }: RpcContext): ReadonlySet<string> {
  if (value?.type !== 'array') return new Set();
  return new Set(value.items.map((item) => readValue(item, 'string', dialect).value));
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
export function readLongPoll(id: JsonValue | undefined, { tip: { hash }, updates }: News): Known | undefined {
  if (isAbsent(id)) return undefined;
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
    { template_request: request }: ReadArguments<typeof TEMPLATE_PARAMS>,
    { before, ...waiting }: Waiting,
  ): Wait | undefined => {
    if (request.mode !== 'template') return undefined;
    void request.rules;
    assertConnected(waiting);
    const known = readLongPoll(request.longpollid, before);
    return known && untilNews(known);
  },
};
