import { expect, test } from 'vitest';
import { encodePsbt, formatBase64, formatHex, formatPsbt, parsePsbt } from '../../support/library.ts';
import { payment } from '../../support/psbts.ts';
import { expectRefusal } from '../../support/refusal.ts';

const psbt = payment(['wpkh']);
const bytes = encodePsbt(psbt);
const [base64, hex] = [formatBase64(bytes), formatHex(bytes)];
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

test('a PSBT is formatted as base64 unless hex is asked for', () => {
  expect(formatPsbt(psbt)).toBe(base64);
  expect(formatPsbt(psbt, 'base64')).toBe(base64);
  expect(formatPsbt(psbt, 'hex')).toBe(hex);
});

test.each([
  ['base64', base64],
  ['hex', hex],
  ['hex in capitals', hex.toUpperCase()],
  ['base64 in lines', base64.replaceAll(/.{40}/g, '$&\r\n')],
  ['hex in words, with space around', ` \t${hex.replaceAll(/.{8}/g, '$& ')}\n`],
])('a PSBT is read as %s, and from the bytes of such a text', (_, text) => {
  expect(parsePsbt(text)).toEqual(psbt);
  expect(parsePsbt(bytesOf(text))).toEqual(psbt);
  expect(parsePsbt(bytesOf(`\u00ef\u00bb\u00bf${text}`))).toEqual(psbt);
});

test('a PSBT is read as bytes', () => {
  expect(parsePsbt(bytes)).toEqual(psbt);
});

test.each(['', 'cHNidA', 'hello', '70736274fe00', hex.slice(2)])('other texts are refused: %s', (text) => {
  expectRefusal(() => parsePsbt(text), 'psbt/unrecognized', {});
  expectRefusal(() => parsePsbt(bytesOf(text)), 'psbt/unrecognized', {});
});
