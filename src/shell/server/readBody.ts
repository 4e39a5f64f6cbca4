import type { IncomingMessage } from 'node:http';

type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** Gave way to the bodies of others. */
  | { readonly kind: 'crowded-out' }
  /** The client disconnected, or sent invalid HTTP. */
  | { readonly kind: 'broken' };

export interface BodyReader {
  readonly read: (request: IncomingMessage) => Promise<Body>;
}

/** How many bodies of the largest size may be on their way at once. */
const AT_ONCE = 8;

interface Unfinished {
  /** Longer than what has arrived. */
  bytes: Uint8Array;
  size: number;
  readonly end: (body: Body) => void;
}

/**
 * Reads the bodies of a server's requests, so that their memory has a bound, however many clients begin one: when those
 * that are not whole yet take more than `inAll` bytes together, the one that has been silent longest gives way. A body
 * that arrives at once is never that one.
 *
 * - `most`: bytes of one body
 */
export function createBodyReader(most: number, inAll: number = AT_ONCE * most): BodyReader {
  /** In the order in which they last grew. */
  const unfinished = new Set<Unfinished>();
  let held = 0;
  const makeRoom = (): void => {
    for (const body of unfinished) {
      if (held <= inAll) return;
      body.end({ kind: 'crowded-out' });
    }
  };
  const add = (body: Unfinished, chunk: Uint8Array): void => {
    unfinished.delete(body);
    unfinished.add(body);
    const size = body.size + chunk.length;
    if (size > body.bytes.length) {
      const { bytes } = body;
      // Twice as much each time: a client may send one byte at a time.
      const length = Math.min(Math.max(size, 2 * bytes.length), most);
      held += length - bytes.length;
      body.bytes = new Uint8Array(length);
      makeRoom();
      body.bytes.set(bytes.subarray(0, body.size));
    }
    body.bytes.set(chunk, body.size);
    body.size = size;
  };
  return {
    read: (request) =>
      new Promise((resolve) => {
        const body: Unfinished = {
          bytes: new Uint8Array(),
          size: 0,
          end: (outcome) => {
            if (!unfinished.delete(body)) return;
            held -= body.bytes.length;
            if (outcome.kind === 'too-large' || outcome.kind === 'crowded-out') request.pause();
            resolve(outcome);
          },
        };
        unfinished.add(body);
        request.on('data', (chunk: Uint8Array) => {
          if (!unfinished.has(body)) return;
          if (body.size + chunk.length > most) body.end({ kind: 'too-large' });
          else add(body, chunk);
        });
        request.on('end', () => body.end({ kind: 'whole', bytes: body.bytes.subarray(0, body.size) }));
        // Only the first end counts; "close" always comes, and last.
        request.on('error', () => body.end({ kind: 'broken' }));
        request.on('close', () => body.end({ kind: 'broken' }));
      }),
  };
}
