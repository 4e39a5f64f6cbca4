import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DleqStatement, proveProduct, verifyProduct } from '../../src/core/crypto/dleq.ts';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { nobleEcc } from '../../src/core/crypto/nobleEcc.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import { campaign } from '../support/campaign.ts';
import { shared } from '../support/corpus.ts';
import { formatHex, parseHex } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

const FOLDER = 'vectors/bips/bip-0374';

/** Reads the rows of one of the BIP's files, as objects by its first line. */
function readRows(name: string): readonly Readonly<Record<string, string>>[] {
  if (!shared) return [];
  const [head = '', ...lines] = readFileSync(join(shared, FOLDER, name), 'utf8')
    .trim()
    .split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cell])));
}

/** The BIP writes infinity as a word. */
const bytes = (text = ''): Uint8Array => (text === 'INFINITY' ? new Uint8Array(33) : parseHex(text));
const messageOf = ({ message }: Readonly<Record<string, string>>) => (message ? { message: bytes(message) } : {});

const arithmetics = [
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
] as const;

describe.each(arithmetics)('BIP374 with %s', (_, ecc) => {
  const proofs = readRows('test_vectors_generate_proof.csv');
  test.skipIf(!shared).each(proofs)('proves as in row $index: $comment', (row) => {
    const secret = { secretKey: bytes(row['scalar_a']), base: bytes(row['point_B']), auxRand: bytes(row['auxrand_r']) };
    const prove = () => proveProduct({ ...secret, generator: bytes(row['point_G']), ...messageOf(row) }, ecc);
    if (row['result_proof'] === 'INVALID') {
      expect(refusalOf(prove).code).toBeOneOf(['ecc/secret-key', 'ecc/point']);
    } else expect(formatHex(prove().proof)).toBe(row['result_proof']);
  });

  const verdicts = readRows('test_vectors_verify_proof.csv');
  test.skipIf(!shared).each(verdicts)('verifies as in row $index: $comment', (row) => {
    const statement: DleqStatement = {
      ...{ publicKey: bytes(row['point_A']), base: bytes(row['point_B']), product: bytes(row['point_C']) },
      ...{ generator: bytes(row['point_G']), ...messageOf(row) },
    };
    expect(verifyProduct(bytes(row['proof']), statement, ecc)).toBe(row['result_success'] === 'TRUE');
  });

  test('makes the same proofs as the others, which hold for nothing else', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((each) => nobleEcc.isSecretKey(each));
    const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const made = fc.record({ a: key, b: key, auxRand: bytes32, message: fc.option(bytes32, { nil: undefined }) });
    fc.assert(
      fc.property(made, fc.nat(63), ({ a, b, auxRand, message }, at) => {
        const terms = { base: nobleEcc.publicKey(b), ...(message && { message }) };
        const { product, proof } = proveProduct({ secretKey: a, auxRand, ...terms }, ecc);
        expect(proveProduct({ secretKey: a, auxRand, ...terms }, nobleEcc)).toEqual({ product, proof });
        const statement = { ...terms, publicKey: nobleEcc.publicKey(a), product };
        expect(verifyProduct(proof, statement, ecc)).toBe(true);
        const changed = proof.map((byte, i) => (i === at ? byte ^ 1 : byte));
        expect(verifyProduct(changed, statement, ecc)).toBe(false);
        expect(verifyProduct(proof, { ...statement, publicKey: statement.base, base: statement.publicKey }, ecc)).toBe(
          formatHex(statement.base) === formatHex(statement.publicKey),
        );
        expect(verifyProduct(proof, { ...statement, product: statement.base }, ecc)).toBe(false);
        expect(verifyProduct(proof, { ...statement, message: new Uint8Array(32).fill(7) }, ecc)).toBe(false);
      }),
      campaign(50),
    );
  });
});

test('a proof needs a key, a point and 32 random bytes', () => {
  const secret = { secretKey: new Uint8Array(32).fill(1), base: nobleEcc.publicKey(new Uint8Array(32).fill(2)) };
  const auxRand = new Uint8Array(32);
  expect(refusalOf(() => proveProduct({ ...secret, auxRand: auxRand.slice(1) }, nobleEcc)).code).toBe('ecc/size');
  expect(refusalOf(() => proveProduct({ ...secret, auxRand, message: auxRand.slice(1) }, nobleEcc)).code).toBe(
    'ecc/size',
  );
  expect(refusalOf(() => proveProduct({ ...secret, auxRand, secretKey: auxRand }, nobleEcc)).code).toBe(
    'ecc/secret-key',
  );
  expect(refusalOf(() => proveProduct({ ...secret, auxRand, base: auxRand }, nobleEcc))).toMatchObject({
    code: 'ecc/point',
    data: { what: 'base' },
  });
});
