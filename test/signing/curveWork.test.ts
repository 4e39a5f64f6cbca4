import { describe, expect, test } from 'vitest';
import {
  type CurveOperation,
  type CurveResult,
  computeOperations,
  preparedEcc,
  rehearsalEcc,
} from '../../src/signing/curveWork.ts';
import { type Ecc, nobleEcc, parseHex, sha256, signLowR } from '../support/library.ts';
import { SECRETS } from '../support/spends.ts';

const NOTHING = parseHex('');
const [secretKey = NOTHING] = SECRETS;
const publicKey = nobleEcc.publicKey(secretKey);
const xOnly = publicKey.slice(1);
const digest = sha256(Uint8Array.of(1));
const auxRand = new Uint8Array(32).fill(5);
const ecdsaSignature = signLowR(nobleEcc, digest, secretKey);
const schnorrSignature = nobleEcc.signSchnorr(digest, secretKey, auxRand);
const PLACEHOLDER = parseHex(`${'00'.repeat(31)}01`.repeat(2));

const OPERATIONS: readonly CurveOperation[] = [
  { kind: 'sign-ecdsa', digest, secretKey, publicKey, auxRand: NOTHING },
  { kind: 'sign-schnorr', digest, secretKey, publicKey: xOnly, auxRand },
  { kind: 'verify-ecdsa', signature: ecdsaSignature, digest, publicKey },
  { kind: 'verify-schnorr', signature: schnorrSignature, digest, publicKey: xOnly },
];

/** Makes and verifies signatures, as a call does. */
function work(ecc: Ecc): readonly (Uint8Array | boolean)[] {
  const ecdsa = signLowR(ecc, digest, secretKey);
  const isOwnEcdsa = ecc.isOwnEcdsa(ecdsa, digest, { secretKey, publicKey });
  const schnorr = ecc.signSchnorr(digest, secretKey, auxRand);
  const isOwnSchnorr = ecc.isOwnSchnorr(schnorr, digest, { secretKey, publicKey: xOnly });
  const verified = [ecc.verifyEcdsa(ecdsa, digest, publicKey), ecc.verifySchnorr(schnorr, digest, xOnly)];
  return [ecdsa, isOwnEcdsa, schnorr, isOwnSchnorr, ...verified];
}

describe('a rehearsal', () => {
  test('signs with a placeholder, takes all for valid, and lists what is to be signed', () => {
    const { ecc, operations } = rehearsalEcc(nobleEcc);
    expect(operations).toEqual([]);
    expect(work(ecc)).toEqual([PLACEHOLDER, true, PLACEHOLDER, true, true, true]);
    expect(operations).toEqual(OPERATIONS.slice(0, 2));
    expect(ecc.publicKey(secretKey)).toEqual(publicKey);
    expect(ecc).not.toHaveProperty('ecdsaKeys');
  });

  test('lists the signatures that are to be verified', () => {
    const { ecc, operations } = rehearsalEcc(nobleEcc);
    const wrong = ecdsaSignature.map((byte) => byte ^ 1);
    expect(ecc.verifyEcdsa(ecdsaSignature, digest, publicKey)).toBe(true);
    expect(ecc.verifySchnorr(schnorrSignature, digest, xOnly)).toBe(true);
    expect(ecc.verifyEcdsa(wrong, digest, publicKey)).toBe(true);
    expect(operations).toEqual([...OPERATIONS.slice(2), { kind: 'verify-ecdsa', signature: wrong, digest, publicKey }]);
  });

  test('copies parts of arrays, so that no more is sent to another thread', () => {
    const { ecc, operations } = rehearsalEcc(nobleEcc);
    ecc.verifyEcdsa(new Uint8Array(1000).subarray(0, 64), digest, publicKey);
    const [operation] = operations;
    expect(operation?.kind === 'verify-ecdsa' && operation.signature.buffer.byteLength).toBe(64);
  });
});

