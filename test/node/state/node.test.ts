import { describe, expect, test } from 'vitest';
import { BtcError, createMemoryStore } from '../../support/library.ts';
import { ask, MODERN, openWalletRpc } from '../../support/walletWorld.ts';

describe('a store that fails', () => {
  const broken = () => {
    const store = createMemoryStore();
    const failing = { write: false, list: false, get: false };
    const unless = <A extends readonly unknown[], R>(kind: keyof typeof failing, work: (...args: A) => R) => {
      return (...args: A): R => {
        if (failing[kind]) throw new BtcError('store/failed', { path: 'here', reason: kind }, `Cannot ${kind} here`);
        return work(...args);
      };
    };
    const rpc = openWalletRpc(MODERN, {
      ...store,
      write: unless('write', store.write),
      list: unless('list', store.list),
      get: unless('get', store.get),
    });
    rpc.call('createwallet', ['w']);
    return { rpc, failing };
  };
  const refusal = (reason: string) => ({ code: -20, message: expect.stringContaining(reason) });

  test('leaves the state unchanged if a write fails', () => {
    const { rpc, failing } = broken();
    failing.write = true;
    expect(ask(rpc, 'createwallet', ['v'])).toEqual(refusal('Nothing was changed: Cannot write here'));
    expect(ask(rpc, 'listwallets')).toEqual(['w']);
  });

  test('makes every method fail as long as it cannot be read either', () => {
    const { rpc, failing } = broken();
    Object.assign(failing, { write: true, list: true, get: true });
    const unsure = 'Cannot list here; the last change may or may not be kept; reopen the store to see';
    expect(ask(rpc, 'createwallet', ['v'])).toEqual({ code: -20, message: unsure });
    for (const method of ['listwallets', 'listunspent', 'getblockcount', 'getwalletinfo']) {
      expect(ask(rpc, method)).toEqual(refusal('Cannot list here'));
    }
    Object.assign(failing, { list: false, get: false });
    expect(ask(rpc, 'listwallets')).toEqual(['w']);
    expect(() => rpc.lockExpired()).not.toThrow();
    expect(() => rpc.close()).not.toThrow();
  });
});
