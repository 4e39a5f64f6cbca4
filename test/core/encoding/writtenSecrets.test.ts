import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assertReadKeyForm,
  hasKeyForm,
  isMinikey,
  isPhrase,
  unreadKeyForm,
  writtenSecret,
} from '../../../src/core/encoding/writtenSecrets.ts';
import { parseSeedWords } from '../../../src/core/keys/seedWords.ts';
import { formatWif } from '../../../src/core/keys/wif.ts';
import { networks } from '../../../src/core/network/networks.ts';

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

test.each([
  WORDS,
  WORDS.replaceAll(' ', '\n'),
  WORDS.split(' ')
    .map((word, i) => `${i + 1}. ${word}`)
    .join('\n'),
  `"${WORDS.replaceAll(' ', '", "')}"`,
  WORDS.slice('abandon '.length),
  '0'.repeat(96),
])('%j is a seed phrase', (text) => {
  expect(isPhrase(text)).toBe(true);
});

test.each([
  'wpkh(abandon)',
  WORDS.split(' ').slice(2).join(' '),
  // Its digits part twelve runs of letters.
  'a1b2c3d4e5f6a7b8c9d0e1f2a1b1c1d1'.repeat(2).slice(0, 24),
  'a1b1c1d1e1f1a1b1c1d1e1f100000000000000000000000000000000000000000',
  // Sixteen words, and a place beyond the 2048 words.
  '0'.repeat(64),
  '2048'.repeat(12),
])('%j is no seed phrase', (text) => {
  expect(isPhrase(text)).toBe(false);
});

const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';

test('keys are no seed phrases', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secretKey) => {
      const wif = formatWif({ secretKey, isCompressed: true }, networks.main);
      for (const text of [wif, JSON.stringify([wif]), `${wif},`]) expect(isPhrase(text)).toBe(false);
    }),
  );
});

test.each([
  [`6P${'R'.repeat(56)}`, /BIP38/],
  [`ms10test${'s'.repeat(40)}`, /codex32/],
  [`MS10TEST${'S'.repeat(40)}`, /codex32/],
  ['01'.repeat(32), /32 bytes in hex/],
  [`0x${'01'.repeat(32)}`, /32 bytes in hex/],
  ['01'.repeat(16), /16 or 32 bytes in hex/],
  [`S${'6c56bnXQiBjk9'.padEnd(21, 'w')}`, /minikey/],
  [`S${'6c56bnXQiBjk9'.padEnd(29, 'w')}`, /minikey/],
  [`p2wpkh-p2sh:${WIF}`, /a list of keys, or a key with quotes/],
  [`${WIF} ${WIF}`, /a list of keys/],
  [`${WIF},`, /commas/],
  [`"${WIF}"`, /quotes/],
  ['0'.repeat(48), /SeedQR/],
  [`spscan1q${'z'.repeat(110)}`, /silent payments \(BIP392\)/],
  [`TSPSPEND1Q${'Z'.repeat(110)}`, /silent payments \(BIP392\)/],
  ['0012'.repeat(12).slice(2), /numbers like those of seed words/],
  ['1 2 3 4 5 6 7 8 9 10 11 2048', /numbers like those of seed words/],
])('%j is named as a form that is not read', (text, form) => {
  expect(unreadKeyForm(text)).toMatch(form);
});

test.each([WIF, WORDS, `02${'01'.repeat(32)}`, 'ms1', `6P${'R'.repeat(57)}`])('%j is no such form', (text) => {
  expect(unreadKeyForm(text)).toBeUndefined();
});

test.each([
  [WORDS, 'words'],
  [
    WORDS.split(' ')
      .map((word, i) => `${i + 1}: ${word}`)
      .join('\n'),
    'words',
  ],
  [
    WORDS.split(' ')
      .map((word, i) => `${i + 1}) ${word}`)
      .join(' '),
    'words',
  ],
  ['0001'.repeat(24), 'seed-qr'],
  [`"${'0001 '.repeat(15)}"`, 'seed-qr'],
  ['0001-'.repeat(18), 'seed-qr'],
  [`${WIF}\n${WIF}`, 'wif'],
  [`ms1${'q'.repeat(45)}`, 'codex32'],
  [WIF, 'wif'],
  [`xprv${'9'.repeat(107)}`, 'extended-key'],
  [`Ltpv${'7'.repeat(107)}`, 'extended-key'],
  ['01'.repeat(32), 'hex'],
  [`6P${'R'.repeat(56)}`, 'encrypted-key'],
  ['0014'.padEnd(44, '12'), undefined],
  [`xpub${'6'.repeat(107)}`, undefined],
  ['x'.repeat(2_000_000), undefined],
  ['" '.repeat(500_000), undefined],
])('%j is recognized as %s', (text, kind) => {
  expect(writtenSecret(text)?.kind).toBe(kind);
});

test.each([
  `xprv${'9'.repeat(107)}`,
  `Ltpv${'7'.repeat(107)}`,
  `ttpv${'7'.repeat(107)}`,
  WIF,
  `spscan1${'q'.repeat(50)}`,
])('%j has the form of a key, and a minikey none', (text) => {
  expect(hasKeyForm(`wpkh(${text}/0)`)).toBe(true);
  expect(isMinikey(text)).toBe(false);
});

test('the checksum tells a minikey from a name', () => {
  expect(isMinikey('S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy')).toBe(true);
  expect(isMinikey('S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz')).toBe(false);
});

test.each([`02${'01'.repeat(32)}`, `04${'01'.repeat(64)}`])('a public key is named, not shown: %s', (text) => {
  expect(() => assertReadKeyForm(text)).toThrow(/: it is a public key in hex: [^01]*$/);
});

test('seeds of other schemes are named', () => {
  expect(() => parseSeedWords('abandon '.repeat(20))).toThrow(/not 20\. SLIP39 shares do: restore them in Electrum/);
  expect(() => parseSeedWords('abandon '.repeat(33))).toThrow(/not 33\. SLIP39 shares do/);
  expect(() => parseSeedWords('abandon '.repeat(60))).toThrow(/not 60\. SLIP39 shares do/);
  expect(() => parseSeedWords('abandon '.repeat(22))).toThrow(/not 22$/);
  expect(() => parseSeedWords('abandon '.repeat(24))).toThrow(/lnd seeds \(aezeed\)/);
  expect(() => parseSeedWords('abandon '.repeat(12))).toThrow(/their order$/);
});
