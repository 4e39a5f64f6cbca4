import { constants, createHash, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isUsableRsaKey, type RsaPublicKey, verifyRsa } from '../../../src/core/crypto/rsa.ts';

const member = (key: KeyObject, name: 'n' | 'e'): Uint8Array =>
  new Uint8Array(Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url'));
const keyOf = (key: KeyObject): RsaPublicKey => ({ modulus: member(key, 'n'), exponent: member(key, 'e') });
const digestOf = (hash: string, message: string): Uint8Array =>
  new Uint8Array(createHash(hash).update(message).digest());

const PAIRS = [
  [1024, 65_537],
  [1032, 65_537],
  [2048, 3],
  [2048, 4_294_967_295],
  [4096, 65_537],
].map(([bits = 0, exponent = 0]) => ({
  name: `${bits} bits, e = ${exponent}`,
  ...generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent }),
}));

describe.each(PAIRS)('a key of $name', ({ publicKey, privateKey }) => {
  const key = keyOf(publicKey);

  test.each(['sha256', 'sha512'] as const)('verifies a signature with %s, and no other', (hash) => {
    const signature = new Uint8Array(sign(hash, Buffer.from('text'), privateKey));
    expect(verifyRsa(signature, digestOf(hash, 'text'), { key, hash })).toBe(true);
    expect(verifyRsa(signature, digestOf(hash, 'other'), { key, hash })).toBe(false);
    expect(verifyRsa(signature, digestOf(hash, 'text'), { key, hash: hash === 'sha256' ? 'sha512' : 'sha256' })).toBe(
      false,
    );
    expect(verifyRsa(signature.slice(1), digestOf(hash, 'text'), { key, hash })).toBe(false);
    expect(verifyRsa(Uint8Array.of(0, ...signature), digestOf(hash, 'text'), { key, hash })).toBe(false);
    for (const at of [0, 1, signature.length - 1]) {
      const other = signature.slice();
      other[at] = (other[at] ?? 0) ^ 1;
      expect(verifyRsa(other, digestOf(hash, 'text'), { key, hash })).toBe(false);
    }
  });

  test('refuses what is padded otherwise than PKCS #1 says', () => {
    const { length } = key.modulus;
    const name = Buffer.from('3031300d060960864801650304020105000420', 'hex');
    const digest = digestOf('sha256', 'text');
    const encrypt = (block: Uint8Array): Uint8Array =>
      new Uint8Array(privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block));
    const block = (padding: number, fill: number, end: Buffer): Buffer =>
      Buffer.concat([
        Buffer.from([0, 1]),
        Buffer.alloc(padding, fill),
        Buffer.from([0]),
        end,
        Buffer.alloc(length - padding - 3 - end.length),
      ]);
    const whole = Buffer.concat([name, digest]);
    const right = block(length - 3 - whole.length, 0xff, whole);
    expect(verifyRsa(encrypt(right), digest, { key, hash: 'sha256' })).toBe(true);
    // What follows the digest is free for whoever forges with a small exponent.
    expect(verifyRsa(encrypt(block(8, 0xff, whole)), digest, { key, hash: 'sha256' })).toBe(false);
    expect(verifyRsa(encrypt(block(length - 3 - whole.length, 0x00, whole)), digest, { key, hash: 'sha256' })).toBe(
      false,
    );
    expect(verifyRsa(encrypt(block(length - 3 - 32, 0xff, Buffer.from(digest))), digest, { key, hash: 'sha256' })).toBe(
      false,
    );
  });

  test('refuses a number that is not below the modulus', () => {
    const signature = sign('sha256', Buffer.from('text'), privateKey);
    const sum = BigInt(`0x${signature.toString('hex')}`) + BigInt(`0x${Buffer.from(key.modulus).toString('hex')}`);
    const hex = sum.toString(16).padStart(2 * key.modulus.length, '0');
    const same = new Uint8Array(Buffer.from(hex, 'hex'));
    expect(verifyRsa(same, digestOf('sha256', 'text'), { key, hash: 'sha256' })).toBe(false);
  });
});

describe('a key is not usable', () => {
  const modulus = Uint8Array.of(0x80, ...new Uint8Array(127).fill(1));
  const exponent = Uint8Array.of(1, 0, 1);

  test.each<[string, RsaPublicKey]>([
    ['of 1,023 bits', { modulus: Uint8Array.of(0x7f, ...modulus.slice(1)), exponent }],
    ['of 1,016 bits', { modulus: modulus.slice(1), exponent }],
    ['of 4,097 bits', { modulus: Uint8Array.of(1, ...new Uint8Array(512).fill(1)), exponent }],
    ['with a zero before its modulus', { modulus: Uint8Array.of(0, 0x80, ...modulus), exponent }],
    ['with an exponent of 1', { modulus, exponent: Uint8Array.of(1) }],
    ['with an even exponent', { modulus, exponent: Uint8Array.of(1, 0, 0) }],
    ['with an exponent of 33 bits', { modulus, exponent: Uint8Array.of(1, 0, 0, 0, 1) }],
    ['with a zero before its exponent', { modulus, exponent: Uint8Array.of(0, 3) }],
    ['without an exponent', { modulus, exponent: new Uint8Array(0) }],
    ['of nothing', { modulus: new Uint8Array(0), exponent }],
  ])('%s', (_, key) => {
    expect(isUsableRsaKey(key)).toBe(false);
    expect(verifyRsa(new Uint8Array(key.modulus.length), new Uint8Array(32), { key, hash: 'sha256' })).toBe(false);
  });

  test('but the least is', () => {
    expect(isUsableRsaKey({ modulus, exponent: Uint8Array.of(3) })).toBe(true);
  });
});
