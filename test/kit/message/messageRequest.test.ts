import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { formatPath, parseMessageRequest } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const shown = (text: string, network?: 'testnet3'): readonly string[] => {
  const { message, path, kind } = parseMessageRequest(text, network);
  return [message, `m${formatPath(path)}`, kind];
};

describe('a request to sign a message', () => {
  // Coldcard's `shared/msgsign.py` and its tests; Sparrow writes the same lines, and shows the last form as a QR code.
  test.each([
    ['lines', 'abc def eght\nm/84h/0h/22h\np2wpkh', ['abc def eght', 'm/84h/0h/22h', 'p2wpkh']],
    ['lines of Windows', "ab\r\nm/49'/0'/0'/0/7\r\np2sh-p2wpkh\r\n", ['ab', 'm/49h/0h/0h/0/7', 'p2sh-p2wpkh']],
    ['lines without a kind', "ab\nm/84'/0'/22'\n", ['ab', 'm/84h/0h/22h', 'p2wpkh']],
    ['lines without a path', 'ab\n\np2sh-p2wpkh', ['ab', 'm/49h/0h/0h/0/0', 'p2sh-p2wpkh']],
    ['a message alone', 'ab\n', ['ab', 'm/44h/0h/0h/0/0', 'p2pkh']],
    ['another path', 'ab\nm/1/2', ['ab', 'm/1/2', 'p2pkh']],
    ['the master key', 'ab\nm', ['ab', 'm', 'p2pkh']],
    [
      'JSON',
      '{"msg":"a\\n\\tb","subpath":"m/84H/0H/0H/0/3","addr_fmt":"P2WPKH"}',
      ['a\n\tb', 'm/84h/0h/0h/0/3', 'p2wpkh'],
    ],
    ['JSON of a message alone', '{"msg": "ab"}\n', ['ab', 'm/44h/0h/0h/0/0', 'p2pkh']],
    [
      'a QR code',
      'signmessage m/86h/0h/0h/0/0 ascii:two  words: \u00e9',
      ['two  words: \u00e9', 'm/86h/0h/0h/0/0', 'p2tr'],
    ],
  ])('is read from %s', (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test('without a path is for the first address of the network', () => {
    expect(shown('ab\n\np2wpkh', 'testnet3')).toEqual(['ab', 'm/84h/1h/0h/0/0', 'p2wpkh']);
    const words = `${'abandon '.repeat(11)}about`;
    expect(accountFromWords(words, { network: 'testnet3' }).receive(0).derived.keys[0]?.origin?.path).toEqual(
      parseMessageRequest('ab\n\np2wpkh', 'testnet3').path,
    );
  });

  test('keeps any message in the form of JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (msg) => {
        expect(parseMessageRequest(JSON.stringify({ msg })).message).toBe(msg);
      }),
    );
  });

  test.each([
    ['', 'has no message'],
    ['ab\nsecond line', 'has no path'],
    ['ab\nm/84h/x', 'has no path'],
    ['ab\nm/84h\np2wsh', 'names no kind of address'],
    ['ab\nm/84h\np2wpkh\nmore', 'has more than three lines'],
    ['{"subpath":"m"}', 'lacks a text named msg'],
    ['{"msg":"x","subpath":5}', 'lacks a text named msg'],
    ['x'.repeat(1_000_001), 'is too long'],
  ])('%# is refused', (text, reason) => {
    const { code, message } = refusalOf(() => parseMessageRequest(text));
    expect([code, message]).toEqual(['message/request', expect.stringContaining(`sign a message ${reason}`)]);
  });
});
