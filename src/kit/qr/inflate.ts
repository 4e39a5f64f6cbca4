import { Inflate } from 'pako';
import { joinBytes } from '../../core/bytes/joinBytes.ts';

interface Deflated {
  readonly most: number;
  /** True without zlib header and checksum. */
  readonly raw: boolean;
  readonly windowBits: number;
}

/** Returns `undefined` for damaged bytes, or once more than `most` come out. */
export function inflate(bytes: Uint8Array, { most, ...options }: Deflated): Uint8Array | undefined {
  const inflating = new Inflate(options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  inflating.onData = (chunk) => {
    size += chunk.length;
    // Throwing is the only way to stop pako.
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
