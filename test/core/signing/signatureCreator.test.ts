import { describe, expect, test } from 'vitest';
import { createAggregates } from '../../../src/core/signing/aggregates.ts';
import { aggregateAssembler, type SchnorrKey } from '../../../src/core/signing/musig2Signing.ts';
import {
  createSignatures,
  type InputDigests,
  type KeyFinder,
  NO_KEYS,
} from '../../../src/core/signing/signatureCreator.ts';
import { addTaprootSpend, type SignatureData } from '../../../src/core/signing/signatureData.ts';
import { inputDigests } from '../../../src/core/signing/signInput.ts';
import { CURRENT_RULES } from '../../../src/core/signing/signingRules.ts';
import { createTxContext } from '../../../src/core/signing/txContext.ts';
import { encodeDer, nobleEcc, SIGHASH } from '../../support/library.ts';
import { filled, NOTHING, PAIR } from '../../support/musig2.ts';
import { contributed, leafHash, ROOT, SPEND, tweakedKey, X_ONLY } from '../../support/musig2Records.ts';
import { kinds, SECRETS, UNSIGNED } from '../../support/spends.ts';

const [SECRET = NOTHING] = SECRETS;
const [KEY, LONG] = [nobleEcc.publicKey(SECRET), nobleEcc.publicKey(SECRET, false)];
const SIGNATURE = filled(1, 64);
const DIGESTS: InputDigests = {
  ...{ inputIndex: 0, ecc: nobleEcc, ecdsaType: 2, schnorrType: 0, hasAmount: true, isLoneSingle: false },
  ecdsaDigest: () => filled(5),
  schnorrDigest: () => filled(6),
  isMet: () => false,
};
const SIGNS: KeyFinder = { ecdsa: () => () => SIGNATURE, schnorr: () => () => SIGNATURE };
/** Has the keys, but does not sign. */
const DECLINES: KeyFinder = { ecdsa: () => () => undefined, schnorr: () => () => undefined };
const creatorOf = (keys = SIGNS, digests: Partial<InputDigests> = {}) =>
  createSignatures({ ...DIGESTS, ...digests }, keys);

describe('an ECDSA signature is created', () => {
  const item = Uint8Array.of(...encodeDer(SIGNATURE), 2);

  test('as scripts hold it, for keys of 33 bytes and, outside of segwit, of 65', () => {
    for (const key of [KEY, LONG]) expect(creatorOf().ecdsa(key, NOTHING, 'base')).toEqual(item);
    expect(creatorOf().ecdsa(KEY, NOTHING, 'witness-v0')).toEqual(item);
    const refused = { kind: 'compressed-key', publicKey: LONG };
    expect(creatorOf().ecdsa(LONG, NOTHING, 'witness-v0')).toEqual(refused);
  });

  test('in segwit only if the amount is known', () => {
    const { ecdsa } = creatorOf(SIGNS, { hasAmount: false });
    expect(ecdsa(KEY, NOTHING, 'witness-v0')).toEqual({ kind: 'amount' });
    expect(ecdsa(KEY, NOTHING, 'base')).toEqual(item);
  });

  test('unless the key declines', () => {
    expect(creatorOf(DECLINES).ecdsa(KEY, NOTHING, 'base')).toEqual({ kind: 'private-key', publicKey: KEY });
  });
});

describe('a Schnorr signature is created', () => {
  const [output, leaf] = [
    { kind: 'output', publicKey: KEY.slice(1) },
    { kind: 'leaf', publicKey: KEY.slice(1), leafHash },
  ] as const;

  test('for the digest of its leaf, or of the key path', () => {
    const seen: unknown[] = [];
    const schnorrDigest: InputDigests['schnorrDigest'] = (of) => {
      seen.push(of);
      return filled(6);
    };
    for (const key of [output, leaf]) expect(creatorOf(SIGNS, { schnorrDigest }).schnorr(key)).toEqual(SIGNATURE);
    expect(seen).toEqual([undefined, leafHash]);
  });

  test('with its type unless that is DEFAULT', () => {
    expect(creatorOf(SIGNS, { schnorrType: 3 }).schnorr(output)).toEqual(Uint8Array.of(...SIGNATURE, 3));
  });

  test('unless the key declines, or other coins are not known', () => {
    expect(creatorOf(DECLINES).schnorr(output)).toEqual({ kind: 'output-key', outputKey: KEY.slice(1) });
    expect(creatorOf(DECLINES).schnorr(leaf)).toEqual({ kind: 'leaf-key', publicKey: KEY.slice(1) });
    const unknown = { schnorrDigest: () => undefined };
    expect(creatorOf(SIGNS, unknown).schnorr(output)).toEqual({ kind: 'other-coins' });
  });
});

