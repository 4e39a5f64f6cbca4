import { describe, expect, test } from 'vitest';
import { payToWitness } from '../../../src/core/script/build.ts';
import { CURRENT_RULES, type SigningRules } from '../../../src/core/signing/signingRules.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createSigningProvider,
  deriveChild,
  formatHex,
  formatXprv,
  formatXpub,
  hash160,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  parseDescriptor,
  type SigningProvider,
  sha256,
  tapTweakHash,
} from '../../support/library.ts';
import { filled, NOTHING } from '../../support/musig2.ts';
import { SECRETS } from '../../support/spends.ts';

const [SECRET = NOTHING] = SECRETS;
const [KEY, LONG] = [nobleEcc.publicKey(SECRET), nobleEcc.publicKey(SECRET, false)];
const providerOf = (isCompressed: boolean, rules: Partial<SigningRules> = {}, scripts: readonly Uint8Array[] = []) =>
  createSigningProvider(
    { keys: [{ secretKey: SECRET, isCompressed }], scripts },
    { rules: { ...CURRENT_RULES, ...rules }, ecc: nobleEcc },
  );

describe('a provider of keys and scripts', () => {
  test('finds a key by its hash, and by its x if it is compressed', () => {
    expect(providerOf(true).key(hash160(KEY))).toMatchObject({ publicKey: KEY });
    expect(providerOf(true).publicKey(hash160(KEY))).toEqual(KEY);
    expect(providerOf(true).xOnlyKey(KEY.slice(1))).toMatchObject({ publicKey: KEY });
    expect(providerOf(false).key(hash160(LONG))).toMatchObject({ publicKey: LONG });
    expect(providerOf(false).key(hash160(KEY))).toBeUndefined();
    expect(providerOf(false).xOnlyKey(KEY.slice(1))).toBeUndefined();
  });

  test('finds each script and its P2WSH script', () => {
    const script = Uint8Array.of(0x51);
    const { script: scriptOf } = providerOf(true, {}, [script]);
    const wrapped = payToWitness(0, sha256(script));
    expect([script, wrapped].map((of) => scriptOf(hash160(of)))).toEqual([script, wrapped]);
    expect(scriptOf(hash160(NOTHING))).toBeUndefined();
  });

  test('knows the P2WPKH scripts of compressed keys only as a node of 0.21 does', () => {
    const found = (isCompressed: boolean, knowsKeyHashScripts: boolean, key: Uint8Array) =>
      providerOf(isCompressed, { knowsKeyHashScripts }).script(hash160(payToWitness(0, hash160(key))));
    expect(found(true, true, KEY)).toEqual(payToWitness(0, hash160(KEY)));
    expect([found(true, false, KEY), found(false, true, LONG)]).toEqual([undefined, undefined]);
  });

  test('takes scripts up to the largest size of the rules', () => {
    const script = filled(0x61, 100);
    const found = (maxScriptSize: number) => providerOf(true, { maxScriptSize }, [script]).script(hash160(script));
    expect([found(99), found(100)]).toEqual([undefined, script]);
  });

  test('finds the taproot outputs of compressed keys by BIP86, unless the rules are those of a node', () => {
    const outputKey = nobleEcc.tweakPublicKey(KEY.slice(1), tapTweakHash(KEY.slice(1)))?.publicKey ?? NOTHING;
    const found = (isCompressed: boolean, rules?: Partial<SigningRules>) =>
      providerOf(isCompressed, rules).taproot(outputKey);
    expect(found(true)).toEqual({ outputKey, internalKey: KEY.slice(1), leafScripts: [], tree: [] });
    expect([found(true, { tweaksKeys: false }), found(false)]).toEqual([undefined, undefined]);
  });
});

describe('a provider of descriptors', () => {
  const master = masterKey(filled(7));
  const providing = (...descriptors: readonly string[]): SigningProvider =>
    createDescriptorProvider(descriptors.map((of) => createDeriver(parseDescriptor(of, networks.regtest))(0)));
  const [xpub, xprv] = [formatXpub(neuter(master), networks.regtest), formatXprv(master, networks.regtest)];
  const child = deriveChild(master, 0).publicKey;

  test('knows the aggregate keys of its outputs', () => {
    const other = formatXpub(neuter(masterKey(filled(8))), networks.regtest);
    const { aggregates } = providing(`tr(musig(${xpub}/0,${other}/0))`, `wpkh(${xpub}/0)`);
    expect(aggregates).toHaveLength(1);
    expect(aggregates[0]?.participants).toContainEqual(child);
  });

  test('takes the origin of a key from the first expression of it, and the private key from any', () => {
    const written = { fingerprint: Uint8Array.of(1, 2, 3, 4), path: [5, 0] };
    const named = `[${formatHex(written.fingerprint)}/5]`;
    const own = { fingerprint: keyFingerprint(master), path: [0] };
    for (const [descriptors, origin] of [
      [[`wpkh(${named}${xpub}/0)`, `pkh(${xprv}/0)`], written],
      [[`pkh(${xprv}/0)`, `wpkh(${named}${xpub}/0)`], own],
    ] as const) {
      const provider = providing(...descriptors);
      expect(provider.origin(child)).toEqual(origin);
      expect(provider.key(hash160(child))).toMatchObject({ publicKey: child });
    }
    expect(providing(`wpkh(${xpub}/0)`).key(hash160(child))).toBeUndefined();
    expect(providing(`wpkh(${xpub}/0)`).publicKey(hash160(child))).toEqual(child);
  });
});
