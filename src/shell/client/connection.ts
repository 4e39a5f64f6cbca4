import { findMember, type JsonMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import { createSender, type HttpParts } from '../sync/httpClient.ts';
import { SyncFault } from '../sync/sourceAndSink.ts';

/** What a node replies to one call. */
export type Reply = { readonly result: JsonValue } | { readonly error: RpcError };

export interface Connection {
  /** Sends one request. @throws BtcError `client/failed` */
  readonly ask: (body: string) => Promise<Reply>;
  /** Sends a batch of requests with the ids 0 to `count` - 1. @throws BtcError `client/failed` */
  readonly askAll: (body: string, count: number) => Promise<readonly Reply[]>;
}

export function openConnection(parts: Omit<HttpParts, 'retries' | 'wait'>): Connection {
  const wait = async (why: string): Promise<void> => {
    throw new SyncFault(why, { isPassing: true });
  };
  // A call that changes a wallet is not repeated.
  const { name, send } = createSender({ ...parts, retries: false, wait });
  const noReply = (what: string): BtcError => failure(`${name} answers ${what}`, false);
  const post = async (body: string): Promise<JsonValue> => {
    try {
      const reply = await send(body, (status, text) => ({ kind: 'read', value: { status, json: parseJson(text) } }));
      if (reply === 'too-large') throw noReply('more than 32 MiB');
      if (!reply.json) throw noReply(`HTTP ${reply.status} without a JSON-RPC reply`);
      return reply.json;
    } catch (error) {
      if (!(error instanceof SyncFault)) throw error;
      throw failure(error.message, error.isPassing);
    }
  };
  const replyIn = (value: JsonValue | undefined): Reply => {
    const reply = value && readReply(value);
    if (!reply) throw noReply('without a JSON-RPC reply');
    return reply;
  };
  return {
    ask: async (body) => replyIn(await post(body)),
    askAll: async (body, count) => {
      const value = await post(body);
      // Refuses the batch as a whole.
      if (value.type !== 'array') return Array.from({ length: count }, () => replyIn(value));
      const replies = new Map(value.items.map((item) => [idOf(item), item]));
      return Array.from({ length: count }, (_, id) => replyIn(replies.get(String(id))));
    },
  };
}

/** Begins with a capital letter, as every message of the library. */
const failure = (message: string, isPassing: boolean): BtcError =>
  new BtcError('client/failed', { isPassing }, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);

const membersOf = (value: JsonValue | undefined): readonly JsonMember[] =>
  value?.type === 'object' ? value.members : [];

function idOf(item: JsonValue): string | undefined {
  const id = findMember(membersOf(item), 'id');
  return id?.type === 'number' ? id.text : undefined;
}

function readReply(value: JsonValue): Reply | undefined {
  const members = membersOf(value);
  const error = membersOf(findMember(members, 'error'));
  const [code, message] = [findMember(error, 'code'), findMember(error, 'message')];
  if (code?.type === 'number' && message?.type === 'string') {
    return { error: new RpcError(Number(code.text), message.value) };
  }
  const result = findMember(members, 'result');
  return result && { result };
}
