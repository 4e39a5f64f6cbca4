const SIZE = 4;

/** Returns a key of `size` bytes that orders like the number. */
export function orderKey(number: number, size: number = SIZE): string {
  let key = '';
  for (let at = size - 1; at >= 0; at -= 1) key += String.fromCharCode(Math.floor(number / 2 ** (8 * at)) % 256);
  return key;
}

export function parseOrderKey(key: string): number {
  let number = 0;
  for (let i = 0; i < key.length; i += 1) number = number * 256 + key.charCodeAt(i);
  return number;
}
