export const keyOfBytes = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('latin1');

/** Copies a part of a larger buffer, all of which would be copied to another thread. */
export const wholeBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
