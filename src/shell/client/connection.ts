import { withoutKeys } from '../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import { createSender, type HttpParts } from '../sync/httpClient.ts';
import { SyncFault } from '../sync/sourceAndSink.ts';

/** The results of calls, in order, or their refusals; `text` is the whole reply. */
interface Replies {
  readonly outcomes: readonly Outcome[];
  readonly text: string;
}

type Outcome = { readonly result: unknown } | { readonly error: RpcError };

/** Sends one request, or a batch, with the ids 0 to `count` - 1. @throws BtcError `client/failed` */
export type Ask = (body: string, count: number) => Promise<Replies>;

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
      const outcomes = readOutcomes(parsed(text), count);
      if (!outcomes) throw failure(`${name} answers HTTP ${status} without a JSON-RPC reply to the call`, false);
      return { outcomes, text };
    } catch (error) {
      throw error instanceof SyncFault ? failure(error.message, error.isPassing) : error;
    }
  };
}

/** Begins with a capital letter, as every message of the library. */
const failure = (message: string, isPassing: boolean): BtcError =>
  new BtcError('client/failed', { isPassing }, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports a reply that is not JSON.
    return undefined;
  }
}

/** Returns nothing unless each call has exactly one reply. A node refuses a batch as a whole with one error. */
function readOutcomes(reply: unknown, count: number): readonly Outcome[] | undefined {
  if (!Array.isArray(reply)) {
    const outcome = readOutcome(reply);
    const isOne = outcome && ('error' in outcome || (count === 1 && membersOf(reply)['id'] === 0));
    return isOne ? Array.from({ length: count }, () => outcome) : undefined;
  }
  const outcomes = new Map(reply.map((item) => [membersOf(item)['id'], readOutcome(item)]));
  const ordered = Array.from({ length: count }, (_, id) => outcomes.get(id)).filter((outcome) => outcome !== undefined);
  return ordered.length === count && reply.length === count ? ordered : undefined;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

function readOutcome(value: unknown): Outcome | undefined {
  const { result, error = null } = membersOf(value);
  if (error === null) return result === undefined ? undefined : { result };
  const { code, message } = membersOf(error);
  // The node repeats a descriptor that it refuses, with its keys.
  return typeof code === 'number' && typeof message === 'string'
    ? { error: new RpcError(code, withoutKeys(message)) }
    : undefined;
}
