import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { campaign } from '../support/campaign.ts';
import { expectHidden, secret, texts } from '../support/hidden.ts';
import {
  CURRENT_RULES,
  createDeriver,
  createDescriptorProvider,
  createSigningProvider,
  type Descriptor,
  deriveChild,
  derivePath,
  type ExtendedKey,
  formatDescriptor,
  formatHex,
  formatWif,
  formatXprv,
  formatXpub,
  hash160,
  keySigner,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  parseDescriptor,
  parseExtendedKey,
  parseWif,
  singlePaths,
  type WifKey,
} from '../support/library.ts';

/** Keys, descriptors and providers give private keys only to code that names the member. */

const network = networks.regtest;

const privateOf = (key: ExtendedKey): Uint8Array => {
  if (!key.secretKey) throw new Error('no private key');
  return key.secretKey;
};

test('a key shows its bytes only to code that names the member', () => {
  fc.assert(
    fc.property(secret, fc.boolean(), (bytes, isCompressed) => {
      const wif = formatWif({ secretKey: bytes, isCompressed }, network);
      const key = parseWif(wif, network);
      const { secretKey } = key;
      expect([...secretKey]).toEqual([...bytes]);
      expect([inspect(secretKey), JSON.stringify(secretKey), `${secretKey}`]).toEqual([
        '[secret]',
        '"[secret]"',
        '[secret]',
      ]);
      expect(Object.keys(key)).toEqual(['isCompressed']);
      expect(formatWif(key, network)).toBe(wif);
      for (const value of [key, { ...key }, [key], new Map([[wif.length, key]])]) expectHidden(value, bytes);
    }),
    campaign(30),
  );
});

test('extended keys hide their private keys at each step, and derive the same from a literal', () => {
  fc.assert(
    fc.property(secret, fc.nat(2 ** 31 - 1), (bytes, index) => {
      const master = masterKey(bytes);
      const literal: ExtendedKey = { ...master, secretKey: Uint8Array.from(privateOf(master)) };
      const xprv = formatXprv(master, network);
      expect(formatXprv(literal, network)).toBe(xprv);
      const path = [0x8000_0000 + index, index];
      const made = [master, literal].flatMap((from) => [
        deriveChild(from, index),
        deriveChild(from, 0x8000_0000 + index),
        derivePath(from, path),
      ]);
      expect(made.slice(0, 3).map((key) => formatXprv(key, network))).toEqual(
        made.slice(3).map((key) => formatXprv(key, network)),
      );
      for (const key of [master, parseExtendedKey(xprv, network), ...made]) {
        expectHidden(key, privateOf(key));
        expectHidden({ ...key }, privateOf(key));
        expect(texts(key).join()).not.toContain(formatXprv(key, network));
        expect('secretKey' in neuter(key)).toBe(false);
        expect(formatXpub(structuredClone(key), network)).toBe(formatXpub(key, network));
      }
      expect('secretKey' in neuter(literal)).toBe(false);
    }),
    campaign(15),
  );
});

/** Descriptors with a private key in every place that accepts one. */
const FORMS: Readonly<Record<string, (wif: string, xprv: string, xpub: string) => string>> = {
  'one key': (wif) => `wpkh(${wif})`,
  'one key with an origin': (wif) => `pkh([01020304/1h]${wif})`,
  'an x-only key': (wif) => `tr(${wif})`,
  multi: (wif, xprv) => `wsh(multi(2,${wif},${xprv}/0/*))`,
  miniscript: (wif, xprv) => `wsh(and_v(v:pk(${wif}),or_d(pk(${xprv}/1h/*),older(10))))`,
  leaves: (wif, xprv, xpub) => `tr(${xpub}/7,{pk(${wif}),pk(${xprv}/1/*)})`,
  'several paths': (_, xprv) => `wpkh([01020304]${xprv}/<0;1>/*h)`,
  musig: (wif, xprv) => `tr(musig(${wif},${xprv}/3))`,
  'musig with derivation': (_, xprv, xpub) => `tr(musig(${xprv},${xpub}/9)/0/*)`,
  'a public form of a written key': (_, xprv, xpub) => `wsh(multi(1,${xpub}/0/*,${xprv}/1/*))`,
};

/** Copies a descriptor as a caller may write it, with ordinary arrays in ordinary members. */
function literalOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(literalOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.getOwnPropertyNames(value).map((name) => [name, literalOf(Reflect.get(value, name))]),
  );
}

test.each(Object.entries(FORMS))('descriptors, their derivations and providers hide private keys: %s', (_, form) => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const master = masterKey(bytes);
      const wif = formatWif({ secretKey: bytes, isCompressed: true }, network);
      const [xprv, xpub] = [formatXprv(master, network), formatXpub(master, network)];
      const whole = parseDescriptor(form(wif, xprv, xpub), network);
      const texted = formatDescriptor(whole, network, { isPrivate: true });
      const singles = singlePaths(whole);
      const expectSafe = (value: unknown): void => {
        expectHidden(value, bytes, privateOf(master));
        for (const text of texts(value)) expect(text.includes(xprv)).toBe(false);
      };
      for (const descriptor of [whole, ...singles]) expectSafe(descriptor);
      for (const single of singles) {
        const derived = createDeriver(single)(5);
        const secrets = derived.keys.flatMap(({ secretKey }) => secretKey ?? []);
        expect(secrets.length).toBeGreaterThan(0);
        const literal = literalOf(single) as Descriptor;
        const provider = createDescriptorProvider([derived], { written: [single, literal] });
        const found = derived.keys.flatMap(({ publicKey }) => [
          provider.key(hash160(publicKey)),
          provider.xOnlyKey(publicKey.slice(1)),
          provider.key(hash160(master.publicKey)),
        ]);
        const ofLiteral = createDeriver(literal)(5);
        expect(ofLiteral.keys.map(({ secretKey }) => secretKey && formatHex(secretKey))).toEqual(
          derived.keys.map(({ secretKey }) => secretKey && formatHex(secretKey)),
        );
        for (const value of [derived, ofLiteral, provider, found]) {
          expectSafe(value);
          expectHidden(value, ...secrets);
        }
      }
      // Hidden keys remain usable.
      expect(formatDescriptor(whole, network, { isPrivate: true })).toBe(texted);
      expect(formatDescriptor(literalOf(whole) as Descriptor, network, { isPrivate: true })).toBe(texted);
    }),
    { numRuns: 4 },
  );
});

test('providers and signers of single keys do not change the arrays of their caller', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      for (const secretKey of [bytes, Buffer.from(bytes)]) {
        const given: WifKey = { secretKey, isCompressed: true };
        const provider = createSigningProvider({ keys: [given], scripts: [] }, { rules: CURRENT_RULES, ecc: nobleEcc });
        const publicKey = nobleEcc.publicKey(bytes);
        const found = [provider.key(hash160(publicKey)), provider.xOnlyKey(publicKey.slice(1))];
        expect(found.map((key) => key && formatHex(key.secretKey))).toEqual([formatHex(bytes), formatHex(bytes)]);
        expect(Object.hasOwn(secretKey, 'toJSON')).toBe(false);
        for (const value of [provider, found, keySigner(provider)]) expectHidden(value, bytes);
      }
    }),
    campaign(10),
  );
});
