import { describe, expect, test } from 'vitest';
import { consensusVerifier, encodeDer } from '../../src/core/crypto/ecdsa.ts';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import {
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  encodeTransaction,
  formatHex,
  formatTxid,
  nobleEcc,
  parseHex,
  txid,
} from '../support/library.ts';
import { payment } from '../support/psbts.ts';

/** Calls a function with plain arrays and with Buffers. Both give the same, and the Buffers stay as they are. */
function takesBuffers<R>(call: (...bytes: readonly Uint8Array[]) => R, ...given: readonly Uint8Array[]): R {
  const whole = Buffer.concat([Buffer.from('before'), ...given, Buffer.from('after')]);
  const before = whole.toString('hex');
  let offset = 'before'.length;
  const buffers = given.map(({ length }) => {
    offset += length;
    return whole.subarray(offset - length, offset);
  });
  const wanted = call(...given.map((bytes) => new Uint8Array(bytes)));
  expect(call(...buffers)).toEqual(wanted);
  expect(whole.toString('hex')).toBe(before);
  return wanted;
}

const bytes = (size: number, first: number): Uint8Array => new Uint8Array(size).map((_, i) => first + i);

describe('Buffers, whose slices share their bytes, do for byte arrays', () => {
  test('in texts', () => {
    takesBuffers((id) => formatTxid(id as never), bytes(32, 1));
    takesBuffers(formatHex, bytes(40, 1));
  });

  test('in PSBTs and transactions, which do not share the bytes that they were decoded from', () => {
    const psbt = encodePsbt(payment(['multi', 'wpkh', 'tr']));
    takesBuffers((given) => encodePsbt(decodePsbtBytes(given)), psbt);
    const given = Buffer.from(psbt);
    const decoded = decodePsbtBytes(given);
    given.fill(0);
    expect(encodePsbt(decoded)).toEqual(psbt);
    const raw = parseHex(`0200000001${'11'.repeat(32)}000000000151ffffffff0110000000000000000151${'00000000'}`);
    takesBuffers((tx) => [encodeTransaction(decodeTransaction(tx)), txid(decodeTransaction(tx))], raw);
  });

  describe.each([
    ['noble', nobleEcc],
    ['tiny-secp256k1', tinySecp256k1Ecc],
    ['secp256k1', nativeSecp256k1Ecc],
  ])('in the arithmetic of %s', (_, ecc) => {
    // Some of these keys have points with an odd y, which taproot negates.
    test.each([1, 2, 3, 4, 5, 6])('with secret key %d', (first) => {
      const [digest, auxRand, tweak, secret] = [bytes(32, 9), bytes(32, 5), bytes(32, 40), bytes(32, first)];
      const publicKey = takesBuffers((key) => ecc.publicKey(key), secret);
      const long = takesBuffers((key) => ecc.publicKey(key, false), secret);
      const x = publicKey.slice(1);
      const ecdsa = takesBuffers(ecc.signEcdsa, digest, secret, auxRand);
      const schnorr = takesBuffers(ecc.signSchnorr, digest, secret, auxRand);
      for (const key of [publicKey, long]) expect(takesBuffers(ecc.verifyEcdsa, ecdsa, digest, key)).toBe(true);
      expect(takesBuffers(ecc.verifySchnorr, schnorr, digest, x)).toBe(true);
      takesBuffers(ecc.tweakPublicKey, x, tweak);
      takesBuffers(ecc.tweakSecretKey, secret, tweak);
      const own = (signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array, key: Uint8Array): boolean =>
        ecc.isOwnEcdsa(signature, message, { secretKey, publicKey: key });
      expect(takesBuffers(own as never, ecdsa, digest, secret, publicKey)).toBe(true);
      const hybrid = Uint8Array.from(long, (byte, i) => (i === 0 ? 6 + ((long[64] ?? 0) & 1) : byte));
      const consensus = (key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean =>
        consensusVerifier(ecc)(signature, message, key);
      expect(takesBuffers(consensus as never, hybrid, encodeDer(ecdsa), digest)).toBe(true);
    });
  });
});
