import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legacyPsbt, psbtV0, psbtV2 } from '../../support/arbitraries.ts';
import { rounds } from '../../support/campaign.ts';
import { isFast } from '../../support/corpus.ts';
import {
  asNodeWrites,
  combinePsbts,
  decodePsbtBytes,
  encodePsbt,
  type Psbt,
  parseBase64,
  parseHex,
} from '../../support/library.ts';
import { ask, text } from '../../support/psbtCalls.ts';
import { payment, withInput } from '../../support/psbts.ts';

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
      { numRuns: rounds(200) },
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

  test('so that decoding and combining a PSBT with itself changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(legacyPsbt, psbtV0, psbtV2), (psbt) => {
        const once = text(asNodeWrites(psbt));
        const read = decodePsbtBytes(parseBase64(once));
        expect(text(asNodeWrites(read))).toBe(once);
        expect(text(asNodeWrites(combinePsbts([read]).psbt))).toBe(once);
      }),
      { numRuns: rounds(100) },
    );
  });
});
