import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { policyTemplate } from '../../../src/core/descriptors/policyTemplate.ts';
import {
  type RegisteredWallet,
  type Registration,
  registerWallet,
  verifyRegistration,
  walletId,
} from '../../../src/core/holder/registration.ts';
import { derivePath } from '../../../src/core/keys/bip32.ts';
import { parsePath } from '../../../src/core/keys/path.ts';
import {
  heldKey,
  holderOf,
  keyAt,
  masterOf,
  parseMain,
  quorumOf,
  registered,
  single,
} from '../../support/holderPsbts.ts';
import { formatXprv, type HeldKey, heldKeysIn, networks, parseDescriptor } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const policy = (text = FAMILY, network = networks.main): RegisteredWallet => ({
  ...policyTemplate(parseDescriptor(text, network), network),
  name: 'Family',
  network,
  retires: [],
});
const token = (wallet: RegisteredWallet, root: HeldKey = heldKey('alice')): string =>
  registerWallet(root, wallet).token;
const rootOf = (wallet: ReturnType<typeof registered>, names: Parameters<typeof holderOf>[0] = ['alice']) => {
  const [held] = holderOf(names, [wallet]).wallets;
  return [held?.root, held?.fault];
};

/** Computes a token from the description of its bytes alone. */
function expectedToken({ network, template, keys, retires, name }: RegisteredWallet): string {
  const size = (count: number): Buffer => (count < 253 ? Buffer.of(count) : Buffer.of(253, count & 255, count >> 8));
  const str = (text: string): Buffer => Buffer.concat([size(text.length), Buffer.from(text, 'ascii')]);
  const message = Buffer.concat([
    Buffer.of(1),
    str(network.name),
    str(template),
    size(keys.length),
    ...keys.map(str),
    size(retires.length),
    ...retires.map((id) => Buffer.from(id, 'hex')),
    str(name),
  ]);
  const { chainCode, secretKey = new Uint8Array() } = masterOf('alice');
  const secret = Buffer.concat([chainCode, secretKey]);
  const key = createHmac('sha512', 'countersign wallet registration').update(secret).digest().subarray(0, 32);
  return createHmac('sha256', key).update(message).digest('hex');
}

describe('the token', () => {
  test.each([
    'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ',
    'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv',
    `${'zoo '.repeat(11)}wrong`,
    '11'.repeat(32),
  ])('is not made for a name that may be a secret', (name) => {
    const refusal = refusalOf(() => token({ ...policy(), name }));
    expect(refusal.code).toBe('holder/name');
    expect(refusal.message).not.toContain(name.slice(0, 8));
  });

  test('has the bytes of the published vector', () => {
    expect(walletId(policy())).toBe('3100acb9e8f607a5f3fceb3b92e4f8a08bf040c00dc28c97e2ad96855b742f16');
    expect(token(policy())).toBe('3313fe98f8b5a362db0175101ae1ca356fe8b10ea61839c5b98b4e0d607c2dc0');
    expect(token({ ...policy(), name: 'Familz' })).toMatch(/^0224d170/);
    expect(token({ ...policy(), network: networks.testnet4 })).toMatch(/^5ec916a1/);
    expect(token(policy(), heldKey('alice', 'TREZOR'))).toMatch(/^3767132c/);
  });

  test('is that of the written message, also with retired wallets and a template above 252 bytes', () => {
    const retiring = { ...policy(), retires: [walletId(policy())] };
    const long = { ...policy(), template: policy().template.padEnd(300, ' ') };
    for (const wallet of [policy(), retiring, long]) expect(token(wallet)).toBe(expectedToken(wallet));
  });

  test('binds each byte of name, template, keys, network and retired wallets', () => {
    const wallet = policy();
    const registration = registerWallet(heldKey('alice'), wallet);
    const verdict = (changed: Partial<RegisteredWallet>, other: Partial<Registration> = {}) =>
      verifyRegistration(heldKey('alice'), { ...wallet, ...changed }, { ...registration, ...other });
    expect(verdict({})).toBe('valid');
    const changed: readonly Partial<RegisteredWallet>[] = [
      { name: 'family' },
      { template: wallet.template.replace('2', '1') },
      { keys: [...wallet.keys].reverse() },
      { keys: wallet.keys.map((key) => key.replace("48'", "49'")) },
      { network: networks.signet },
      { retires: ['00'.repeat(32)] },
    ];
    for (const change of changed) expect([change, verdict(change)]).toEqual([change, 'invalid']);
    expect(
      verdict({}, { token: `${registration.token.slice(0, -1)}${registration.token.endsWith('0') ? '1' : '0'}` }),
    ).toBe('invalid');
    expect(verdict({}, { token: '' })).toBe('invalid');
    expect(verdict({}, { version: 2 })).toBe('other-root');
    expect(verdict({}, { fingerprint: 'b8688df1' })).toBe('other-root');
  });

  test('has one message for each name and template', () => {
    const [a, b] = [
      { ...policy(), name: 'a', template: 'bc' },
      { ...policy(), name: 'ab', template: 'c' },
    ];
    expect(token(a)).not.toBe(token(b));
  });

  test('is that of the root: words and their xprv have one, an account key, a passphrase and a single key others', () => {
    const xprv = formatXprv(masterOf('alice'), networks.main);
    const [ofText] = heldKeysIn([parseMain(`wpkh(${xprv}/<0;1>/*)`)]);
    const account = { ...heldKey('alice'), key: derivePath(masterOf('alice'), parsePath('m/48h/0h/0h/2h')) } as HeldKey;
    const wif = { key: { publicKey: account.key.publicKey, secretKey: account.key.secretKey } } as HeldKey;
    const tokens = [heldKey('alice'), ofText as HeldKey, account, wif, heldKey('alice', 'TREZOR')].map((root) =>
      token(policy(), root),
    );
    expect(tokens[0]).toBe(tokens[1]);
    expect(new Set(tokens).size).toBe(4);
  });

  test.each(['', ' a', 'a ', 'é', 'a\u0000b', 'x'.repeat(65)])('is not made for the name %j', (name) => {
    expect(() => token({ ...policy(), name })).toThrow('1 to 64 printable ASCII characters');
    const registration = registerWallet(heldKey('alice'), policy());
    expect(verifyRegistration(heldKey('alice'), { ...policy(), name }, registration)).toBe('invalid');
  });
});

