import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/node/chain/block.ts';
import {
  decodeBlockFilter,
  encodeBlockFilter,
  filterElements,
  filterHeader,
  matchesAny,
  prepareFilterScripts,
} from '../../src/node/chain/blockFilter.ts';
import { contentFault } from '../../src/node/chain/blockRules.ts';
import { formatHex, formatReversedHex, networks, parseHex } from '../support/library.ts';

interface Row {
  readonly note: string;
  readonly height: number;
  readonly hash: string;
  readonly block: string;
  readonly spent: readonly string[];
  readonly previousHeader: string;
  readonly filter: string;
  readonly header: string;
}

const rows = JSON.parse(readFileSync(new URL('../../vectors/bip158.json', import.meta.url), 'utf8')) as Row[];

test('BIP158 has ten rows', () => {
  expect(rows).toHaveLength(10);
});

describe.each(rows)('BIP158, block $height of testnet3: $note', (row) => {
  const block = decodeBlock(parseHex(row.block));
  const elements = filterElements(block, row.spent.map(parseHex));
  const previous = parseHex(row.previousHeader).reverse();

  test('the row has the block that it names', () => {
    expect(formatReversedHex(block.hash)).toBe(row.hash);
    expect(contentFault(block, networks.testnet3)).toBeUndefined();
  });

  test('the filter and its header are encoded', () => {
    const filter = encodeBlockFilter(elements, block.hash);
    expect(formatHex(filter)).toBe(row.filter);
    expect(formatReversedHex(filterHeader(filter, previous))).toBe(row.header);
  });

  test('the filter matches each script of the block, and no other', () => {
    const filter = decodeBlockFilter(parseHex(row.filter));
    expect(filter.values).toHaveLength(elements.length);
    for (const element of elements) {
      expect(matchesAny(filter, block.hash, prepareFilterScripts([element]))).toBe(true);
    }
    const others = Array.from({ length: 100 }, (_, i) => Uint8Array.of(0x00, 0x14, i, ...new Uint8Array(19)));
    expect(matchesAny(filter, block.hash, prepareFilterScripts(others))).toBe(false);
    expect(matchesAny(filter, block.hash, prepareFilterScripts([...others, ...elements]))).toBe(elements.length > 0);
    expect(matchesAny(filter, block.hash, prepareFilterScripts([new Uint8Array(0)]))).toBe(false);
  });
});
