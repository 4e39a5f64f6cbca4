import * as scure from '@scure/btc-signer/musig2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nonceFromSeed } from '../../../../src/core/crypto/musig2/nonces.ts';
import { bytes } from '../../../support/arbitraries.ts';
import { campaign } from '../../../support/campaign.ts';
import {
  aggregateKeys,
  aggregateNonces,
  aggregatePartialSignatures,
  deterministicSign,
  formatHex,
  generateNonce,
  musig2Session,
  nobleEcc,
  parseHex,
  partialSign,
  sha256,
  sortPublicKeys,
  tweakAggregateKey,
  verifyPartialSignature,
} from '../../../support/library.ts';
import { concat, filled, NOTHING, ORDER, one, PAIR, prepare, ZERO } from '../../../support/musig2.ts';
import { expectRefusal } from '../../../support/refusal.ts';

const numberOf = (given: Uint8Array): bigint => BigInt(`0x${formatHex(given)}`);
const tagged = (tag: string, message: Uint8Array): Uint8Array => {
  const hash = sha256(new TextEncoder().encode(tag));
  return sha256(concat(hash, hash, message));
};

const scalar = bytes(32).filter((key) => nobleEcc.isSecretKey(key));
const signing = fc.record({
  secretKeys: fc.array(scalar, { minLength: 2, maxLength: 5 }),
  /** Gives two signers the same key. */
  hasTwin: fc.boolean(),
  rands: fc.array(scalar, { minLength: 5, maxLength: 5 }),
  tweaks: fc.array(fc.record({ tweak: fc.oneof(scalar, fc.constant(ZERO)), isXOnly: fc.boolean() }), { maxLength: 3 }),
  message: bytes(32),
  extraInput: fc.option(bytes(0, 40), { nil: undefined }),
});

