import { expect } from 'vitest';

/** Compares bytes as bytes: Vitest compares them index by index, which took half of the time of some properties. */
expect.addEqualityTesters([
  (a: unknown, b: unknown) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor
      ? Buffer.compare(a, b) === 0
      : undefined,
]);
