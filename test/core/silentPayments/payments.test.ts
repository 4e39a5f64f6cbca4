import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addScalars, negateScalar } from '../../../src/core/crypto/scalar.ts';
import { payToTaproot } from '../../../src/core/script/build.ts';
import {
  createReceiver,
  formatSilentPaymentAddress,
  parseSilentPaymentAddress,
  silentPaymentScripts,
  tweakData,
} from '../../../src/core/silentPayments/index.ts';
import { campaign } from '../../support/campaign.ts';
import { networks, nobleEcc } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import {
  payingInputs,
  type SilentInput,
  secretKeys,
  silentInputs,
  transactionOf,
} from '../../support/silentPayments.ts';

const pairs = fc.record({ scan: secretKeys, spend: secretKeys });
const labels = fc.option(fc.nat(2 ** 32 - 1), { nil: undefined });

const receiverOf = ({ scan, spend }: { scan: Uint8Array; spend: Uint8Array }, known: readonly number[] = []) =>
  createReceiver({ scanSecretKey: scan, spendKey: nobleEcc.publicKey(spend), labels: known });

function pay(inputs: readonly SilentInput[], addresses: Parameters<typeof silentPaymentScripts>[0]['addresses']) {
  const keys = inputs.flatMap(({ key }) => key ?? []);
  return silentPaymentScripts({
    keys,
    outpoints: inputs.map(({ input }) => input.outpoint),
    addresses,
    sameReceiver: addresses,
  });
}

describe('a silent payment', () => {
  test('is found by its receiver, who can spend it, and by nobody else', () => {
    const receivers = fc.tuple(pairs, pairs, pairs);
    const choices = fc.array(fc.tuple(fc.nat(1), labels), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(payingInputs, receivers, choices, (inputs, [first, second, other], chosen) => {
        const owners = [first, second];
        const known = chosen.flatMap(([, label]) => label ?? []);
        const addresses = chosen.map(([owner, label]) => receiverOf(owners[owner] ?? first).address(label));
        // Another output in front, so that no place is right by chance.
        const tx = transactionOf(inputs, [
          payToTaproot(nobleEcc.publicKey(other.spend).slice(1)),
          ...pay(inputs, addresses),
        ]);
        const spent = inputs.map((each) => each.spent);
        const data = tweakData(tx, spent) ?? new Uint8Array(0);
        for (const [owner, pair] of owners.entries()) {
          const receiver = receiverOf(pair, known);
          const found = receiver.findPayments(tx, spent);
          const own = chosen.flatMap(([each, label], i) => (each === owner ? [{ vout: i + 1, label }] : []));
          expect(found.map(({ vout, label }) => ({ vout, label })).sort((a, b) => a.vout - b.vout)).toEqual(own);
          expect(receiver.findByTweakData(data, tx.outputs)).toEqual(found);
          for (const { vout, tweak } of found) {
            const key = nobleEcc.publicKey(addScalars(pair.spend, tweak)).slice(1);
            expect(tx.outputs[vout]?.scriptPubKey).toEqual(payToTaproot(key));
          }
        }
        expect(receiverOf(other, known).findPayments(tx, spent)).toEqual([]);
      }),
      campaign(100),
    );
  });

  test('does not depend on the order of the inputs, and depends on each that has a key', () => {
    fc.assert(
      fc.property(payingInputs, silentInputs, pairs, (inputs, added, pair) => {
        const addresses = [receiverOf(pair).address()];
        const scripts = pay(inputs, addresses);
        expect(pay([...inputs].reverse(), addresses)).toEqual(scripts);
        if (added.key) expect(pay([...inputs, added], addresses)).not.toEqual(scripts);
        for (const [i, { key }] of inputs.entries()) {
          const rest = inputs.filter((_, at) => at !== i);
          if (key && rest.some((each) => each.key)) expect(pay(rest, addresses)).not.toEqual(scripts);
        }
      }),
      campaign(100),
    );
  });

  test('is found among many labels as among few', () => {
    fc.assert(
      fc.property(
        payingInputs,
        pairs,
        fc.uniqueArray(fc.nat(2 ** 32 - 1), { minLength: 8, maxLength: 20 }),
        (inputs, pair, known) => {
          const [label = 0] = known;
          const tx = transactionOf(inputs, pay(inputs, [receiverOf(pair).address(label)]));
          const spent = inputs.map((each) => each.spent);
          const [few, many] = [receiverOf(pair, [label]), receiverOf(pair, known)];
          expect(few.findPayments(tx, spent)).toMatchObject([{ vout: 0, label }]);
          expect(many.findPayments(tx, spent)).toEqual(few.findPayments(tx, spent));
        },
      ),
      campaign(30),
    );
  });

  test('of two outputs with the same script is found twice', () => {
    fc.assert(
      fc.property(payingInputs, pairs, (inputs, pair) => {
        const [script = new Uint8Array(0)] = pay(inputs, [receiverOf(pair).address()]);
        const found = receiverOf(pair).findPayments(
          transactionOf(inputs, [script, script]),
          inputs.map((each) => each.spent),
        );
        expect(found.map(({ vout }) => vout)).toEqual([0, 1]);
      }),
      campaign(20),
    );
  });

  test('is not found beside a coin of a later witness version', () => {
    fc.assert(
      fc.property(payingInputs, pairs, (paying, pair) => {
        const [first] = paying;
        if (!first) return;
        const scripts = pay(paying, [receiverOf(pair).address()]);
        const later = { value: 1n, scriptPubKey: Uint8Array.of(0x52, 2, 1, 1) };
        const inputs = [...paying, { ...first, spent: later, input: { ...first.input, witness: [] } }];
        const tx = transactionOf(inputs, scripts);
        expect(
          receiverOf(pair).findPayments(
            tx,
            inputs.map((each) => each.spent),
          ),
        ).toEqual([]);
      }),
      campaign(20),
    );
  });
});

