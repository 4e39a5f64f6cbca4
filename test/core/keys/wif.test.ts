import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import {
  BtcError,
  formatHex,
  formatWif,
  type NetworkName,
  networks,
  parseHex,
  parseWif,
} from '../../support/library.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());
/** Encodes any bytes in base58 with a valid checksum. */
const checked = (hex: string): string => {
  const payload = parseHex(hex);
  return base58.encode(Uint8Array.from([...payload, ...sha256(sha256(payload)).slice(0, 4)]));
};

const SECRET = '0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d';
const LONG = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
const SHORT = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const BELOW_ORDER = `${ORDER.slice(0, -2)}40`;

describe('private keys in wallet import format', () => {
  test.each<[string, string, boolean, NetworkName]>([
    [LONG, SECRET, false, 'main'],
    [SHORT, SECRET, true, 'main'],
    ['KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', `${'00'.repeat(31)}01`, true, 'main'],
    ['5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf', `${'00'.repeat(31)}01`, false, 'main'],
    [checked(`ef${SECRET}01`), SECRET, true, 'regtest'],
    [checked(`ef${SECRET}`), SECRET, false, 'litecoin-regtest'],
    [checked(`b0${SECRET}01`), SECRET, true, 'litecoin'],
    [checked(`80${BELOW_ORDER}01`), BELOW_ORDER, true, 'main'],
    [checked(`80${SECRET.slice(0, -2)}01`), `${SECRET.slice(0, -2)}01`, false, 'main'],
  ])('are parsed and formatted: %s', (text, secret, isCompressed, name) => {
    const key = parseWif(text, networks[name]);
    expect({ secret: formatHex(key.secretKey), isCompressed: key.isCompressed }).toEqual({ secret, isCompressed });
    expect(formatWif(key, networks[name])).toBe(text);
  });

  const refused: readonly (readonly [string, string, string, string])[] = [
    ['an empty text', '', 'base58/invalid', 'checksum'],
    ['a bad character', SHORT.replace('K', '0'), 'base58/invalid', 'character'],
    ['white space inside', `${SHORT.slice(0, 9)} ${SHORT.slice(9)}`, 'base58/invalid', 'character'],
    ['one character changed', SHORT.replace('8617', '8618'), 'base58/invalid', 'checksum'],
    ['two transposed characters', SHORT.replace('8617', '6817'), 'base58/invalid', 'checksum'],
    ['a missing character', SHORT.slice(0, -1), 'base58/invalid', 'checksum'],
    ['hex', SECRET, 'wif/invalid', 'form'],
    ['a text that is far too long', SHORT.repeat(10), 'base58/invalid', 'character'],
    ["another network's prefix and a wrong length", checked(`ef${SECRET}0101`), 'base58/invalid', 'character'],
    ['an address', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'wif/invalid', 'prefix'],
    ['an empty payload with its checksum', checked(''), 'wif/invalid', 'prefix'],
    ['a prefix alone', checked('80'), 'wif/invalid', 'length'],
    ['31 bytes', checked(`80${SECRET.slice(2)}`), 'wif/invalid', 'length'],
    ['31 bytes and the compression mark', checked(`80${SECRET.slice(4)}01`), 'wif/invalid', 'length'],
    ['33 bytes without the compression mark', checked(`80${SECRET}00`), 'wif/invalid', 'length'],
    ['another compression mark', checked(`80${SECRET}02`), 'wif/invalid', 'length'],
    ['zero', checked(`80${'00'.repeat(32)}01`), 'wif/invalid', 'range'],
    ['zero, uncompressed', checked(`80${'00'.repeat(32)}`), 'wif/invalid', 'range'],
    ['the order', checked(`80${ORDER}01`), 'wif/invalid', 'range'],
    ['one above the order', checked(`80${ORDER.slice(0, -2)}4201`), 'wif/invalid', 'range'],
    ['the largest number', checked(`80${'ff'.repeat(32)}01`), 'wif/invalid', 'range'],
  ];
  test.each(refused)('are refused for %s, without the secret in the error', (_, text, code, reason) => {
    let refusal: unknown;
    try {
      parseWif(text, networks.main);
    } catch (error) {
      refusal = error;
    }
    if (!(refusal instanceof BtcError)) throw refusal ?? new Error('was not refused');
    expect({ code: refusal.code, data: refusal.data }).toEqual({ code, data: { reason } });
    const told = [refusal.message, refusal.stack, JSON.stringify(refusal), String(refusal.cause)].join('\n');
    for (const secret of [text.trim(), SECRET, ORDER]) if (secret.length > 8) expect(told).not.toContain(secret);
  });

  test('do not share memory when parsed twice', () => {
    const key = parseWif(SHORT, networks.main);
    key.secretKey.fill(0);
    expect(formatHex(parseWif(SHORT, networks.main).secretKey)).toBe(SECRET);
  });

  test('are refused if very long', () => {
    expect(() => parseWif('z'.repeat(1e6), networks.main)).toThrow(BtcError);
  });
});
