import { describe, expect, test } from 'vitest';
import { secretNonceForVectors } from '../../src/core/crypto/musig2/secretNonce.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { readSuite, shared } from '../support/corpus.ts';
import {
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
  sortPublicKeys,
  verifyPartialSignature,
} from '../support/library.ts';
import { one, pick, type Tweak, tweaked, ZERO } from '../support/musig2.ts';
import { refusalOf } from '../support/refusal.ts';

const parseAll = (texts: readonly string[]): readonly Uint8Array[] => texts.map(parseHex);

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
