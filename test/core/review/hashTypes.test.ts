import { describe, expect, test } from 'vitest';
import { commitmentText } from '../../../src/core/report/findingParts.ts';
import { commitsToOutput, hashTypeName } from '../../../src/core/review/hashTypes.ts';

describe('a hash type', () => {
  test.each([
    [0, 'DEFAULT', 'commit to everything'],
    [1, 'ALL', 'commit to everything'],
    [2, 'NONE', 'commit to no output: whoever gets one can send the coin anywhere'],
    [3, 'SINGLE', 'commit to output 4 only: others can change all other outputs'],
    [0x81, 'ALL|ANYONECANPAY', 'commit to all outputs, but to no other input: others can add inputs'],
    [0x82, 'NONE|ANYONECANPAY', 'commit to no output and no other input: whoever gets one can send the coin anywhere'],
    [0x83, 'SINGLE|ANYONECANPAY', 'commit to output 4 only: others can change all other outputs, and add inputs'],
  ])('%i has a name and a consequence', (type, name, text) => {
    expect([hashTypeName(type), commitmentText(type, 4)]).toEqual([name, text]);
  });

  test('that is not defined has a number', () => {
    expect(hashTypeName(0x41)).toBe('0x41');
  });

  test('commits to all outputs, to one, or to none', () => {
    const outputs = (type: number): readonly boolean[] => [0, 1].map((index) => commitsToOutput(type, 1, index));
    for (const type of [0, 1, 0x81]) expect(outputs(type)).toEqual([true, true]);
    for (const type of [3, 0x83]) expect(outputs(type)).toEqual([false, true]);
    for (const type of [2, 0x82]) expect(outputs(type)).toEqual([false, false]);
  });
});
