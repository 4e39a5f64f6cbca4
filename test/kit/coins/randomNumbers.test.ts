import { expect, test } from 'vitest';
import { shuffled } from '../../../src/kit/coins/randomNumbers.ts';

test('a long list is shuffled with the random numbers of Web Crypto, which gives at most 65 536 bytes at once', () => {
  const items = Array.from({ length: 25_000 }, (_, index) => index);
  const order = shuffled(items, (size) => crypto.getRandomValues(new Uint8Array(size)));
  expect(order).not.toEqual(items);
  expect([...order].sort((a, b) => a - b)).toEqual(items);
  expect(shuffled([], () => new Uint8Array(0))).toEqual([]);
});
