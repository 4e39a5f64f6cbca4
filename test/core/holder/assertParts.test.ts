import { describe, expect, test } from 'vitest';
import { proposeWallet, registerProposal } from '../../../src/kit/policies/index.ts';
import { heldKey, holderOf, quorumOf, STRANGER, single, spend } from '../../support/holderPsbts.ts';
import { createHolder, networks, nobleEcc, parseDescriptor, reviewPsbt } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

/** What a program in plain JavaScript may pass by mistake: an error names the argument, and quotes none of it. */

const WIF = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';
const parts = { network: networks.main, ecc: nobleEcc };
const descriptor = parseDescriptor(single('alice'), networks.main);
const registered = { name: 'Family', retires: [], registrations: [] };
const psbt = spend({ coins: [{ of: single('alice') }], outputs: [{ script: STRANGER }] });
const refused = (work: (value: never) => unknown, value: unknown): string => {
  const { code, message } = refusalOf(() => work(value as never));
  expect(['argument/invalid', 'psbt/unrecognized', 'policy/invalid']).toContain(code);
  expect(message).not.toContain(WIF);
  return message;
};

describe('a holder is refused', () => {
  test.each<[string, unknown, string]>([
    ['keys', null, 'The option keys must be an array'],
    ['keys', [WIF], 'The option keys[0] must be a key with its private key: pass heldKeyOf(key)'],
    ['keys', [{ key: heldKey('alice').key.publicKey }], 'The option keys[0] must be'],
    ['wallets', descriptor, 'The option wallets must be an array'],
    ['wallets', [descriptor], 'The option wallets[0].'],
    ['wallets', [{ descriptor: WIF }], 'The option wallets[0].descriptor must be a descriptor: pass parseDescriptor'],
    ['wallets', [{ descriptor, name: 5 }], 'The wallets[0].name is not valid: must be a string'],
    ['wallets', [{ descriptor, gapLimit: Number.NaN }], 'The option wallets[0].gapLimit must be a whole number'],
    ['wallets', [{ descriptor, registered: {} }], 'The option wallets[0].registered.name is missing'],
    ['wallets', [{ descriptor, registered: { ...registered, retires: ['12'] } }], 'registered.retires must be ids'],
    ['wallets', [{ descriptor, registered: { ...registered, registrations: [null] } }], 'must be registrations with'],
    ...['REFUSE', true, 1, null, ''].map((rule): [string, unknown, string] => [
      'unregistered',
      rule,
      "The option unregistered must be 'warn' or 'refuse'",
    ]),
  ])('by its %s: %j', (name, value, message) => {
    expect(refused((parts) => createHolder(parts), { ...parts, [name]: value })).toContain(message);
  });
});

describe('a review is refused', () => {
  test.each<[string, unknown, string]>([
    ...['', 0, false, null, 'bc1q'].map((pays): [string, unknown, string] => [
      'pays',
      pays,
      'The option pays must be an array',
    ]),
    ...[{ x: 1 }, null, { wallet: undefined }, { scriptPubKey: '0014' }, { wallet: 'A', silentAddress: 'sp1' }].map(
      (payee): [string, unknown, string] => ['pays', [payee], 'The option pays[0] must be an object with one of'],
    ),
    ['policy', null, 'The option policy must be an object'],
    ['limits', null, 'The option limits must be an object'],
  ])('by its %s: %j', (name, value, message) => {
    expect(refused((options) => reviewPsbt(psbt, options), { [name]: value })).toContain(message);
  });

  test.each([null, 1, {}])('for what is not a PSBT: %j', (value) => {
    expect(refused((given) => reviewPsbt(given), value)).toBe(
      'This is not a PSBT: pass its text, its bytes, or the result of parsePsbt',
    );
  });
});

test('a wallet is not proposed or registered by what is not one', () => {
  const holder = holderOf(['alice']);
  for (const file of [null, WIF, {}]) {
    expect(refused((given) => proposeWallet(given, holder), file)).toContain('must be what parseWalletFile returns');
  }
  expect(refused((given) => proposeWallet(given, holder), { descriptors: [WIF] })).toContain('must be a descriptor');
  const family = parseDescriptor(quorumOf(2, ['alice', 'bob']), networks.main);
  const proposal = proposeWallet({ descriptors: [family], network: networks.main }, holder);
  for (const replaces of ['old', ['old'], [5]]) {
    expect(refused((given) => registerProposal(proposal, given), { name: 'Family', replaces })).toContain(
      'replaces must',
    );
  }
  expect(refused((given) => registerProposal(given, { name: 'Family' }), null)).toContain('proposal must be');
});