const flip = (given: Uint8Array, bit: number): Uint8Array =>
  given.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('MuSig2', () => {
  test('makes valid signatures, equal to those of @scure/btc-signer', () => {
    fc.assert(
      fc.property(signing, fc.nat(255), ({ secretKeys: different, hasTwin, ...given }, bit) => {
        const secretKeys = hasTwin ? [...different.slice(1), one(different, 1)] : different;
        const { aggregate, participants, session, message } = prepare({ secretKeys, ...given });
        const publicKeys = participants.map(({ publicKey }) => publicKey);
        const publicNonces = participants.map(({ publicNonce }) => publicNonce);
        const theirs = new scure.Session(
          scure.nonceAggregate([...publicNonces]),
          [...publicKeys],
          message,
          given.tweaks.map(({ tweak }) => tweak),
          given.tweaks.map(({ isXOnly }) => isXOnly),
        );
        const partialSignatures = participants.map(({ secretNonce, secretKey, publicKey, publicNonce }, i) => {
          const partialSignature = partialSign(secretNonce, secretKey, session);
          const checked = { partialSignature, publicNonce, publicKey, session };
          expect(verifyPartialSignature(checked)).toBe(true);
          const flipped = flip(partialSignature, bit);
          expect(verifyPartialSignature({ ...checked, partialSignature: flipped })).toBe(false);
          const nonce = scure.nonceGen(
            publicKey,
            secretKey,
            aggregate.publicKey.slice(1),
            message,
            given.extraInput ?? NOTHING,
            one(given.rands, i),
          );
          expect(publicNonce).toEqual(nonce.public);
          expect(partialSignature).toEqual(theirs.sign(nonce.secret, secretKey, true));
          expectRefusal(() => partialSign(secretNonce, secretKey, session), 'musig2/nonce-used', {});
          return partialSignature;
        });
        const signature = aggregatePartialSignatures(partialSignatures, session);
        expect(nobleEcc.verifySchnorr(signature, message, aggregate.publicKey.slice(1))).toBe(true);
        const flipped = partialSignatures.map((signature, i) => (i === 0 ? flip(signature, bit) : signature));
        const spoilt = (): Uint8Array => aggregatePartialSignatures(flipped, session);
        if (nobleEcc.isSecretKey(one(flipped, 0))) {
          expect(nobleEcc.verifySchnorr(spoilt(), message, aggregate.publicKey.slice(1))).toBe(false);
        } else expectRefusal(spoilt, 'musig2/partial-signature', { participant: 0 });
      }),
      campaign(25),
    );
  });

  test('lets the last signer sign without randomness', () => {
    fc.assert(
      fc.property(signing, fc.boolean(), ({ secretKeys, rands, tweaks, message }, isRandom) => {
        const { aggregate, participants } = prepare({ secretKeys, rands, tweaks, message });
        const last = one(participants, participants.length - 1);
        const others = participants.slice(0, -1);
        const aggregateOtherNonce = aggregateNonces(others.map(({ publicNonce }) => publicNonce));
        const { secretKey } = last;
        const rand = one(rands, 4);
        const given = { secretKey, aggregateOtherNonce, aggregate, message, ...(isRandom && { rand }) };
        const { publicNonce, partialSignature } = deterministicSign(given);
        const theirs = scure.deterministicSign(
          secretKey,
          aggregateOtherNonce,
          participants.map((participant) => participant.publicKey),
          message,
          tweaks.map(({ tweak }) => tweak),
          tweaks.map(({ isXOnly }) => isXOnly),
          isRandom ? rand : undefined,
          true,
        );
        expect([publicNonce, partialSignature]).toEqual([theirs.publicNonce, theirs.partialSig]);
        const aggregateNonce = aggregateNonces([aggregateOtherNonce, publicNonce]);
        const session = musig2Session({ aggregateNonce, aggregate, message });
        const { publicKey } = last;
        expect(verifyPartialSignature({ partialSignature, publicNonce, publicKey, session })).toBe(true);
        const signatures = others.map((other) => partialSign(other.secretNonce, other.secretKey, session));
        const signature = aggregatePartialSignatures([...signatures, partialSignature], session);
        expect(nobleEcc.verifySchnorr(signature, message, aggregate.publicKey.slice(1))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  test('aggregates sorted keys to the same key, in whatever order they came', () => {
    const key = scalar.map((secretKey) => nobleEcc.publicKey(secretKey));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), (keys) => {
        const sorted = sortPublicKeys(keys);
        expect(aggregateKeys(sortPublicKeys([...keys].reverse()))).toEqual(aggregateKeys(sorted));
        expect(sorted).toEqual(scure.sortKeys(keys.map((given) => given.slice())));
      }),
      { numRuns: 10 },
    );
  });

  test.each([31, 32, 33, 100])('adds up %i keys as @scure/btc-signer does, some of them the same', (count) => {
    const keys = Array.from({ length: count }, (_, i) => nobleEcc.publicKey(filled(1 + (i % 90))));
    const theirs = scure.keyAggExport(scure.keyAggregate(keys));
    expect(aggregateKeys(keys).publicKey.slice(1)).toEqual(theirs);
  });

  test('returns an aggregate key that does not alias the given keys', () => {
    const given = [filled(1), filled(2)].map((secretKey) => nobleEcc.publicKey(secretKey));
    const aggregate = aggregateKeys(given);
    const before = structuredClone(aggregate);
    for (const key of given) key.fill(0);
    expect(aggregate).toEqual(before);
  });
});

describe('MuSig2 refuses', () => {
  const { participants, session, aggregate } = prepare(PAIR);
  const { secretKey, publicKey, publicNonce } = one(participants, 0);
  const given = { rand: filled(3), publicKey };

  test('to generate nonces from invalid inputs', () => {
    expectRefusal(() => generateNonce({ ...given, rand: ZERO }), 'musig2/rand', {});
    expectRefusal(() => generateNonce({ ...given, rand: filled(1, 31) }), 'ecc/size', {
      what: 'rand',
      size: 31,
      expected: 32,
    });
    expectRefusal(() => generateNonce({ ...given, publicKey: publicKey.slice(1) }), 'ecc/size', {
      what: 'publicKey',
      size: 32,
      expected: 33,
    });
    expectRefusal(() => generateNonce({ ...given, aggregateKey: publicKey }), 'ecc/size', {
      what: 'aggregateKey',
      size: 33,
      expected: 32,
    });
    expectRefusal(() => generateNonce({ ...given, aggregateKey: NOTHING }), 'ecc/size', {
      what: 'aggregateKey',
      size: 0,
      expected: 32,
    });
    expectRefusal(() => generateNonce({ ...given, secretKey: ORDER }), 'ecc/secret-key', {});
    for (const scalar of [ZERO, ORDER]) {
      expectRefusal(() => nonceFromSeed(() => scalar, filled(1), publicKey), 'ecc/fault', {});
    }
  });

  test('lists that are empty, too short or too long', () => {
    expectRefusal(() => aggregateKeys([]), 'musig2/count', { what: 'public keys', expected: 'at least 1', found: 0 });
    expectRefusal(() => aggregateNonces([]), 'musig2/count', {
      what: 'public nonces',
      expected: 'at least 1',
      found: 0,
    });
    for (const found of [0, 1, 3]) {
      const data = { what: 'partial signatures', expected: '2', found };
      const signatures = Array.from({ length: found }, () => filled(1));
      expectRefusal(() => aggregatePartialSignatures(signatures, session), 'musig2/count', data);
    }
  });

  test('invalid contributions, naming the participant', () => {
    const uncompressed = nobleEcc.publicKey(secretKey, false);
    for (const key of [uncompressed, publicKey.slice(1), NOTHING, concat(Uint8Array.of(4), publicKey.slice(1))]) {
      expectRefusal(() => aggregateKeys([publicKey, key, NOTHING]), 'musig2/public-key', { participant: 1 });
    }
    const long = concat(publicNonce, Uint8Array.of(0));
    const infinite = concat(new Uint8Array(33), publicNonce.slice(33));
    for (const nonce of [long, infinite, publicNonce.slice(0, 65), NOTHING]) {
      expectRefusal(() => aggregateNonces([publicNonce, nonce]), 'musig2/public-nonce', { participant: 1 });
    }
    // The BIP checks all first halves before the second ones.
    const badSecond = concat(publicNonce.slice(0, 33), new Uint8Array(33));
    expectRefusal(() => aggregateNonces([badSecond, infinite]), 'musig2/public-nonce', { participant: 1 });
    for (const signature of [ORDER, NOTHING, filled(1, 33)]) {
      const run = (): Uint8Array => aggregatePartialSignatures([filled(1), signature], session);
      expectRefusal(run, 'musig2/partial-signature', { participant: 1 });
    }
    for (const aggregateNonce of [NOTHING, long]) {
      const run = (): unknown => musig2Session({ aggregateNonce, aggregate, message: ZERO });
      expectRefusal(run, 'musig2/aggregate-nonce', { of: 'all' });
      const alone = (): unknown =>
        deterministicSign({ secretKey, aggregateOtherNonce: aggregateNonce, aggregate, message: ZERO });
      expectRefusal(alone, 'musig2/aggregate-nonce', { of: 'others' });
    }
  });

  test('invalid tweaks', () => {
    const alone = aggregateKeys([publicKey]);
    expectRefusal(() => tweakAggregateKey(alone, ORDER, 'plain'), 'musig2/tweak', {});
    // The secret key of an aggregate key with a single participant; tweaking by its negative gives infinity.
    const coefficient = tagged('KeyAgg coefficient', concat(tagged('KeyAgg list', publicKey), publicKey));
    const key = (numberOf(coefficient) * numberOf(secretKey)) % numberOf(ORDER);
    const opposite = parseHex((numberOf(ORDER) - key).toString(16).padStart(64, '0'));
    expectRefusal(() => tweakAggregateKey(alone, opposite, 'plain'), 'musig2/infinity', {});
    const size = { what: 'tweak', size: 31, expected: 32 };
    expectRefusal(() => tweakAggregateKey(alone, filled(1, 31), 'x-only'), 'ecc/size', size);
  });

  test('to sign deterministically with an invalid key or randomness', () => {
    const input = { secretKey, aggregateOtherNonce: publicNonce, aggregate, message: ZERO };
    expectRefusal(() => deterministicSign({ ...input, secretKey: ZERO }), 'ecc/secret-key', {});
    expectRefusal(() => deterministicSign({ ...input, secretKey: filled(8) }), 'musig2/not-participant', {});
    const size = { what: 'rand', size: 0, expected: 32 };
    expectRefusal(() => deterministicSign({ ...input, rand: NOTHING }), 'ecc/size', size);
  });

  test('partial signatures of other signers, nonces or sessions as invalid, without throwing', () => {
    const [mine, theirs] = [one(participants, 0), one(participants, 1)];
    const partialSignature = partialSign(mine.secretNonce, mine.secretKey, session);
    const good = { partialSignature, publicNonce, publicKey, session };
    expect(verifyPartialSignature(good)).toBe(true);
    const other = prepare({ ...PAIR, message: filled(6) });
    // The signature that a non-participant would make if it were a participant.
    const stranger = { secretKey: filled(8), publicKey: nobleEcc.publicKey(filled(8)) };
    const forged = { ...aggregate, participants: [...aggregate.participants, stranger.publicKey] };
    const theirNonce = generateNonce({ rand: filled(9), publicKey: stranger.publicKey });
    const uninvited = {
      publicKey: stranger.publicKey,
      publicNonce: theirNonce.publicNonce,
      partialSignature: partialSign(theirNonce.secretNonce, stranger.secretKey, { ...session, aggregate: forged }),
    };
    const bad = [
      uninvited,
      { publicKey: theirs.publicKey },
      { publicKey: nobleEcc.publicKey(secretKey, false) },
      { publicKey: NOTHING },
      { publicNonce: theirs.publicNonce },
      { publicNonce: new Uint8Array(66) },
      { publicNonce: NOTHING },
      { partialSignature: ZERO },
      { partialSignature: ORDER },
      { partialSignature: NOTHING },
      { session: other.session },
    ];
    for (const change of bad) expect(verifyPartialSignature({ ...good, ...change })).toBe(false);
  });
});

test('a session whose nonces add up to infinity continues, and its signatures verify', () => {
  const [first, second] = [filled(1), filled(2)].map((key) => nobleEcc.publicKey(key));
  const publicKeys = [first ?? NOTHING, second ?? NOTHING];
  const aggregate = aggregateKeys(publicKeys);
  const { secretNonce, publicNonce } = generateNonce({ rand: filled(3), publicKey: one(publicKeys, 0) });
  const negated = publicNonce.map((byte, i) => (i % 33 === 0 ? byte ^ 1 : byte));
  const aggregateNonce = aggregateNonces([publicNonce, negated]);
  expect(aggregateNonce).toEqual(new Uint8Array(66));
  const session = musig2Session({ aggregateNonce, aggregate, message: ZERO });
  expect(formatHex(session.finalNonce)).toBe('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  expect(partialSign(secretNonce, filled(1), session)).toHaveLength(32);
});
