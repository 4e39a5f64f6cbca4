import { expect, test } from 'vitest';
import { checkInputValues, checkTransaction, isCoinbase } from '../../../src/core/tx/check.ts';
import { parseTxid, type Transaction } from '../../support/library.ts';

const NULL = '00'.repeat(32);
const spending = (...outpoints: readonly (readonly [txid: string, vout: number])[]): Transaction => ({
  version: 2,
  inputs: outpoints.map(([txid, vout]) => ({
    outpoint: { txid: parseTxid(txid), vout },
    scriptSig: new Uint8Array(2),
    sequence: 0,
    witness: [],
  })),
  outputs: [{ value: 5n, scriptPubKey: new Uint8Array(0) }],
  locktime: 0,
});

test('a coinbase spends the null outpoint alone', () => {
  expect(isCoinbase(spending([NULL, 0xffff_ffff]))).toBe(true);
  expect(isCoinbase(spending())).toBe(false);
  expect(isCoinbase(spending([NULL, 0]))).toBe(false);
  expect(isCoinbase(spending([`${'00'.repeat(31)}01`, 0xffff_ffff]))).toBe(false);
  expect(isCoinbase(spending([NULL, 0xffff_ffff], ['11'.repeat(32), 0]))).toBe(false);
});

test('a null outpoint beside others is a fault, and so is a scriptSig of a coinbase of less than 2 or over 100 bytes', () => {
  expect(checkTransaction(spending([NULL, 0xffff_ffff], ['11'.repeat(32), 0]))).toBe('bad-txns-prevout-null');
  expect(checkTransaction(spending([NULL, 0], ['11'.repeat(32), 0xffff_ffff]))).toBeUndefined();
  const coinbase = (size: number): Transaction => {
    const tx = spending([NULL, 0xffff_ffff]);
    return { ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(size) })) };
  };
  const faults = [1, 2, 100, 101].map((size) => checkTransaction(coinbase(size)));
  expect(faults).toEqual(['bad-cb-length', undefined, undefined, 'bad-cb-length']);
});

test('coins beyond all money are a fault, alone or together', () => {
  const tx = spending(['11'.repeat(32), 0], ['11'.repeat(32), 1]);
  const MAX = 21_000_000n * 100_000_000n;
  const check = (...values: readonly bigint[]): unknown =>
    checkInputValues(
      tx,
      values.map((value) => ({ value, scriptPubKey: new Uint8Array(0) })),
    );
  expect(check(MAX, 0n)).toBeUndefined();
  expect(check(5n, MAX + 1n)).toBe('bad-txns-inputvalues-outofrange');
  expect(check(-1n, 6n)).toBe('bad-txns-inputvalues-outofrange');
  expect(check(MAX, 1n)).toBe('bad-txns-inputvalues-outofrange');
  expect(check(2n, 2n)).toBe('bad-txns-in-belowout');
  expect(check(2n, 3n)).toBeUndefined();
});
