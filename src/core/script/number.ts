/**
 * Accepts forms longer than necessary, and reads minus zero as zero. The caller limits the size, to 4 bytes or 5.
 * @see Core `CScriptNum`
 */
export function readScriptNumber(script: Uint8Array, start = 0, end: number = script.length): number {
  if (start === end) return 0;
  const last = script[end - 1] ?? 0;
  let magnitude = last & 0x7f;
  for (let i = end - 2; i >= start; i -= 1) magnitude = magnitude * 256 + (script[i] ?? 0);
  return last > 0x7f && magnitude !== 0 ? -magnitude : magnitude;
}

/** @see Core `CScriptNum`, `fRequireMinimal` */
export function isMinimalNumber(data: Uint8Array): boolean {
  const last = data[data.length - 1];
  if (last === undefined || (last & 0x7f) !== 0) return true;
  return ((data[data.length - 2] ?? 0) & 0x80) !== 0;
}

export function encodeScriptNumber(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  const last = bytes.length - 1;
  const top = bytes[last] ?? 0;
  if (top > 0x7f) bytes.push(value < 0 ? 0x80 : 0);
  else if (value < 0) bytes[last] = top | 0x80;
  return Uint8Array.from(bytes);
}
