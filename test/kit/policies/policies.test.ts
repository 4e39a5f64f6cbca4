import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBase58Check, parseBase58Check } from '../../../src/core/encoding/base58check.ts';
import {
  accountFromDescriptors,
  accountFromWalletFile,
  buildPsbt,
  formatReview,
  networks,
  parseDescriptor,
  parseWalletFile,
  reviewWith,
} from '../../../src/index.ts';
import {
  accountFromPolicy,
  formatRegistration,
  policyDescriptor,
  policyOf,
  type WalletPolicy,
} from '../../../src/kit/policies/index.ts';
import { POLICY_KEYS, VALID_TEMPLATES } from '../../support/policies.ts';
import { refusalOf } from '../../support/refusal.ts';

const policy = (template: string, count: number, name = 'Vault'): WalletPolicy => ({
  name,
  template,
  keys: POLICY_KEYS.slice(0, count),
});
const errorOf = (work: () => unknown): { code: string; message: string } => {
  const { code, message } = refusalOf(work);
  return { code, message };
};

describe('a wallet policy', () => {
  test.each(VALID_TEMPLATES)('%s becomes a descriptor, and the descriptor the policy', (template, count) => {
    const own = policy(template, count);
    expect(policyOf(policyDescriptor(own), { name: 'Vault' })).toEqual(own);
  });

  test('is that of two descriptors, one for each chain', () => {
    const [receive, change] = [0, 1].map(
      (chain) => `wsh(sortedmulti(1,${POLICY_KEYS[0]}/${chain}/*,${POLICY_KEYS[1]}/${chain}/*))`,
    );
    expect(policyOf([receive ?? '', change ?? ''], { name: 'Vault' })).toEqual(
      policy('wsh(sortedmulti(1,@0/**,@1/**))', 2),
    );
    expect(errorOf(() => policyOf([receive ?? '', `wpkh(${POLICY_KEYS[0]}/1/*)`], { name: 'x' }))).toMatchObject({
      code: 'policies/unsupported',
    });
  });

  test.each([
    ['wpkh(@0/**)', 2, 'its template does not use @1'],
    ['wsh(multi(1,@0/**,@1/**))', 1, 'its template uses @1, but it lists 1 keys'],
    ['wsh(multi(1,@1/**,@0/**))', 2, 'its template uses @1 before @0'],
    ['wpkh(@0)', 1, 'its placeholder @0 has no path such as /** or /<0;1>/*'],
  ])('%s with %d keys is refused', (template, count, reason) => {
    expect(errorOf(() => policyDescriptor(policy(template, count)))).toEqual({
      code: 'walletfile/invalid',
      message: `The BIP388 wallet policy is not valid: ${reason}`,
    });
  });

  test.each([
    [`wpkh(${POLICY_KEYS[0]}/0/*)`, 'walletfile/invalid'],
    [`wpkh(${POLICY_KEYS[0]}/7/<0;1>/*)`, 'walletfile/invalid'],
    ['wpkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)', 'policies/unsupported'],
    ['wpkh(KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn)', 'policies/unsupported'],
    [
      'wpkh(xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi/<0;1>/*)',
      'policies/unsupported',
    ],
    ['hello', 'descriptor/invalid'],
  ])('does not exist for %s', (descriptor, code) => {
    const error = errorOf(() => policyOf(descriptor, { name: 'x' }));
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/prv|KwDi/);
  });

  test('holds no private keys, and no key twice', () => {
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
    for (const own of [{ ...policy('wpkh(@0/**)', 1), keys: [xprv] }, policy(`wsh(multi(1,@0/**,${wif}))`, 1)]) {
      for (const work of [
        policyDescriptor,
        accountFromPolicy,
        (one: WalletPolicy) => formatRegistration(one, 'jade'),
      ]) {
        expect(refusalOf(() => work(own)).message).not.toMatch(/prv9|KwDi/);
      }
    }
    const [first = ''] = POLICY_KEYS;
    const payload = parseBase58Check(first.replace(/^.*\]/, ''), 78);
    const zpub = formatBase58Check(Uint8Array.of(0x04, 0xb2, 0x47, 0x46, ...payload.slice(4)));
    const twice = { ...policy('wsh(multi(2,@0/**,@1/**))', 2), keys: [first, zpub] };
    expect(errorOf(() => policyDescriptor(twice)).message).toMatch(/key @1 is listed twice/);
    expect(errorOf(() => policyDescriptor(policy('wpkh(@0/**)#abcdefgh', 1))).message).toMatch(/has a checksum/);
    const two = { description_template: 'wpkh(@0/**)', descriptor_template: 'tr(@0/**)', keys_info: [first] };
    expect(errorOf(() => accountFromWalletFile(JSON.stringify(two))).message).toMatch(/several descriptor templates/);
  });

  test('is for its keys’ network', () => {
    const other = errorOf(() => policyDescriptor(policy('wpkh(@0/**)', 1), { network: 'signet' }));
    expect(other.code).toBe('walletfile/network');
  });
});

