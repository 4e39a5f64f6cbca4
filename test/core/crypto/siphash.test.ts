import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packSipMessages, readSipKey, sipHash } from '../../../src/core/crypto/siphash.ts';
import { campaign } from '../../support/campaign.ts';
import { formatHex } from '../../support/library.ts';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);

function hashesOf(key: Uint8Array, messages: readonly Uint8Array[]): readonly string[] {
  const packed = packSipMessages(messages);
  return messages.map((_, index) => {
    const hash = new Int32Array(2);
    sipHash(readSipKey(key), packed, index, hash);
    return formatHex(new Uint8Array(hash.buffer));
  });
}

const MASK = 2n ** 64n - 1n;
const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK;

/** SipHash-2-4 as its paper states it, in 64-bit integers. */
function paperHash(key: Uint8Array, message: Uint8Array): string {
  const wordAt = (bytes: Uint8Array, at: number): bigint =>
    bytes.slice(at, at + 8).reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n);
  const [k0, k1] = [wordAt(key, 0), wordAt(key, 8)];
  let [a, b] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn];
  let [c, d] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n];
  const round = (): void => {
    a = (a + b) & MASK;
    b = rotated(b, 13n) ^ a;
    a = rotated(a, 32n);
    c = (c + d) & MASK;
    d = rotated(d, 16n) ^ c;
    a = (a + d) & MASK;
    d = rotated(d, 21n) ^ a;
    c = (c + b) & MASK;
    b = rotated(b, 17n) ^ c;
    c = rotated(c, 32n);
  };
  for (let at = 0; at <= message.length; at += 8) {
    const isLast = at + 8 > message.length;
    const word = wordAt(message, at) | (isLast ? BigInt(message.length & 0xff) << 56n : 0n);
    d ^= word;
    round();
    round();
    a ^= word;
  }
  c ^= 0xffn;
  for (let i = 0; i < 4; i += 1) round();
  const hash = a ^ b ^ c ^ d;
  return formatHex(Uint8Array.from({ length: 8 }, (_, i) => Number((hash >> BigInt(8 * i)) & 0xffn)));
}

describe('SipHash-2-4', () => {
  // The first rows of the table in the reference implementation: the message of row i is the bytes 0 to i - 1.
  test('gives the reference vectors', () => {
    const messages = Array.from({ length: 16 }, (_, i) => KEY.slice(0, i));
    expect(hashesOf(KEY, messages)).toEqual([
      '310e0edd47db6f72',
      'fd67dc93c539f874',
      '5a4fa9d909806c0d',
      '2d7efbd796666785',
      'b7877127e09427cf',
      '8da699cd64557618',
      'cee3fe586e46c9cb',
      '37d1018bf50002ab',
      '6224939a79f5f593',
      'b0e4a90bdf82009e',
      'f3b9dd94c5bb5d7a',
      'a7ad6b22462fb3f4',
      'fbe50e86bc8f1e75',
      '903d84c02756ea14',
      'eef27a8e90ca23f7',
      'e545be4961ca29a1',
    ]);
  });

  test('equals the definition for any key and messages of any length', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(bytes(16), messages, (key, given) => {
        expect(hashesOf(key, given)).toEqual(given.map((message) => paperHash(key, message)));
      }),
      campaign(200),
    );
  });
});
