import type { IncomingMessage } from 'node:http';

/** A body, or why there is none. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The client went away, or sent what is no HTTP. */
  | { readonly kind: 'broken' };

/** Reads a request's body, of at most `most` bytes; reading stops at the first byte beyond. */
export function readBody(request: IncomingMessage, most: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.pause();
      resolve({ kind: 'too-large' });
    });
    request.on('end', () => resolve({ kind: 'whole', bytes: Buffer.concat(chunks) }));
    // Only the first of these counts; "close" comes last, and always.
    request.on('error', () => resolve({ kind: 'broken' }));
    request.on('close', () => resolve({ kind: 'broken' }));
  });
}