/** From the contributions that an input records, for the key path and for leaves. @see BIP373 */
describe('an aggregate signature', () => {
  const output: SchnorrKey = { kind: 'output', publicKey: X_ONLY };
  const leaf: SchnorrKey = { kind: 'leaf', publicKey: X_ONLY, leafHash };
  const internalOf = ({ taproot }: SignatureData): SchnorrKey => ({
    ...{ kind: 'internal', publicKey: X_ONLY, outputKey: tweakedKey, taproot },
  });
  const aggregatesFor = (outputKey: Uint8Array, more: Partial<InputDigests> = {}) => {
    const assembler = aggregateAssembler({ ecc: nobleEcc, aggregates: createAggregates(nobleEcc, 1) });
    const assemble = assembler(outputKey, more.schnorrDigest ?? (() => PAIR.message));
    return createSignatures({ ...DIGESTS, outputKey, assemble, ...more }, NO_KEYS).aggregate;
  };
  const isValid = (signature: Uint8Array | undefined, key: Uint8Array): boolean =>
    signature !== undefined && nobleEcc.verifySchnorr(signature.slice(0, 64), PAIR.message, key);

  describe('is assembled', () => {
    test('for an output key, with the hash type unless that is DEFAULT', () => {
      const known = contributed([{}]);
      const plain = aggregatesFor(X_ONLY)(known, output);
      expect([isValid(plain, X_ONLY), plain?.length]).toEqual([true, 64]);
      const typed = aggregatesFor(X_ONLY, { schnorrType: 3 })(known, output);
      expect([isValid(typed, X_ONLY), typed?.[64]]).toEqual([true, 3]);
    });

    test('for an internal key, once its root is known', () => {
      const known = contributed([{ isTweaked: true }]);
      const aggregate = aggregatesFor(tweakedKey);
      expect(aggregate(known, internalOf(known))).toBeUndefined();
      known.taproot.merkleRoot = ROOT;
      expect(isValid(aggregate(known, internalOf(known)), tweakedKey)).toBe(true);
    });

    test('for a leaf that the coin commits to', () => {
      const known = contributed([{ leafHash }]);
      expect(aggregatesFor(SPEND.outputKey)(known, leaf)).toBeUndefined();
      addTaprootSpend(known.taproot, SPEND);
      expect(isValid(aggregatesFor(SPEND.outputKey)(known, leaf), X_ONLY)).toBe(true);
      expect(aggregatesFor(X_ONLY)(known, leaf)).toBeUndefined();
    });

    test('for each key on its own', () => {
      const aggregate = aggregatesFor(X_ONLY);
      const known = contributed([{}]);
      expect(aggregate(known, { kind: 'output', publicKey: filled(1) })).toBeUndefined();
      expect(isValid(aggregate(known, output), X_ONLY)).toBe(true);
    });
  });

  describe('is not assembled', () => {
    test.each([
      ['without contributions', contributed([])],
      ['without the nonce of a participant', contributed([{}], { nonce: 1 })],
      ['without the signature of a participant', contributed([{}], { partial: 0 })],
      ['from contributions to a leaf', contributed([{ leafHash }])],
      ['from contributions to another key', contributed([{ isTweaked: true }])],
    ])('%s', (_, known) => {
      expect(aggregatesFor(X_ONLY)(known, output)).toBeUndefined();
    });

    test('of parts that are invalid, even if they add up', () => {
      const known = contributed([{}]);
      const [[first, one], [second, other]] = [...known.taproot.partialSigs] as [[string, never], [string, never]];
      const swapped = new Map([
        [first, other],
        [second, one],
      ]);
      const given = { ...known, taproot: { ...known.taproot, partialSigs: swapped } };
      expect(aggregatesFor(X_ONLY)(given, output)).toBeUndefined();
    });

    test('for an unknown digest, or outside of PSBTs', () => {
      const known = contributed([{}]);
      expect(aggregatesFor(X_ONLY, { schnorrDigest: () => undefined })(known, output)).toBeUndefined();
      expect(aggregatesFor(X_ONLY, { assemble: undefined })(known, output)).toBeUndefined();
    });
  });
});

test('the digests of an input tell the key of a taproot coin, and of no other', () => {
  const assembler = () => () => SIGNATURE;
  const digestsOf = (kind: string, sighashType: number = SIGHASH.ALL) => {
    const coin = { scriptPubKey: kinds[kind]?.scriptPubKey ?? NOTHING, value: 5n };
    const context = { ...createTxContext(UNSIGNED, [coin], {}), assembler };
    return inputDigests({ ...context, inputIndex: 0, coin, rules: CURRENT_RULES }, sighashType);
  };
  expect(digestsOf('rawtr')).toMatchObject({ outputKey: KEY.slice(1), assemble: expect.any(Function) });
  for (const kind of ['wpkh', 'wsh(multi)', 'pkh']) {
    expect(digestsOf(kind)).toMatchObject({ outputKey: undefined, assemble: undefined });
  }
  expect(digestsOf('rawtr', SIGHASH.DEFAULT)).toMatchObject({ ecdsaType: SIGHASH.ALL, schnorrType: SIGHASH.DEFAULT });
});
