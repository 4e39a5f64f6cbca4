const SIZE = 4;

/** Returns a key of `size` bytes, at most 8, that orders like the number. */
export function orderKey(number: number, size: number = SIZE): string {
  const low = lowKey(number);
  return size > SIZE ? (lowKey(Math.floor(number / 2 ** 32)) + low).slice(-size) : low.slice(-size);
}

/** Takes the 32 low bits. */
const lowKey = (number: number): string =>
  String.fromCharCode((number >>> 24) & 255, (number >>> 16) & 255, (number >>> 8) & 255, number & 255);

export function parseOrderKey(key: string): number {
  let number = 0;
  for (let i = 0; i < key.length; i += 1) number = number * 256 + key.charCodeAt(i);
  return number;
}
