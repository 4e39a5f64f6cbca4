import { describe, expect, test } from 'vitest';
import { formatPath, HARDENED, parsePath } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

describe('paths', () => {
  test.each<[string, readonly number[], string]>([
    ['m', [], ''],
    ['', [], ''],
    ['m/0', [0], '/0'],
    ['/0', [0], '/0'],
    ["84'/0h/2147483647'/5", [HARDENED + 84, HARDENED, 0xffff_ffff, 5], '/84h/0h/2147483647h/5'],
    ['m/2147483647', [HARDENED - 1], '/2147483647'],
  ])('%j is parsed and formatted', (text, path, formatted) => {
    expect(parsePath(text)).toEqual(path);
    expect(formatPath(path)).toBe(formatted);
    expect(formatPath(path, "'")).toBe(formatted.replaceAll('h', "'"));
  });

  test.each<[string, string, string]>([
    ['m/', '', 'not a number'],
    ['m//1', '', 'not a number'],
    ['m/1/', '', 'not a number'],
    ['m/1H', '1H', 'not a number'],
    ['m/-1', '-1', 'not a number'],
    ['m/+1', '+1', 'not a number'],
    ['m/1.0', '1.0', 'not a number'],
    ['m/1e3', '1e3', 'not a number'],
    ['m/h', 'h', 'not a number'],
    ['m/*', '*', 'not a number'],
    ['m/4294967296', '4294967296', 'not a number'],
    ['m/2147483648', '2147483648', 'out of range'],
    ["m/2147483648'", "2147483648'", 'out of range'],
  ])('%j is refused', (text, step, reason) => {
    expectRefusal(() => parsePath(text), 'path/invalid', { step, reason });
  });
});
