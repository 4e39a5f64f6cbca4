const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that bytes stand for, its byte order mark kept, or `undefined` where they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
