import { beforeEach, describe, expect, test } from 'vitest';
import { createMemoryStore, createNodeRpc, type NodeRpc } from '../../../support/library.ts';

/** Test vector 1 of BIP32, as on test networks. */
const MASTER =
  'tprv8ZgxMBicQKsPeDgjzdC36fs6bMjGApWDNLR9erAXMs5skhMv36j9MV5ecvfavji5khqjWaWSFhN3YcCUUdiKH6isR4Pwy3U5y5egddBr16m';
const MASTER_PUBLIC =
  'tpubD6NzVbkrYhZ4XgiXtGrdW5XDAPFCL9h7we1vwNCpn8tGbBcgfVYjXyhWo4E1xkh56hjod1RhGjxbaTLV3X4FyWuejifB9jusQ46QzG87VKp';
const CHILD =
  'tprv8bxNLu25VazNnppTCP4fyhyCvBHcYtzE3wr3cwYeL4HA7yf6TLGEUdS4QC1vLT63TkjRssqJe4CvGNEC8DzW5AoPUw56D1Ayg6HY4oy8QZ9';

const random = (size: number): Uint8Array => new Uint8Array(size).fill(9);
const files = new Map<string, Uint8Array>();
const open = (): NodeRpc =>
  createNodeRpc({
    network: 'regtest',
    dialect: 'core-32',
    store: createMemoryStore(),
    clock: () => 1_700_000_000,
    random,
    backupFiles: {
      write: (path, content) => {
        if (files.has(path)) return 'exists already';
        files.set(path, content);
        return undefined;
      },
      read: (path) => files.get(path) ?? 'missing',
    },
  });

describe('the extended keys of a wallet', () => {
  let rpc: NodeRpc;
  beforeEach(() => {
    files.clear();
    rpc = open();
    rpc.call('createwallet', ['w', false, true]);
  });

  test('are added, and derived from', () => {
    expect(() => rpc.call('derivehdkey', ['m/0h'])).toThrow('No active or unused(KEY) descriptor found');
    expect(rpc.call('addhdkey', [MASTER])).toEqual({ xpub: MASTER_PUBLIC });
    expect(rpc.call('derivehdkey', ['m/0h', { private: true }])).toEqual({
      origin: '[3442193e/0h]',
      xpub: expect.stringMatching(/^tpub/),
      xprv: CHILD,
    });
    expect(Object.keys(rpc.call('derivehdkey', { path: "0'/1", hdkey: MASTER_PUBLIC }))).toEqual(['origin', 'xpub']);
    expect(rpc.call('listdescriptors').descriptors).toMatchObject([{ active: false }]);
    expect(rpc.call('addhdkey').xpub).toMatch(/^tpub/);
    expect(() => rpc.call('derivehdkey', ['m/0h'])).toThrow("Please specify with 'hdkey'");
  });

  test('are refused where they are no private keys, or known', () => {
    rpc.call('addhdkey', [MASTER]);
    expect(() => rpc.call('addhdkey', [MASTER])).toThrow('HD key already exists');
    expect(() => rpc.call('addhdkey', [MASTER_PUBLIC])).toThrow('extended private key (xprv) is required');
    expect(() => rpc.call('addhdkey', ['tprv'])).toThrow('Could not parse HD key');
    expect(() => rpc.call('derivehdkey', ['m/0'])).toThrow('Derivation path requires at least one hardened step');
    for (const path of ['/0h', 'm//0h', 'm/0x', 'm/m/0h', 'm/2147483648h'])
      expect(() => rpc.call('derivehdkey', [path])).toThrow('Invalid BIP32 keypath');
    expect(() => rpc.call('derivehdkey', ['m/0h', { hdkey: MASTER }])).toThrow('Please provide a valid xpub');
    rpc.call('createwallet', ['watching', true]);
    expect(() => rpc.call('addhdkey', [], 'watching')).toThrow('not available for wallets without private keys');
    expect(() => rpc.call('derivehdkey', ['m/0h'], 'watching')).toThrow('not available for watch-only wallets');
  });

  test('need the passphrase', () => {
    rpc.call('addhdkey', [MASTER]);
    rpc.call('encryptwallet', ['x']);
    for (const call of [() => rpc.call('addhdkey'), () => rpc.call('derivehdkey', ['m/0h', { hdkey: MASTER_PUBLIC }])])
      expect(call).toThrow('Please enter the wallet passphrase');
  });

  test('are left out of a wallet that only watches, which gives the same addresses', () => {
    rpc.call('addhdkey', [MASTER]);
    rpc.call('createwalletdescriptor', ['bech32', { hdkey: MASTER_PUBLIC }]);
    rpc.call('setlabel', [rpc.call('getnewaddress'), 'rent']);
    expect(() => rpc.call('exportwatchonlywallet', [''])).toThrow('Error: Export destination cannot be empty');
    expect(rpc.call('exportwatchonlywallet', ['out'])).toEqual({ exported_file: 'out' });
    expect(() => rpc.call('exportwatchonlywallet', ['out'])).toThrow("Error: Export destination 'out' already exists");
    const other = open();
    other.call('restorewallet', ['watching', 'out']);
    expect(other.call('getwalletinfo')).toMatchObject({ private_keys_enabled: false });
    const [theirs, own] = [other, rpc].map((each) => each.call('listdescriptors').descriptors.map(({ desc }) => desc));
    expect(theirs).toEqual(own);
    expect(other.call('listlabels')).toEqual(['rent']);
    expect(other.call('getnewaddress')).toBe(rpc.call('getnewaddress'));
    expect(() => other.call('listdescriptors', [true])).toThrow(
      "Can't get private descriptor string for watch-only wallets",
    );
    expect(other.call('gethdkeys').some((key) => key.has_private)).toBe(false);
    rpc.call('createwallet', ['empty', true]);
    expect(() => rpc.call('exportwatchonlywallet', ['x'], 'empty')).toThrow('Wallet has no descriptors to export');
  });
});
