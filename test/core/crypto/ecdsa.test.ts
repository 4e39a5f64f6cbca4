import { describe, expect, test } from 'vitest';
import { consensusVerifier, encodeDer, hasHighS } from '../../../src/core/crypto/ecdsa.ts';
import { nobleEcc } from '../../../src/core/crypto/nobleEcc.ts';
import { formatHex, parseHex } from '../../support/library.ts';

const N = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const hex = (value: bigint): string => value.toString(16).padStart(64, '0');
const size = (bytes: string, more = 0): string => (bytes.length / 2 + more).toString(16).padStart(2, '0');
/** Joins a DER signature; what a case names replaces the usual part. */
function der({ total, r, s, end = '' }: { total?: string; r: string; s: string; end?: string }): Uint8Array {
  return parseHex(`30${total ?? size(r + s)}${r}${s}${end}`);
}
const integer = (bytes: string, length = size(bytes)): string => `02${length}${bytes}`;

const SECRET = parseHex(hex(7n));
const KEY = nobleEcc.publicKey(SECRET);
const LONG = nobleEcc.publicKey(SECRET, false);
const DIGEST = new Uint8Array(32).fill(5);
const compact = formatHex(nobleEcc.signEcdsa(DIGEST, SECRET));
const [R, S] = [compact.slice(0, 64), compact.slice(64)];
const [r, s] = [integer(`00${R}`), integer(`00${S}`)];
const highS = integer(`00${hex(N - BigInt(`0x${S}`))}`);
const verifies = (signature: Uint8Array, publicKey = KEY): boolean =>
  consensusVerifier(nobleEcc)(signature, DIGEST, publicKey);

/** @see Bitcoin Core `ecdsa_signature_parse_der_lax` */
describe('consensus reads DER as OpenSSL did', () => {
  test.each([
    ['as encodeDer writes it', encodeDer(parseHex(compact))],
    ['with padding zeros', der({ r: integer(`${'00'.repeat(9)}${R}`), s: integer(`00${S}`) })],
    ['without sign bytes', der({ r: integer(R), s: integer(S) })],
    ['with s in the upper half', der({ r, s: highS })],
    ['with a total length of 0', der({ total: '00', r, s })],
    ['with a total length beyond its end', der({ total: '7f', r, s })],
    ['with a total length in two bytes', der({ total: `81${size(r + s)}`, r, s })],
    ['with a total length in three bytes', der({ total: `82ffff`, r, s })],
    ['with bytes behind it', der({ r, s, end: 'ffff' })],
    ['with zeros behind it', der({ r, s, end: '0000' })],
    ['with a long length of r', der({ r: integer(`00${R}`, '8121'), s })],
    ['with a long length of s', der({ r, s: integer(`00${S}`, '8121') })],
    [
      'with zeros before the length',
      der({ r: integer(`00${R}`, '8400000021'), s: integer(`00${S}`, '8700000000000021') }),
    ],
    ['with 300 zeros before r', der({ total: '00', r: integer(`${'00'.repeat(300)}${R}`, '82014c'), s })],
    ['with 65536 zeros before s', der({ total: '00', r, s: integer(`${'00'.repeat(65_536)}${S}`, '83010020') })],
  ])('%s, it is valid', (_, signature) => {
    expect(verifies(signature)).toBe(true);
  });

  test.each([
    ['of no bytes', ''],
    ['of the tag alone', '30'],
    ['without integers', '3000'],
    ['without s', `30${size(r)}${r}`],
    ['of another tag', `31${size(r + s)}${r}${s}`],
    ['with another tag of r', `30${size(r + s)}03${r.slice(2)}${s}`],
    ['with another tag of s', `30${size(r + s)}${r}03${s.slice(2)}`],
    ['whose r has no length', '300102'],
    ['whose s has no length', `30${size(r, 1)}${r}02`],
    ['whose total length runs past it', '30ff0201010201'],
    ['whose length of r runs past it', `30${size(r)}0284000000`],
    ['whose length of r takes four bytes', `30${size(r + s)}${integer(`00${R}`, '8401000021')}${s}`],
    ['whose r runs past it', `30${size(r + s)}${integer(`00${R}`, '7f')}${s}`],
    ['whose s ends a byte early', `30${size(r + s)}${r}${s.slice(0, -2)}`],
    ['of r above the order', `30${size(r + s)}${integer(`00${hex(N)}`)}${s}`],
    ['of s above the order', `30${size(r + s)}${r}${integer(`00${hex(N)}`)}`],
    ['of r of 33 bytes', `30${size(r + s)}${integer(`01${R}`)}${s}`],
    ['of s of 33 bytes', `30${size(r + s)}${r}${integer(`01${S}`)}`],
    ['of r of no bytes', `30${size(s, 2)}0200${s}`],
    ['of r of zeros', `30${size(s, 4)}02020000${s}`],
  ])('%s, it is invalid', (_, signature) => {
    expect(verifies(parseHex(signature))).toBe(false);
  });

  test('with a hybrid key only if its mark is the parity of y', () => {
    const signature = der({ r, s });
    const mark = 6 + ((LONG[64] ?? 0) & 1);
    const marked = (first: number): Uint8Array => Uint8Array.of(first, ...LONG.slice(1));
    expect([4, mark, mark ^ 1, 5].map((first) => verifies(signature, marked(first)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(verifies(signature, new Uint8Array(0))).toBe(false);
    expect(verifies(signature, nobleEcc.publicKey(DIGEST))).toBe(false);
  });
});

/** @see BIP146 "LOW_S" */
describe('s is high', () => {
  const one = integer('01');
  const half = N / 2n;
  test.each([
    ['above half the order', one, integer(hex(half + 1n)), true],
    ['at the highest number', one, integer(`00${hex(N - 1n)}`), true],
    ['not at half the order', one, integer(hex(half)), false],
    ['not at the order, which is in neither half', one, integer(`00${hex(N)}`), false],
    ['not next to an r that is not below the order', integer(`00${hex(N)}`), integer(hex(half + 1n)), false],
    ['not without s', one, '', false],
  ])('%s', (_, first, second, isHigh) => {
    expect(hasHighS(der({ r: first, s: second }))).toBe(isHigh);
  });
});
