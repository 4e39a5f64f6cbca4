import { inspect } from 'node:util';
import * as scure from '@scure/btc-signer/musig2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretNonceForVectors } from '../../src/crypto/musig2/secretNonce.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { bytes } from '../support/arbitraries.ts';
import { readSuite, shared } from '../support/corpus.ts';
import {
  type AggregateKey,
  aggregateKeys,
  aggregateNonces,
  aggregatePartialSignatures,
  deterministicSign,
  formatHex,
  generateNonce,
  type Musig2Session,
  musig2Session,
  nobleEcc,
  parseHex,
  partialSign,
  type SecretNonce,
  sha256,
  sortPublicKeys,
  tweakAggregateKey,
  verifyPartialSignature,
} from '../support/library.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';

const ORDER = parseHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const ZERO = new Uint8Array(32);
const NOTHING = new Uint8Array(0);
const filled = (byte: number, size = 32): Uint8Array => new Uint8Array(size).fill(byte);
const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const pick = <T>(from: readonly T[], indices: readonly number[]): readonly T[] =>
  indices.map((index) => {
    const item = from[index];
    if (item === undefined) throw new Error(`the vectors have no item ${index}`);
    return item;
  });
const one = <T>(from: readonly T[], index: number): T => pick(from, [index])[0] as T;
const parseAll = (texts: readonly string[]): readonly Uint8Array[] => texts.map(parseHex);

const numberOf = (given: Uint8Array): bigint => BigInt(`0x${formatHex(given)}`);
const tagged = (tag: string, message: Uint8Array): Uint8Array => {
  const hash = sha256(new TextEncoder().encode(tag));
  return sha256(concat(hash, hash, message));
};

interface Tweak {
  readonly tweak: Uint8Array;
  readonly isXOnly: boolean;
}

const tweaked = (keys: readonly Uint8Array[], tweaks: readonly Tweak[]): AggregateKey =>
  tweaks.reduce(
    (aggregate, { tweak, isXOnly }) => tweakAggregateKey(aggregate, tweak, isXOnly ? 'x-only' : 'plain'),
    aggregateKeys(keys),
  );

/** The form in which the BIP's files describe an expected error. */
interface VectorError {
  readonly type: 'invalid_contribution' | 'value';
  readonly signer?: number | null;
  readonly contrib?: string;
  readonly message?: string;
}

const contributions: Readonly<Record<string, ErrorCode>> = {
  pubkey: 'musig2/public-key',
  pubnonce: 'musig2/public-nonce',
  psig: 'musig2/partial-signature',
};
const aggregates: Readonly<Record<string, object>> = { aggnonce: { of: 'all' }, aggothernonce: { of: 'others' } };
const preconditions: Readonly<Record<string, ErrorCode>> = {
  "The signer's pubkey must be included in the list of pubkeys.": 'musig2/not-participant',
  'The tweak must be less than n.': 'musig2/tweak',
  'The result of tweaking cannot be infinity.': 'musig2/infinity',
  'first secnonce value is out of range.': 'musig2/nonce-used',
};

function expectVectorError(run: () => unknown, { type, signer, contrib = '', message = '' }: VectorError): void {
  const refusal = refusalOf(run);
  const found = { code: refusal.code, data: refusal.data };
  if (type === 'value') expect(found).toEqual({ code: preconditions[message], data: {} });
  else if (signer === null) expect(found).toEqual({ code: 'musig2/aggregate-nonce', data: aggregates[contrib] });
  else expect(found).toEqual({ code: contributions[contrib], data: { participant: signer } });
}

/** The fields that rows of most files share. */
interface VectorRow {
  readonly key_indices: readonly number[];
  readonly nonce_indices: readonly number[];
  readonly tweak_indices: readonly number[];
  readonly is_xonly: readonly boolean[];
  readonly signer_index: number;
  readonly expected: string;
  readonly error: VectorError;
}
type Rows<Row = NonNullable<unknown>> = readonly (VectorRow & Row)[];

const tweaksOf = (all: readonly string[], row: VectorRow): readonly Tweak[] =>
  pick(parseAll(all), row.tweak_indices).map((tweak, i) => ({ tweak, isXOnly: one(row.is_xonly, i) }));

