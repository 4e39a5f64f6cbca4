import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import { withKeys } from '../../support/descriptorKeys.ts';
import { parse } from '../../support/descriptorRows.ts';
import { descriptorChecksum, networks, parseDescriptor, withChecksum } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const X_ONLY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('descriptor checksums', () => {
  test.each([
    // Answers of live nodes.
    ['raw()', '58lrscpx'],
    ['raw(51)', '8lvh9jxk'],
    ['raw(6a)', '4mhr9ur5'],
    [`pk(02${X_ONLY})`, 'gn28ywm7'],
    [`rawtr(${X_ONLY})`, 'xsjqcczm'],
    ['addr(mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r)', 'wdmryvnu'],
    // BIP380.
    ['raw(deadbeef)', '89f8spxm'],
  ])('the checksum of %s is %s', (body, checksum) => {
    expect(descriptorChecksum(body)).toBe(checksum);
    expect(withChecksum(body)).toBe(`${body}#${checksum}`);
  });

  test.each(['raw(Ü)', 'raw(deadbeef\n)', 'raw(\u0000)', 'raw(\u007f)', 'é', '\ud800', '€', '\t'])(
    '%j has no checksum: it holds characters that descriptors cannot contain',
    (body) => {
      expect(descriptorChecksum(body)).toBeUndefined();
    },
  );

  test('every printable character changes the checksum', () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    const checksums = printable.map((character) => descriptorChecksum(`raw(${character})`));
    expect(new Set(checksums).size).toBe(95);
    expect(checksums).not.toContain(undefined);
  });

  test('length, position and order of characters change the checksum', () => {
    const seen = new Set<string | undefined>();
    for (let length = 0; length < 40; length += 1) seen.add(descriptorChecksum('a'.repeat(length)));
    for (let place = 0; place < 40; place += 1)
      seen.add(descriptorChecksum(`${'a'.repeat(place)}b${'a'.repeat(39 - place)}`));
    expect(seen.size).toBe(80);
    expect(descriptorChecksum('ab')).not.toBe(descriptorChecksum('ba'));
  });

  test('a wrong character changes the checksum at any position', () => {
    const body = 'addr(bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4)';
    const right = descriptorChecksum(body);
    for (let place = 0; place < body.length; place += 1) {
      const wrong = `${body.slice(0, place)}!${body.slice(place + 1)}`;
      expect(descriptorChecksum(wrong)).not.toBe(right);
    }
  });
});

describe('the hint at a mistyped character', () => {
  const hintOf = (text: string): unknown =>
    (refusalOf(() => parseDescriptor(text, networks.main)).data as { readonly hint?: string }).hint;
  const BODIES = ['pkh($short)', 'wpkh([deadbeef/84h/0h/0h]$twoDeep/0/*)', "sh(multi(2,$three/0',$short))"].map(
    (text) => withKeys(text, 'public'),
  );
  const LETTERS = [
    ...'0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`"\\ ',
  ];
  const change = (text: string, at: number, letter: string): string => text.slice(0, at) + letter + text.slice(at + 1);

  test('names the only character that was changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BODIES), fc.nat(), fc.constantFrom(...LETTERS), (text, where, letter) => {
        const at = where % text.length;
        fc.pre(text[at] !== letter);
        const wrong = change(text, at, letter);
        const hint = hintOf(`${wrong}#${descriptorChecksum(text)}`);
        expect(hint).toBe(`character ${at + 1} looks wrong`);
      }),
      campaign(40),
    );
  });

  test.each(BODIES)('is absent if several characters are wrong, one is missing, or the checksum is: %s', (text) => {
    const checksum = descriptorChecksum(text) ?? '';
    const other = (at: number): string => (text[at] === 'a' ? 'b' : 'a');
    const bodies = [
      change(change(text, 5, other(5)), 9, other(9)),
      text.slice(0, -1),
      `${text})`,
      text.slice(0, 7) + text.slice(8),
      text.replace('h(', '(h'),
    ];
    for (const body of bodies) expect([body, hintOf(`${body}#${checksum}`)]).toEqual([body, undefined]);
    expect(hintOf(`${text}#${checksum[0] === 'q' ? 'p' : 'q'}${checksum.slice(1)}`)).toBeUndefined();
  });

  test('reveals neither a private key nor the right character', () => {
    const secret = withKeys('wpkh($short)', 'private');
    const refusal = refusalOf(() => parse(`${secret.replace('Wekv', 'Wekw')}#${descriptorChecksum(secret)}`));
    expect(refusal.data).toMatchObject({ hint: `character ${secret.indexOf('Wekv') + 4} looks wrong` });
    expect(`${refusal.message}${refusal.stack}`).not.toContain('L4rK1');
  });

  test('works in texts of any length', () => {
    const long = `raw(${'ab'.repeat(3000)})`;
    for (const at of [4, 5, 6, 5998, 6003, 6004]) {
      expect(hintOf(`${change(long, at, 'c')}#${descriptorChecksum(long)}`)).toBe(`character ${at + 1} looks wrong`);
    }
  });

  /** Finds the hint by brute force: tries every character at every position. */
  function searchHint(body: string, checksum: string): string | undefined {
    const places = [...body].flatMap((_, at) =>
      [...LETTERS, '#'].some((letter) => descriptorChecksum(change(body, at, letter)) === checksum) ? [at] : [],
    );
    return places.length === 1 ? `character ${(places[0] ?? 0) + 1} looks wrong` : undefined;
  }

  test('is the same as by brute force', () => {
    const letters = (constraints: fc.ArrayConstraints) =>
      fc.array(fc.constantFrom(...LETTERS), constraints).map((all) => all.join(''));
    const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...LETTERS, '#')), { minLength: 1, maxLength: 3 });
    const checksumLetters = fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7lbQ');
    fc.assert(
      fc.property(
        letters({ minLength: 1, maxLength: 24 }),
        changes,
        fc.option(fc.tuple(fc.nat(7), checksumLetters), { freq: 1 }),
        (body, edits, checksumEdit) => {
          const right = edits.reduce((text, [at, letter]) => change(text, at % text.length, letter), body);
          const checksum = descriptorChecksum(right) ?? '';
          const given = checksumEdit ? change(checksum, ...checksumEdit) : checksum;
          fc.pre(given !== descriptorChecksum(body));
          expect(hintOf(`${body}#${given}`)).toBe(searchHint(body, given));
        },
      ),
      campaign(200),
    );
  });
});
