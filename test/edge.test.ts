import { describe, expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { expectRefusal, refusalOf } from './support/refusal.ts';

// What people did at the edge of the library, and what it says to them.

const { networks, SIGHASH } = library;
const me = library.accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
const build = { inputs: [coin], outputs: { [me.receive(1).address]: 60_000n }, change: me.change(0), feeRate: 2 };
const psbt = library.buildPsbt(build);
const text = library.formatPsbt(psbt);
const HEX = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
const tx = {
  version: 2,
  inputs: [
    {
      outpoint: { txid: library.parseTxid('11'.repeat(32)), vout: 0 },
      scriptSig: new Uint8Array(),
      sequence: 0,
      witness: [],
    },
  ],
  outputs: [{ value: 99_000n, scriptPubKey: HEX as unknown as Uint8Array }],
  locktime: 0,
};

test('hex of a JSON answer in the place of a script is refused', () => {
  for (const use of [library.encodeTransaction, library.txid, library.wtxid])
    expectRefusal(() => use(tx), 'argument/invalid', {
      argument: 'bytes',
      reason: 'must be a Uint8Array: use parseHex',
    });
  expect(() => library.formatPsbt(library.createPsbt(tx))).toThrow('use parseHex');
  const prevouts = [{ value: 10n, scriptPubKey: HEX as unknown as Uint8Array }];
  const spent = { ...tx, outputs: [{ value: 1n, scriptPubKey: library.parseHex(HEX) }] };
  expect(() => library.sighashForInput({ tx: spent, inputIndex: 0, prevouts })).toThrow('use parseHex');
  const known = [{ value: 10n, scriptPubKey: library.parseHex(`5120${'11'.repeat(32)}`) }];
  const leaf = { script: '51' as unknown as Uint8Array };
  expect(() => library.sighashForInput({ tx: spent, inputIndex: 0, prevouts: known, leaf })).toThrow('use parseHex');
});

describe('a PSBT is taken as text, as bytes and parsed', () => {
  test.each([
    ['text', text],
    ['bytes', library.encodePsbt(psbt)],
    ['a value', psbt],
  ])('%s', (_, given) => {
    const { fee } = library.reviewPsbt(given, { holder: library.createHolder(me.holds) });
    expect(fee).toBe(282n);
    expect(library.combinePsbts([given, text]).conflicts).toEqual([]);
    expect(library.finalizePsbt(given).isComplete).toBe(false);
    expect(library.toPsbtV0(given)).toEqual(library.parsePsbt(text));
    expect([...library.signingRequests(given)]).toHaveLength(1);
    expect(library.encodePsbt(given)).toEqual(library.encodePsbt(psbt));
  });
});

test('networks go by name or with their members', () => {
  const { address, scriptPubKey } = me.receive(0);
  expect(library.parseAddress(address, 'regtest')).toEqual(library.parseAddress(address, networks.regtest));
  expect(library.formatAddress(scriptPubKey, 'regtest')).toBe(address);
  const descriptor = library.formatDescriptor(me.descriptors[0] as library.Descriptor, 'regtest');
  expect(library.formatDescriptor(library.parseDescriptor(descriptor, 'regtest'), networks.regtest)).toBe(descriptor);
  expect(refusalOf(() => library.parseAddress(address, 'regtset' as 'regtest')).code).toBe('network/unknown');
});

test('a signer that answers later is pointed to signingRequests', () => {
  const signer = (async () => new Uint8Array(64)) as unknown as library.Signer;
  expectRefusal(() => library.signPsbt(psbt, signer, { holder: library.createHolder(me.holds) }), 'argument/invalid', {
    argument: 'signer',
    reason: 'must be a function that signs at once: for one that answers later, drive signingRequests',
  });
});

test('the name of a hash type is refused', () => {
  const sighashType = 'ALL' as unknown as number;
  for (const sign of [library.signWith, library.reviewWith])
    expect(() => sign(me, psbt, { sighashType })).toThrow('must be a number, such as SIGHASH.ALL');
});

test('white space around an address is named', () => {
  expectRefusal(() => library.parseAddress(` ${me.receive(0).address}`, 'regtest'), 'address/invalid', {
    reason: 'white-space',
  });
});

test('members that are undefined count as left out', () => {
  const sequence: number | undefined = undefined;
  const same = library.buildPsbt({ ...build, inputs: [{ ...coin, sequence }], locktime: undefined, fee: undefined });
  expect(same).toEqual(psbt);
});

test('what all share cannot be changed', () => {
  expect([networks, networks.main, networks.main.bip32, SIGHASH].map(Object.isFrozen)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test.each([
  [() => library.accountFromDescriptors([]), 'descriptors', 'must be at least one descriptor'],
  [
    () => library.buildPsbt({ ...build, ecc: {} as library.Ecc }),
    'ecc',
    'must be an arithmetic such as nobleEcc, without braces around it',
  ],
])('%s is refused', (run, argument, reason) => {
  expectRefusal(run, 'argument/invalid', { argument, reason });
});
