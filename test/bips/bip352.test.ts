import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReader } from '../../src/core/bytes/reader.ts';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { nobleEcc } from '../../src/core/crypto/nobleEcc.ts';
import { addScalars } from '../../src/core/crypto/scalar.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import { payToTaproot } from '../../src/core/script/build.ts';
import { classifyScript } from '../../src/core/script/template.ts';
import {
  createReceiver,
  formatSilentPaymentAddress,
  type PayingKey,
  parseSilentPaymentAddress,
  silentPaymentScripts,
  tweakData,
} from '../../src/core/silentPayments/index.ts';
import { inputKey } from '../../src/core/silentPayments/inputKeys.ts';
import { witnessCodec } from '../../src/core/tx/codec.ts';
import { parseTxid } from '../../src/core/tx/txid.ts';
import type { Transaction } from '../../src/core/tx/types.ts';
import { shared } from '../support/corpus.ts';
import { formatHex, networks, parseHex } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

interface Vin {
  readonly txid: string;
  readonly vout: number;
  readonly scriptSig: string;
  readonly txinwitness: string;
  readonly prevout: { readonly scriptPubKey: { readonly hex: string } };
  readonly private_key: string;
}

interface Case {
  readonly comment: string;
  readonly sending: readonly {
    readonly given: {
      readonly vin: readonly Vin[];
      readonly recipients: readonly { readonly address: string; readonly count?: number }[];
    };
    readonly expected: { readonly outputs: readonly (readonly string[])[]; readonly input_pub_keys: readonly string[] };
  }[];
  readonly receiving: readonly {
    readonly given: {
      readonly vin: readonly Vin[];
      readonly outputs: readonly string[];
      readonly key_material: { readonly spend_priv_key: string; readonly scan_priv_key: string };
      readonly labels: readonly number[];
    };
    readonly expected: {
      readonly addresses: readonly string[];
      readonly n_outputs?: number;
      readonly outputs?: readonly {
        readonly priv_key_tweak: string;
        readonly pub_key: string;
        readonly signature: string;
      }[];
      readonly tweak: string | null;
    };
  }[];
}

const FILE = 'vectors/bips/bip-0352/send_and_receive_test_vectors.json';
const published: readonly Case[] = shared ? JSON.parse(readFileSync(join(shared, FILE), 'utf8')) : [];
const own: readonly Case[] = JSON.parse(
  readFileSync(new URL('../../vectors/silent-payments.json', import.meta.url), 'utf8'),
);
const cases = [...published, ...own];

const scriptOf = (vin: Vin): { scriptPubKey: Uint8Array } => ({ scriptPubKey: parseHex(vin.prevout.scriptPubKey.hex) });

function inputOf(vin: Vin): Transaction['inputs'][number] {
  const witness = vin.txinwitness === '' ? [] : witnessCodec.read(createReader(parseHex(vin.txinwitness)));
  const outpoint = { txid: parseTxid(vin.txid), vout: vin.vout };
  return { outpoint, scriptSig: parseHex(vin.scriptSig), sequence: 0xffff_ffff, witness };
}

const keyOf = (vin: Vin): Uint8Array | undefined => inputKey({ ...inputOf(vin), ...scriptOf(vin) });

const arithmetics = [
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
] as const;

describe.each(arithmetics)('BIP352 with %s', (_, ecc) => {
  test.each(cases)('sends: $comment', ({ sending }) => {
    for (const { given, expected } of sending) {
      const keyed = given.vin.filter((vin) => keyOf(vin));
      expect(keyed.map((vin) => formatHex(keyOf(vin) ?? new Uint8Array(0)))).toEqual(expected.input_pub_keys);
      const keys = keyed.map(
        (vin): PayingKey => ({
          secretKey: parseHex(vin.private_key),
          isTaproot: classifyScript(scriptOf(vin).scriptPubKey).type === 'witness_v1_taproot',
        }),
      );
      const addresses = given.recipients.flatMap(({ address, count = 1 }) =>
        new Array(count).fill(parseSilentPaymentAddress(address, networks.main)),
      );
      const send = () =>
        silentPaymentScripts(
          { keys, outpoints: given.vin.map((vin) => inputOf(vin).outpoint), addresses, sameReceiver: addresses },
          { ecc },
        );
      if (expected.outputs[0]?.length === 0) {
        expect(refusalOf(send).code).toBeOneOf(['silent-payment/inputs', 'silent-payment/count']);
        continue;
      }
      const sent = send().map((script) => formatHex(script.slice(2)));
      expect(expected.outputs.map((set) => [...set].sort())).toContainEqual(sent.sort());
    }
  });

  test.each(cases)('receives: $comment', { timeout: 300_000 }, ({ receiving }) => {
    for (const { given, expected } of receiving) {
      const { scan_priv_key: scan, spend_priv_key: spend } = given.key_material;
      const keys = { scanSecretKey: parseHex(scan), spendKey: ecc.publicKey(parseHex(spend)), labels: given.labels };
      const receiver = createReceiver(keys, { ecc });
      const addresses = [undefined, ...given.labels].map((label) => receiver.address(label));
      expect(addresses.map((address) => formatSilentPaymentAddress(address, networks.main))).toEqual(
        expected.addresses,
      );
      const outputs = given.outputs.map((key) => ({ value: 1n, scriptPubKey: payToTaproot(parseHex(key)) }));
      const tx = { version: 2, inputs: given.vin.map(inputOf), outputs, locktime: 0 };
      const spent = given.vin.map(scriptOf);
      const found = receiver.findPayments(tx, spent);
      const data = tweakData(tx, spent, { ecc });
      expect(data ? formatHex(data) : null).toBe(expected.tweak);
      expect(data ? receiver.findByTweakData(data, outputs) : []).toEqual(found);
      const rows = found.map(({ vout, tweak }) => ({ pub_key: given.outputs[vout], priv_key_tweak: formatHex(tweak) }));
      expect(rows).toHaveLength(expected.n_outputs ?? expected.outputs?.length ?? -1);
      const wanted = expected.outputs ?? [];
      expect(rows).toEqual(expect.arrayContaining(wanted.map(({ signature: _, ...row }) => row)));
      for (const { vout, tweak } of found.slice(0, 5)) {
        expect(formatHex(ecc.publicKey(addScalars(parseHex(spend), tweak)).slice(1))).toBe(given.outputs[vout]);
      }
    }
  });
});
