import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legacyPsbt, psbtV0, psbtV2 } from '../../../support/arbitraries.ts';
import { campaign } from '../../../support/campaign.ts';
import { isFast } from '../../../support/corpus.ts';
import {
  asNodeWrites,
  combinePsbts,
  decodePsbtBytes,
  encodePsbt,
  hash160,
  inNodeOrder,
  type Psbt,
  parseBase64,
  parseHex,
} from '../../../support/library.ts';
import { ask, text } from '../../../support/psbtCalls.ts';
import { payment, withInput, withOutput } from '../../../support/psbts.ts';

describe('records are written as Core writes them', () => {
  /** Returns the types of an output's records from 5 on in wire order, which decoding as 0.21 keeps. */
  const laterTypes = (psbt: Psbt): readonly (readonly number[])[] =>
    decodePsbtBytes(encodePsbt(psbt), { generation: 'core-0.21' }).outputs.map(({ unknown = [] }) =>
      unknown.map(({ key }) => key[0] ?? 0),
    );
  /** Ranks proprietary records before those of taproot and MuSig2, and unknown ones last. */
  const rank = (type: number): number => (type === 0xfc ? 0 : type <= 0x08 ? type : 9);

  test('in an output: proprietary records before 0x05 to 0x08', () => {
    let seen = 0;
    fc.assert(
      fc.property(psbtV0, (psbt) => {
        for (const types of laterTypes(psbt)) {
          const ranks = types.map(rank);
          expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
          if (ranks.includes(0) && ranks.some((found) => found > 0 && found < 9)) seen += 1;
        }
      }),
      campaign(200),
    );
    expect(seen).toBeGreaterThan(isFast ? 0 : 5);
  });

  test('with a leaf hash of zeros left out of MuSig2 records, and duplicates dropped', () => {
    const pubkey = parseHex('02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9');
    const signer = { participantPubkey: pubkey, aggregatePubkey: pubkey };
    const zeros = { ...signer, leafHash: new Uint8Array(32) };
    const leaf = { ...signer, leafHash: new Uint8Array(32).fill(1) };
    const pubNonce = new Uint8Array(66).fill(2);
    const partialSig = new Uint8Array(32).fill(3);
    const psbt = withInput(payment(['tr']), 0, (input) => ({
      ...input,
      musig2PubNonces: [leaf, zeros, signer].map((record) => ({ ...record, pubNonce })),
      musig2PartialSigs: [zeros, leaf].map((record) => ({ ...record, partialSig })),
    }));
    const read = decodePsbtBytes(parseBase64(ask('combinepsbt', [text(psbt)]) as string));
    expect(read.inputs[0]).toMatchObject({
      musig2PubNonces: [
        { ...signer, pubNonce },
        { ...leaf, pubNonce },
      ],
      musig2PartialSigs: [
        { ...signer, partialSig },
        { ...leaf, partialSig },
      ],
    });
    expect(read.inputs[0]?.musig2PubNonces?.[0]).not.toHaveProperty('leafHash');
    expect(read.inputs[0]?.musig2PartialSigs?.[0]).not.toHaveProperty('leafHash');
  });

  test('without empty records and keys of zeros, but with the empty script of an output', () => {
    const nothing = new Uint8Array(0);
    const zeros = new Uint8Array(32);
    const psbt = payment(['tr']);
    const filled = withOutput(
      withInput(psbt, 0, (input) => ({
        ...input,
        redeemScript: nothing,
        partialSigs: [],
        finalScriptSig: nothing,
        finalScriptWitness: [],
        tapInternalKey: zeros,
        tapMerkleRoot: zeros,
        sha256Preimages: [],
      })),
      0,
      () => ({ amount: 5n, script: nothing, redeemScript: nothing, tapInternalKey: zeros, tapTree: [] }),
    );
    const { inputs, outputs } = asNodeWrites(filled);
    const { tapInternalKey: _key, ...rest } = psbt.inputs[0] ?? {};
    expect(inputs).toEqual([rest]);
    expect(outputs[0]).toEqual({ amount: 5n, script: nothing });
    // Other records of zeros are written.
    const tapKeySig = new Uint8Array(64);
    expect(asNodeWrites(withInput(psbt, 0, () => ({ tapKeySig }))).inputs).toEqual([{ tapKeySig }]);
  });

  test('so that decoding and combining a PSBT with itself changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(legacyPsbt, psbtV0, psbtV2), (psbt) => {
        const once = text(asNodeWrites(psbt));
        const read = decodePsbtBytes(parseBase64(once));
        expect(text(asNodeWrites(read))).toBe(once);
        expect(text(asNodeWrites(combinePsbts([read]).psbt))).toBe(once);
      }),
      campaign(100),
    );
  });
});

