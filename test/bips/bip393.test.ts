import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitAnnotations, withAnnotations } from '../../src/core/descriptors/annotations.ts';
import {
  accountFromDescriptors,
  accountFromWalletFile,
  buildPsbt,
  parseWalletFile,
  reviewWith,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
} from '../../src/kit/account/index.ts';
import { policyOf } from '../../src/kit/policies/index.ts';
import { encodeDescriptorUr } from '../../src/kit/qr/index.ts';
import { createRpc } from '../../src/rpc.ts';
import { run } from '../support/io.ts';
import { withChecksum } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

const XPUB =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL';
const PLAIN = `wpkh([deadbeef/84h/0h/0h]${XPUB}/0/*)`;
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600';
const TAPROOT =
  'tr(xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ/0/*)';

/** Of the BIP, with their checksums. */
const VALID = [
  [`${PLAIN}?bh=800000&gl=30#v35n46d2`, PLAIN, { birthHeight: 800_000, gapLimit: 30 }],
  [`${PLAIN}#kf3v6fpx`, PLAIN, {}],
  [`wpkh(${KEY})?bh=150000#8kehtsrj`, `wpkh(${KEY})`, { birthHeight: 150_000 }],
  [`${TAPROOT}?bh=709632&gl=20#6la5jcn3`, TAPROOT, { birthHeight: 709_632, gapLimit: 20 }],
] as const;

const INVALID = [
  'Bh=1',
  'bh=',
  'bh',
  'bh=-1',
  'bh=abc',
  'bh=01',
  '=100',
  'bh=1&',
  '',
  'bh=1&bh=2',
  'bh=1?gl=2',
  'bh=2147483648',
  'gl=100001',
  `ml=${'9'.repeat(400)}`,
];

