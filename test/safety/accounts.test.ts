import { describe, expect, test } from 'vitest';
import {
  type Account,
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  reviewWith,
  signWith,
} from '../../src/kit/account/index.ts';
import {
  type Ecc,
  formatXprv,
  masterKey,
  networks,
  nobleEcc,
  POLICY_DEFAULTS,
  type PolicyCheck,
  type Psbt,
  parseHex,
  SIGHASH,
} from '../support/library.ts';
import { MALLORY, make, PAYEE, payment, scriptAt, WALLETS, withInput, withOutput } from '../support/psbts.ts';
import { refusalOf } from '../support/refusal.ts';

/** Accounts sign in one call. Their review comes first all the same: no key is used before it allows the PSBT. */

const network = 'regtest';
const MASTER = formatXprv(masterKey(new Uint8Array(32).fill(0xa1)), networks.regtest);

/** Counts the signatures that an account makes. */
function counting(): { readonly ecc: Ecc; readonly made: () => number } {
  let count = 0;
  const ecc: Ecc = {
    ...nobleEcc,
    signEcdsa: (...args) => {
      count += 1;
      return nobleEcc.signEcdsa(...args);
    },
    signSchnorr: (...args) => {
      count += 1;
      return nobleEcc.signSchnorr(...args);
    },
  };
  return { ecc, made: () => count };
}

const ACCOUNTS: Readonly<Record<string, (ecc: Ecc) => Account>> = {
  'a descriptor': (ecc) => accountFromDescriptors(WALLETS.wpkh, { network, ecc }),
  'a master key': (ecc) => accountFromKey(MASTER, { network, at: 'account', ecc }),
};

const MALLORYS = `wpkh(${MALLORY.xpub('m/84h/1h/0h')}/<0;1>/*)`;
const coin = { of: WALLETS.wpkh };
const paying = (value: bigint): Psbt => make({ inputs: [coin], outputs: [{ to: PAYEE, value }] });
const honest = payment(['wpkh']);
const withAmount = (change: (amount: bigint) => bigint): Psbt =>
  withInput(honest, 0, ({ witnessUtxo, ...input }) => ({
    ...input,
    ...(witnessUtxo && { witnessUtxo: { ...witnessUtxo, value: change(witnessUtxo.value) } }),
  }));

/** An attack for each class of docs/safety.md that a payment from one key can suffer, and the check that finds it. */
const ATTACKS: readonly (readonly [PolicyCheck, Psbt])[] = [
  [
    'amount-unproven',
    make({
      inputs: [0, 1].map((index) => ({ ...coin, index, shownBy: 'output' as const })),
      outputs: [{ to: PAYEE, value: 1_990_000n }],
    }),
  ],
  ['amount-mismatch', withAmount((amount) => amount - 1n)],
  ['sighash-unnamed', withInput(honest, 0, (input) => ({ ...input, sighashType: SIGHASH.NONE }))],
  ['sighash-undefined', withInput(honest, 0, (input) => ({ ...input, sighashType: 0x42 }))],
  ['fee-high', paying(940_000n)],
  ['fee-absurd', paying(500_000n)],
  ['fee-negative', paying(1_000_001n)],
  ['change-refuted', withOutput(honest, 1, (output) => ({ ...output, script: scriptAt(MALLORYS) }))],
  ['burn', make({ inputs: [coin], outputs: [{ to: Uint8Array.of(0x6a, 1, 1), value: 999_000n }] })],
  ['anyone-can-spend', make({ inputs: [coin], outputs: [{ to: parseHex('51'), value: 999_000n }] })],
  [
    'dust',
    make({
      inputs: [coin],
      outputs: [
        { to: PAYEE, value: 999_000n },
        { to: PAYEE, value: 1n },
      ],
    }),
  ],
  ['version-unusual', make({ inputs: [coin], outputs: [{ to: PAYEE, value: 999_000n }], txVersion: 4 })],
];

describe.each(Object.entries(ACCOUNTS))('an account of %s', (_, open) => {
  test('signs an honest payment', () => {
    const { ecc, made } = counting();
    expect(signWith(open(ecc), honest)).toMatchObject({ isComplete: true, review: { findings: [] } });
    expect(made()).toBe(1);
  });

  test.each(ATTACKS)('makes no signature where the policy refuses %s', (check, psbt) => {
    const { ecc, made } = counting();
    const account = open(ecc);
    expect(reviewWith(account, psbt).findings).toContainEqual(
      expect.objectContaining({ check, action: POLICY_DEFAULTS[check] }),
    );
    const refusal = refusalOf(() => signWith(account, psbt, { policy: { [check]: 'refuse' } }));
    expect(refusal.code).toBe('policy/refused');
    expect((refusal.data as { readonly checks: string }).checks.split(', ')).toContain(check);
    if (POLICY_DEFAULTS[check] === 'refuse') expect(() => signWith(account, psbt)).toThrow(check);
    expect(made()).toBe(0);
  });

  test('makes no signature for a coin of others that claims its key', () => {
    const { ecc, made } = counting();
    const foreign = make({
      inputs: [{ of: MALLORYS }],
      outputs: [{ to: PAYEE, value: 999_000n }],
    });
    const origins = honest.inputs[0]?.bip32Derivations ?? [];
    const psbt = withInput(foreign, 0, (input) => ({ ...input, bip32Derivations: origins }));
    expect(refusalOf(() => signWith(open(ecc), psbt)).code).toMatch(/^(policy\/refused|account\/nothing-signed)$/);
    expect(made()).toBe(0);
  });
});

test('a wrong passphrase opens another wallet, which signs nothing of the first', () => {
  const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  const { ecc, made } = counting();
  expect(refusalOf(() => signWith(accountFromWords(words, { network, passphrase: 'wrong', ecc }), honest)).code).toBe(
    'account/nothing-signed',
  );
  expect(made()).toBe(0);
});
