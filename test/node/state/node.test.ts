import { describe, expect, test } from 'vitest';
import { BtcError, createMemoryStore } from '../../support/library.ts';
import { ask, MODERN, openWalletRpc } from '../../support/walletWorld.ts';

describe('a store that fails', () => {
  const broken = () => {
    const store = createMemoryStore();
    const failing = { append: false, read: false };
    const unless = <A extends readonly unknown[], R>(kind: keyof typeof failing, work: (...args: A) => R) => {
      return (...args: A): R => {
        if (failing[kind]) throw new BtcError('store/failed', { path: 'here', reason: kind }, `Cannot ${kind} here`);
        return work(...args);
      };
    };
    const rpc = openWalletRpc(MODERN, {
      ...store,
      append: unless('append', store.append),
      read: unless('read', store.read),
    });
    rpc.call('createwallet', ['w']);
    return { rpc, failing };
  };
  const refusal = (reason: string) => ({ code: -20, message: expect.stringContaining(reason) });

  test('leaves the state unchanged if an append fails', () => {
    const { rpc, failing } = broken();
    failing.append = true;
    expect(ask(rpc, 'createwallet', ['v'])).toEqual(refusal('Nothing was changed: Cannot append here'));
    expect(ask(rpc, 'listwallets')).toEqual(['w']);
  });

  test('makes every method fail if it cannot be read either', () => {
    const { rpc, failing } = broken();
    Object.assign(failing, { append: true, read: true });
    const unsure = 'Cannot append here; the last change may or may not be kept; reopen the store to see';
    expect(ask(rpc, 'createwallet', ['v'])).toEqual({ code: -20, message: unsure });
    for (const method of ['listwallets', 'listunspent', 'getblockcount', 'getwalletinfo']) {
      expect(ask(rpc, method)).toEqual(refusal('the last change may or may not be kept; reopen the store to see'));
    }
    expect(() => rpc.lockExpired()).not.toThrow();
    expect(() => rpc.close()).not.toThrow();
  });
});
