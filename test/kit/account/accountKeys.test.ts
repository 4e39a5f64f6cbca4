import { describe, expect, test } from 'vitest';
import {
  accountFromDescriptors,
  accountFromKey,
  accountFromWalletFile,
  accountFromWords,
  buildPsbt,
  type KeyAccountOptions,
} from '../../../src/kit/account/index.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('accountFromWords', () => {
  // The first addresses that the BIPs list for this seed phrase; BIP44 lists none.
  test.each([
    [44, '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', '1J3J6EvPrv8q6AC3VCjWV45Uf3nssNMRtH'],
    [49, '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', '34K56kSjgUCUSD8GTtuF7c9Zzwokbs6uZ7'],
    [84, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'],
    [
      86,
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
    ],
  ] as const)('derives the addresses of BIP%i', (purpose, receive, change) => {
    const account = accountFromWords(WORDS, { purpose });
    expect(account.receive(0).address).toBe(receive);
    expect(account.change(0).address).toBe(change);
  });

  test('takes the network’s coin type', () => {
    const account = accountFromWords(WORDS, { network: 'testnet3', purpose: 49 });
    expect(account.receive(0).address).toBe('2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2');
  });
});

describe('accountFromKey', () => {
  const uncompressed = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';

  test('gives an uncompressed key P2PKH addresses only: segwit could not spend its coins', () => {
    expect(accountFromKey(uncompressed).receive(0).address).toMatch(/^1/);
    for (const purpose of [49, 84, 86] as const) {
      expectRefusal(() => accountFromKey(uncompressed, { purpose }), 'account/purpose', {});
    }
  });

  test('takes a private key whose text looks like an extended key for a private key', () => {
    const text = 'cNprvqdYRYxtSvhQLoZHK9MVdNcD3CZuUT9VEyv7rNXzYJprVVns';
    expect(accountFromKey(text, { network: 'regtest' }).receive(0).address).toMatch(/^bcrt1q/);
  });

  test('follows the prefix of an extended key even if the purpose is undefined', () => {
    const YPUB =
      'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP';
    // @ts-expect-error: exactOptionalPropertyTypes refuses it; plain JavaScript does not
    expect(accountFromKey(YPUB, { purpose: undefined }).receive(0).address).toMatch(/^3/);
  });
});

describe('a master key', () => {
  // Of Electrum's own tests, with the addresses of m/44h/0h/0h/0/0 and of m/0/0.
  const xprv =
    'xprv9s21ZrQH143K32jECVM729vWgGq4mUDJCk1ozqAStTphzQtCTuoFmFafNoG1g55iCnBTXUzz3zWnDb5CVLGiFvmaZjuazHDL8a81cPQ8KL6';
  const xpub =
    'xpub661MyMwAqRbcFWohJWt7PHsFEJfZAvw9ZxwQoDa4SoMgsDDM1T7WK3u9E4edkC4ugRnZ8E4xDZRpk8Rnts3Nbt97dPwT52CwBdDWroaZf8U';
  const [BELOW_ACCOUNT, BELOW_ROOT] = ['13rkTYux7t8U2NKtLo3atMTASiZZd7q8ez', '1NNkttn1YvVGdqBW4PR6zvc3Zx3H5owKRf'];
  const first = (key: string, options: KeyAccountOptions) =>
    accountFromKey(key, { purpose: 44, ...options }).receive(0).address;

  test('has its addresses where the caller says', () => {
    expect(first(xprv, { at: 'account' })).toBe(BELOW_ACCOUNT);
    expect(first(xprv, { account: 0 })).toBe(BELOW_ACCOUNT);
    expect(first(xprv, { account: 1 })).toBe(first(xprv, { at: 'account', account: 1 }));
    for (const key of [xprv, xpub]) expect(first(key, { at: 'root' })).toBe(BELOW_ROOT);
  });

  test.each([
    ['a private key', xprv, {}, /^The key is a master key: set at to account for .* or to root for /],
    ['a public key', xpub, {}, /^The key is a public master key: set at to root for .*, or give the key of an account/],
    ['a public key below an account', xpub, { at: 'account' }, /^A public master key cannot reach its accounts: /],
    ['a public key of an account', xpub, { account: 0 }, /^A public master key cannot reach its accounts: /],
  ] as const)('is refused without a place, or with an impossible one: %s', (_, key, options, text) => {
    for (const purpose of [44, 49, 84, 86] as const) {
      const refusal = refusalOf(() => accountFromKey(key, { purpose, ...options }));
      expect(refusal).toMatchObject({ code: 'account/at', message: expect.stringMatching(text) });
      expect(refusal.message).not.toContain(key.slice(0, 12));
    }
  });

  test('of a multisig has no addresses, and no place', () => {
    for (const key of [xprv, xpub]) {
      expectRefusal(() => accountFromKey(key, { purpose: 48 }).receive(0), 'account/no-addresses', {});
    }
  });

  test('alone has a place: other keys refuse one', () => {
    const wif = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    for (const key of [wif, zpub]) expectRefusal(() => accountFromKey(key, { at: 'root' }), 'account/at', {});
    expectRefusal(() => first(xprv, { at: 'root', account: 0 }), 'account/number', { wanted: 0 });
    expectRefusal(() => first(xprv, { at: 'm' as never }), 'argument/invalid', {
      argument: 'at',
      reason: 'must be account or root',
    });
  });

  test('alone in a file is refused, as the file does not say either', () => {
    for (const key of [xprv, xpub, `[${'00'.repeat(4)}]${xpub}`]) {
      expect(() => accountFromWalletFile(key)).toThrow(
        /it is a master key, whose addresses may lie below an account or right below the key: write it as a descriptor/,
      );
    }
    expect(accountFromWalletFile(`pkh(${xpub}/<0;1>/*)`).receive(0).address).toBe(BELOW_ROOT);
  });
});

