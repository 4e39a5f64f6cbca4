import { expect, test } from 'vitest';
import {
  decodePsbt,
  encodePsbt,
  formatBase64,
  formatHex,
  type Psbt,
  parseHex,
  parseTxid,
  stringifyRpc,
  type UnknownRecord,
} from '../../support/library.ts';

const G = parseHex('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');

const oneInput = (input: Psbt['inputs'][number], unknown: readonly UnknownRecord[] = []): Psbt => ({
  global: {
    unsignedTx: {
      version: 2,
      inputs: [
        {
          outpoint: { txid: parseTxid('11'.repeat(32)), vout: 0 },
          scriptSig: new Uint8Array(0),
          sequence: 0,
          witness: [],
        },
      ],
      outputs: [],
      locktime: 0,
    },
    ...(unknown.length > 0 && { unknown }),
  },
  inputs: [input],
  outputs: [],
});
const decoded = (psbt: Psbt) =>
  decodePsbt([formatBase64(encodePsbt(psbt))], { network: 'regtest', dialect: 'core-32' });

test('a leaf hash of zeros counts as absent: the first of two nonces of one signer is shown', () => {
  const signer = { participantPubkey: G, aggregatePubkey: G };
  const first = new Uint8Array(66).fill(1);
  const zeros = { ...signer, leafHash: new Uint8Array(32) };
  const psbt = oneInput({
    musig2PubNonces: [
      { ...signer, pubNonce: first },
      { ...zeros, pubNonce: new Uint8Array(66).fill(2) },
    ],
    musig2PartialSigs: [
      { ...zeros, partialSig: new Uint8Array(32).fill(3) },
      { ...signer, partialSig: new Uint8Array(32).fill(4) },
    ],
  });
  const [input] = decoded(psbt).inputs;
  const keys = { participant_pubkey: formatHex(G), aggregate_pubkey: formatHex(G) };
  expect(input?.musig2_pubnonces).toEqual([{ ...keys, pubnonce: formatHex(first) }]);
  expect(input?.musig2_partial_sigs).toEqual([{ ...keys, partial_sig: '03'.repeat(32) }]);
});

test('unknown keys that look like array indexes are printed in the order of their bytes', () => {
  const key = (hex: string): UnknownRecord => ({ key: parseHex(hex), value: Uint8Array.of(0) });
  const answer = decoded(oneInput({}, [key('85'), key('7000'), key('70'), key('60ff')]));
  expect(Object.keys(answer.unknown)).toEqual(['70', '85', '7000', '60ff']);
  expect(stringifyRpc(answer)).toContain('"unknown":{"60ff":"00","70":"00","7000":"00","85":"00"}');
  expect(stringifyRpc(answer, { indent: 2 })).toContain('"60ff": "00",\n    "70": "00",');
});