describe('the annotations of a descriptor', () => {
  test.each(VALID)('are read from %s', (text, plain, annotations) => {
    const account = accountFromDescriptors(text);
    const { birthHeight, gapLimit } = account;
    expect({ birthHeight, gapLimit }).toEqual({ birthHeight: undefined, gapLimit: undefined, ...annotations });
    expect(account.receive(0).address).toBe(accountFromDescriptors(plain).receive(0).address);
    const file = parseWalletFile(text);
    expect({ birthHeight: file.birthHeight, gapLimit: file.gapLimit }).toEqual({ birthHeight, gapLimit });
    expect(accountFromWalletFile(text)).toMatchObject(annotations);
    expect(splitAnnotations(text).annotations).toEqual(annotations);
    if (text.includes('?')) expect(withAnnotations(plain, annotations)).toBe(text);
  });

  test.each(INVALID)('are refused if they are "%s"', (annotations) => {
    const text = `${PLAIN}?${annotations}`;
    for (const each of [text, withChecksum(text)]) {
      expect(refusalOf(() => accountFromDescriptors(each)).code).toBe('descriptor/invalid');
      expect(refusalOf(() => parseWalletFile(each)).code).toBe('walletfile/invalid');
    }
  });

  test('are ignored if their keys are unknown, and have any order', () => {
    for (const text of [
      `${PLAIN}?zz=5&gl=30&bh=800000`,
      withChecksum(`${PLAIN}?bh=800000&xyz=${'9'.repeat(99)}&gl=30`),
    ]) {
      expect(accountFromDescriptors(text)).toMatchObject({ birthHeight: 800_000, gapLimit: 30 });
    }
    expect(refusalOf(() => accountFromDescriptors(`${PLAIN}?bh=1#kf3v6fpx`)).code).toBe('descriptor/checksum');
  });

  test('never hide a private key in an error', () => {
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    fc.assert(
      fc.property(fc.constantFrom('?', '?bh=', '?bh=1&', '?bh=1?'), (before) => {
        const refusal = refusalOf(() => accountFromDescriptors(`wpkh(${xprv}/0/*)${before}${xprv}`));
        expect(JSON.stringify([refusal.message, refusal.data])).not.toContain(xprv.slice(4, 20));
      }),
    );
  });

  test('of several descriptors are joined: the earliest birth, if all state one, and the largest gap', () => {
    const change = PLAIN.replace('/0/*', '/1/*');
    const both = (a: string, b: string) => parseWalletFile(`${PLAIN}${a}\n${change}${b}\n`);
    expect(both('?bh=5&gl=20', '?bh=3&gl=40')).toMatchObject({ birthHeight: 3, gapLimit: 40 });
    expect(both('?bh=5&gl=20', '')).not.toHaveProperty('birthHeight');
    const specter = { label: 'x', blockheight: 7, descriptor: withChecksum(`${PLAIN}?bh=9&gl=50`) };
    expect(parseWalletFile(JSON.stringify(specter))).toMatchObject({ birthHeight: 7, gapLimit: 50 });
    expect(parseWalletFile(JSON.stringify(specter)).descriptors).toHaveLength(1);
  });

  test('widen the search for an address', () => {
    const { address } = accountFromDescriptors(PLAIN).receive(1500);
    expect(accountFromDescriptors(PLAIN).find(address)).toBeUndefined();
    expect(accountFromDescriptors(`${PLAIN}?gl=2000`).find(address)?.index).toBe(1500);
    expect(accountFromWalletFile(`${PLAIN}?gl=2000`).find(address)?.index).toBe(1500);
  });

  test('widen the search for coins whose records name no place', () => {
    const me = accountFromDescriptors(PLAIN);
    const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(150) };
    const psbt = buildPsbt({
      inputs: [coin],
      outputs: [{ to: me.receive(0), value: 90_000n }],
      change: me.change(0),
      feeRate: 2,
    });
    const nameless = { ...psbt, inputs: psbt.inputs.map(({ bip32Derivations: _, ...input }) => input) };
    const indexIn = (text: string) => {
      const owner = reviewWith(accountFromDescriptors(text), nameless).inputs[0]?.owner;
      return owner?.kind === 'account' ? owner.place.index : owner?.kind;
    };
    expect([indexIn(PLAIN), indexIn(`${PLAIN}?gl=20`), indexIn(`${PLAIN}?gl=200`)]).toEqual(['none', 'none', 150]);
  });

  test('are taken where a descriptor becomes a policy or a code', () => {
    const whole = `${PLAIN.replace('/0/*', '/<0;1>/*')}`;
    expect(policyOf(`${whole}?bh=5`, { name: 'x' })).toEqual(policyOf(whole, { name: 'x' }));
    expect(encodeDescriptorUr(`${whole}?bh=5`).frame(0)).toBe(encodeDescriptorUr(whole).frame(0));
  });

  test('of silent payments name the first block and the highest label, and stay in what is written', () => {
    const plain = silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' }).descriptor();
    const text = withAnnotations(plain, { birthHeight: 850_000, maxLabel: 150 });
    const me = silentPaymentsFromDescriptor(text, { network: 'regtest' });
    expect(me.birthHeight).toBe(850_000);
    expect(me.descriptor()).toBe(text);
    expect(me.address(150)).toMatch(/^sprt1/);
    const usual = silentPaymentsFromDescriptor(plain, { network: 'regtest' });
    expect(() => usual.address(150)).toThrow(/is none of those in use/);
    expect(usual.descriptor()).toBe(plain);
  });

  test('are read by the command line, and refused by the answers of a node', async () => {
    const text = VALID[0][0];
    const { out } = await run(['inspect', 'wallet.txt'], { files: { 'wallet.txt': text } });
    expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({ birthHeight: 800_000, gapLimit: 30 });
    const listed = await run(['addresses', text, '--count', '1']);
    expect(listed.out).toBe(`0  ${accountFromDescriptors(PLAIN).receive(0).address}\n`);
    for (const dialect of ['core-29', 'core-30', 'core-31', 'core-32'] as const) {
      const rpc = createRpc({ network: 'main', dialect });
      expect(() => rpc.call('getdescriptorinfo', [text])).toThrow();
      expect(() => rpc.call('deriveaddresses', [text, 0])).toThrow();
    }
  });
});
