import { setImmediate as nextTurn } from 'node:timers/promises';
import { RpcError } from '../../errors.ts';
import { SyncFault } from './fault.ts';

/** One call of a node's method. */
export interface Call {
  readonly method: string;
  readonly params: readonly (string | number)[];
}

export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

/** Something that carries out calls: a node over HTTP, or our own in this process. */
export interface Caller {
  /** What it is called in errors. */
  readonly name: string;
  /**
   * Makes calls, in their order.
   * @returns a reply for each; or `too-large` where they would be more than may be held
   * @throws SyncFault where there are none
   */
  readonly callAll: (calls: readonly Call[]) => Promise<readonly Reply[] | 'too-large'>;
}

/** A dispatcher, as far as it is needed here. It throws `RpcError`. */
interface Callable {
  readonly call: (method: string, params: Call['params']) => unknown;
}

/** Calls our own node in this process. Between calls, others may do something: downloads and signals go on. */
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

/** Makes calls whose replies are small. @throws SyncFault also where they are not */
export async function callAll(caller: Caller, calls: readonly Call[]): Promise<readonly Reply[]> {
  const replies = await caller.callAll(calls);
  if (replies === 'too-large') throw tooLarge(caller, calls[0]);
  return replies;
}

/** Makes one call. @throws SyncFault */
export async function callOne(caller: Caller, call: Call): Promise<Reply> {
  const [reply] = await callAll(caller, [call]);
  if (!reply) throw new SyncFault(`${caller.name} does not answer ${call.method}`);
  return reply;
}

/** A call's result. @throws SyncFault for an error, in the node's words */
export function resultOf(caller: Caller, { method }: Call, reply: Reply): unknown {
  if (reply.kind === 'result') return reply.result;
  throw new SyncFault(`${caller.name} refuses ${method}: ${reply.message} (error code ${reply.code})`);
}

export function garbage(caller: Pick<Caller, 'name'>, method: string): SyncFault {
  return new SyncFault(`${caller.name} answers ${method} with what no node answers`);
}

function tooLarge({ name }: Caller, call: Call | undefined): SyncFault {
  return new SyncFault(`${name} answers ${call?.method ?? 'nothing'} with more than can be held`);
}

const MAX_PIECE = 256;
/** How much a piece's replies should be, in characters. */
const PIECE_TARGET = 1 << 22;
const FIRST_PIECE = 4;
const GROWTH = 4;

/**
 * Makes a function that makes many calls whose results are texts, in pieces: as many at once as give a few megabytes,
 * going by those before. While one piece is looked at, the next one is on its way.
 */
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
      const length = replies.reduce((sum, reply) => sum + lengthOf(reply), 1);
      const fitting = Math.floor((PIECE_TARGET * replies.length) / length);
      size = Math.max(1, Math.min(fitting, GROWTH * size, MAX_PIECE));
      at += piece.length;
      yield replies;
    }
  }
  return (calls) => oneAhead(pieces(calls));
}

const lengthOf = (reply: Reply): number =>
  reply.kind === 'result' && typeof reply.result === 'string' ? reply.result.length : 0;

/** Asks for the next one before the last one is taken. */
async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T>> => {
    const next = items.next();
    // It is waited for later, if at all.
    next.catch(() => undefined);
    return next;
  };
  let next = ask();
  for (let item = await next; !item.done; item = await next) {
    next = ask();
    yield item.value;
  }
}
