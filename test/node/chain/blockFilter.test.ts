import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packSipMessages, readSipKey, sipHash } from '../../../src/core/crypto/siphash.ts';
import {
  decodeBlockFilter,
  encodeBlockFilter,
  filterElements,
  matchesAny,
  prepareFilterScripts,
} from '../../../src/node/chain/blockFilter.ts';
import { campaign } from '../../support/campaign.ts';
import { concatBytes, parseHex, sha256 } from '../../support/library.ts';
import { expectRefusal, refusalIfAny } from '../../support/refusal.ts';

const HASH = sha256(Uint8Array.of(1));

/** Makes different P2WSH scripts. */
const scriptsFrom = (first: number, count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, i) => {
    const number = new DataView(new ArrayBuffer(4));
    number.setUint32(0, first + i);
    return concatBytes(Uint8Array.of(0x00, 0x20), sha256(new Uint8Array(number.buffer)));
  });

describe('a block filter', () => {
  test.each([1, 2, 100, 90_000])('of %i scripts holds their hashes, scaled exactly', (count) => {
    const scripts = scriptsFrom(0, count);
    const { values } = decodeBlockFilter(encodeBlockFilter(scripts, HASH));
    const packed = packSipMessages(scripts);
    const hash = new BigUint64Array(1);
    const wanted = scripts.map((_, index) => {
      sipHash(readSipKey(HASH), packed, index, new Int32Array(hash.buffer));
      return Number(((hash[0] ?? 0n) * BigInt(count) * 784931n) >> 64n);
    });
    expect([...values]).toEqual(wanted.sort((a, b) => a - b));
  });

  test('matches each of its scripts among many others, and about one of 784931 others', () => {
    const own = scriptsFrom(0, 3000);
    const filter = decodeBlockFilter(encodeBlockFilter(own, HASH));
    const others = scriptsFrom(1_000_000, 2000);
    expect(matchesAny(filter, HASH, prepareFilterScripts(others))).toBe(false);
    for (const script of own) expect(matchesAny(filter, HASH, prepareFilterScripts([script]))).toBe(true);
    const mixed = [...others.slice(0, 1000), ...own.slice(2999), ...others.slice(1000)];
    expect(matchesAny(filter, HASH, prepareFilterScripts(mixed))).toBe(true);
    expect(matchesAny(filter, sha256(HASH), prepareFilterScripts(own.slice(0, 100)))).toBe(false);
  });

  test('never misses a script, whatever the scripts and the block', () => {
    const script = fc.uint8Array({ minLength: 1, maxLength: 40 });
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.array(script, { minLength: 1, maxLength: 30 }), fc.array(script), hash, (own, others, block) => {
        const filter = decodeBlockFilter(encodeBlockFilter(own, block));
        for (const one of own) expect(matchesAny(filter, block, prepareFilterScripts([...others, one]))).toBe(true);
      }),
    );
  });

  test('of a block has the scripts created and spent, each once, without OP_RETURN and empty ones', () => {
    const [a, b] = [Uint8Array.of(0x51), Uint8Array.of(0x52)];
    const outputs = [a, b, Uint8Array.of(0x6a, 1, 2), new Uint8Array(0), a].map((scriptPubKey) => ({
      value: 1n,
      scriptPubKey,
    }));
    const tx = { version: 1, inputs: [], outputs, locktime: 0 };
    const none = new Uint8Array(32);
    const block = { hash: none, previous: none, merkleRoot: none, time: 0, txs: [tx], txids: [] };
    const spent = [Uint8Array.of(0x53), b, new Uint8Array(0), Uint8Array.of(0x6a)];
    expect(filterElements(block, spent)).toEqual([a, b, Uint8Array.of(0x53), Uint8Array.of(0x6a)]);
  });
});

describe('a damaged block filter is refused', () => {
  test.each([
    ['cut off in a remainder', '019dfc', 'truncated'],
    ['cut off in a quotient', '02ffffffffffffffff', 'truncated'],
    ['with more elements than bytes for them', 'fd009074a170', 'truncated'],
    ['with more elements than a block has', 'fe0000000174a170', 'count'],
    ['with a value above its range', '01ffffffffffffffff00000000', 'range'],
    ['with a byte after the last element', '0174a17000', 'trailing'],
    ['with a byte after no element', '0000', 'trailing'],
  ])('%s', (_, hex, reason) => {
    expectRefusal(() => decodeBlockFilter(parseHex(hex)), 'filter/invalid', { reason });
  });

  test('without a number of elements, or with one that is not minimal', () => {
    expectRefusal(() => decodeBlockFilter(new Uint8Array(0)), 'bytes/end-of-data', { offset: 0 });
    expectRefusal(() => decodeBlockFilter(parseHex('fd0100a170')), 'bytes/size-not-minimal', { offset: 3 });
  });

  test('at any cut, and any other damage is refused or decodes to ascending values', () => {
    const whole = encodeBlockFilter(scriptsFrom(0, 50), HASH);
    for (let length = 0; length < whole.length; length += 1) {
      expect(refusalIfAny(() => decodeBlockFilter(whole.subarray(0, length)))).toBeDefined();
    }
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), damaged(whole)), (bytes) => {
        const refusal = refusalIfAny(() => {
          const { values } = decodeBlockFilter(bytes);
          expect([...values].every((value, i) => value >= (values[i - 1] ?? 0))).toBe(true);
        });
        expect(refusal?.code ?? 'filter/invalid').toMatch(/^(filter|bytes)\//);
      }),
      campaign(2000),
    );
  });
});

/** Flips one bit of a byte string. */
const damaged = (bytes: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc.nat({ max: 8 * bytes.length - 1 }).map((bit) => {
    const changed = Uint8Array.from(bytes);
    changed[bit >>> 3] = (changed[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
    return changed;
  });