describe.runIf(shared)("BIP327's vectors", () => {
  const read = <T>(name: string): T => readSuite<T>(`bip327/${name}`);

  test('key_sort', () => {
    const file = read<{ pubkeys: readonly string[]; sorted_pubkeys: readonly string[] }>('key_sort');
    expect(sortPublicKeys(parseAll(file.pubkeys))).toEqual(parseAll(file.sorted_pubkeys));
  });

  test('key_agg: 4 valid, 5 refused', () => {
    const file = read<{
      pubkeys: readonly string[];
      tweaks: readonly string[];
      valid_test_cases: Rows;
      error_test_cases: Rows;
    }>('key_agg');
    const keysOf = (row: VectorRow): readonly Uint8Array[] => pick(parseAll(file.pubkeys), row.key_indices);
    expect([file.valid_test_cases.length, file.error_test_cases.length]).toEqual([4, 5]);
    for (const row of file.valid_test_cases) {
      expect(aggregateKeys(keysOf(row)).publicKey.slice(1)).toEqual(parseHex(row.expected));
    }
    for (const row of file.error_test_cases) {
      expectVectorError(() => tweaked(keysOf(row), tweaksOf(file.tweaks, row)), row.error);
    }
  });

  test('nonce_gen: 4', () => {
    type Given = 'rand_' | 'pk' | 'expected_secnonce' | 'expected_pubnonce';
    type Optional = 'sk' | 'aggpk' | 'msg' | 'extra_in';
    type Row = Readonly<Record<Given, string> & Record<Optional, string | null>>;
    const { test_cases: rows } = read<{ test_cases: readonly Row[] }>('nonce_gen');
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const publicKey = parseHex(row.pk);
      const { secretNonce, publicNonce } = generateNonce({
        rand: parseHex(row.rand_),
        publicKey,
        ...(row.sk !== null && { secretKey: parseHex(row.sk) }),
        ...(row.aggpk !== null && { aggregateKey: parseHex(row.aggpk) }),
        ...(row.msg !== null && { message: parseHex(row.msg) }),
        ...(row.extra_in !== null && { extraInput: parseHex(row.extra_in) }),
      });
      expect(publicNonce).toEqual(parseHex(row.expected_pubnonce));
      // A secret nonce cannot be read, so compare its signature with that of the expected nonce. A row without a secret
      // key has the public key of 3.
      const secretKey = parseHex(row.sk ?? '03'.padStart(64, '0'));
      const session = musig2Session({
        aggregateNonce: publicNonce,
        aggregate: aggregateKeys([publicKey]),
        message: ZERO,
      });
      const expected = secretNonceForVectors(parseHex(row.expected_secnonce), publicNonce);
      expect(partialSign(secretNonce, secretKey, session)).toEqual(partialSign(expected, secretKey, session));
    }
  });

  test('nonce_agg: 2 valid, 3 refused', () => {
    type Row = { readonly pnonce_indices: readonly number[] };
    const file = read<{ pnonces: readonly string[]; valid_test_cases: Rows<Row>; error_test_cases: Rows<Row> }>(
      'nonce_agg',
    );
    const aggregated = (row: Row): Uint8Array => aggregateNonces(pick(parseAll(file.pnonces), row.pnonce_indices));
    expect([file.valid_test_cases.length, file.error_test_cases.length]).toEqual([2, 3]);
    for (const row of file.valid_test_cases) expect(aggregated(row)).toEqual(parseHex(row.expected));
    for (const row of file.error_test_cases) expectVectorError(() => aggregated(row), row.error);
  });

  test('sign_verify: 6 valid, 6 not signed, 3 not verified, 2 refused', () => {
    type Row = {
      readonly aggnonce_index: number;
      readonly msg_index: number;
      readonly secnonce_index: number;
      readonly sig: string;
    };
    const file = read<{
      readonly sk: string;
      readonly pubkeys: readonly string[];
      readonly secnonces: readonly string[];
      readonly pnonces: readonly string[];
      readonly aggnonces: readonly string[];
      readonly msgs: readonly string[];
      readonly valid_test_cases: Rows<Row>;
      readonly sign_error_test_cases: Rows<Row>;
      readonly verify_fail_test_cases: Rows<Row>;
      readonly verify_error_test_cases: Rows<Row>;
    }>('sign_verify');
    const secretKey = parseHex(file.sk);
    const nonces = parseAll(file.pnonces);
    const keysOf = (row: VectorRow): readonly Uint8Array[] => pick(parseAll(file.pubkeys), row.key_indices);
    const sessionOf = (row: VectorRow & Row, aggregateNonce: Uint8Array): Musig2Session =>
      musig2Session({
        aggregateNonce,
        aggregate: aggregateKeys(keysOf(row)),
        message: parseHex(one(file.msgs, row.msg_index)),
      });
    const sign = (row: VectorRow & Row, secnonce: number): Uint8Array => {
      const secretNonce = secretNonceForVectors(parseHex(one(file.secnonces, secnonce)), one(nonces, 0));
      return partialSign(secretNonce, secretKey, sessionOf(row, parseHex(one(file.aggnonces, row.aggnonce_index))));
    };
    const verify = (row: VectorRow & Row, partialSignature: Uint8Array): boolean => {
      const publicNonces = pick(nonces, row.nonce_indices);
      const session = sessionOf(row, aggregateNonces(publicNonces));
      const [publicNonce, publicKey] = [one(publicNonces, row.signer_index), one(keysOf(row), row.signer_index)];
      return verifyPartialSignature({ partialSignature, publicNonce, publicKey, session });
    };
    for (const row of file.valid_test_cases) {
      expect(aggregateNonces(pick(nonces, row.nonce_indices))).toEqual(
        parseHex(one(file.aggnonces, row.aggnonce_index)),
      );
      expect(sign(row, 0)).toEqual(parseHex(row.expected));
      expect(verify(row, parseHex(row.expected))).toBe(true);
    }
    for (const row of file.sign_error_test_cases) expectVectorError(() => sign(row, row.secnonce_index), row.error);
    for (const row of file.verify_fail_test_cases) expect(verify(row, parseHex(row.sig))).toBe(false);
    for (const row of file.verify_error_test_cases) expectVectorError(() => verify(row, parseHex(row.sig)), row.error);
    expect([
      file.valid_test_cases.length,
      file.sign_error_test_cases.length,
      file.verify_fail_test_cases.length,
      file.verify_error_test_cases.length,
    ]).toEqual([6, 6, 3, 2]);
  });

  test('tweak: 5 valid, 1 refused', () => {
    const file = read<{
      readonly sk: string;
      readonly pubkeys: readonly string[];
      readonly secnonce: string;
      readonly pnonces: readonly string[];
      readonly aggnonce: string;
      readonly tweaks: readonly string[];
      readonly msg: string;
      readonly valid_test_cases: Rows;
      readonly error_test_cases: Rows;
    }>('tweak');
    const nonces = parseAll(file.pnonces);
    const sessionOf = (row: VectorRow): Musig2Session =>
      musig2Session({
        aggregateNonce: parseHex(file.aggnonce),
        aggregate: tweaked(pick(parseAll(file.pubkeys), row.key_indices), tweaksOf(file.tweaks, row)),
        message: parseHex(file.msg),
      });
    const sign = (row: VectorRow): Uint8Array =>
      partialSign(secretNonceForVectors(parseHex(file.secnonce), one(nonces, 0)), parseHex(file.sk), sessionOf(row));
    expect([file.valid_test_cases.length, file.error_test_cases.length]).toEqual([5, 1]);
    for (const row of file.valid_test_cases) {
      expect(aggregateNonces(pick(nonces, row.nonce_indices))).toEqual(parseHex(file.aggnonce));
      const partialSignature = sign(row);
      expect(partialSignature).toEqual(parseHex(row.expected));
      const [publicNonce, publicKey] = [one(nonces, 0), parseHex(one(file.pubkeys, 0))];
      expect(verifyPartialSignature({ partialSignature, publicNonce, publicKey, session: sessionOf(row) })).toBe(true);
    }
    for (const row of file.error_test_cases) expectVectorError(() => sign(row), row.error);
  });

  test('sig_agg: 4 valid, 1 refused', () => {
    type Row = { readonly aggnonce: string; readonly psig_indices: readonly number[] };
    const file = read<{
      readonly pubkeys: readonly string[];
      readonly pnonces: readonly string[];
      readonly tweaks: readonly string[];
      readonly psigs: readonly string[];
      readonly msg: string;
      readonly valid_test_cases: Rows<Row>;
      readonly error_test_cases: Rows<Row>;
    }>('sig_agg');
    const message = parseHex(file.msg);
    const run = (row: VectorRow & Row): void => {
      const aggregateNonce = aggregateNonces(pick(parseAll(file.pnonces), row.nonce_indices));
      expect(aggregateNonce).toEqual(parseHex(row.aggnonce));
      const aggregate = tweaked(pick(parseAll(file.pubkeys), row.key_indices), tweaksOf(file.tweaks, row));
      const session = musig2Session({ aggregateNonce, aggregate, message });
      const signature = aggregatePartialSignatures(pick(parseAll(file.psigs), row.psig_indices), session);
      expect(signature).toEqual(parseHex(row.expected));
      expect(nobleEcc.verifySchnorr(signature, message, aggregate.publicKey.slice(1))).toBe(true);
    };
    expect([file.valid_test_cases.length, file.error_test_cases.length]).toEqual([4, 1]);
    for (const row of file.valid_test_cases) run(row);
    for (const row of file.error_test_cases) expectVectorError(() => run(row), row.error);
  });

  test('det_sign: 4 valid, 5 refused', () => {
    type Row = {
      readonly rand: string | null;
      readonly aggothernonce: string;
      readonly tweaks: readonly string[];
      readonly msg_index: number;
    };
    type Valid = Omit<VectorRow, 'expected'> & Row & { readonly expected: readonly string[] };
    const file = read<{
      readonly sk: string;
      readonly pubkeys: readonly string[];
      readonly msgs: readonly string[];
      readonly valid_test_cases: readonly Valid[];
      readonly error_test_cases: Rows<Row>;
    }>('det_sign');
    const run = (row: Omit<VectorRow, 'expected'> & Row): ReturnType<typeof deterministicSign> => {
      const tweaks = parseAll(row.tweaks).map((tweak, i) => ({ tweak, isXOnly: one(row.is_xonly, i) }));
      return deterministicSign({
        secretKey: parseHex(file.sk),
        aggregateOtherNonce: parseHex(row.aggothernonce),
        aggregate: tweaked(pick(parseAll(file.pubkeys), row.key_indices), tweaks),
        message: parseHex(one(file.msgs, row.msg_index)),
        ...(row.rand !== null && { rand: parseHex(row.rand) }),
      });
    };
    expect([file.valid_test_cases.length, file.error_test_cases.length]).toEqual([4, 5]);
    for (const row of file.valid_test_cases) {
      const { publicNonce, partialSignature } = run(row);
      expect([publicNonce, partialSignature]).toEqual(parseAll(row.expected));
    }
    for (const row of file.error_test_cases) expectVectorError(() => run(row), row.error);
  });

  test("BIP328's aggregate keys: 3", () => {
    const rows = readSuite<readonly { aggregate_pubkey: string; keys: readonly string[] }[]>('bip328');
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(formatHex(aggregateKeys(parseAll(row.keys)).publicKey)).toBe(row.aggregate_pubkey);
    }
  });
});

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

