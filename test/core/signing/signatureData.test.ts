import { describe, expect, test } from 'vitest';
import { bytesKey } from '../../../src/core/bytes/compare.ts';
import { dummySignatures, noSignatures, withoutKey } from '../../../src/core/signing/signatureCreator.ts';
import {
  addLeafScript,
  addTapKey,
  addTaprootSpend,
  createSignatureData,
  forgetSignatures,
  keyOfHash,
  preimageName,
  signerName,
  tapKeyOfHash,
} from '../../../src/core/signing/signatureData.ts';
import { hash160, isStrictSignature, parseHex, tapLeafHash } from '../../support/library.ts';

const bytes = (byte: number, size = 32): Uint8Array => new Uint8Array(size).fill(byte);
const KEY = bytes(2, 33);
const OTHER = bytes(3, 33);
const origin = { fingerprint: bytes(1, 4), path: [0] };
const leafHash = tapLeafHash(parseHex('51'));

test('each contribution and each preimage has a name of its own', () => {
  const signer = { participantPubkey: KEY, aggregatePubkey: OTHER };
  const signers = [
    signer,
    { ...signer, participantPubkey: OTHER },
    { ...signer, aggregatePubkey: KEY },
    { ...signer, leafHash },
  ];
  expect(new Set(signers.map(signerName)).size).toBe(signers.length);
  // BIP373 names no leaf for the key path.
  expect(signerName({ ...signer, leafHash: bytes(0) })).toBe(signerName(signer));
  const names = [preimageName('sha256', bytes(1)), preimageName('hash256', bytes(1)), preimageName('sha256', bytes(2))];
  expect(new Set(names).size).toBe(3);
});

test('signatures that do not count are dropped, and their public keys kept', () => {
  const good = bytes(7, 64);
  const bad = bytes(8, 64);
  const counts = (signature: Uint8Array): boolean => signature === good;
  const dataWith = (keySignature: Uint8Array | undefined) => {
    const data = createSignatureData();
    data.signatures.set('good', { publicKey: KEY, signature: good });
    data.signatures.set('bad', { publicKey: OTHER, signature: bad });
    data.taproot.signatures.set('good', { publicKey: KEY, leafHash, signature: good });
    data.taproot.signatures.set('bad', { publicKey: OTHER, leafHash, signature: bad });
    data.taproot.keySignature = keySignature;
    forgetSignatures(data, counts);
    return data;
  };
  const data = dataWith(bad);
  expect([...data.signatures.keys()]).toEqual(['good']);
  expect([...data.taproot.signatures.keys()]).toEqual(['good']);
  expect([...data.publicKeys]).toEqual([['bad', OTHER]]);
  expect(data.taproot.keySignature).toBeUndefined();
  expect(dataWith(good).taproot.keySignature).toBe(good);
  expect(dataWith(undefined).taproot.keySignature).toBeUndefined();
});

describe('a key is found by its hash', () => {
  test('among signatures, origins and other keys, also when more are added', () => {
    const data = createSignatureData();
    expect(keyOfHash(data, hash160(KEY))).toBeUndefined();
    data.publicKeys.set(bytesKey(KEY), KEY);
    expect(keyOfHash(data, hash160(KEY))).toBe(KEY);
    expect(keyOfHash(data, hash160(OTHER))).toBeUndefined();
    data.keys.set(bytesKey(OTHER), { publicKey: OTHER, origin });
    expect(keyOfHash(data, hash160(OTHER))).toBe(OTHER);
    const third = bytes(4, 33);
    data.signatures.set(bytesKey(third), { publicKey: third, signature: bytes(1) });
    expect(keyOfHash(data, hash160(third))).toBe(third);
  });

  test('as the first array that held it', () => {
    const data = createSignatureData();
    data.publicKeys.set('one', KEY);
    expect(keyOfHash(data, hash160(KEY))).toBe(KEY);
    data.publicKeys.set('two', Uint8Array.from(KEY));
    expect(keyOfHash(data, hash160(KEY))).toBe(KEY);
  });

  test('in taproot, where it has 32 bytes', () => {
    const { taproot } = createSignatureData();
    addTapKey(taproot, { publicKey: bytes(5), origin });
    addTapKey(taproot, { publicKey: bytes(5), origin }, leafHash);
    expect(tapKeyOfHash(taproot, hash160(bytes(5)))).toEqual(bytes(5));
    expect(tapKeyOfHash(taproot, hash160(bytes(6)))).toBeUndefined();
    expect([...(taproot.keys.get(bytesKey(bytes(5)))?.leafHashes.values() ?? [])]).toEqual([leafHash]);
  });
});

test('spend data of taproot is added to what is known', () => {
  const { taproot } = createSignatureData();
  const leaf = { script: parseHex('51'), leafVersion: 0xc0, controlBlock: bytes(1, 33) };
  const tree = [{ depth: 0, leafVersion: 0xc0, script: parseHex('51') }];
  const nothing = { internalKey: bytes(1), leafScripts: [], tree: [] };
  addTaprootSpend(taproot, nothing);
  expect(taproot).toMatchObject({ internalKey: bytes(1) });
  expect(taproot).not.toHaveProperty('merkleRoot');
  expect(taproot).not.toHaveProperty('tree');
  addTaprootSpend(taproot, { internalKey: bytes(2), merkleRoot: bytes(3), leafScripts: [leaf], tree });
  addTaprootSpend(taproot, { ...nothing, merkleRoot: bytes(4) });
  expect(taproot).toMatchObject({ internalKey: bytes(1), merkleRoot: bytes(3), tree });
  const same = { ...leaf, script: parseHex('51') };
  addLeafScript(taproot, same);
  expect([...taproot.leafScripts.values()]).toEqual([leaf]);
  expect([...taproot.leafScripts.values()][0]).toBe(leaf);
  addLeafScript(taproot, { ...leaf, controlBlock: bytes(2, 33) });
  expect(taproot.leafScripts.size).toBe(2);
});

test('a creator without keys names the missing one', () => {
  expect(noSignatures.ecdsa(KEY, KEY, 'base')).toEqual({ kind: 'private-key', publicKey: KEY });
  expect(noSignatures.isMet('older', 1)).toBe(false);
  const publicKey = bytes(5);
  expect(withoutKey({ kind: 'leaf', publicKey, leafHash })).toEqual({ kind: 'leaf-key', publicKey });
  expect(withoutKey({ kind: 'output', publicKey })).toEqual({ kind: 'output-key', outputKey: publicKey });
});

test('a signature for estimates has the form and size of a real one, and no lock stops it', () => {
  const dummy = dummySignatures.ecdsa(KEY, KEY, 'base');
  expect(dummy instanceof Uint8Array && isStrictSignature(dummy)).toBe(true);
  expect(dummy).toHaveLength(71);
  expect(dummySignatures.isMet('after', 1)).toBe(true);
});
