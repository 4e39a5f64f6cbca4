import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodePsbt, formatBase64, formatHex, formatPsbt, parsePsbt } from '../../../support/library.ts';
import { payment } from '../../../support/psbts.ts';
import { expectRefusal } from '../../../support/refusal.ts';

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
  ['base64 in quotes, as jq prints it', `"${base64}"\n`],
  ['hex in single quotes', `'${hex}'`],
  ['base64 of the URL alphabet', base64.replaceAll('+', '-').replaceAll('/', '_')],
  ['base64 without padding', base64.replace(/=+$/, '')],
  ['JSON of a command', JSON.stringify({ psbt: base64, complete: false })],
  ['JSON with hex', JSON.stringify({ psbt: hex })],
  ['JSON of LND', JSON.stringify({ funded_psbt: base64, change_output_index: 0 })],
  ['JSON of Core Lightning', JSON.stringify({ signed_psbt: base64 })],
  ['an answer to a call', JSON.stringify({ result: { psbt: base64 }, error: null, id: 1 }, null, 2)],
  ['an answer that is only text', JSON.stringify({ jsonrpc: '2.0', result: base64, id: 1 })],
  ['hex in words, with space around', ` \t${hex.replaceAll(/.{8}/g, '$& ')}\n`],
])('a PSBT is read as %s, and from the bytes of such a text', (_, text) => {
  expect(parsePsbt(text)).toEqual(psbt);
  expect(parsePsbt(bytesOf(text))).toEqual(psbt);
  expect(parsePsbt(bytesOf(`\u00ef\u00bb\u00bf${text}`))).toEqual(psbt);
  const littleEndian = Buffer.from(`\ufeff${text}`, 'utf16le');
  expect(parsePsbt(littleEndian)).toEqual(psbt);
  expect(parsePsbt(Buffer.from(littleEndian).swap16())).toEqual(psbt);
});

test.each([4, 5, 6, 7])('base64 that lacks its last %i characters is refused', (count) => {
  expect(() => parsePsbt(base64.slice(0, -count))).toThrow(/copy all of it$/);
});

test.each([
  [`0x${hex}`, 'hex with "0x" before it: leave out the "0x"'],
  [`data:application/octet-stream;base64,${base64}`, 'a data: URI: give only what follows its comma'],
  [gzipSync(bytes).toString('latin1'), 'compressed with gzip: decompress it first'],
  [gzipSync(bytes).toString('base64'), 'compressed with gzip: decompress it first'],
  [formatBase64(bytesOf(base64)), 'base64 of base64: decode it once'],
  ['cHNldP8BAgQCAAAA', 'a PSET of Liquid (Elements), which is another format than PSBT'],
  ['70736574ff', 'a PSET of Liquid (Elements), which is another format than PSBT'],
  ['{"result":{"psbt":"cHNldP8B"}}', 'a PSET of Liquid (Elements), which is another format than PSBT'],
])('forms that are not read are named: %#', (text, form) => {
  expect(() => parsePsbt(text)).toThrow(`This is not a PSBT: it is ${form}`);
  expect(() => parsePsbt(bytesOf(text))).toThrow(`This is not a PSBT: it is ${form}`);
});

test('a PSBT is read as bytes', () => {
  expect(parsePsbt(bytes)).toEqual(psbt);
});

test.each(['', 'cHNidA', 'hello', '70736274fe00', hex.slice(2)])('other texts are refused: %s', (text) => {
  expectRefusal(() => parsePsbt(text), 'psbt/unrecognized', {});
  expectRefusal(() => parsePsbt(bytesOf(text)), 'psbt/unrecognized', {});
});
