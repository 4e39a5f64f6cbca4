const NEWLINE = 0x0a;

/** Without the newline; `undefined` if too long. */
export type Line = Uint8Array | undefined;

/** Discards a line of more than `most` bytes as it arrives, so that memory stays bounded. */
export async function* splitLines(input: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<readonly Line[]> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const endLine = (): Line => {
    const line = size > most ? undefined : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return line;
  };
  const append = (piece: Uint8Array): void => {
    size += piece.length;
    if (size <= most) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of input) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      append(chunk.subarray(start, end));
      lines.push(endLine());
      start = end + 1;
    }
    append(chunk.subarray(start));
    yield lines;
  }
  if (size > 0) yield [endLine()];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Keeps a byte order mark. Returns `undefined` for invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
