import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../../src/kit/account/index.ts';
import { type RunInput, run } from '../../../support/io.ts';
import {
  createDeriver,
  formatAddress,
  formatHex,
  formatWif,
  networks,
  parseDescriptor,
} from '../../../support/library.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const wif = formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, networks.regtest);
const scriptOf = (descriptor: string): Uint8Array =>
  createDeriver(parseDescriptor(descriptor, networks.regtest))(0).scriptPubKeys[0] ?? new Uint8Array();
const addressOf = (descriptor: string): string => formatAddress(scriptOf(descriptor), networks.regtest) ?? '';

const coin = { txid: 'ab'.repeat(32), vout: 1, scriptPubKey: formatHex(scriptOf(`wpkh(${wif})`)), amount: '0.5' };
const FILES = { words: WORDS, keys: wif, wallet: `sh(wpkh(${wif}))`, coins: JSON.stringify([coin]) };

const call = (args: readonly string[], world: RunInput = {}): ReturnType<typeof run> =>
  run(['--network', 'regtest', ...args], { files: FILES, ...world });
const sign = async (address: string, message: string, ...keys: readonly string[]): Promise<string> => {
  const { code, out, error } = await call(['signmessage', '--bip322', address, message, ...keys]);
  expect([code, error.includes('error')]).toEqual([0, false]);
  return out.trim();
};

describe('signmessage --bip322', () => {
  const account = accountFromWords(WORDS, { network: 'regtest' });
  test.each([
    ['seed words', account.receive(12).address, ['--seed-file', 'words'], 'smp'],
    ['keys', addressOf(`tr(${wif})`), ['--keys-file', 'keys'], 'smp'],
    ['a key of a P2PKH address', addressOf(`pkh(${wif})`), ['--keys-file', 'keys'], 'ful'],
    ['descriptors', addressOf(`sh(wpkh(${wif}))`), ['--descriptors-file', 'wallet'], 'ful'],
  ])('signs with %s', async (_, address, keys, prefix) => {
    const signature = await sign(address, 'hello', ...keys);
    expect(signature.slice(0, 3)).toBe(prefix);
    const verify = (message: string): ReturnType<typeof run> =>
      call(['verifymessage', '--bip322', address, signature, message]);
    const form = `(BIP322, ${prefix === 'smp' ? 'simple' : 'full'})`;
    expect(await verify('hello')).toEqual({ code: 0, out: `valid ${form}\n`, error: '' });
    const { code, out } = await verify('Hello');
    expect([code, out]).toEqual([1, expect.stringContaining(`invalid ${form}: `)]);
    expect(out).toMatch(/another message/);
    expect(out.length).toBeLessThan(100);
  });

  test('proves funds', async () => {
    const address = addressOf(`tr(${wif})`);
    const signature = await sign(address, 'hello', '--keys-file', 'keys', '--prevtxs-file', 'coins');
    const verify = ['verifymessage', '--bip322', address, signature, 'hello'];
    expect(await call([...verify, '--prevtxs-file', 'coins'])).toMatchObject({
      code: 0,
      out: 'valid, with 50000000 satoshi (BIP322, proof of funds)\n',
    });
    expect(await call(verify)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^inconclusive \(BIP322, proof of funds\): pass all coins/),
    });
  });

  test('says what is missing, without a key', async () => {
    const foreign = accountFromWords(WORDS, { network: 'regtest', purpose: 86, account: 7 }).receive(0).address;
    for (const [args, error] of [
      [['signmessage', '--bip322', foreign, 'hello', '--keys-file', 'keys'], /^error: Cannot sign for the address/m],
      [
        ['signmessage', '--bip322', wif, 'hello', '--keys-file', 'keys'],
        /^error: the first argument is not an address/m,
      ],
      [['signmessage', '--bip322', foreign], /takes ADDRESS MESSAGE/],
      [['verifymessage', '--bip322', foreign, 'hello'], /takes ADDRESS SIGNATURE MESSAGE/],
      [['decodescript', '--bip322', '51'], /--bip322 does not apply to decodescript/],
      [['signmessage', foreign, 'hello', '--seed-file', 'words'], /--seed-file does not apply to signmessage/],
    ] as const) {
      const result = await call(args);
      expect(result).toMatchObject({ code: 1, error: expect.stringMatching(error) });
      expect(result.error).not.toContain(wif);
    }
  });
});
