import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { encode } from '../../src/core/bytes/codec.ts';
import { pointsOf } from '../../src/core/crypto/noblePoints.ts';
import { addScalars } from '../../src/core/crypto/scalar.ts';
import { payToTaproot } from '../../src/core/script/build.ts';
import { countedSecretKey } from '../../src/core/silentPayments/outputs.ts';
import { inputHash, secretFactor } from '../../src/core/silentPayments/sharedSecret.ts';
import { witnessCodec } from '../../src/core/tx/codec.ts';
import {
  createReceiver,
  formatHex,
  formatSilentPaymentAddress,
  formatTxid,
  networks,
  nobleEcc,
  sha256,
  silentPaymentScripts,
  tweakData,
} from '../support/library.ts';
import { payingInputs, type SilentInput, secretKeys, transactionOf } from '../support/silentPayments.ts';

// Writes random sends and scans in the form of BIP352's vectors, with our answers: the BIP's reference then checks them.
// node .build/bundled.mjs test/referee/silentPayments.ts COUNT SEED FILE

const ECC = nobleEcc;
const points = pointsOf(ECC);
const ZERO = new Uint8Array(32);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const [MESSAGE, AUX] = [sha256(utf8('message')), sha256(utf8('random auxiliary data'))];

interface Wallet {
  readonly scan: Uint8Array;
  readonly spend: Uint8Array;
  readonly labels: readonly number[];
}

const wallets = fc.record({
  scan: secretKeys,
  spend: secretKeys,
  labels: fc.uniqueArray(fc.nat(2 ** 32 - 1), { maxLength: 3 }),
});

const cases = fc.record({
  inputs: payingInputs,
  owners: fc.tuple(wallets, wallets),
  /** The owner, and the label among its own; beyond them none. */
  payees: fc.array(fc.tuple(fc.nat(1), fc.nat(3)), { minLength: 1, maxLength: 4 }),
  stranger: secretKeys,
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const vinOf = ({ input, spent, key }: SilentInput) => ({
  txid: formatTxid(input.outpoint.txid),
  vout: input.outpoint.vout,
  scriptSig: formatHex(input.scriptSig),
  txinwitness: input.witness.length > 0 ? formatHex(encode(witnessCodec, input.witness)) : '',
  prevout: { scriptPubKey: { hex: formatHex(spent.scriptPubKey) } },
  private_key: formatHex(key?.secretKey ?? new Uint8Array(32).fill(1)),
});

function vector({ inputs, owners, payees, stranger }: Case, index: number) {
  const vin = inputs.map(vinOf);
  const keys = inputs.flatMap(({ key }) => key ?? []);
  const terms = keys.map((key) => countedSecretKey(key, ECC));
  const sum = terms.reduce(addScalars, ZERO);
  const outpoints = inputs.map(({ input }) => input.outpoint);
  const hash = inputHash(outpoints, ECC.publicKey(sum));
  const receivers = owners.map(({ scan, spend, labels }) =>
    createReceiver({ scanSecretKey: scan, spendKey: ECC.publicKey(spend), labels }),
  );
  const addresses = payees.flatMap(([owner, label]) => receivers[owner]?.address(owners[owner]?.labels[label]) ?? []);
  const shared = addresses.map(({ scanKey }) => points.multiply(scanKey, secretFactor(hash, sum)) ?? ZERO);
  const scripts = silentPaymentScripts({ keys, outpoints, addresses, sameReceiver: addresses });
  const all = [...scripts, payToTaproot(ECC.publicKey(stranger).slice(1))];
  const tx = transactionOf(inputs, all);
  const spent = inputs.map((each) => each.spent);
  const textOf = (address: (typeof addresses)[number]): string => formatSilentPaymentAddress(address, networks.main);
  const receiving = owners.map((owner, i) => receive(owner, receivers[i], { tx, spent, vin, all }));
  const given = {
    vin,
    recipients: addresses.map((address) => ({
      address: textOf(address),
      scan_pub_key: formatHex(address.scanKey),
      spend_pub_key: formatHex(address.spendKey),
    })),
  };
  const expected = {
    outputs: [scripts.map((script) => formatHex(script.slice(2)))],
    input_pub_keys: terms.map((term) => formatHex(ECC.publicKey(term))),
    input_private_key_sum: formatHex(sum),
    shared_secrets: shared.map((secret) => formatHex(secret)),
  };
  return { comment: `random ${index}`, sending: [{ given, expected }], receiving };

  function receive(
    { scan, spend, labels }: Wallet,
    receiver: (typeof receivers)[number] | undefined,
    seen: { tx: typeof tx; spent: typeof spent; vin: typeof vin; all: typeof all },
  ) {
    const found = receiver?.findPayments(seen.tx, seen.spent) ?? [];
    const data = tweakData(seen.tx, seen.spent) ?? ZERO;
    return {
      given: {
        vin: seen.vin,
        outputs: seen.all.map((script) => formatHex(script.slice(2))),
        key_material: { spend_priv_key: formatHex(spend), scan_priv_key: formatHex(scan) },
        labels,
      },
      expected: {
        addresses: [undefined, ...labels].flatMap((label) => (receiver ? textOf(receiver.address(label)) : [])),
        tweak: formatHex(data),
        shared_secret: formatHex(points.multiply(data, scan) ?? ZERO),
        input_pub_key_sum: formatHex(ECC.publicKey(sum)),
        outputs: found.map(({ vout, tweak }) => ({
          priv_key_tweak: formatHex(tweak),
          pub_key: formatHex(seen.all[vout]?.slice(2) ?? ZERO),
          signature: formatHex(ECC.signSchnorr(MESSAGE, addScalars(spend, tweak), AUX)),
        })),
      },
    };
  }
}

const [count = '100', seed = '1', file = 'silent-payments.json'] = process.argv.slice(2);
const vectors = fc.sample(cases, { numRuns: Number(count), seed: Number(seed) }).map(vector);
writeFileSync(file, `${JSON.stringify(vectors)}\n`);
