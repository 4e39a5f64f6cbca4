import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { formatWif, networks } from '../../support/library.ts';
import { concat, sha256 } from '../scripts/bytes.ts';
import { SECRETS } from '../scripts/signatures.ts';
import { mostly } from '../scripts/stackItems.ts';

/** Random private keys, valid and invalid, with public keys computed independently of the code under test. */

/** A key pair with a public key encoding. */
export interface Key {
  readonly secret: Uint8Array;
  readonly form: 'compressed' | 'uncompressed' | 'hybrid';
  readonly publicKey: Uint8Array;
}

export function makeKey(secret: Uint8Array, form: Key['form'] = 'compressed'): Key {
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(secret);
  return { secret, form, publicKey: new Uint8Array(pair.getPublicKey(null, form)) };
}

/** Hashed, since fast-check favours small numbers. */
export const secret: fc.Arbitrary<Uint8Array> = bytes(8).map((seed) => sha256(seed));

/** Some keys are from the shared `SECRETS`, so that other participants can sign with them, too. */
export const key: fc.Arbitrary<Key> = fc
  .tuple(
    mostly(secret, fc.constantFrom(...SECRETS), 3),
    mostly<Key['form']>(fc.constant('compressed'), fc.constantFrom('uncompressed', 'uncompressed', 'hybrid'), 7),
  )
  .map(([drawn, form]) => makeKey(drawn, form));

const REGTEST = networks['litecoin-regtest'];

/** Formats a key in wallet import format, which does not distinguish hybrid keys from uncompressed ones. */
export function wifOf({ secret: secretKey, form }: Pick<Key, 'secret' | 'form'>, prefix = REGTEST.wif): string {
  return formatWif({ secretKey, isCompressed: form === 'compressed' }, { ...REGTEST, wif: prefix });
}

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const order = new Uint8Array(Buffer.from(ORDER, 'hex'));
const lastChanged = (data: Uint8Array, by: number): Uint8Array =>
  data.map((byte, i) => (i === data.length - 1 ? byte + by : byte));

/** Values at the limits of valid secrets; only the second is valid. */
const EDGES = [new Uint8Array(32), lastChanged(order, -1), order, lastChanged(order, 1), new Uint8Array(32).fill(0xff)];

/** Arguments in place of a private key, as JSON texts; few are valid. */
export const oddKeyText: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom(...EDGES), fc.boolean()).map(([edge, isCompressed]) => {
    return JSON.stringify(wifOf({ secret: edge, form: isCompressed ? 'compressed' : 'uncompressed' }));
  }),
  fc.tuple(secret, fc.constantFrom(...Object.values(networks))).map(([privateKey, { wif }]) => {
    return JSON.stringify(wifOf({ secret: privateKey, form: 'compressed' }, wif));
  }),
  // Wrong sizes, and invalid compression flags.
  fc
    .tuple(secret, fc.constantFrom([], [0], [1], [2], [1, 1], [1, 0, 0]), fc.boolean())
    .map(([privateKey, more, isShort]) => concat(privateKey.slice(isShort ? 1 : 0), more))
    .map((odd) => JSON.stringify(wifOf({ secret: odd, form: 'uncompressed' }))),
  fc
    .tuple(secret, fc.constantFrom(' ', '\n', '\t\v\f\r', '\u00a0', '\0', '1', '0', 'l'), fc.constantFrom(0, 1, 30, 99))
    .map(([privateKey, extra, at]) => {
      const text = wifOf({ secret: privateKey, form: 'compressed' });
      return JSON.stringify(`${text.slice(0, at)}${extra}${text.slice(at)}`);
    }),
  fc
    .tuple(secret, fc.nat({ max: 50 }))
    .map(([privateKey, at]) =>
      JSON.stringify(wifOf({ secret: privateKey, form: 'compressed' }).replace(/./g, (c, i) => (i === at ? 'z' : c))),
    ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', '" "', 'null', '1', 'true', '[]', '{}', '["a"]'),
);
