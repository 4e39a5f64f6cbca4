import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256d } from '../../../src/core/crypto/hash.ts';
import {
  createMerkleBlock,
  decodeMerkleBlock,
  encodeMerkleBlock,
  extractMatches,
} from '../../../src/node/chain/merkleBlock.ts';
import { bytes } from '../../support/arbitraries.ts';
import { formatHex } from '../../support/library.ts';

/** Computes a merkle root level by level. @see Bitcoin Core `BlockMerkleRoot` */
function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(32)] = hashes;
  if (hashes.length <= 1) return first;
  return rootOf(
    hashes.flatMap((hash, i) => (i % 2 === 0 ? [sha256d(Uint8Array.from([...hash, ...(hashes[i + 1] ?? hash)]))] : [])),
  );
}

const header = bytes(80);
const ids = fc.uniqueArray(bytes(32), { minLength: 1, maxLength: 40, selector: formatHex });
const chosen = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });

describe('a proof of transactions', () => {
  test('proves exactly the chosen ones, at their places, for blocks of any size', () => {
    fc.assert(
      fc.property(header, ids, chosen, (first, txids, flags) => {
        const made = createMerkleBlock(first, txids, (index) => flags[index] === true);
        const decoded = decodeMerkleBlock(encodeMerkleBlock(made));
        expect(decoded).toEqual(made);
        const { root, txs } = extractMatches(decoded);
        expect(formatHex(root)).toBe(formatHex(rootOf(txids)));
        expect(txs).toEqual(txids.flatMap((id, index) => (flags[index] ? [{ id, index }] : [])));
      }),
    );
  });

  test('proves nothing else once any part of it is changed', () => {
    fc.assert(
      fc.property(header, ids, chosen, fc.nat(), fc.integer({ min: 1, max: 255 }), (first, txids, flags, at, bits) => {
        const proof = encodeMerkleBlock(createMerkleBlock(first, txids, (index) => flags[index] === true));
        const place = 80 + (at % (proof.length - 80));
        const bent = proof.map((byte, i) => (i === place ? byte ^ bits : byte));
        let outcome: ReturnType<typeof extractMatches>;
        try {
          outcome = extractMatches(decodeMerkleBlock(bent));
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^bytes\//) });
          return;
        }
        if (formatHex(outcome.root) !== formatHex(rootOf(txids))) return;
        for (const { id, index } of outcome.txs) expect(txids[index]).toEqual(id);
      }),
    );
  });

  test('is malformed without transactions, with too many, with too few flags, and if it repeats a branch', () => {
    const id = new Uint8Array(32).fill(7);
    const [one, none] = [new Uint8Array(80), new Uint8Array(32)];
    const flags = Uint8Array.of(0b111);
    const zero = { root: none, txs: [] };
    expect(extractMatches({ header: one, count: 0, hashes: [], flags })).toEqual(zero);
    expect(extractMatches({ header: one, count: 16_667, hashes: [id], flags })).toEqual(zero);
    expect(extractMatches({ header: one, count: 1, hashes: [id, id], flags })).toEqual(zero);
    expect(extractMatches({ header: one, count: 1, hashes: [id], flags: new Uint8Array(0) })).toEqual(zero);
    expect(extractMatches({ header: one, count: 1, hashes: [id], flags: Uint8Array.of(1, 0) }).root).toEqual(none);
    expect(extractMatches({ header: one, count: 2, hashes: [id, id], flags }).root).toEqual(none);
    expect(extractMatches({ header: one, count: 2, hashes: [id], flags }).root).toEqual(none);
    expect(extractMatches({ header: one, count: 1, hashes: [id], flags: Uint8Array.of(1) }).root).toEqual(id);
  });
});
