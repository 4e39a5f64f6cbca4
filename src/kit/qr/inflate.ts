import { Inflate } from 'pako';
import { joinBytes } from '../../core/bytes/joinBytes.ts';

/** Container of deflated bytes. */
interface Deflated {
  /** The most bytes that come out. */
  readonly most: number;
  /** True if there is neither a head nor a checksum. */
  readonly raw: boolean;
  /** The window, as a power of two. */
  readonly windowBits: number;
}

/** Inflates bytes; `undefined` if they are damaged, or give more than `most` bytes: it stops there. */
export function inflate(bytes: Uint8Array, { most, ...options }: Deflated): Uint8Array | undefined {
  const inflating = new Inflate(options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  inflating.onData = (chunk) => {
    size += chunk.length;
    // The only way to stop pako while it inflates.
    if (size > most) throw new RangeError('too long');
    chunks.push(chunk);
  };
  try {
    inflating.push(bytes, true);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return inflating.err === 0 && inflating.ended ? joinBytes(chunks) : undefined;
}
