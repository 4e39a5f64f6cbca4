const NEWLINE = 0x0a;

/** One line of input, without its newline; `undefined` where it was longer than allowed. */
export type Line = Uint8Array | undefined;

/**
 * Cuts a byte stream into lines. A line of more than `most` bytes is thrown away as it comes, so that memory stays
 * bounded, and reported as `undefined`. What follows the last newline is a line if it is not empty.
 */
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