interface Participant {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly secretNonce: SecretNonce;
  readonly publicNonce: Uint8Array;
}

interface Prepared {
  readonly aggregate: AggregateKey;
  readonly participants: readonly Participant[];
  readonly session: Musig2Session;
  readonly message: Uint8Array;
}

/** Runs a session up to the first partial signature. */
function prepare({
  secretKeys,
  rands,
  tweaks,
  message,
  extraInput,
}: {
  readonly secretKeys: readonly Uint8Array[];
  readonly rands: readonly Uint8Array[];
  readonly tweaks: readonly Tweak[];
  readonly message: Uint8Array;
  readonly extraInput?: Uint8Array | undefined;
}): Prepared {
  const aggregate = tweaked(
    secretKeys.map((key) => nobleEcc.publicKey(key)),
    tweaks,
  );
  const participants = secretKeys.map((secretKey, i) => {
    const publicKey = nobleEcc.publicKey(secretKey);
    const aggregateKey = aggregate.publicKey.slice(1);
    const given = { rand: one(rands, i), secretKey, publicKey, aggregateKey, message };
    return { secretKey, publicKey, ...generateNonce({ ...given, ...(extraInput && { extraInput }) }) };
  });
  const aggregateNonce = aggregateNonces(participants.map(({ publicNonce }) => publicNonce));
  return { aggregate, participants, session: musig2Session({ aggregateNonce, aggregate, message }), message };
}

const flip = (given: Uint8Array, bit: number): Uint8Array =>
  given.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

const PAIR = { secretKeys: [filled(1), filled(2)], rands: [filled(3), filled(4)], tweaks: [], message: filled(5) };

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
      { numRuns: 25 },
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

  test('returns an aggregate key that does not alias the given keys', () => {
    const given = [filled(1), filled(2)].map((secretKey) => nobleEcc.publicKey(secretKey));
    const aggregate = aggregateKeys(given);
    const before = structuredClone(aggregate);
    for (const key of given) key.fill(0);
    expect(aggregate).toEqual(before);
  });
});

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
