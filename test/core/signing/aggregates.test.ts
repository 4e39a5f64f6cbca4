import { describe, expect, test } from 'vitest';
import { bytesKey } from '../../../src/core/bytes/compare.ts';
import { syntheticXpub } from '../../../src/core/descriptors/deriveKey.ts';
import { deriveChild } from '../../../src/core/keys/bip32.ts';
import { HARDENED } from '../../../src/core/keys/path.ts';
import { createAggregates } from '../../../src/core/signing/aggregates.ts';
import { addTapKey, createSignatureData } from '../../../src/core/signing/signatureData.ts';
import {
  type Aggregate,
  aggregateKeys,
  type KeyOrigin,
  keyFingerprint,
  nobleEcc,
  parseHex,
} from '../../support/library.ts';
import { concat, filled } from '../../support/musig2.ts';

const participants = [filled(1), filled(2)].map((secretKey) => nobleEcc.publicKey(secretKey));
const SUM = aggregateKeys(participants);
const RECORD: Aggregate = { aggregatePubkey: SUM.publicKey, participants };
const X_ONLY = SUM.publicKey.slice(1);
const OTHER = nobleEcc.publicKey(filled(3));
const originOf = (publicKey: Uint8Array, ...path: readonly number[]): KeyOrigin => ({
  fingerprint: keyFingerprint({ publicKey }),
  path,
});
const aggregate = (record: Aggregate, publicKey: Uint8Array, origin?: KeyOrigin) =>
  createAggregates(nobleEcc, 1).aggregate(record, publicKey, origin);

describe('an aggregate key', () => {
  test('is the sum of its participants', () => {
    expect(aggregate(RECORD, X_ONLY)).toEqual(SUM);
    expect(aggregate({ ...RECORD, participants: [...participants].reverse() }, X_ONLY)).toBeUndefined();
  });

  test('is not found for participants that are no points', () => {
    expect(aggregate({ ...RECORD, participants: [parseHex(`02${'ff'.repeat(32)}`)] }, X_ONLY)).toBeUndefined();
  });

  test('leads to the keys that BIP328 derives from it', () => {
    const child = deriveChild(deriveChild(syntheticXpub(SUM.publicKey), 7, { ecc: nobleEcc }), 8, {
      ecc: nobleEcc,
    }).publicKey;
    expect(aggregate(RECORD, child.slice(1), originOf(SUM.publicKey, 7, 8))).toMatchObject({ publicKey: child });
    expect(aggregate(RECORD, child.slice(1), originOf(SUM.publicKey, 8, 7))).toBeUndefined();
    expect(aggregate(RECORD, child.slice(1))).toBeUndefined();
  });

  test('leads nowhere if it is no point', () => {
    const aggregatePubkey = parseHex(`02${'ff'.repeat(32)}`);
    const record = { aggregatePubkey, participants };
    expect(aggregate(record, OTHER.slice(1), originOf(aggregatePubkey, 0))).toBeUndefined();
    expect(aggregate(record, OTHER.slice(1), originOf(aggregatePubkey, 0, 1))).toBeUndefined();
  });
});

describe('the candidates for a key', () => {
  const opposite = { ...RECORD, aggregatePubkey: concat(Uint8Array.of(0x05 - (SUM.publicKey[0] ?? 0)), X_ONLY) };
  const candidates = (records: readonly Aggregate[], publicKey: Uint8Array, origin?: KeyOrigin) => {
    const { taproot } = createSignatureData();
    for (const record of records) taproot.aggregates.set(bytesKey(record.aggregatePubkey), record);
    if (origin) addTapKey(taproot, { publicKey, origin });
    return createAggregates(nobleEcc, 1).candidates(taproot, publicKey);
  };

  test('are all records of that key, whichever y it has', () => {
    expect(candidates([RECORD, opposite], X_ONLY)).toEqual([RECORD, opposite]);
    expect(candidates([RECORD, opposite], OTHER.slice(1))).toEqual([]);
  });

  test('are those that its origin names, once each', () => {
    const key = OTHER.slice(1);
    expect(candidates([RECORD, opposite], key, originOf(SUM.publicKey, 0, 1))).toEqual([RECORD]);
    expect(candidates([RECORD], X_ONLY, originOf(SUM.publicKey))).toEqual([RECORD]);
    expect(candidates([RECORD], key, originOf(OTHER, 0))).toEqual([]);
  });

  test('are none behind a hardened step or more than eight steps', () => {
    const key = OTHER.slice(1);
    expect(candidates([RECORD], key, originOf(SUM.publicKey, 0, HARDENED))).toEqual([]);
    expect(candidates([RECORD], key, originOf(SUM.publicKey, ...Array(8).fill(0)))).toEqual([RECORD]);
    expect(candidates([RECORD], key, originOf(SUM.publicKey, ...Array(9).fill(0)))).toEqual([]);
  });

  test('change with the records', () => {
    const { taproot } = createSignatureData();
    const aggregates = createAggregates(nobleEcc, 1);
    expect(aggregates.candidates(taproot, X_ONLY)).toEqual([]);
    taproot.aggregates.set('', RECORD);
    expect(aggregates.candidates(taproot, X_ONLY)).toEqual([RECORD]);
  });
});

test('a result is computed once for each name, even if it is nothing', () => {
  const { remember } = createAggregates(nobleEcc, 1);
  expect(remember('one', () => OTHER)).toBe(OTHER);
  expect(remember('one', () => X_ONLY)).toBe(OTHER);
  expect(remember('two', () => undefined)).toBeUndefined();
  expect(remember('two', () => OTHER)).toBeUndefined();
});
