import { setImmediate as nextTurn } from 'node:timers/promises';
import { RPC_INVALID_PARAMETER } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import { SyncFault } from './sourceAndSink.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly (string | number | boolean)[];
}

export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

export interface Caller {
  /** For error texts. */
  readonly name: string;
  /** Returns `too-large` if the replies together exceed the limit. @throws SyncFault if the node does not reply */
  readonly callAll: (calls: readonly Call[]) => Promise<readonly Reply[] | 'too-large'>;
}

/** `call` throws `RpcError`. */
interface Callable {
  readonly call: (method: string, params: Call['params']) => unknown;
}

/** Yields to the event loop after each call, for downloads and signals. */
export function localCaller(rpc: Callable, name: string): Caller {
  const answer = ({ method, params }: Call): Reply => {
    try {
      return { kind: 'result', result: rpc.call(method, params) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { kind: 'error', code: error.code, message: error.message };
    }
  };
  return {
    name,
    callAll: async (calls) => {
      const replies: Reply[] = [];
      for (const call of calls) {
        replies.push(answer(call));
        await nextTurn();
      }
      return replies;
    },
  };
}

/** For small replies. */
export async function callAll(caller: Caller, calls: readonly Call[]): Promise<readonly Reply[]> {
  const replies = await caller.callAll(calls);
  if (replies === 'too-large') throw tooLarge(caller, calls[0]);
  return replies;
}

export async function callOne(caller: Caller, call: Call): Promise<Reply> {
  const [reply] = await callAll(caller, [call]);
  if (!reply) throw new SyncFault(`${caller.name} does not answer ${call.method}`);
  return reply;
}

/** Returns nothing without a reply. @throws SyncFault for an error, with the node's text */
export function expectResult(caller: Caller, { method }: Call, reply: Reply | undefined): unknown {
  if (reply?.kind !== 'error') return reply?.result;
  throw new SyncFault(`${caller.name} refuses ${method}: ${reply.message} (error code ${reply.code})`);
}

export async function callResult(caller: Caller, call: Call): Promise<unknown> {
  return expectResult(caller, call, await callOne(caller, call));
}

export function garbage(caller: Pick<Caller, 'name'>, method: string): SyncFault {
  return new SyncFault(`${caller.name} gave an unexpected answer to ${method}`);
}

function tooLarge({ name }: Caller, call: Call | undefined): SyncFault {
  return new SyncFault(`${name} gave too large an answer${call ? ` to ${call.method}` : ''}`);
}

const MAX_PIECE = 256;
/** In characters. */
const PIECE_TARGET = 1 << 22;
const FIRST_PIECE = 4;
const GROWTH = 4;

/** Makes many calls in pieces, whose size follows from the replies so far: strings, or objects of strings. */
export function createPieces(caller: Caller): (calls: readonly Call[]) => AsyncGenerator<readonly Reply[]> {
  let size = FIRST_PIECE;
  async function* pieces(calls: readonly Call[]): AsyncGenerator<readonly Reply[]> {
    for (let at = 0; at < calls.length; ) {
      const piece = calls.slice(at, at + size);
      const replies = await caller.callAll(piece);
      if (replies === 'too-large') {
        if (piece.length === 1) throw tooLarge(caller, piece[0]);
        size = piece.length >> 1;
        continue;
      }
      const length = replies.reduce((sum, reply) => sum + resultLength(reply), 1);
      const fitting = Math.floor((PIECE_TARGET * replies.length) / length);
      size = Math.max(1, Math.min(fitting, GROWTH * size, MAX_PIECE));
      at += piece.length;
      yield replies;
    }
  }
  return (calls) => oneAhead(pieces(calls));
}

function resultLength(reply: Reply): number {
  const result = reply.kind === 'result' ? reply.result : undefined;
  const texts: readonly unknown[] = typeof result === 'object' && result !== null ? Object.values(result) : [result];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** Requests each item before the caller needs it. */
async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const request = (): Promise<IteratorResult<T>> => {
    const next = items.next();
    // Awaited later, or never: a failure must not count as unhandled.
    next.catch(() => undefined);
    return next;
  };
  let next = request();
  for (let item = await next; !item.done; item = await next) {
    next = request();
    yield item.value;
  }
}

const HASH = /^[0-9a-f]{64}$/;

export function expectHash(caller: Caller, { method }: Call, value: unknown): string {
  if (typeof value === 'string' && HASH.test(value)) return value;
  throw garbage(caller, method);
}

export function expectHeight(caller: Caller, { method }: Call, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw garbage(caller, method);
}

/** Returns `undefined` above the tip of the active chain. */
export async function hashesAt(caller: Caller, heights: readonly number[]): Promise<readonly (string | undefined)[]> {
  if (heights.length === 0) return [];
  const calls = heights.map((height): Call => ({ method: 'getblockhash', params: [height] }));
  const replies = await callAll(caller, calls);
  return calls.map((call, i) => {
    const reply = replies[i];
    if (reply?.kind === 'error' && reply.code === RPC_INVALID_PARAMETER) return undefined;
    return expectHash(caller, call, expectResult(caller, call, reply));
  });
}

export async function fetchBestHash(caller: Caller): Promise<string> {
  const call: Call = { method: 'getbestblockhash', params: [] };
  return expectHash(caller, call, await callResult(caller, call));
}

export async function fetchMempool(caller: Caller): Promise<readonly string[]> {
  const call: Call = { method: 'getrawmempool', params: [] };
  const result = await callResult(caller, call);
  if (!Array.isArray(result)) throw garbage(caller, call.method);
  return result.map((txid: unknown) => expectHash(caller, call, txid));
}
