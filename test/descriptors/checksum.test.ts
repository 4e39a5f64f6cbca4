import { describe, expect, test } from 'vitest';
import { descriptorChecksum, withChecksum } from '../support/library.ts';

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
