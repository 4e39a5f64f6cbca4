export type RandomBytes = (size: number) => Uint8Array;

/** Enough that a remainder has no noticeable bias. */
const SIZE = 6;

function numberAt(bytes: Uint8Array, index: number): number {
  let number = 0;
  for (let at = SIZE * index; at < SIZE * (index + 1); at += 1) number = 256 * number + (bytes[at] ?? 0);
  return number;
}

export const randomBelow = (random: RandomBytes, limit: number): number => numberAt(random(SIZE), 0) % limit;

/** Web Crypto gives at most 65 536 bytes at once. */
const MOST_NUMBERS = 10_000;

export function shuffled<T>(items: readonly T[], random: RandomBytes): readonly T[] {
  let bytes: Uint8Array = new Uint8Array(0);
  const order = items.map((item, index) => {
    const place = index % MOST_NUMBERS;
    if (place === 0) bytes = random(SIZE * Math.min(MOST_NUMBERS, items.length - index));
    return { item, at: numberAt(bytes, place) };
  });
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}
