/**
 * Reads a script number of at most 4 bytes: little-endian, the top bit of the last byte is the sign. Longer forms than
 * needed are read as well; minus zero is zero.
 * @see Bitcoin Core `CScriptNum`
 */
export function readScriptNumber(data: Uint8Array): number {
  let magnitude = 0;
  for (let i = data.length - 1; i >= 0; i -= 1) {
    const byte = data[i] ?? 0;
    magnitude = magnitude * 256 + (i === data.length - 1 ? byte & 0x7f : byte);
  }
  const isNegative = ((data[data.length - 1] ?? 0) & 0x80) !== 0;
  return isNegative && magnitude !== 0 ? -magnitude : magnitude;
}

/** Whether a script number has no byte more than it needs. @see Bitcoin Core `CScriptNum`, `fRequireMinimal` */
export function isMinimalNumber(data: Uint8Array): boolean {
  const last = data[data.length - 1];
  if (last === undefined || (last & 0x7f) !== 0) return true;
  return ((data[data.length - 2] ?? 0) & 0x80) !== 0;
}
