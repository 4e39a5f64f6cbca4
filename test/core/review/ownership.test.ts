import { expect, test } from 'vitest';
import { createFindOwner, createFindPlace, cutSearches, manyIndexes } from '../../../src/core/review/ownership.ts';
import { createDeriver, type Psbt } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { parse, payment, scriptAt, WALLETS, withOutput } from '../../support/psbts.ts';

const claiming = (count: number) => ({
  bip32Derivations: Array.from({ length: count }, (_, index) => ({
    ...{ pubkey: filled(2, 33), fingerprint: filled(1, 4), path: [0, index] },
  })),
});

test('a map of more than eight indexes is named with their number', () => {
  expect(manyIndexes(claiming(8), 'Output 1')).toEqual([]);
  const [found, ...others] = manyIndexes(claiming(9), 'Output 1');
  expect(found).toMatchObject({ check: 'indexes-many' });
  expect(found?.text).toMatch(/^Output 1 names keys at 9 indexes, of which the review searches 8: /);
  expect(others).toEqual([]);
});

test('searches that were cut are named by input and output, unless the map names too many indexes itself', () => {
  const psbt: Psbt = payment(['wpkh', 'wpkh']);
  const cut = (given: Psbt, ...cutMaps: readonly number[]) =>
    cutSearches(given, { places: [], cutMaps }).map(({ check, text, inputIndex, outputIndex }) => {
      expect(check).toBe('indexes-many');
      expect(text).toContain(' names keys at more places than the review searches in this PSBT');
      return [text.split(' names')[0], inputIndex, outputIndex];
    });
  expect(cut(psbt, 0, 1, 2, 3)).toEqual([
    ['Input 0', 0, undefined],
    ['Input 1', 1, undefined],
    ['Output 0', undefined, 0],
    ['Output 1', undefined, 1],
  ]);
  expect(cut(psbt)).toEqual([]);
  expect(
    cut(
      withOutput(psbt, 0, (output) => ({ ...output, ...claiming(9) })),
      2,
      3,
    ),
  ).toEqual([['Output 1', undefined, 1]]);
});

test('the owner of a script is the first descriptor that derives it', () => {
  const script = scriptAt(WALLETS.wpkh, 0, 3);
  const derived = createDeriver(parse(WALLETS.wpkh.replace('<0;1>', '0')))(3);
  const place = { position: 0, index: 3, derived, hasKeyPath: true };
  const places = [
    { ...place, descriptor: 1 },
    { ...place, descriptor: 2 },
  ];
  const find = createFindOwner(createFindPlace({ places }));
  expect(find(script)).toEqual({ descriptor: 1, position: 0, index: 3 });
  expect(find(scriptAt(WALLETS.wpkh, 0, 4))).toBeUndefined();
});
