import { describe, expect, test } from 'vitest';
import { formatBase58Check, parseBase58Check } from '../../src/core/encoding/base58check.ts';
import { decryptKey, isEncryptedKey } from '../../src/core/keys/bip38.ts';
import { formatHex, formatWif } from '../support/library.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';

type Row = readonly [passphrase: string, encrypted: string, wif: string, hex: string | undefined];

const VECTORS: readonly Row[] = [
  [
    'TestingOneTwoThree',
    '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
    '5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR',
    'cbf4b9f70470856bb4f40f80b87edb90865997ffee6df315ab166d713af433a5',
  ],
  [
    'Satoshi',
    '6PRNFFkZc2NZ6dJqFfhRoFNMR9Lnyj7dYGrzdgXXVMXcxoKTePPX1dWByq',
    '5HtasZ6ofTHP6HCwTqTkLDuLQisYPah7aUnSKfC7h4hMUVw2gi5',
    '09c2686880095b1a4c249ee3ac4eea8a014f11e6f986d0b5025ac1f39afbd9ae',
  ],
  [
    '\u03d2\u0301\u0000\u{10400}\u{1f4a9}',
    '6PRW5o9FLp4gJDDVqJQKJFTpMvdsSGJxMYHtHaQBF3ooa8mwD69bapcDQn',
    '5Jajm8eQ22H3pGWLEVCXyvND8dQZhiQhoLJNKjYXk9roUFTMSZ4',
    undefined,
  ],
  [
    'TestingOneTwoThree',
    '6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo',
    'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP',
    'cbf4b9f70470856bb4f40f80b87edb90865997ffee6df315ab166d713af433a5',
  ],
  [
    'Satoshi',
    '6PYLtMnXvfG3oJde97zRyLYFZCYizPU5T3LwgdYJz1fRhh16bU7u6PPmY7',
    'KwYgW8gcxj1JWJXhPSu4Fqwzfhp5Yfi42mdYmMa4XqK7NJxXUSK7',
    '09c2686880095b1a4c249ee3ac4eea8a014f11e6f986d0b5025ac1f39afbd9ae',
  ],
  [
    'TestingOneTwoThree',
    '6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX',
    '5K4caxezwjGCGfnoPTZ8tMcJBLB7Jvyjv4xxeacadhq8nLisLR2',
    'a43a940577f4e97f5c4d39eb14ff083a98187c64ea7c99ef7ce460833959a519',
  ],
  [
    'Satoshi',
    '6PfLGnQs6VZnrNpmVKfjotbnQuaJK4KZoPFrAjx1JMJUa1Ft8gnf5WxfKd',
    '5KJ51SgxWaAYR13zd9ReMhJpwrcX47xTJh2D3fGPG9CM8vkv5sH',
    'c2c8036df268f498099350718c4a3ef3984d2be84618c2650f5171dcc5eb660a',
  ],
  [
    'MOLON LABE',
    '6PgNBNNzDkKdhkT6uJntUXwwzQV8Rr2tZcbkDcuC9DZRsS6AtHts4Ypo1j',
    '5JLdxTtcTHcfYcmJsNVy1v2PMDx432JPoYcBTVVRHpPaxUrdtf8',
    '44ea95afbf138356a05ea32110dfd627232d0f2991ad221187be356f19fa8190',
  ],
  [
    'ΜΟΛΩΝ ΛΑΒΕ',
    '6PgGWtx25kUg8QWvwuJAgorN6k9FbE25rv5dMRwu5SKMnfpfVe5mar2ngH',
    '5KMKKuUmAkiNbA3DazMQiLfDq47qs8MAEThm4yL8R2PhV1ov33D',
    'ca2759aa4adb0f96c414f36abeb8db59342985be9fa50faac228c8e7d90e3006',
  ],
];

const known = '6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo';
const multiplied = '6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX';

/** Changes the byte that holds the flags, and mends the checksum. */
const withFlags = (text: string, flags: number): string => {
  const payload = parseBase58Check(text, 39);
  payload[2] = flags;
  return formatBase58Check(payload);
};

describe('BIP38', () => {
  test('has nine vectors', () => {
    expect(VECTORS).toHaveLength(9);
  });

  test.each<Row>(VECTORS)('decrypts with %j %s', (passphrase, encrypted, wif, hex) => {
    expect(isEncryptedKey(encrypted)).toBe(true);
    const key = decryptKey(encrypted, passphrase, { network: 'main' });
    expect(formatWif(key, 'main')).toBe(wif);
    if (hex !== undefined) expect(formatHex(key.secretKey)).toBe(hex);
    expect(JSON.stringify(key)).toBe(`{"isCompressed":${!wif.startsWith('5')}}`);
  });

  test.each([known, multiplied])('refuses another passphrase for %s', (encrypted) => {
    const refusal = refusalOf(() => decryptKey(encrypted, 'testingonetwothree', { network: 'main' }));
    expect(refusal.code).toBe('bip38/passphrase');
    expect(refusal.message).toMatch(/^The passphrase of the encrypted key is wrong/);
    expect(refusal.message).not.toMatch(/testing|6P/);
  });

  test('names the network whose address the key has', () => {
    const decrypt = () => decryptKey(known, 'TestingOneTwoThree', { network: 'litecoin' });
    expectRefusal(decrypt, 'wif/network', { found: 'main', network: 'litecoin' });
  });

  test('refuses flags that it does not define, before the passphrase is stretched', () => {
    const wrong = [
      ...[0x00, 0xc4, 0xc8, 0xd0, 0xe1, 0x80].map((flags) => withFlags(known, flags)),
      ...[0xc0, 0x10, 0x08, 0x01, 0x40].map((flags) => withFlags(multiplied, flags)),
    ];
    for (const text of wrong) {
      expectRefusal(() => decryptKey(text, 'x', { network: 'main' }), 'bip38/invalid', { reason: 'flags' });
    }
  });

  test('refuses texts that are not encrypted keys', () => {
    const refused = (text: string): unknown => refusalOf(() => decryptKey(text, 'x', { network: 'main' })).data;
    expect(refused('KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn')).toEqual({ reason: 'form' });
    expect(refused(formatBase58Check(new Uint8Array(39)))).toEqual({ reason: 'form' });
    expect(refused(`${known.slice(0, -1)}p`)).toEqual({ reason: 'checksum' });
    expect(refused(`${known}1`)).toEqual({ reason: 'checksum' });
    expect(refused(`${known}0`)).toEqual({ reason: 'character' });
    expect(refused('6P'.repeat(1e6))).toEqual({ reason: 'character' });
  });

  test.each([
    [`${known.slice(0, -1)}p`, true],
    [`${known} `, true],
    [known.slice(0, -1), false],
    [`${known}1`, false],
    ['5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR', false],
    [`6R${known.slice(2)}`, false],
    ['', false],
  ])('tells by the form whether %j is an encrypted key: %s', (text, isOne) => {
    expect(isEncryptedKey(text)).toBe(isOne);
  });
});
