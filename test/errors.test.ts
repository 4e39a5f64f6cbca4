import { describe, expect, test } from 'vitest';
import { accountFromKey, BtcError, isBtcError, networks, parseAddress, parsePsbt } from '../src/index.ts';

const MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const WIF = 'L4rK1yDtCWekvXuE4oXD9jCYfQNVD1GKGUvrUGbLbYRXc2bhKhaB';

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('BtcError', () => {
  test.each([
    [
      'an address of another network',
      () => parseAddress(MAIN, networks.regtest),
      'The address is for main, not for regtest.',
    ],
    [
      'an address of several other networks',
      () => parseAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', networks.main),
      'The address is for testnet3 or testnet4 or signet, not for main.',
    ],
    [
      'an address with a typing error',
      () => parseAddress(MAIN.replace('w508', 'w5o8'), networks.main),
      'The text is not valid bech32: a character is wrong or missing.',
    ],
    [
      'a private key of another network',
      () => accountFromKey('cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'),
      'The private key is for testnet3 or testnet4 or signet or regtest or litecoin-testnet or litecoin-regtest, not for main.',
    ],
    [
      'a truncated PSBT',
      () => parsePsbt('cHNidP8B'),
      'The data ends too early, at byte 6 (a record of the global map).',
    ],
    [
      'a text that is not a PSBT',
      () => parsePsbt('hello'),
      'This is not a PSBT: it is neither binary, nor base64, nor hex of one.',
    ],
  ])('says in a sentence what is wrong with %s', (_, run, message) => {
    const error = caught(run);
    expect(error).toBeInstanceOf(BtcError);
    expect((error as Error).message).toBe(message);
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

  test('never quotes a key', () => {
    for (const text of [`${WIF}a`, WIF.slice(1), `x${WIF}`]) {
      const error = caught(() => accountFromKey(text));
      expect((error as Error).message).not.toContain(WIF.slice(4, 20));
    }
  });
});