describe('the registration', () => {
  const own = policy('wsh(sortedmulti(2,@0/**,@1/**))', 2);
  const first = accountFromDescriptors(policyDescriptor(own)).receive(0).address;

  test('of Ledger, Coldcard and Jade has the members that they read', () => {
    expect(JSON.parse(formatRegistration(own, 'ledger'))).toEqual({
      name: 'Vault',
      descriptor_template: own.template,
      keys_info: own.keys,
    });
    const { name, desc } = JSON.parse(formatRegistration(own, 'coldcard'));
    expect(name).toBe('Vault');
    expect(parseDescriptor(desc, networks.main).kind).toBe('wsh');
    expect(desc).toContain('/<0;1>/*');
    expect(JSON.parse(formatRegistration(own, 'jade'))).toEqual({
      network: 'mainnet',
      descriptor_name: 'Vault',
      descriptor: own.template,
      datavalues: { '@0': POLICY_KEYS[0], '@1': POLICY_KEYS[1] },
    });
  });

  test('of BSMS is the record of BIP129, which is read as the same wallet', () => {
    const record = formatRegistration(own, 'bsms');
    const [version, descriptor = '', restrictions, address, ...more] = record.split('\n');
    expect([version, restrictions, address, more]).toEqual(['BSMS 1.0', '/0/*,/1/*', first, []]);
    expect(descriptor).toBe(own.template.replace('@0', POLICY_KEYS[0] ?? '').replace('@1', POLICY_KEYS[1] ?? ''));
    for (const [template, count] of VALID_TEMPLATES) {
      const text = formatRegistration(policy(template, count), 'bsms');
      expect([template, accountFromWalletFile(text).receive(3).address]).toEqual([
        template,
        accountFromDescriptors(policyDescriptor(policy(template, count))).receive(3).address,
      ]);
    }
  });

  test.each(['ledger', 'coldcard', 'jade', 'bsms'] as const)('of %s is read as the same wallet', (format) => {
    for (const [template, count] of VALID_TEMPLATES) {
      const file = formatRegistration(policy(template, count), format);
      const { name, networks: fitting } = parseWalletFile(file);
      if (format !== 'bsms' && format !== 'coldcard') expect(name).toBe('Vault');
      expect(fitting).toContain('main');
      expect(accountFromWalletFile(file).receive(3).address).toBe(
        accountFromDescriptors(policyDescriptor(policy(template, count))).receive(3).address,
      );
    }
  });

  test('of Jade is for the networks that it states, with its keys in order', () => {
    const read = (changes: object) =>
      parseWalletFile(JSON.stringify({ ...JSON.parse(formatRegistration(own, 'jade')), ...changes }));
    expect(read({}).networks).toEqual(['main']);
    for (const [changes, reason] of [
      [{ network: 'localtest' }, /its keys are not for the network that it states/],
      [{ network: 'liquid' }, /its network "liquid" is not mainnet, testnet or localtest/],
      [
        { datavalues: { '@0': POLICY_KEYS[0], '@2': POLICY_KEYS[1] } },
        /its "datavalues" are not keys with the names @0/,
      ],
      [{ datavalues: { '@0': POLICY_KEYS[0], '@1': 5 } }, /its "datavalues" are not keys with the names @0/],
    ] as const) {
      expect(() => read(changes)).toThrow(reason);
    }
  });

  test('writes hardened steps as all signers read them', () => {
    const keys = [(POLICY_KEYS[0] ?? '').replace('6738736c', '6738736C').replaceAll("'", 'h')];
    expect(JSON.parse(formatRegistration({ ...policy('wpkh(@0/**)', 1), keys }, 'ledger')).keys_info).toEqual([
      POLICY_KEYS[0],
    ]);
  });

  test.each([
    ['ledger', ' Vault', 'name'],
    ['ledger', 'x'.repeat(65), 'name'],
    ['ledger', 'Tæst', 'name'],
    ['coldcard', 'x', 'name'],
    ['coldcard', 'x'.repeat(21), 'name'],
    ['jade', 'My vault', 'name'],
    ['jade', 'x'.repeat(16), 'name'],
    ['trezor', 'Vault', 'no such format'],
  ] as const)('of %s refuses the name %j', (format, name, reason) => {
    const error = errorOf(() => formatRegistration({ ...own, name }, format as 'ledger'));
    expect(error).toMatchObject({ code: 'policies/registration', message: expect.stringContaining(reason) });
  });
});

describe('a review', () => {
  const own = policy('wpkh(@0/**)', 1, 'Family \u202esavings');
  const account = accountFromDescriptors(policyDescriptor(own));
  const paragraphs = (text: string): number => text.split('\n').filter((line) => !line.startsWith('     ')).length;
  const psbt = buildPsbt({
    inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(0) }],
    outputs: { bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4: 60_000n },
    change: account.change(0),
    feeRate: 2,
  });

  test('names the wallet of a policy, and nothing that its maker could forge', () => {
    const file = JSON.stringify({ name: own.name, descriptor_template: own.template, keys_info: own.keys });
    expect(formatReview(reviewWith(accountFromWalletFile(file), psbt))).toContain(
      'yours (wallet "Family \\u202esavings", 48h/0h/0h/100h/0/0, not proven: no\n     key at hand)',
    );
    const named = reviewWith(accountFromPolicy(own), psbt);
    expect(named.outputs[1]).toMatchObject({
      owner: { kind: 'account', root: 'listed', title: 'wallet "Family \\u202esavings"' },
      role: 'change',
    });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const text = JSON.stringify({ name, descriptor_template: own.template, keys_info: own.keys });
        const shown = formatReview(reviewWith(accountFromWalletFile(text), psbt));
        // Longer names take more lines, which are indented.
        expect(paragraphs(shown)).toBe(paragraphs(formatReview(named)));
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      }),
      { numRuns: 30 },
    );
    expect(parseWalletFile(file).name).toBe(own.name);
  });
});
