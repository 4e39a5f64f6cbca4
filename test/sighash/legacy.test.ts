import { describe, expect, test } from 'vitest';
import { decodeTransaction, formatTxid, legacySighash, parseHex, type Txid } from '../support/library.ts';
import { versionsOf } from '../support/suites.ts';

type Row = [tx: string, script: string, inputIndex: number, sighashType: number, digest: string];

describe.each(versionsOf<Row[]>('sighash', 'sighash'))("Core's sighash vectors, from $from", ({ rows }) => {
  const cases = rows.filter((row) => row.length > 1);

  test('has 500 rows', () => expect(cases).toHaveLength(500));
  test.each(cases)('row %# has the right digest', (tx, script, inputIndex, sighashType, digest) => {
    const given = { tx: decodeTransaction(parseHex(tx)), inputIndex, scriptCode: parseHex(script), sighashType };
    expect(formatTxid(legacySighash(given) as Uint8Array as Txid)).toBe(digest);
  });
});