describe('accountFromDescriptors', () => {
  const xpub =
    'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';

  test.each([`combo(${xpub}/0/*)`, `unused(${xpub})`])('has no addresses for %s', (text) => {
    const account = accountFromDescriptors(text);
    expectRefusal(() => account.receive(0), 'account/no-addresses', {});
    expect(() => buildPsbt({ inputs: [], outputs: [{ to: account.receive(0), value: 1n }] })).toThrow();
  });
});

describe('two descriptors', () => {
  const account =
    '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
  const other =
    'xpub6DnEBNkSJKBYQmsbhS1sP9cNdtU5c9PLFGCjTJmxicxc13WB8zNNGQazabQpyFAGW5bV9tMko4uBxDxjUKL6dSAcx1tEbgEHtgSqyRsekh6';

  test('of one wallet give its receive and change addresses', () => {
    const both = accountFromDescriptors([`wpkh(${account}/0/*)`, `wpkh(${account}/1/*)`]);
    const multipath = accountFromDescriptors(`wpkh(${account}/<0;1>/*)`);
    expect(both.receive(3).address).toBe(multipath.receive(3).address);
    expect(both.change(3).address).toBe(multipath.change(3).address);
  });

  test.each([
    [`wpkh(${account}/0/*)`, `wpkh(${other}/1/*)`],
    [`wpkh(${account}/0/*)`, `tr(${account}/1/*)`],
    [`wpkh(${account}/0/*)`, `wsh(multi(1,${account}/1/*,${other}/1/*))`],
  ])('of different wallets are refused as receive and change', (receive, change) => {
    expectRefusal(() => accountFromDescriptors([receive, change]), 'account/descriptors', {});
  });

  const forged = account.replace(/\].*/, `]${other}`);
  test.each([
    [`wpkh(${account}/0/*)`, `wpkh(${forged}/1/*)`],
    [`wpkh(${account}/<0;1>/*)`, `wpkh(${forged}/1/*)`],
    [`wpkh(${account}/0/*)`, `wpkh(${account}/1/*)`, `tr(${forged}/<0;1>/*)`],
  ])('are refused if two keys claim one origin: %#', (...texts) => {
    expectRefusal(() => accountFromDescriptors(texts), 'account/descriptors', {});
  });

  test('of different wallets, each for both chains, sign together', () => {
    const both = accountFromDescriptors([`wpkh(${account}/<0;1>/*)`, `tr(${other}/<0;1>/*)`]);
    expect(both.receive(0).address).toMatch(/^bc1q/);
    expect(both.change(0).address).toMatch(/^bc1q/);
  });
});

describe('the number of an account', () => {
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

  test('must be that of the key, unless it is a master key', () => {
    expect(accountFromKey(zpub, { account: 0 }).receive(0).address).toBe(accountFromKey(zpub).receive(0).address);
    expectRefusal(() => accountFromKey(zpub, { account: 1 }), 'account/number', { wanted: 1, found: 0 });
    const wif = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
    expectRefusal(() => accountFromKey(wif, { account: 0 }), 'account/number', { wanted: 0 });
  });
});

