import { describe, expect, test } from 'vitest';
import { syntheticXpub } from '../../src/core/descriptors/deriveKey.ts';
import { readSuite, shared } from '../support/corpus.ts';
import {
  aggregateKeys,
  type ExtendedKey,
  formatHex,
  formatXpub,
  networks,
  parseExtendedKey,
  parseHex,
} from '../support/library.ts';

const { main } = networks;
const xpubOf = (key: ExtendedKey): string => formatXpub(key, main);

interface SyntheticRow {
  readonly aggregate_pubkey: string;
  readonly keys: readonly string[];
  readonly xpub: string;
}

describe.runIf(shared)('BIP328 test vectors', () => {
  const rows = shared ? readSuite<readonly SyntheticRow[]>('bip328') : [];
  test('have 3 rows', () => expect(rows).toHaveLength(3));
  test.each(rows)('give the synthetic xpub of $aggregate_pubkey', ({ aggregate_pubkey: aggregate, keys, xpub }) => {
    expect(formatHex(aggregateKeys(keys.map(parseHex)).publicKey)).toBe(aggregate);
    const synthetic = syntheticXpub(parseHex(aggregate));
    expect(xpubOf(synthetic)).toBe(xpub);
    expect(parseExtendedKey(xpub, main)).toEqual(synthetic);
  });
});
