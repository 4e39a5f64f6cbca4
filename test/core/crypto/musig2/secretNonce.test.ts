import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bytesToNumber, hasOddY, mod, scalarBytes } from '../../../../src/core/crypto/musig2/arithmetic.ts';
import { keyAggCoeff, participantSign } from '../../../../src/core/crypto/musig2/keyAggregation.ts';
import { secretNonceForVectors } from '../../../../src/core/crypto/musig2/secretNonce.ts';
import type { ErrorCode } from '../../../../src/core/errors.ts';
import {
  aggregateKeys,
  aggregateNonces,
  formatHex,
  generateNonce,
  type Musig2Session,
  musig2Session,
  nobleEcc,
  partialSign,
  type SecretNonce,
} from '../../../support/library.ts';
import { concat, filled, NOTHING, ORDER, one, PAIR, prepare, ZERO } from '../../../support/musig2.ts';
import { expectRefusal } from '../../../support/refusal.ts';

describe('a secret nonce', () => {
  const { participants, session } = prepare(PAIR);
  const { secretKey, publicKey, publicNonce } = one(participants, 0);
  /** Creates a nonce whose scalars are known, so that texts can be searched for them. */
  const known = (): SecretNonce => secretNonceForVectors(concat(filled(0xab, 64), publicKey), publicNonce);

  test('does not show its scalars', () => {
    const nonce = known();
    const texts = [
      JSON.stringify({ nonce }),
      String(nonce),
      inspect(nonce, { showHidden: true, depth: 9, getters: true }),
      inspect({ nonce }, { customInspect: false }),
      JSON.stringify(Object.getOwnPropertyDescriptors(nonce)),
    ];
    for (const text of texts) expect(text).not.toMatch(/ab, ?ab|abab|171/i);
    expect(Reflect.ownKeys(nonce)).toEqual([]);
    expect(Reflect.ownKeys(Object.getPrototypeOf(nonce) as object)).toEqual(['constructor']);
    expect(Reflect.ownKeys(nonce.constructor).sort()).toEqual(['length', 'name', 'prototype']);
  });

  test('cannot be copied', () => {
    const nonce = generateNonce({ rand: filled(3), publicKey }).secretNonce;
    const prototype = Object.getPrototypeOf(nonce) as object;
    const copies = [
      structuredClone(nonce),
      { ...nonce },
      Object.assign(Object.create(prototype) as object, nonce),
      Object.create(nonce) as object,
      Reflect.construct(nonce.constructor as new () => object, []),
      new Proxy(nonce, {}),
    ];
    for (const copy of copies) {
      expectRefusal(() => partialSign(copy as SecretNonce, secretKey, session), 'musig2/nonce-used', {});
    }
    expect(partialSign(nonce, secretKey, session)).toHaveLength(32);
  });

  test('cannot be used again after a signature or a failed attempt', () => {
    const stranger = aggregateKeys([nobleEcc.publicKey(filled(8)), nobleEcc.publicKey(filled(9))]);
    const elsewhere = musig2Session({
      aggregateNonce: publicNonce,
      aggregate: stranger,
      message: filled(5),
    });
    const attempts: readonly [ErrorCode, Uint8Array, Musig2Session][] = [
      ['ecc/secret-key', ZERO, session],
      ['ecc/secret-key', ORDER, session],
      ['ecc/secret-key', NOTHING, session],
      ['musig2/nonce-key', filled(2), session],
      ['musig2/not-participant', secretKey, elsewhere],
    ];
    for (const [code, key, within] of attempts) {
      const { secretNonce } = generateNonce({ rand: filled(7), publicKey });
      expectRefusal(() => partialSign(secretNonce, key, within), code, {});
      expectRefusal(() => partialSign(secretNonce, secretKey, session), 'musig2/nonce-used', {});
    }
  });

  test('reveals the key by three signatures, and fits any key by two', () => {
    const [own, other] = PAIR.secretKeys.map((key) => nobleEcc.publicKey(key));
    if (!own || !other) throw new Error('there are two participants');
    const aggregate = aggregateKeys([own, other]);
    const rand = filled(3);
    const given = { rand, publicKey: own, secretKey };
    // The other participant starts anew each time, so that R and e are others; the kept nonce stays.
    const rows = [10, 11, 12].map((byte) => {
      const { secretNonce, publicNonce: kept } = generateNonce(given);
      const fresh = generateNonce({ rand: filled(byte), publicKey: other }).publicNonce;
      const reused = musig2Session({ aggregateNonce: aggregateNonces([kept, fresh]), aggregate, message: filled(5) });
      const sign = hasOddY(reused.finalNonce) ? -1n : 1n;
      const factor = bytesToNumber(reused.challenge) * keyAggCoeff(aggregate)(own) * participantSign(aggregate);
      const signature = bytesToNumber(partialSign(secretNonce, secretKey, reused));
      return [sign, sign * bytesToNumber(reused.nonceCoefficient), factor, signature].map(mod);
    });
    expect(formatHex(scalarBytes(solve(rows)[2] ?? 0n))).toBe(formatHex(secretKey));
    for (const key of [1n, 2n, 7n]) {
      const [k1, k2] = solve([...rows.slice(0, 2), [0n, 0n, 1n, key]]);
      expect([k1, k2].every((scalar) => scalar !== undefined && scalar > 0n)).toBe(true);
    }
  });

  test('of scalars out of range counts as used', () => {
    const good = filled(0xab);
    for (const scalars of [concat(ZERO, good), concat(good, ZERO), concat(ORDER, good), concat(good, ORDER)]) {
      const nonce = secretNonceForVectors(concat(scalars, publicKey), publicNonce);
      expectRefusal(() => partialSign(nonce, secretKey, session), 'musig2/nonce-used', {});
    }
  });

  test('refuses to sign if it does not match its public nonce', () => {
    expectRefusal(() => partialSign(known(), secretKey, session), 'ecc/fault', {});
  });

  test('changes with each of its inputs', () => {
    const all = { rand: filled(3), publicKey, secretKey, aggregateKey: filled(6), message: NOTHING, extraInput: ZERO };
    const { message: _, ...unknown } = all;
    const variants = [
      all,
      unknown,
      { ...all, rand: filled(4) },
      { ...all, publicKey: nobleEcc.publicKey(filled(2)) },
      { ...all, secretKey: filled(2) },
      { ...all, aggregateKey: filled(7) },
      { ...all, message: ZERO },
      { ...all, extraInput: NOTHING },
    ];
    const nonces = variants.map((given) => generateNonce(given).publicNonce);
    const halves = nonces.flatMap((nonce) => [formatHex(nonce.slice(0, 33)), formatHex(nonce.slice(33))]);
    expect(new Set(halves).size).toBe(2 * variants.length);
  });
});

/** Solves linear equations modulo the order: a row has the coefficients and, last, the sum. */
function solve(equations: readonly (readonly bigint[])[]): readonly bigint[] {
  const rows = equations.map((row) => [...row]);
  for (let at = 0; at < rows.length; at += 1) {
    const found = rows.findIndex((row, i) => i >= at && row[at] !== 0n);
    const [pivot = []] = rows.splice(found, 1);
    if (found < 0) throw new Error('the equations depend on each other');
    const scaled = pivot.map((value) => mod(value * inverse(pivot[at] ?? 0n)));
    for (const row of rows) {
      const times = row[at] ?? 0n;
      for (const [i, value] of scaled.entries()) row[i] = mod((row[i] ?? 0n) - times * value);
    }
    rows.splice(at, 0, scaled);
  }
  return rows.map((row) => row.at(-1) ?? 0n);
}

/** By Fermat's little theorem. */
function inverse(value: bigint): bigint {
  const exponent = bytesToNumber(ORDER) - 2n;
  return [...exponent.toString(2)].reduce((sum, bit) => mod(sum * sum * (bit === '1' ? value : 1n)), 1n);
}
