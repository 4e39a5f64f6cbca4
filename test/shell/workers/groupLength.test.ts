import { describe, expect, test } from 'vitest';
import { createGroupLength } from '../../../src/shell/workers/groupLength.ts';

/** Answers groups whose lines take `time` milliseconds each. @returns the length of the next group */
function lengthAfter(groups: number, time: number, length = createGroupLength()): number {
  for (let group = 0; group < groups; group += 1) length.note(length.lines(), time * length.lines());
  return length.lines();
}

describe('the lines that a thread gets at a time', () => {
  test('are few at first, so that a short batch of long calls is divided', () => {
    expect(lengthAfter(0, 0)).toBe(8);
  });

  test('come to about 50 milliseconds of work', () => {
    for (const time of [1, 2.5, 5, 10, 25]) expect(lengthAfter(60, time)).toBe(50 / time);
  });

  test('are never less than one, however long one takes', () => {
    expect(lengthAfter(100, 60_000)).toBe(1);
  });

  test('are never more than a thousand, also if they take no time', () => {
    expect(lengthAfter(1000, 0)).toBe(1000);
  });

  test('adapt to calls of another kind within some groups', () => {
    const length = createGroupLength();
    lengthAfter(60, 0.1, length);
    expect(lengthAfter(10, 100, length)).toBe(1);
    expect(lengthAfter(40, 0.1, length)).toBeGreaterThan(250);
  });
});