describe('a wallet is registered', () => {
  test('by a key that takes part in it', () => {
    expect(rootOf(registered(FAMILY, 'Family'))).toEqual(['registered', undefined]);
    expect(rootOf(registered(FAMILY, 'Family', { by: 'bob' }), ['alice', 'bob'])).toEqual(['registered', undefined]);
  });

  test("with h or ', whatever prefix and order a later export has", () => {
    const wallet = registered(FAMILY, 'Family');
    const again = parseMain(quorumOf(2, ['mallory', 'alice', 'bob']).replaceAll('h/', "'/"));
    const holder = holderOf(['alice'], [{ descriptor: again }, wallet]);
    expect(holder.wallets.map(({ root, positions }) => [root, [...positions].sort()])).toEqual([
      ['registered', [0, 1]],
    ]);
  });

  test('not by a key that takes no part in it, though the token is valid', () => {
    const others = registered(quorumOf(2, ['bob', 'mallory']), 'Others');
    expect(rootOf(others)).toEqual(['none', undefined]);
  });

  test('not by a private key in its own file, beside words', () => {
    const wallet = registered(FAMILY, 'Family', { by: 'mallory' });
    const xprv = keyAt('mallory', 'm/48h/0h/0h/2h', networks.main, true);
    const descriptor = parseMain(FAMILY.replace(keyAt('mallory', 'm/48h/0h/0h/2h'), xprv));
    expect(rootOf({ ...wallet, descriptor })).toEqual(['none', 'other-root']);
  });

  test('by another seed: the same as a broken one, but for its name', () => {
    expect(rootOf(registered(FAMILY, 'Family', { by: 'bob' }))).toEqual(['none', 'other-root']);
    const wallet = registered(FAMILY, 'Family');
    const broken = { ...wallet, registered: { ...wallet.registered, name: 'Famil' } } as typeof wallet;
    expect(rootOf(broken)).toEqual(['none', 'forged']);
  });

  test('in any order of files, junk and copies', () => {
    const wallet = registered(FAMILY, 'Family');
    const junk = {
      ...wallet,
      registered: {
        name: 'Family',
        retires: [],
        registrations: [{ version: 1, fingerprint: '73c5da0a', token: '00'.repeat(32) }],
      },
    };
    for (const files of [
      [wallet, junk],
      [junk, wallet],
      [junk, { descriptor: wallet.descriptor }, wallet],
    ]) {
      const { wallets } = holderOf(['alice'], files);
      expect(wallets.map(({ root, title }) => [root, title])).toEqual([['registered', '"Family" 3100acb9']]);
    }
  });

  test('and another with a key of it is changed: its file shares a key with a registered one', () => {
    const forged = quorumOf(2, ['alice', 'mallory']);
    const { wallets } = holderOf(['alice'], [registered(FAMILY, 'Family'), forged]);
    expect(wallets.map(({ fault }) => fault)).toEqual([undefined, 'shares-key']);
  });

  test('only on its network', () => {
    const wallet = registered(single('alice', 'm/84h/0h/500h'), 'Far');
    expect(rootOf(wallet)).toEqual(['registered', undefined]);
    const other = { ...networks.main, name: 'signet' };
    expect(holderOf(['alice'], [wallet], { network: other }).wallets[0]?.root).toBe('none');
  });
});

test('without a key at hand no token is judged, and wallets are listed', () => {
  expect(rootOf(registered(FAMILY, 'Family'), [])).toEqual(['listed', undefined]);
});
