import { describe, expect, test } from 'vitest';
import { withKeys } from '../support/descriptorKeys.ts';
import { bodyOf, parse } from '../support/descriptorRows.ts';
import { isRanged } from '../support/library.ts';

describe('key expressions of BIP380', () => {
  const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600';
  test.each([
    KEY,
    '$long',
    `[deadbeef/0h/0h/0h]${KEY}`,
    `[deadbeef/0'/0'/0']${KEY}`,
    '$short',
    '$twoDeep',
    '[deadbeef/0h/1h/2h]$twoDeep',
    '[deadbeef/0h/1h/2h]$twoDeep/3/4/5',
    '[deadbeef/0h/1h/2h]$twoDeep/3/4/5/*',
    '$twoDeep/3h/4h/5h/*',
    '$twoDeep/3h/4h/5h/*h',
    '[deadbeef/0h/1h/2]$twoDeep/3h/4h/5h/*h',
    '[DEADBEEF]$short',
  ])('%s is printed as it was written', (key) => {
    for (const form of ['private', 'public'] as const) {
      const text = `pk(${withKeys(key, form)})`;
      const descriptor = parse(text);
      expect(bodyOf(descriptor, true)).toBe(text.replace('DEADBEEF', 'deadbeef'));
      expect(isRanged(descriptor)).toBe(key.includes('*'));
    }
  });

  // The hardened marker of the last step applies to all; that of the wildcard only if no step has one.
  test.each([
    [`[deadbeef/0'/0h/0']${KEY}`, `[deadbeef/0'/0'/0']${KEY}`],
    [`[deadbeef/0'/0'/0h]${KEY}`, `[deadbeef/0h/0h/0h]${KEY}`],
    ["[deadbeef/0']$two/1h/*", '[deadbeef/0h]$two/1h/*'],
    ["[deadbeef/0']$two/1h/*'", '[deadbeef/0h]$two/1h/*h'],
    ["[deadbeef/0h]$two/1/*'", "[deadbeef/0']$two/1/*'"],
    ["$two/1'/*h", "$two/1'/*'"],
    ["[deadbeef/0']$two/1/*", "[deadbeef/0']$two/1/*"],
    ["[deadbeef/007']$two/01", "[deadbeef/7']$two/1"],
  ])('%s is printed with one hardened marker: %s', (key, written) => {
    const [text, canonical] = [key, written].map((name) => withKeys(`pk(${name})`, 'public'));
    expect(bodyOf(parse(text ?? ''))).toBe(canonical);
  });
});
