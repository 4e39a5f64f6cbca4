import { describe, expect, test } from 'vitest';
import {
  accountFromDescriptors,
  accountFromWords,
  type BuildOptions,
  buildPsbt,
  signWith,
} from '../../../src/kit/account/index.ts';
import {
  encodeTransaction,
  formatHex,
  formatTxid,
  networks,
  parseAddress,
  psbtVersion,
  type Transaction,
  txid,
  unsignedTransaction,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const network = 'regtest';
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const me = accountFromWords(WORDS, { network });
const legacy = accountFromWords(WORDS, { network, purpose: 44 });
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
/** A pay-to-anchor output. */
const ANCHOR = { script: Uint8Array.of(0x51, 2, 0x4e, 0x73), value: 0n };
const SCRIPT_HASH = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
const MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const coin = { txid: 'ab'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };

const build = (options: Partial<BuildOptions>): ReturnType<typeof buildPsbt> =>
  buildPsbt({ inputs: [coin], outputs: { [PAYEE]: 60_000n }, ...options });

const previous: Transaction = {
  version: 2,
  locktime: 0,
  inputs: [
    {
      outpoint: { txid: txid({ version: 1, inputs: [], outputs: [], locktime: 0 }), vout: 0 },
      sequence: 0,
      scriptSig: new Uint8Array(0),
      witness: [],
    },
  ],
  outputs: [{ value: 100_000n, scriptPubKey: legacy.receive(0).scriptPubKey }],
};
const legacyCoin = { txid: formatTxid(txid(previous)), vout: 0, from: legacy.receive(0) };
const previousTransaction = formatHex(encodeTransaction(previous));

describe('buildPsbt', () => {
  test('pays what was asked, the rest as change, and the fee at the rate of the signed transaction', () => {
    const { outputs } = unsignedTransaction(build({ change: me.change(0), feeRate: 10 }));
    // A P2WPKH spend to two P2WPKH outputs takes 141 virtual bytes, with a signature of 72 bytes.
    expect(outputs.map(({ value }) => value)).toEqual([60_000n, 100_000n - 60_000n - 1410n]);
    const { hex } = signWith(me, build({ change: me.change(0), feeRate: 10 }));
    expect(hex).toBeDefined();
  });

  test('leaves change out that would be dust', () => {
    const { outputs } = unsignedTransaction(build({ outputs: { [PAYEE]: 99_600n }, change: me.change(0), feeRate: 1 }));
    expect(outputs.map(({ value }) => value)).toEqual([99_600n]);
  });

  test('keeps to the fee that was named', () => {
    const { outputs } = unsignedTransaction(build({ change: me.change(0), fee: 1234n }));
    expect(outputs[1]?.value).toBe(100_000n - 60_000n - 1234n);
  });

  test('makes version 0, or version 2 if asked', () => {
    expect(psbtVersion(build({ change: me.change(0), feeRate: 1 }))).toBe(0);
    const newer = build({ change: me.change(0), feeRate: 1, version: 2 });
    expect(psbtVersion(newer)).toBe(2);
    expect(signWith(me, newer).isComplete).toBe(true);
  });

  test('writes data, and outputs in the order of a list', () => {
    const data = new TextEncoder().encode('hello');
    const psbt = build({
      outputs: [{ data }, { to: PAYEE, value: 60_000n }, { to: me.receive(1), value: 1000n }],
      change: me.change(0),
      feeRate: 1,
    });
    const { outputs } = unsignedTransaction(psbt);
    expect(outputs.map(({ value }) => value)).toEqual([0n, 60_000n, 1000n, expect.any(BigInt)]);
    expect(formatHex(outputs[0]?.scriptPubKey ?? new Uint8Array(0))).toBe('6a0568656c6c6f');
    expect(psbt.outputs[2]?.bip32Derivations).toHaveLength(1);
  });

  test('takes the previous transaction of a legacy coin, and checks it', () => {
    const good = build({ inputs: [{ ...legacyCoin, previousTransaction }], change: legacy.change(0), feeRate: 1 });
    expect(signWith(legacy, good).isComplete).toBe(true);
    const wrong = (inputs: BuildOptions['inputs'], reason: string): void => {
      expectRefusal(() => build({ inputs, change: me.change(0), feeRate: 1 }), 'build/previous-transaction', {
        inputIndex: 0,
        reason,
      });
    };
    wrong([{ ...legacyCoin, value: 100_000n }], 'missing');
    wrong([{ ...legacyCoin, txid: 'cd'.repeat(32), previousTransaction }], 'txid');
    wrong([{ ...legacyCoin, vout: 1, previousTransaction }], 'output');
    wrong([{ ...legacyCoin, from: legacy.receive(1), previousTransaction }], 'output');
    wrong([{ ...legacyCoin, value: 99_999n, previousTransaction }], 'value');
  });

  test('spends coins of other wallets, if the fee is named', () => {
    const foreign = { ...coin, from: PAYEE };
    const psbt = buildPsbt({
      network,
      inputs: [foreign, { ...coin, vout: 1 }],
      outputs: { [PAYEE]: 60_000n },
      change: me.change(0),
      fee: 500n,
    });
    expect(psbt.inputs[0]?.witnessUtxo?.scriptPubKey).toEqual(parseAddress(PAYEE, networks.regtest));
    expectRefusal(
      () =>
        buildPsbt({
          ...{ network, outputs: { [PAYEE]: 60_000n }, change: me.change(0), feeRate: 1 },
          inputs: [{ ...coin, from: SCRIPT_HASH }],
        }),
      'build/unknown-size',
      { inputIndex: 0 },
    );
  });

  test.each<[string, Partial<BuildOptions>, string]>([
    [
      'more than there is',
      { outputs: { [PAYEE]: 100_000n }, change: me.change(0), feeRate: 1 },
      'build/insufficient-funds',
    ],
    [
      'a fee that is not there',
      { outputs: { [PAYEE]: 60_000n }, change: me.change(0), fee: 40_001n },
      'build/insufficient-funds',
    ],
    ['dust', { outputs: { [PAYEE]: 200n }, change: me.change(0), feeRate: 1 }, 'build/dust'],
    ['a negative amount', { outputs: { [PAYEE]: -1n }, change: me.change(0), feeRate: 1 }, 'build/invalid'],
    ['no inputs', { inputs: [], feeRate: 1 }, 'build/invalid'],
    ['a rest that would go to the miners', { feeRate: 1 }, 'build/invalid'],
    ['neither fee nor rate', { change: me.change(0) }, 'build/invalid'],
    ['both fee and rate', { change: me.change(0), fee: 1n, feeRate: 1 }, 'build/invalid'],
    ['a rate that is no number', { change: me.change(0), feeRate: Number.NaN }, 'build/invalid'],
    [
      'an address of another network',
      { outputs: { [MAIN]: 60_000n }, change: me.change(0), feeRate: 1 },
      'address/network',
    ],
    ['an account of another network', { change: accountFromWords(WORDS).change(0), feeRate: 1 }, 'build/invalid'],
    [
      'a coin without amount',
      { inputs: [{ txid: coin.txid, vout: 0, from: coin.from }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    ['the same coin twice', { inputs: [coin, coin], change: me.change(0), feeRate: 1 }, 'build/invalid'],
    ['a negative fee', { change: me.change(0), fee: -1n }, 'build/invalid'],
    ['a fee that is a number', { change: me.change(0), fee: 500 as unknown as bigint }, 'build/invalid'],
    ['an absurd rate', { change: me.change(0), feeRate: 1e308 }, 'build/invalid'],
    [
      'an impossible output index',
      { inputs: [{ ...coin, vout: -1 }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    [
      'an impossible sequence',
      { inputs: [{ ...coin, sequence: 2 ** 33 }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    ['an impossible locktime', { locktime: Number.NaN, change: me.change(0), feeRate: 1 }, 'build/invalid'],
    ['version 1', { version: 1 as unknown as 2, change: me.change(0), feeRate: 1 }, 'build/invalid'],
    [
      'more coins than exist',
      { outputs: { [PAYEE]: 22_000_000n * 100_000_000n }, change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    [
      'more data than any node relays',
      { outputs: [{ data: new Uint8Array(99_995) }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    ['a change position beyond the payments', { change: me.change(0), changePosition: 2, feeRate: 1 }, 'build/invalid'],
    ['a transaction version that there is not', { fee: 40_000n, txVersion: 4 as 3 }, 'build/invalid'],
    [
      'a script as text',
      { outputs: [{ script: '51' as unknown as Uint8Array, value: 1000n }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    ['two outputs of dust', { outputs: [ANCHOR, ANCHOR], fee: 0n, change: me.change(0) }, 'build/dust'],
    ['dust beside a fee', { outputs: [ANCHOR], fee: 1n, change: me.change(0) }, 'build/dust'],
    [
      'data and a payment in one',
      { outputs: [{ to: PAYEE, value: 1000n, data: new Uint8Array(1) }], change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    [
      'a map of outputs',
      { outputs: new Map([[PAYEE, 1000n]]) as never, change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
    [
      'half a satoshi',
      { outputs: { [PAYEE]: 0.5 as unknown as bigint }, change: me.change(0), feeRate: 1 },
      'build/invalid',
    ],
  ])('refuses %s', (_, options, code) => {
    expect(() => build(options)).toThrow(expect.objectContaining({ code }));
  });

  test('puts the change where it is told', () => {
    const { outputs } = unsignedTransaction(build({ change: me.change(0), changePosition: 0, feeRate: 1 }));
    expect(outputs.map(({ value }) => value)).toEqual([39_859n, 60_000n]);
  });

  test('pays scripts, data of any size, and one output of dust without a fee, for a child of version 3', () => {
    const script = parseAddress(PAYEE, networks.regtest);
    const data = new Uint8Array(5000);
    const options = { outputs: [{ script, value: 50_000n }, ANCHOR, { data }], change: me.change(0), fee: 0n };
    const tx = unsignedTransaction(build({ ...options, txVersion: 3 }));
    expect(tx.version).toBe(3);
    expect(tx.outputs.map(({ value }) => value)).toEqual([50_000n, 0n, 0n, 50_000n]);
    expect(tx.outputs[2]?.scriptPubKey.length).toBe(5004);
  });

  test('estimates the size of multisig and taproot spends, too', () => {
    const [first, second] = ['02', '03'].map(
      (byte) => `${byte}79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798`,
    );
    const watching = accountFromDescriptors(`wsh(multi(2,${first},${second}))`, { network });
    const psbt = build({ inputs: [{ ...coin, from: watching.receive(0) }], change: watching.change(0), feeRate: 1 });
    expect(psbt.outputs).toHaveLength(2);
  });
});

describe('values of another type than declared', () => {
  test.each([
    [{ inputs: null }, 'inputs', 'must be an array'],
    [{ inputs: [null] }, 'inputs[0]', 'must be an object'],
    [
      { inputs: [{ ...coin, from: null }] },
      'inputs[0].from',
      'must be an address, as text or as an address of an account',
    ],
    [{ inputs: [{ ...coin, txid: 5 }] }, 'inputs[0].txid', 'must be a txid as text'],
    [{ outputs: null }, 'outputs', 'must be an array or a plain object'],
    [{ outputs: 'address' }, 'outputs', 'must be an array or a plain object'],
    [{ outputs: [null] }, 'outputs[0]', 'must be an object'],
    [
      { outputs: [{ to: null, value: 1000n }] },
      'outputs[0].to',
      'must be an address, as text or as an address of an account',
    ],
    [{ change: null }, 'change', 'must be an address, as text or as an address of an account'],
    [{ change: {} }, 'change', 'must be an address, as text or as an address of an account'],
  ])('are refused: %#', (options, member, reason) => {
    expectRefusal(() => build(options as unknown as Partial<BuildOptions>), 'build/invalid', { member, reason });
  });
});
