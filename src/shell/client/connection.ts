import { findMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { withoutKeys } from '../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import { createSender, type HttpParts } from '../sync/httpClient.ts';
import { SyncFault } from '../sync/sourceAndSink.ts';

type Outcome = { readonly result: JsonValue } | { readonly error: RpcError };

/**
 * Sends one request, or a batch, with the ids 0 to `count` - 1. Resolves to the results in order, or their refusals.
 * @throws BtcError `client/failed`
 */
export type Ask = (body: string, count: number) => Promise<readonly Outcome[]>;

export function openConnection(parts: Omit<HttpParts, 'retries' | 'wait'>): Ask {
  const wait = async (why: string): Promise<void> => {
    throw new SyncFault(why, { isPassing: true });
  };
  // A call that changes a wallet is not repeated.
  const { name, send } = createSender({ ...parts, retries: false, wait });
  return async (body, count) => {
    try {
      const reply = await send(body, (status, text) => ({ kind: 'read', value: { status, text } }));
      if (reply === 'too-large') throw failure(`${name} answers more than 32 MiB: ask for less`, false);
      const { status, text } = reply;
      const outcomes = readOutcomes(parseJson(text, Number.POSITIVE_INFINITY), count);
      if (!outcomes) throw failure(`${name} answers HTTP ${status} without a JSON-RPC reply to the call`, false);
      return outcomes;
    } catch (error) {
      throw error instanceof SyncFault ? failure(error.message, error.isPassing) : error;
    }
  };
}

/** Begins with a capital letter, as every message of the library. */
const failure = (message: string, isPassing: boolean): BtcError =>
  new BtcError('client/failed', { isPassing }, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);

/** Returns nothing unless each call has exactly one reply. A node refuses a batch as a whole with one error. */
function readOutcomes(reply: JsonValue | undefined, count: number): readonly Outcome[] | undefined {
  if (reply?.type !== 'array') {
    const outcome = readOutcome(reply);
    const isOne = outcome && ('error' in outcome || (count === 1 && numberIn(reply, 'id') === 0));
    return isOne ? Array.from({ length: count }, () => outcome) : undefined;
  }
  const outcomes = new Map(reply.items.map((item) => [numberIn(item, 'id'), readOutcome(item)]));
  const ordered = Array.from({ length: count }, (_, id) => outcomes.get(id)).filter((outcome) => outcome !== undefined);
  return ordered.length === count && reply.items.length === count ? ordered : undefined;
}

/** Of members with one name, the first counts, as for `bitcoin-cli`. @see Core `find_value` */
const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  value?.type === 'object' ? findMember(value.members, name) : undefined;

function numberIn(value: JsonValue | undefined, name: string): number | undefined {
  const member = memberOf(value, name);
  return member?.type === 'number' ? Number(member.text) : undefined;
}

function readOutcome(value: JsonValue | undefined): Outcome | undefined {
  const [result, error] = [memberOf(value, 'result'), memberOf(value, 'error')];
  if (error === undefined || error.type === 'null') return result && { result };
  const [code, message] = [numberIn(error, 'code'), memberOf(error, 'message')];
  // The node repeats a descriptor that it refuses, with its keys.
  return code !== undefined && message?.type === 'string'
    ? { error: new RpcError(code, withoutKeys(message.value)) }
    : undefined;
}
