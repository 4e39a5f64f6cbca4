/** Returns the size of a text in UTF-8, which is what Core, whose strings are bytes, calls its length. */
export function utf8Size(text: string): number {
  let size = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return size;
}
