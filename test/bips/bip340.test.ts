import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { nobleEcc } from '../../src/core/crypto/nobleEcc.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import { shared } from '../support/corpus.ts';
import { formatHex, parseHex } from '../support/library.ts';

interface Bip340Row {
  readonly secretKey: string;
  readonly publicKey: string;
  readonly auxRand: string;
  readonly message: string;
  readonly signature: string;
  readonly isValid: boolean;
}

/** Reads BIP340's own file if present, otherwise the copy of its first rows that bitcore-lib ships. */
function readBip340(): readonly Bip340Row[] {
  if (shared) {
    const lines = readFileSync(join(shared, 'vectors/suites/bip340.csv'), 'utf8').trim().split(/\r?\n/).slice(1);
    return lines.map((line) => {
      const [, key = '', publicKey = '', auxRand = '', message = '', signature = '', result] = line.split(',');
      return { secretKey: key, publicKey, auxRand, message, signature, isValid: result === 'TRUE' };
    });
  }
  interface Copied {
    readonly secret_key: string;
    readonly public_key: string;
    readonly aux_rand: string;
    readonly message: string;
    readonly signature: string;
    readonly verification_result: boolean;
  }
  const require = createRequire(import.meta.url);
  const rows = require('bitcore-lib/test/data/bip340.js') as readonly Copied[];
  return rows.map((row) => ({
    secretKey: row.secret_key,
    publicKey: row.public_key,
    auxRand: row.aux_rand,
    message: row.message,
    signature: row.signature,
    isValid: row.verification_result,
  }));
}

const rows = readBip340();

describe.each([
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
])('BIP340 test vectors with %s', (_, ecc) => {
  test('the table is complete', () => expect(rows).toHaveLength(shared ? 19 : 15));
  test.each(rows)('row %#', ({ secretKey: key, publicKey, auxRand, message, signature, isValid }) => {
    const given = [parseHex(signature), parseHex(message), parseHex(publicKey)] as const;
    // Bitcoin signs digests of 32 bytes, so messages of other sizes are refused.
    expect(ecc.verifySchnorr(...given)).toBe(isValid && message.length === 64);
    if (key === '' || message.length !== 64) return;
    expect(formatHex(ecc.publicKey(parseHex(key)).slice(1))).toBe(publicKey.toLowerCase());
    expect(formatHex(ecc.signSchnorr(parseHex(message), parseHex(key), parseHex(auxRand)))).toBe(
      signature.toLowerCase(),
    );
  });
});
