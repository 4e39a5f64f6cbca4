import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { membersOf } from './given.ts';
import { answerLine, casesIn, differenceOf, TARGETS } from './referee.ts';

const folder = new URL('../../vectors/referee/', import.meta.url);
const FILES = readdirSync(folder);
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

test('each target has a file of examples', () => {
  expect(FILES.map((name) => name.replace('.json', '')).sort()).toEqual([...TARGETS.keys()].sort());
});

describe.each(FILES)('%s', (name) => {
  const cases = casesIn(textOf(name));

  test('passes', () => {
    expect(cases.flatMap((one) => differenceOf(one) ?? [])).toEqual([]);
  });

  test('does not pass with other answers', () => {
    for (const one of cases) {
      const { error: _, ...refused } = one;
      const wrong =
        one.error === undefined ? { ...one, expected: { no: 'such answer' } } : { ...refused, expected: 'ok' };
      expect(differenceOf(wrong), one.name).toMatch(/^expected /);
      const { expected: __, ...answered } = one;
      if (one.error === undefined)
        expect(differenceOf({ ...answered, error: true }), one.name).toMatch(/^expected a refusal/);
      else
        expect(differenceOf({ ...one, error: 'no/such-code' }), one.name).toMatch(/^expected the error no\/such-code/);
    }
  });

  test('has the same answers line by line', () => {
    for (const { target, input, expected, error } of cases) {
      const answer = membersOf(JSON.parse(answerLine(JSON.stringify({ id: 7, target, input }))));
      expect(answer['id']).toBe(7);
      const wanted: unknown = expected;
      if (typeof wanted === 'object' && wanted !== null) expect(answer['result']).toMatchObject(wanted);
      else if (error === undefined) expect(answer['result']).toBe(wanted);
      else expect(answer['error']).toMatch(/^[a-z0-9]+\//);
    }
  });
});

test('a member that is not expected is not compared', () => {
  const [one] = casesIn(
    JSON.stringify([{ target: 'address', input: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs', expected: {} }]),
  );
  expect(one && differenceOf(one)).toBeUndefined();
});

test.each([
  ['{"cases":[{"input":"51","expected":1}]}', 'the target of case 1 must be a string'],
  ['[{"target":"script-asm","input":"51"}]', 'case 1 has neither "expected" nor "error"'],
  ['[{"target":"script-asm","expected":"1"}]', 'case 1 has no input'],
  ['7', 'the input must be an object'],
])('the file %s is refused', (text, message) => {
  expect(() => casesIn(text)).toThrow(message);
});

test.each([
  ['{"id":1,"target":"nope","input":"51"}', 1, 'form', 'there is no target nope'],
  ['{"id":2,"target":"script-asm","input":"5"}', 2, 'form', 'the input must be hex'],
  [
    '{"id":3,"target":"sighash","input":{"tx":"00","index":0,"type":1}}',
    3,
    'bytes/end-of-data',
    'The data ends too early',
  ],
  ['[]', null, 'form', 'the input must be an object'],
  ['{', null, 'form', 'JSON'],
])('the line %s is answered by an error', (line, id, error, message) => {
  const answer = JSON.parse(answerLine(line)) as object;
  expect(answer).toMatchObject({ id, error, message: expect.stringContaining(message) });
});
