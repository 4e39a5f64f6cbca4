import { expect, test } from 'vitest';
import { getAbsoluteLock, isFinalTransaction } from '../../../src/core/tx/absoluteLock.ts';
import { getRelativeLock, toSeconds } from '../../../src/core/tx/relativeLock.ts';
import { signalsReplacement } from '../../../src/core/tx/replaceable.ts';
import { parseTxid, type Transaction } from '../../support/library.ts';

const FINAL = 0xffff_ffff;
const locked = (locktime: number, ...sequences: readonly number[]): Transaction => ({
  version: 2,
  inputs: sequences.map((sequence, vout) => ({
    outpoint: { txid: parseTxid('11'.repeat(32)), vout },
    scriptSig: new Uint8Array(0),
    sequence,
    witness: [],
  })),
  outputs: [],
  locktime,
});

test('a locktime counts if one input enables it, by height below 500,000,000 and by time from there on', () => {
  expect(getAbsoluteLock(locked(0, 0))).toEqual({ kind: 'none' });
  expect(getAbsoluteLock(locked(7, FINAL, FINAL))).toEqual({ kind: 'none' });
  expect(getAbsoluteLock(locked(7, FINAL, FINAL - 1))).toEqual({ kind: 'height', value: 7 });
  expect(getAbsoluteLock(locked(499_999_999, 0))).toEqual({ kind: 'height', value: 499_999_999 });
  expect(getAbsoluteLock(locked(500_000_000, 0))).toEqual({ kind: 'time', value: 500_000_000 });
});

test('a transaction is final in a block behind its lock', () => {
  const place = { height: 100, time: 1_600_000_000 };
  const isFinal = (tx: Transaction): boolean => isFinalTransaction(tx, place.height, place.time);
  expect([99, 100, 101].map((height) => isFinal(locked(height, 0)))).toEqual([true, false, false]);
  expect([-1, 0, 1].map((more) => isFinal(locked(place.time + more, 0)))).toEqual([true, false, false]);
  expect(isFinal(locked(place.time + 1, FINAL))).toBe(true);
  expect(isFinal(locked(0, 0))).toBe(true);
});

test('a relative lock needs version 2 and a sequence without bit 31', () => {
  const lockOf = (version: number, sequence: number) => {
    const tx = { ...locked(0, sequence), version };
    return tx.inputs.map((input) => getRelativeLock(tx, input))[0];
  };
  expect(lockOf(2, 144)).toEqual({ kind: 'blocks', value: 144 });
  expect(lockOf(1, 144)).toBeUndefined();
  expect(lockOf(2, 0x8000_0000 + 144)).toBeUndefined();
  const lock = lockOf(2, 0x40_0000 + 3);
  expect(lock).toEqual({ kind: 'time', value: 3 });
  expect(lock && toSeconds(lock)).toBe(3 * 512);
});

test('one input signals replacement for all, by a sequence below the last two', () => {
  expect(signalsReplacement(locked(0, FINAL, FINAL - 1))).toBe(false);
  expect(signalsReplacement(locked(0, FINAL, FINAL - 2))).toBe(true);
  expect(signalsReplacement(locked(0, 0))).toBe(true);
});
