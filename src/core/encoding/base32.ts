import { base32nopad } from '@scure/base';

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