describe('values of another type than declared', () => {
  test.each([
    [() => accountFromWords(WORDS, { passphrase: null as unknown as string }), 'passphrase', 'null'],
    [() => accountFromWords(WORDS.split(' ') as unknown as string), 'words', 'an array'],
    [() => accountFromKey(5 as unknown as string), 'key', 'of type number'],
    [() => accountFromDescriptors([undefined] as unknown as string[]), 'descriptors', 'of type undefined'],
    [() => accountFromWalletFile({} as unknown as string), 'wallet file', 'of type object'],
  ])('are refused: %#', (run, argument, found) => {
    expectRefusal(run, 'argument/invalid', { argument, reason: `must be a string, and is ${found}` });
  });

  test('are refused as a purpose or network, too', () => {
    expectRefusal(() => accountFromWords(WORDS, { purpose: '84' as unknown as 84 }), 'account/purpose', {});
    const network = null as unknown as 'main';
    expect(refusalOf(() => accountFromWords(WORDS, { network })).data).toMatchObject({ name: 'null' });
  });
});

describe('the path of addresses', () => {
  const XPRV =
    'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu';
  const XPUB =
    'xpub661MyMwAqRbcFkPHucMnrGNzDwb6teAX1RbKQmqtEF8kK3Z7LZ59qafCjB9eCRLiTVG3uxBxgKvRgbubRhqSKXnGGb1aoaqLrpMBDrVxga8';
  const ZPUB =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
  const [RECEIVE, CHANGE] = [
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el',
  ];

  test.each([
    ['m/84h/0h/0h', CHANGE],
    ["84'/0'/0'", CHANGE],
    ['m/84H/0h/0h/<0;1>/*', CHANGE],
    ['/84h/0h/0h/0/*', RECEIVE],
  ])('%s is that of an account', (path, change) => {
    for (const account of [accountFromWords(WORDS, { path }), accountFromKey(XPRV, { path })]) {
      expect([account.receive(0).address, account.change(0).address]).toEqual([RECEIVE, change]);
    }
  });

  test('is that below a public master key, too, unless it is hardened', () => {
    const { address } = accountFromWords(WORDS, { path: 'm/0/*', purpose: 84 }).receive(2);
    expect(accountFromKey(XPUB, { path: 'm/0/*', purpose: 84 }).receive(2).address).toBe(address);
    expect(refusalOf(() => accountFromKey(XPUB, { path: 'm/84h/0h/0h' })).message).toContain(
      'cannot reach the hardened',
    );
  });

  test.each([
    '',
    'm',
    'm/',
    'm//0h',
    'm/0h/*/*',
    'm/0/*h',
    'm/84h/0h/0h/0/*#abcdefgh',
    'm/84h/0h/0h/0/*),pk(x',
    'm/<0;1;2>/*',
    WORDS,
    XPRV,
    `m/${WIF}/*`,
  ])('is refused if it is none, and not quoted: %#', (path) => {
    const { code, message } = refusalOf(() => accountFromWords(WORDS, { path, purpose: 84 }));
    expect([code, message]).toEqual([
      'argument/invalid',
      'The option path must be a path such as m/0h/0/* or m/44h/0h/0h',
    ]);
  });

  test.each<[string, () => unknown, string, RegExp]>([
    ['a key of an account', () => accountFromKey(ZPUB, { path: 'm/0/*' }), 'account/at', /^Only a master key/],
    ['a single key', () => accountFromKey(WIF, { path: 'm/84h/0h/0h' }), 'account/at', /^Only a master key/],
    ['at', () => accountFromKey(XPRV, { path: 'm/84h/0h/0h', at: 'root' }), 'argument/invalid', /option at/],
    [
      'an account',
      () => accountFromWords(WORDS, { path: 'm/84h/0h/0h', account: 1 }),
      'argument/invalid',
      /option acc/,
    ],
    ['purpose 48', () => accountFromWords(WORDS, { path: 'm/48h/0h/0h/2h', purpose: 48 }), 'argument/invalid', /48/],
    ['no purpose', () => accountFromWords(WORDS, { path: 'm/0h/0/*' }), 'account/purpose', /set purpose/],
    ['one address', () => accountFromWords(WORDS, { path: 'm/84h/0h/0h/0/0' }), 'path/invalid', /write it as \*/],
  ])('is refused beside %s', (_, open, code, message) => {
    const refusal = refusalOf(open);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(message);
  });
});