describe('refused with a clear error', () => {
  const key = new Uint8Array(32).fill(3);
  const receiver = createReceiver({ scanSecretKey: key, spendKey: nobleEcc.publicKey(key) });

  test('are inputs without a key, keys that cancel out, and a wrong list of spent outputs', () => {
    const outpoints = fc.sample(silentInputs, 2).map(({ input }) => input.outpoint);
    const addresses = [receiver.address()];
    const send = (...keys: readonly Uint8Array[]) =>
      refusalOf(() =>
        silentPaymentScripts({
          keys: keys.map((secretKey) => ({ secretKey, isTaproot: false })),
          outpoints,
          addresses,
        }),
      );
    expect(send()).toMatchObject({ code: 'silent-payment/inputs', data: { reason: 'none' } });
    expect(send(key, negateScalar(key))).toMatchObject({ code: 'silent-payment/inputs', data: { reason: 'sum' } });
    const tx = transactionOf([], [payToTaproot(key)]);
    expect(refusalOf(() => receiver.findPayments(tx, [{ scriptPubKey: key }])).code).toBe('argument/invalid');
  });

  test('are misspelt options, missing flags, wrong keys and outpoints that are too few', () => {
    const outpoints = fc.sample(silentInputs, 1).map(({ input }) => input.outpoint);
    const payer = { keys: [{ secretKey: key, isTaproot: false }], outpoints, addresses: [receiver.address()] };
    const send = (change: object) => refusalOf(() => silentPaymentScripts({ ...payer, ...change }));
    expect(send({ adresses: [] }).message).toMatch(/^The option adresses is unknown/);
    expect(send({ keys: [{ secretKey: key }] }).message).toBe('The option keys[0].isTaproot is missing');
    expect(send({ keys: [{ secretKey: key, isTaproot: false, isEven: true }] }).message).toMatch(
      /^The option keys\[0\]\.isEven is unknown/,
    );
    expect(send({ keys: [{ secretKey: new Uint8Array(32), isTaproot: false }] }).code).toBe('ecc/secret-key');
    expect(send({ outpoints: [] }).message).toBe('The option outpoints must have the outpoints of all inputs');
    const keys = { scanSecretKey: key, spendKey: nobleEcc.publicKey(key) };
    expect(refusalOf(() => createReceiver({ ...keys, ...{ labells: [1] } })).message).toMatch(
      /^The option labells is unknown/,
    );
    for (const label of [-1, 1.5, 2 ** 32]) {
      expect(refusalOf(() => createReceiver({ ...keys, labels: [label] })).code).toBe('argument/invalid');
      expect(refusalOf(() => receiver.address(label)).code).toBe('bytes/out-of-range');
    }
  });

  test('are keys and tweak data that are not points', () => {
    const wrong = new Uint8Array(33).fill(5);
    expect(refusalOf(() => receiver.findByTweakData(wrong, [])).code).toBe('ecc/point');
    expect(refusalOf(() => createReceiver({ scanSecretKey: key, spendKey: wrong }))).toMatchObject({
      code: 'ecc/point',
      data: { what: 'spend key' },
    });
    expect(refusalOf(() => createReceiver({ scanSecretKey: new Uint8Array(32), spendKey: wrong })).code).toBe(
      'ecc/secret-key',
    );
  });

  test('are keys, labels and addresses of another kind, which no error shows', () => {
    const wif = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
    const keys = { scanSecretKey: key, spendKey: nobleEcc.publicKey(key) };
    const payer = { keys: [], outpoints: [], addresses: [] };
    const calls: readonly (readonly [() => unknown, string, string])[] = [
      [() => createReceiver({ ...keys, labels: [wif] as never }), 'argument/invalid', 'labels must hold whole numbers'],
      [() => receiver.address(wif as never), 'bytes/out-of-range', 'not of type string'],
      [() => createReceiver({ ...keys, labels: wif as never }), 'argument/invalid', 'labels must be an array'],
      [() => createReceiver(wif as never), 'argument/invalid', 'must be an object with scanSecretKey'],
      [() => createReceiver(key as never), 'argument/invalid', 'must be an object with scanSecretKey'],
      [
        () => formatSilentPaymentAddress({ scanKey: key, spendKey: key }, networks.main),
        'address/invalid',
        'not a point',
      ],
      [() => formatSilentPaymentAddress(wif as never, networks.main), 'argument/invalid', 'must be an object'],
      [() => parseSilentPaymentAddress(undefined as never, networks.main), 'argument/invalid', 'must be a string'],
      [() => silentPaymentScripts({ ...payer, addresses: [wif] as never }), 'argument/invalid', 'addresses[0] must be'],
      [
        () => silentPaymentScripts({ ...payer, outpoints: wif as never }),
        'argument/invalid',
        'outpoints must be an array',
      ],
    ];
    for (const [call, code, words] of calls) {
      const refusal = refusalOf(call);
      expect(refusal.code).toBe(code);
      expect(refusal.message).toContain(words);
      expect(`${refusal.message} ${JSON.stringify(refusal.data)}`).not.toContain(wif.slice(0, 12));
    }
  });
});
