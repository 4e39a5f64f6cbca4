import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCodex32 } from '../../src/core/keys/codex32.ts';
import bip93 from '../../vectors/bip93.json' with { type: 'json' };
import { formatHex, formatXprv, masterKey } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

const [, two, three] = bip93.valid;
if (!two || !three) throw new Error('no vectors');

const refusalFor = (strings: string | readonly string[]): object => {
  const { code, data, message } = refusalOf(() => parseCodex32(strings));
  const secrets = [strings].flat().filter((string) => string.length > 17);
  for (const string of secrets) expect(message.toLowerCase()).not.toContain(string.slice(9, 17).toLowerCase());
  return { code, ...data };
};

const changed = (string: string, at: number, letter: string): string =>
  string.slice(0, at) + letter + string.slice(at + 1);

/** All choices of so many items, in order. */
const choices = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  size === 0
    ? [[]]
    : items.flatMap((item, i) => choices(items.slice(i + 1), size - 1).map((others) => [item, ...others]));

describe('BIP93', () => {
  test('has its vectors', () => {
    expect(bip93.valid.map(({ secrets, shares }) => [secrets.length, shares.length])).toEqual([
      [1, 0],
      [1, 3],
      [4, 5],
      [16, 0],
      [1, 0],
    ]);
    expect(Object.values(bip93.invalid).map(({ length }) => length)).toEqual([22, 10, 14, 1, 1, 9, 7]);
  });

  test.each(bip93.valid.flatMap(({ secrets, seed, xprv }) => secrets.map((secret) => ({ secret, seed, xprv }))))(
    'reads the secret $secret',
    ({ secret, seed, xprv }) => {
      for (const text of [secret.toLowerCase(), secret.toUpperCase(), ` ${secret.replace(/(.{4})/g, '$1 ')}\n`]) {
        const read = parseCodex32(text);
        expect(formatHex(read.seed)).toBe(seed);
        expect(read.identifier).toBe(secret.slice(4, 8).toLowerCase());
      }
      expect(formatXprv(masterKey(parseCodex32(secret).seed), 'main')).toBe(xprv);
    },
  );

  test.each([
    [two, 2],
    [three, 3],
  ])('recovers the seed from any shares that suffice', ({ shares, seed }, threshold) => {
    const chosen = choices(shares, threshold);
    expect(chosen.length).toBeGreaterThan(2);
    for (const some of chosen) {
      for (const given of [some, [...some].reverse(), some.join(' '), some.join('\n').toUpperCase()]) {
        expect(formatHex(parseCodex32(given).seed)).toBe(seed);
      }
    }
  });

  test.each([
    ['checksum', ['checksum']],
    ['checksumOfOtherSize', ['checksum', 'length']],
    ['length', ['length']],
    ['shareWithoutThreshold', ['threshold']],
    ['threshold', ['threshold']],
    ['prefix', ['form']],
    ['case', ['case', 'form']],
  ] as const)('refuses a wrong %s', (kind, reasons) => {
    for (const string of bip93.invalid[kind]) {
      const refusal = refusalFor(string);
      expect(refusal).toMatchObject({ code: 'codex32/invalid', position: 1 });
      expect(reasons).toContain((refusal as { reason: string }).reason);
    }
  });
});

