import { describe, expect, test } from 'vitest';
import { createMemoryStore, formatHex } from '../../../support/library.ts';
import { contentOf } from '../../../support/walletRecords.ts';
import { ask, LEGACY, MODERN, openWalletRpc, type WalletKind } from '../../../support/walletWorld.ts';

const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

const infoOf = (...args: Parameters<typeof openWalletRpc>): unknown => ask(openWalletRpc(...args), 'getwalletinfo');

/** The random bytes that `openWalletRpc` gives at its first calls, in hex. */
const RANDOM = Array.from({ length: 20 }, (_, i) => formatHex(new Uint8Array(32).fill(i + 1)));

const poolOf = ({ dialect }: WalletKind): object => ({
  keypoolsize: dialect === 'core-32' ? 4000 : 1000,
  keypoolsize_hd_internal: dialect === 'core-32' ? 4000 : 1000,
});

describe.each(KINDS)('a wallet of %s that is not blank', (_, kind) => {
  test('has keys of its own, which the next opening has, too', () => {
    const store = createMemoryStore();
    const rpc = openWalletRpc(kind, store);
    ask(rpc, 'createwallet', ['w']);
    expect(ask(rpc, 'getwalletinfo')).toMatchObject(poolOf(kind));
    const address = ask(rpc, 'getnewaddress', ['x']);
    expect(ask(rpc, 'getaddressinfo', [address])).toMatchObject({ ismine: true, solvable: true, labels: ['x'] });
    expect(infoOf(kind, store)).toEqual(ask(rpc, 'getwalletinfo'));
  });

  test('is encrypted from the start with a passphrase', () => {
    const store = createMemoryStore();
    const rpc = openWalletRpc(kind, store);
    ask(rpc, 'createwallet', ['w', false, false, 'p']);
    expect(ask(rpc, 'getwalletinfo')).toMatchObject({ ...poolOf(kind), unlocked_until: 0 });
    const content = contentOf(store);
    for (const bytes of RANDOM) expect(content).not.toContain(` ${bytes}\n`);
    const reopened = openWalletRpc(kind, store);
    expect(ask(reopened, 'getwalletinfo')).toEqual(ask(rpc, 'getwalletinfo'));
    expect(ask(reopened, 'getnewaddress')).toEqual(ask(rpc, 'getnewaddress'));
  });

  test('gets new keys when it is encrypted, and keeps the old ones', () => {
    const rpc = openWalletRpc(kind);
    ask(rpc, 'createwallet', ['w']);
    const old = ask(rpc, 'getnewaddress');
    ask(rpc, 'encryptwallet', ['p']);
    const next = ask(rpc, 'getnewaddress');
    const origins = [old, next].map(
      (address) =>
        (ask(rpc, 'getaddressinfo', [address]) as { readonly hdmasterfingerprint: string }).hdmasterfingerprint,
    );
    expect(new Set(origins).size).toBe(2);
    expect(ask(rpc, 'getaddressinfo', [old])).toMatchObject({ ismine: true });
  });

  test('has none if it is blank or watch-only', () => {
    for (const flags of [
      [false, true],
      [true, false],
    ]) {
      const rpc = openWalletRpc(kind);
      ask(rpc, 'createwallet', ['w', ...flags]);
      expect(ask(rpc, 'getnewaddress')).toEqual({ code: -4, message: 'Error: This wallet has no available keys' });
    }
  });
});

describe('createwalletdescriptor', () => {
  test('adds descriptors of the one extended key', () => {
    const rpc = openWalletRpc(MODERN);
    ask(rpc, 'createwallet', ['w']);
    const exists = { code: -4, message: 'Descriptor already exists' };
    expect(ask(rpc, 'createwalletdescriptor', ['bech32m'])).toEqual(exists);
    expect(ask(rpc, 'createwalletdescriptor', ['bech32m', { internal: true }])).toEqual(exists);
    const [key] = ask(rpc, 'gethdkeys', [{ private: true }]) as readonly [
      { readonly xpub: string; readonly xprv: string },
    ];
    expect(key.xprv).toMatch(/^tprv/);
    ask(rpc, 'createwallet', ['other', false, true]);
    const options = { hdkey: key.xpub };
    expect(() => rpc.call('createwalletdescriptor', ['bech32', options], 'other')).toThrow(
      `Private key for ${key.xpub} is not known`,
    );
    expect(() => rpc.call('createwalletdescriptor', ['bech32'], 'other')).toThrow('Unable to determine');
    expect(() => rpc.call('createwalletdescriptor', ['bech32', { hdkey: 'x' }], 'other')).toThrow(
      'Unable to parse HD key',
    );
  });
});
