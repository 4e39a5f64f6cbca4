export type RandomBytes = (size: number) => Uint8Array;

/** Enough that a remainder has no noticeable bias. */
const SIZE = 6;

function numberAt(bytes: Uint8Array, index: number): number {
  let number = 0;
  for (let at = SIZE * index; at < SIZE * (index + 1); at += 1) number = 256 * number + (bytes[at] ?? 0);
  return number;
}

export const randomBelow = (random: RandomBytes, limit: number): number => numberAt(random(SIZE), 0) % limit;

export function shuffled<T>(items: readonly T[], random: RandomBytes): readonly T[] {
  const bytes = random(SIZE * items.length);
  const order = items.map((item, index) => ({ item, at: numberAt(bytes, index) }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}
