import { base32hexnopad, base32nopad } from '@scure/base';

/** Formats base32 without padding. @see RFC 4648 §6 */
export const formatBase32 = (bytes: Uint8Array): string => base32nopad.encode(bytes);

export function parseBase32(text: string): Uint8Array | undefined {
  if (!/^[A-Z2-7]*$/.test(text)) return undefined;
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
}

/** Formats base32 with the digits of hex, in lower case and without padding: it sorts as its bytes do. @see RFC 4648 §7 */
export const formatBase32Hex = (bytes: Uint8Array): string => base32hexnopad.encode(bytes).toLowerCase();
