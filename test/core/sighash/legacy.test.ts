import { describe, expect, test } from 'vitest';
import {
  decodeTransaction,
  formatHex,
  formatTxid,
  legacySighash,
  legacySigMsg,
  parseHex,
  type Txid,
} from '../../support/library.ts';
import { versionsOf } from '../../support/suites.ts';

type Row = [tx: string, script: string, inputIndex: number, sighashType: number, digest: string];

describe.each(versionsOf<Row[]>('sighash', 'sighash'))("Core's sighash vectors, from $from", ({ rows }) => {
  const cases = rows.filter((row) => row.length > 1);

  test('has 500 rows', () => expect(cases).toHaveLength(500));
  test.each(cases)('row %# has the right digest', (tx, script, inputIndex, sighashType, digest) => {
    const given = { tx: decodeTransaction(parseHex(tx)), inputIndex, scriptCode: parseHex(script), sighashType };
    expect(formatTxid(legacySighash(given) as Uint8Array as Txid)).toBe(digest);
  });
});

test.each([
  // A push without all of its data: its opcode and its length bytes.
  ['4b0102', '034b'],
  ['51010251', '0451010251'],
  ['4c05', '024c05'],
  ['4d050001', '044d0500'],
  ['4e05000000aa', '064e05000000'],
  // A push without all of its length bytes: only its opcode.
  ['4c', '014c'],
  ['4d05', '024d'],
  ['4e050000', '044e'],
  // Separators are left out of the length, too.
  ['ab51ab4c05', '03514c05'],
])('of the script %s, the message holds %s', (script, expected) => {
  const tx = decodeTransaction(parseHex(`0200000001${'11'.repeat(32)}0000000000ffffffff0100000000000000000000000000`));
  const message = legacySigMsg({ tx, inputIndex: 0, scriptCode: parseHex(script), sighashType: 1 }) ?? parseHex('');
  expect(formatHex(message).slice(2 * (4 + 1 + 36), -2 * (4 + 10 + 4 + 4))).toBe(expected);
});
