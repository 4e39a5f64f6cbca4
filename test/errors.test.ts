import { describe, expect, test, vi } from 'vitest';
import { accountFromKey, BtcError, isBtcError, networks, parseAddress, parsePsbt } from '../src/index.ts';

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

  test('never quotes a key', () => {
    for (const text of [`${WIF}a`, WIF.slice(1), `x${WIF}`]) {
      const error = caught(() => accountFromKey(text));
      expect((error as Error).message).not.toContain(WIF.slice(4, 20));
    }
  });
});

describe('errors of another copy of the library', async () => {
  const errors = await import('../src/errors.ts');
  vi.resetModules();
  const copy = await import('../src/errors.ts');

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
    expect(new errors.BtcError('psbt/empty', {}, 'At least 1 PSBT is needed')).not.toBeInstanceOf(errors.RpcError);
  });
});
