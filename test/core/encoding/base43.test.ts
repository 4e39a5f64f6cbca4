import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBase43 } from '../../../src/core/encoding/base43.ts';
import { createFrameReader, formatHex, parseHex } from '../../support/library.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-./:';

/** Writes bytes in base43, by division. */
function base43(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros < 0 ? bytes.length : zeros;
  let text = '';
  for (let rest = BigInt(`0x0${formatHex(bytes)}`); rest > 0n; rest /= 43n) text = DIGITS[Number(rest % 43n)] + text;
  return '0'.repeat(leading) + text;
}

test('base43 gives the bytes that were written', () => {
  expect(parseBase43('')).toEqual(new Uint8Array());
  expect(parseBase43('00:')).toEqual(Uint8Array.of(0, 0, 42));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(parseBase43(base43(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['a', 'A B', '%', '0'.repeat(4297)])('%j is refused', (text) => expect(parseBase43(text)).toBeUndefined());

test('a code of Electrum is read as a PSBT or a transaction, and similar texts as they are', () => {
  const psbt = parseHex(`70736274ff${'0100'.repeat(100)}`);
  const tx = parseHex(`0200000001${'ab'.repeat(100)}`);
  const hex = formatHex(tx).toUpperCase();
  const scanned = (text: string): unknown => {
    const state = createFrameReader().add(text);
    return state.status === 'complete' ? [state.scanned.type, state.scanned.content] : state;
  };
  expect(scanned(base43(psbt))).toEqual(['psbt', psbt]);
  expect(scanned(base43(tx))).toEqual(['transaction', tx]);
  for (const text of [hex, 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080', base43(parseHex('70'.repeat(99)))]) {
    expect(scanned(text)).toEqual(['text', new TextEncoder().encode(text)]);
  }
});