describe('a node keeps the records of each kind', () => {
  const [a, b, c] = [1, 2, 3].map((byte) => new Uint8Array(33).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
  const [x, y] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const value = Uint8Array.of(7);
  const origin = { fingerprint: Uint8Array.of(1, 2, 3, 4), path: [] };
  const proprietary = (...keyData: number[]) => {
    return { identifier: Uint8Array.of(1), subtype: 2, keyData: Uint8Array.from(keyData), value };
  };
  const shared = {
    bip32Derivations: [a, b, c].map((pubkey) => ({ pubkey, ...origin })),
    tapBip32Derivations: [x, y].map((pubkey) => ({ pubkey, ...origin, leafHashes: [x, y] })),
    musig2Participants: [a, b].map((aggregatePubkey) => ({ aggregatePubkey, participants: [c, a, c] })),
    proprietary: [proprietary(1), proprietary(2)],
    unknown: [0xf1, 0xf2].map((type) => ({ key: Uint8Array.of(type), value })),
  };
  const silent = {
    spEcdhShares: [a, b].map((scanKey) => ({ scanKey, share: c })),
    spDleqProofs: [a, b].map((scanKey) => ({ scanKey, proof: new Uint8Array(64) })),
  };
  const preimages = (size: number) => [x, y].map((hash) => ({ hash: hash.subarray(0, size), preimage: value }));
  const signer = { participantPubkey: a, aggregatePubkey: a };
  const signers = [signer, { ...signer, participantPubkey: b }, { ...signer, leafHash: x }, { ...signer, leafHash: y }];
  const hashOf = (pubkey: Uint8Array): string => Buffer.from(hash160(pubkey)).toString('hex');
  const input = {
    ...shared,
    ...silent,
    partialSigs: [a, b, c]
      .sort((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))
      .map((pubkey) => ({ pubkey, signature: value })),
    ripemd160Preimages: preimages(20),
    sha256Preimages: preimages(32),
    hash160Preimages: preimages(20),
    hash256Preimages: preimages(32),
    tapScriptSigs: [x, y].flatMap((pubkey) => [x, y].map((leafHash) => ({ pubkey, leafHash, signature: value }))),
    musig2PubNonces: signers.map((one) => ({ ...one, pubNonce: new Uint8Array(66) })),
    musig2PartialSigs: signers.map((one) => ({ ...one, partialSig: new Uint8Array(32) })),
    spSpendBip32Derivations: [a, b].map((spendKey) => ({ spendKey, ...origin })),
  };
  const psbtOf = (global: Psbt['global'], ofInput: Psbt['inputs'][number], output: Psbt['outputs'][number]): Psbt => {
    return { global: { version: 2, txVersion: 2, ...global }, inputs: [ofInput], outputs: [output] };
  };
  const backwards = <M extends object>(map: M): M =>
    Object.fromEntries(Object.entries(map).map(([name, list]) => [name, [...list].reverse()])) as M;

  test('by their keys, in all maps; signatures by the hash of theirs', () => {
    const { proprietary: own, unknown } = shared;
    const global = { ...silent, proprietary: own, unknown };
    const psbt = psbtOf(global, input, shared);
    expect(inNodeOrder(psbtOf(backwards(global), backwards(input), backwards(shared)))).toEqual(psbt);
    expect(inNodeOrder(psbt)).toEqual(psbt);
  });

  test('without a leaf hash named twice', () => {
    const keys = (...leafHashes: Uint8Array[]) => ({ tapBip32Derivations: [{ pubkey: x, ...origin, leafHashes }] });
    expect(inNodeOrder(psbtOf({}, keys(y, x, y), keys(x, x))).inputs).toEqual([keys(x, y)]);
    expect(inNodeOrder(psbtOf({}, {}, keys(x, x))).outputs).toEqual([keys(x)]);
  });

  /** An extended key of version, depth, parent and child number, and what a node compares. */
  const xpub = (chainCode: number, pubkey: number, path: readonly number[], versionByte = 4, fingerprint = 1) => ({
    xpub: Uint8Array.of(
      ...[versionByte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...new Uint8Array(32).fill(chainCode),
      ...new Uint8Array(33).fill(pubkey),
    ),
    fingerprint: Uint8Array.of(fingerprint, 0, 0, 0),
    path,
  });

  test('and extended keys by fingerprint, length of the path, path, public key, chain code', () => {
    const xpubs = [
      xpub(9, 9, [9, 9, 9]),
      xpub(9, 9, [0], 4, 2),
      xpub(9, 9, [1, 2], 4, 2),
      xpub(8, 8, [1, 5], 4, 2),
      xpub(2, 9, [1, 5], 4, 2),
      xpub(3, 9, [1, 5], 4, 2),
      xpub(0, 0, [1, 0x8000_0000], 4, 2),
      xpub(0, 0, [2, 1], 4, 2),
    ];
    const orders = [[...xpubs].reverse(), [3, 0, 6, 1, 7, 4, 2, 5].flatMap((i) => xpubs[i] ?? []), xpubs];
    for (const given of orders) expect(inNodeOrder(psbtOf({ xpubs: given }, {}, {})).global.xpubs).toEqual(xpubs);
  });

  test('and the first of extended keys that differ in version bytes alone', () => {
    const [first, second, other] = [xpub(1, 1, [1], 5), xpub(1, 1, [1], 4), xpub(2, 1, [1], 4)];
    expect(inNodeOrder(psbtOf({ xpubs: [first, other, second] }, {}, {})).global.xpubs).toEqual([first, other]);
    expect(inNodeOrder(psbtOf({ xpubs: [second, other, first] }, {}, {})).global.xpubs).toEqual([second, other]);
  });
});
