import { expect, test } from 'vitest';
import { isPhrase } from '../../src/keys/writtenSecrets.ts';

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

test.each([
  WORDS,
  WORDS.replaceAll(' ', '\n'),
  WORDS.split(' ')
    .map((word, i) => `${i + 1}. ${word}`)
    .join('\n'),
  `"${WORDS.replaceAll(' ', '", "')}"`,
  WORDS.slice('abandon '.length),
])('%j is a seed phrase', (text) => {
  expect(isPhrase(text)).toBe(true);
});

test.each([
  'wpkh(abandon)',
  WORDS.split(' ').slice(2).join(' '),
  // Its digits part twelve runs of letters.
  'a1b2c3d4e5f6a7b8c9d0e1f2a1b1c1d1'.repeat(2).slice(0, 24),
  'a1b1c1d1e1f1a1b1c1d1e1f100000000000000000000000000000000000000000',
])('%j is no seed phrase', (text) => {
  expect(isPhrase(text)).toBe(false);
});
