import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { secretNonceForVectors } from '../../../../src/core/crypto/musig2/secretNonce.ts';
import type { ErrorCode } from '../../../../src/core/errors.ts';
import {
  aggregateKeys,
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