describe('codex32 strings', () => {
  const [a = '', b = '', c = ''] = three.shares;
  const [secret = ''] = three.secrets;

  test('are refused if one is wrong, by its position', () => {
    expect(refusalFor([a, changed(b, 20, b[20] === 'q' ? 'p' : 'q'), c])).toEqual({
      code: 'codex32/invalid',
      position: 2,
      reason: 'checksum',
    });
    expect(refusalFor([a, b, changed(c, 20, 'b')])).toEqual({
      code: 'codex32/invalid',
      position: 3,
      reason: 'character',
    });
    expect(refusalFor([a, b.slice(0, -1), c])).toMatchObject({ position: 2, reason: 'length' });
    expect(refusalFor([])).toMatchObject({ code: 'codex32/invalid' });
    expect(refusalFor('')).toMatchObject({ code: 'codex32/invalid', reason: 'form' });
  });

  test('are refused if they do not belong together, or are too few or too many', () => {
    const [other = ''] = two.shares;
    expect(refusalFor([a, other])).toEqual({ code: 'codex32/shares', reason: 'identifier', position: 2 });
    expect(refusalFor([a, b, a])).toEqual({ code: 'codex32/shares', reason: 'index', position: 3 });
    expect(refusalFor([a, b])).toEqual({ code: 'codex32/shares', reason: 'count', needed: 3, given: 2 });
    expect(refusalFor(a)).toEqual({ code: 'codex32/shares', reason: 'count', needed: 3, given: 1 });
    expect(refusalFor(three.shares)).toEqual({ code: 'codex32/shares', reason: 'count', needed: 3, given: 5 });
    expect(refusalFor([a, b, secret])).toEqual({ code: 'codex32/shares', reason: 'secret', position: 3 });
  });

  test('of another threshold or length are refused', () => {
    const withHeader = (header: string, size: number): string => checked(`${header}${'q'.repeat(size)}`);
    expect(refusalFor([withHeader('2testa', 26), withHeader('3testc', 26)])).toMatchObject({
      reason: 'threshold',
      position: 2,
    });
    expect(refusalFor([withHeader('2testa', 26), withHeader('2testc', 52)])).toMatchObject({
      reason: 'length',
      position: 2,
    });
    expect(parseCodex32([withHeader('2testa', 103), withHeader('2testc', 103)]).seed).toHaveLength(64);
  });

  test('are refused with any one letter changed', () => {
    fc.assert(
      fc.property(fc.nat({ max: secret.length - 4 }), fc.nat({ max: 30 }), (at, step) => {
        const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
        const letter = letters[(letters.indexOf(secret[at + 3] ?? '') + 1 + step) % 32] ?? '';
        expect(refusalFor(changed(secret, at + 3, letter))).toMatchObject({ reason: 'checksum' });
      }),
    );
  });

  test('give a seed that logs do not show', () => {
    expect(JSON.stringify(parseCodex32(secret))).toBe('{"seed":"[secret]","identifier":"cash"}');
  });

  test('are refused if very long', () => {
    expect(refusalOf(() => parseCodex32('ms1'.repeat(1e6))).code).toBe('argument/invalid');
  });
});

/** Adds the checksum that BIP93 defines: the remainder of a division of polynomials, here letter by letter. */
function checked(data: string): string {
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
  const isLong = data.length > 80;
  // The generators of BIP93, "Mathematical Companion".
  const generator = Array.from(isLong ? '02e6fe4xh4x9kyh' : 'em3gqeeelmcss', (letter) => letters.indexOf(letter));
  const multiply = (x: number, y: number): number => {
    let [product, term] = [0, x];
    for (let bit = 0; bit < 5; bit += 1) {
      if ((y >> bit) & 1) product ^= term;
      term = term & 16 ? (term << 1) ^ 0x29 : term << 1;
    }
    return product;
  };
  const size = generator.length;
  const target = Array.from(isLong ? 'secretshare32ex' : 'secretshare32', (letter) => letters.indexOf(letter));
  // The prefix stands before the data: 3, 3 (high bits of "ms"), 0, 13, 19 (low bits).
  const input = [1, 3, 3, 0, 13, 19, ...Array.from(data, (letter) => letters.indexOf(letter))];
  const rest = new Array<number>(size).fill(0);
  for (const value of [...input, ...target]) {
    const top = rest[0] ?? 0;
    rest.shift();
    rest.push(value);
    for (const [i, term] of generator.entries()) rest[i] = (rest[i] ?? 0) ^ multiply(top, term);
  }
  return `ms1${data}${rest.map((value) => letters[value]).join('')}`;
}
