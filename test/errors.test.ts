import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { accountFromKey, BtcError, isBtcError, networks, parseAddress, parsePsbt } from '../src/index.ts';
import { parseExtendedKey, resolveNetwork } from './support/library.ts';
import { PHRASE, PROVOCATIONS, WIF, XPRV } from './support/provocations.ts';
import { refusalOf } from './support/refusal.ts';

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('BtcError', () => {
  test.each([
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'regtest', 'main'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'main', 'testnet3 or testnet4 or signet'],
  ] as const)('names the networks of %s, wanted on %s', (address, network, found) => {
    const error = caught(() => parseAddress(address, networks[network]));
    if (!isBtcError(error, 'address/network')) throw new Error('not narrowed');
    expect(error.data).toEqual({ found, network });
  });

  test('names the networks of a private key', () => {
    const error = caught(() => accountFromKey('cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'));
    if (!isBtcError(error, 'wif/network')) throw new Error('not narrowed');
    expect(error.data.network).toBe('main');
    expect(error.data.found).toContain('regtest');
  });

  test('narrows to the data of its code', () => {
    const error = caught(() => parsePsbt('cHNidP8B'));
    if (!isBtcError(error, 'bytes/end-of-data')) throw new Error('not narrowed');
    const offset: number = error.data.offset;
    expect(offset).toBe(6);
    // @ts-expect-error: no other code is possible
    expect(error.code === 'psbt/magic').toBe(false);
    // @ts-expect-error: and no other data
    expect(error.data.extra).toBeUndefined();
  });

  test('does not compile with a misspelt code', () => {
    const error = caught(() => parsePsbt('hello'));
    // @ts-expect-error: there is no such code
    expect(isBtcError(error, 'psbt/nope')).toBe(false);
    if (!isBtcError(error)) throw new Error('not narrowed');
    // @ts-expect-error: nor here
    expect(error.code === 'psbt/nope').toBe(false);
    if (error instanceof BtcError) {
      // @ts-expect-error: `data` is not any
      expect(error.data.foo).toBeUndefined();
    }
  });

  test('does not compile with a misspelt code, other data, or without its message', () => {
    // @ts-expect-error: there is no such code
    expect(new BtcError('psbt/nope', {}, 'There is no PSBT')).toBeInstanceOf(BtcError);
    // @ts-expect-error: the data of another code
    expect(new BtcError('psbt/not-final', { psbt: 0 }, 'Input 0 is not final')).toBeInstanceOf(BtcError);
    // @ts-expect-error: the sentence is missing
    expect(new BtcError('psbt/not-final', { inputIndex: 0 })).toBeInstanceOf(BtcError);
  });
});

describe('the message', () => {
  const SECRETS = [PHRASE, WIF, XPRV];
  const pieces = SECRETS.flatMap((secret) =>
    secret.includes(' ')
      ? secret
          .split(' ')
          .map((_, i, words) => words.slice(i, i + 3).join(' '))
          .slice(0, -2)
      : Array.from({ length: secret.length - 15 }, (_, i) => secret.slice(i, i + 16)),
  );

  test.each(Object.entries(PROVOCATIONS))('of %s is a sentence without secrets', (code, provoke) => {
    if (typeof provoke === 'string') {
      // `refusalOf` and its like hold every error that they catch to the same law.
      const source = readFileSync(new URL(`../${provoke}`, import.meta.url), 'utf8');
      expect(source).toContain(`'${code}'`);
      expect(source).toMatch(/support\/refusal\.ts'/);
      return;
    }
    const error = refusalOf(provoke);
    expect(error.code).toBe(code);
    expect(error.message).not.toContain(code);
    expect(pieces.filter((piece) => error.message.includes(piece))).toEqual([]);
  });

  test.each([
    ['bytes/end-of-data', 'The data ends too early, at offset 6 (record 0 of the global map): copy all of it'],
    ['psbt/unrecognized', 'This is not a PSBT: it is neither binary, base64 nor hex of a PSBT'],
    ['psbt/not-final', 'Input 0 is not final, or does not validly spend its coin: sign and finalize it first'],
    ['psbt/different', 'PSBT 1 has a different transaction or version from PSBT 0: combine copies of one PSBT only'],
    ['address/network', 'The address is for regtest, not for main'],
    ['wif/network', 'The private key is for main, not for regtest'],
    ['base58/invalid', 'The text is too long, or has a character that base58 lacks: check for typing errors'],
    ['words/unknown', 'Word 6: not in the word list, check the spelling'],
    [
      'words/electrum',
      'The words look like a seed of Electrum, not of BIP39: give its master private key, which getmasterprivate() shows in the console of Electrum',
    ],
    ['words/checksum', 'The checksum of the seed words does not match: check each word and their order'],
    [
      'descriptor/underivable',
      'The descriptor has hardened steps, which need its private key: use the descriptor with that key',
    ],
    [
      'build/insufficient-funds',
      'The inputs hold 100000 sat, but outputs and fee take 100111 sat: add inputs or pay less',
    ],
    [
      'account/nothing-signed',
      'The account could not sign the PSBT: input 0: not signed: none of the keys that it still needs is available; have 0 of 1 signatures, still needed: [b8688df1/84h/1h/0h/0/0] (claimed)',
    ],
  ] as const)('of %s is "%s"', (code, message) => {
    const provoke = PROVOCATIONS[code];
    if (typeof provoke === 'string') throw new Error('provoked elsewhere');
    expect(refusalOf(provoke).message).toBe(message);
  });

  test('quotes at most 40 characters of a name, on one line', () => {
    const message = refusalOf(() => resolveNetwork(`a\n\u2028b${'-x'.repeat(50)}` as 'main')).message;
    expect(message).toMatch(/^There is no network "a b[-x]{34}\.\.\.": choose main, testnet3, /);
  });

  test('names both networks of an extended key', () => {
    expect(refusalOf(() => parseExtendedKey(XPRV, networks.regtest)).message).toBe(
      'The extended key is for main or litecoin, not for regtest',
    );
  });
});

describe('errors of another copy of the library', async () => {
  const errors = await import('../src/core/errors.ts');
  vi.resetModules();
  const copy = await import('../src/core/errors.ts');

  test('are recognized', () => {
    const error = new copy.BtcError('psbt/not-final', { inputIndex: 3 }, 'Input 3 is not final');
    expect(Object.getPrototypeOf(error)).not.toBe(errors.BtcError.prototype);
    expect(error).toBeInstanceOf(errors.BtcError);
    expect(errors.isBtcError(error)).toBe(true);
    expect(errors.isBtcError(error, 'psbt/not-final')).toBe(true);
    expect(errors.isBtcError(error, 'psbt/empty')).toBe(false);
    expect(new copy.RpcError(-22, 'TX decode failed')).toBeInstanceOf(errors.RpcError);
  });

  test.each([
    ['an ordinary error', new Error('psbt/not-final')],
    ['an object with the same members', { name: 'BtcError', code: 'psbt/not-final', data: { inputIndex: 3 } }],
    ['nothing', undefined],
    ['null', null],
  ])('are not mistaken for %s', (_, value) => {
    expect(value instanceof errors.BtcError).toBe(false);
    expect(value instanceof errors.RpcError).toBe(false);
    expect(errors.isBtcError(value)).toBe(false);
  });

  test('are one kind only', () => {
    expect(new errors.RpcError(-22, 'TX decode failed')).not.toBeInstanceOf(errors.BtcError);
    expect(new errors.BtcError('psbt/empty', {}, 'Pass at least one PSBT')).not.toBeInstanceOf(errors.RpcError);
  });
});