test('operations are computed as the call would', () => {
  const results = computeOperations(OPERATIONS, nobleEcc);
  const tries = results.filter(({ name }) => name === 'signEcdsa');
  expect(tries.at(-1)?.result).toEqual(ecdsaSignature);
  expect(results.filter(({ name }) => name !== 'signEcdsa')).toEqual([
    { name: 'isOwnEcdsa', given: [ecdsaSignature, digest, secretKey, publicKey], result: true },
    { name: 'signSchnorr', given: [digest, secretKey, auxRand], result: schnorrSignature },
    { name: 'isOwnSchnorr', given: [schnorrSignature, digest, secretKey, xOnly], result: true },
    { name: 'verifyEcdsa', given: [ecdsaSignature, digest, publicKey], result: true },
    { name: 'verifySchnorr', given: [schnorrSignature, digest, xOnly], result: true },
  ]);
});

describe('a prepared backend', () => {
  /** Returns a backend, and the names of the functions that it had to compute. */
  function counting(): { readonly ecc: Ecc; readonly computed: string[] } {
    const computed: string[] = [];
    const count =
      <A extends readonly unknown[], R>(name: string, run: (...given: A) => R) =>
      (...given: A): R => {
        computed.push(name);
        return run(...given);
      };
    const ecc = {
      ...nobleEcc,
      signEcdsa: count('signEcdsa', nobleEcc.signEcdsa),
      signSchnorr: count('signSchnorr', nobleEcc.signSchnorr),
      verifyEcdsa: count('verifyEcdsa', nobleEcc.verifyEcdsa),
      verifySchnorr: count('verifySchnorr', nobleEcc.verifySchnorr),
      isOwnEcdsa: count('isOwnEcdsa', nobleEcc.isOwnEcdsa),
      isOwnSchnorr: count('isOwnSchnorr', nobleEcc.isOwnSchnorr),
    };
    return { ecc, computed };
  }
  const results = computeOperations(OPERATIONS, nobleEcc);
  const expected = work(nobleEcc);

  test('computes nothing that is known, in whatever order it is known', () => {
    for (const known of [results, [...results].reverse()]) {
      const { ecc, computed } = counting();
      const prepared = preparedEcc(ecc);
      expect(prepared.withResults(known, () => [work(prepared.ecc), work(prepared.ecc)])).toEqual([expected, expected]);
      expect(computed).toEqual([]);
    }
  });

  test('computes what is not known: other arguments, fewer or more of them, or another function', () => {
    const { ecc, computed } = counting();
    const prepared = preparedEcc(ecc);
    const other = sha256(digest);
    prepared.withResults(results, () => {
      expect(prepared.ecc.verifyEcdsa(ecdsaSignature, other, publicKey)).toBe(false);
      expect(prepared.ecc.verifySchnorr(ecdsaSignature, digest, xOnly)).toBe(false);
      prepared.ecc.signSchnorr(digest, secretKey, new Uint8Array(32));
      prepared.ecc.signEcdsa(digest, secretKey, auxRand);
    });
    expect(computed).toEqual(['verifyEcdsa', 'verifySchnorr', 'signSchnorr', 'signEcdsa']);
  });

  test('tells an argument that is left out from one that is given', () => {
    const { ecc, computed } = counting();
    const prepared = preparedEcc(ecc);
    const known: CurveResult[] = [{ name: 'signEcdsa', given: [digest, secretKey, undefined], result: PLACEHOLDER }];
    prepared.withResults(known, () => {
      expect(prepared.ecc.signEcdsa(digest, secretKey, undefined)).toBe(PLACEHOLDER);
      expect(prepared.ecc.signEcdsa(digest, secretKey, auxRand)).not.toBe(PLACEHOLDER);
      expect(prepared.ecc.signEcdsa(digest, secretKey)).not.toBe(PLACEHOLDER);
    });
    expect(computed).toEqual(['signEcdsa', 'signEcdsa']);
  });

  test('forgets the results after the work, even if it fails', () => {
    const { ecc, computed } = counting();
    const prepared = preparedEcc(ecc);
    expect(work(prepared.ecc)).toEqual(expected);
    const before = computed.length;
    const failing = (): never => {
      throw new Error('no');
    };
    expect(() => prepared.withResults(results, failing)).toThrow('no');
    expect(work(prepared.ecc)).toEqual(expected);
    expect(computed).toHaveLength(2 * before);
  });
});
