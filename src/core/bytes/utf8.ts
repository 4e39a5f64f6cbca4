import { bytesKey } from './compare.ts';

/** Returns the size in UTF-8, which Core calls the length of a string. */
export function utf8Size(text: string): number {
  let size = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return size;
}

const HALF_CHARACTER = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Tells whether a text has a lone half of a surrogate pair, of which UTF-8 makes another character. */
export const hasHalfCharacter = (text: string): boolean => HALF_CHARACTER.test(text);

/** Encodes a text; half a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Size(text));
  let at = 0;
  const tail = (code: number, shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  for (const letter of text) {
    const codePoint = letter.codePointAt(0) ?? 0;
    const code = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
    if (code < 0x80) bytes[at++] = code;
    else if (code < 0x800) {
      bytes.set([0xc0 | (code >> 6), tail(code, 0)], at);
      at += 2;
    } else if (code < 0x1_0000) {
      bytes.set([0xe0 | (code >> 12), tail(code, 6), tail(code, 0)], at);
      at += 3;
    } else {
      bytes.set([0xf0 | (code >> 18), tail(code, 12), tail(code, 6), tail(code, 0)], at);
      at += 4;
    }
  }
  return bytes;
}

/** Decodes UTF-8 without its byte order mark; returns `undefined` if it is malformed. */
export function decodeUtf8WithoutMark(bytes: Uint8Array): string | undefined {
  // Escapes bytes beyond ASCII, and so the percent sign, as in URLs, which the engine decodes.
  const escaped = bytesKey(bytes).replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped).replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}

/** Converts UTF-16 with a byte order mark, which Windows PowerShell 5 writes; returns other bytes as they are. */
export function withoutUtf16(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (bytes.length % 2 !== 0 || !(isLittle || (first === 0xfe && second === 0xff))) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  for (let at = 2; at < bytes.length; at += 2) text += String.fromCharCode(view.getUint16(at, isLittle));
  return encodeUtf8(text);
}

/** Compares in the order of code points, as UTF-8 does. */
export function compareUtf8(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const at = (left ?? []).findIndex((code, i) => code !== right?.[i]);
  return at === -1 ? (left?.length ?? 0) - (right?.length ?? 0) : (left?.[at] ?? 0) - (right?.[at] ?? -1);
}
