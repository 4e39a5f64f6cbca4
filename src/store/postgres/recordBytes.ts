/** Returns the bytes of a key: each character is one. */
export const bytesOfKey = (key: string): Uint8Array => new Uint8Array(Buffer.from(key, 'latin1'));

/** Returns the key that the server sent. */
export const keyOfBytes = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('latin1');

/** Returns bytes that are no part of a larger buffer, all of which would be copied to another thread. */
export const wholeBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);

/** Returns the first key after all keys with a prefix; `undefined` if all keys from there on have it. */
export function endOfPrefix(prefix: string): string | undefined {
  const last = prefix.replace(/\u00ff+$/, '');
  if (last === '') return undefined;
  return last.slice(0, -1) + String.fromCharCode(last.charCodeAt(last.length - 1) + 1);
}
