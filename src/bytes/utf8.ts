import { bytesKey } from './compare.ts';

/** Returns the size of a text in UTF-8, which is what Core, whose strings are bytes, calls its length. */
export function utf8Size(text: string): number {
  let size = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return size;
}

/** Decodes UTF-8, without its byte order mark if it begins with one; returns `undefined` if it is malformed. */
export function decodeUtf8WithoutMark(bytes: Uint8Array): string | undefined {
  // Bytes beyond ASCII as in a URL, which the engine decodes; so the percent sign has to be escaped, too.
  const escaped = bytesKey(bytes).replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped).replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}
