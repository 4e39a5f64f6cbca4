import { BtcError } from '../errors.ts';

const BYTE_TEXTS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Formats bytes as lower-case hex, in their order. */
export function formatHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 1) text += BYTE_TEXTS[bytes[i] ?? 0];
  return text;
}

/** Formats 32 bytes as block explorers and nodes show a txid: last byte first. */
export function formatReversedHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = bytes.length - 1; i >= 0; i -= 1) text += BYTE_TEXTS[bytes[i] ?? 0];
  return text;
}

/** The value of one hex digit by its character code, -1 for anything else. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Parses hex of either case. White space and a `0x` prefix are refused; the empty text is no bytes.
 * @throws `hex/invalid` with the offset of the first bad character
 */
export function parseHex(text: string): Uint8Array {
  if (text.length % 2 !== 0)
    throw new BtcError('hex/invalid', {
      offset: text.length,
      reason: 'odd-length',
    });
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    const high = digitOf(text.charCodeAt(2 * i));
    const low = digitOf(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) {
      throw new BtcError('hex/invalid', {
        offset: 2 * i + (high < 0 ? 0 : 1),
        reason: 'character',
      });
    }
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

/** Tells whether a node takes `text` as hex: whole bytes, at least one. @see Bitcoin Core `IsHex` */
export function isHex(text: string): boolean {
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}
