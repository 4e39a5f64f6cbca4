import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, accountFromDescriptors, buildPsbt, type SpendInput } from '../../../src/kit/account/index.ts';
import { campaign } from '../../support/campaign.ts';
import { completed, signedWith } from '../../support/completing.ts';
import {
  type Derived,
  encodeTransaction,
  formatDescriptor,
  formatHex,
  formatTxid,
  networks,
  type Psbt,
  parseTxid,
  plan,
  reviewPsbt,
  type Transaction,
  transactionSize,
  txid,
  unsignedTransaction,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';
import { descriptorOf, generatedTexts, HASHES, keysOf, LETTERS, TEXTS } from '../../support/spendingWays.ts';

const network = 'regtest';
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const NOTHING = new Uint8Array(0);
const VALUE = 1_000_000n;
/** Both kinds of locks are met. */
const LOCKS = { sequence: 10_000, locktime: 500 };

function accountOf(text: string, signers: readonly string[]): Account {
  const descriptor = descriptorOf(text, signers);
  return accountFromDescriptors(formatDescriptor(descriptor, networks.regtest, { isPrivate: true }), { network });
}

function coinOf(account: Account, number: number): SpendInput {
  const from = account.receive(0);
  const outpoint = { txid: parseTxid('aa'.repeat(32)), vout: number };
  const funding: Transaction = {
    version: 2,
    locktime: 0,
    inputs: [{ outpoint, sequence: 0, scriptSig: NOTHING, witness: [] }],
    outputs: [{ value: VALUE, scriptPubKey: from.scriptPubKey }],
  };
  const { sequence } = LOCKS;
  return { txid: formatTxid(txid(funding)), vout: 0, from, sequence, previousTransaction: encodeTransaction(funding) };
}

const addressesOf = (accounts: readonly Account[]): readonly Derived[] =>
  accounts.map((account) => account.receive(0).derived);
const signedBy = (psbt: Psbt, accounts: readonly Account[]): Psbt => signedWith(psbt, addressesOf(accounts));
const complete = (psbt: Psbt, accounts: readonly Account[]): Transaction => completed(psbt, addressesOf(accounts));

const feeOf = (psbt: Psbt): bigint =>
  unsignedTransaction(psbt).outputs.reduce((left, { value }) => left - value, VALUE * BigInt(psbt.inputs.length));

/** Counts ECDSA signatures by the beginning of their encoding. */
const countEcdsa = (tx: Transaction): number =>
  formatHex(encodeTransaction(tx)).match(/304[345]02(?:20|1f)/g)?.length ?? 0;

const cases = fc
  .record({
    texts: fc.array(fc.oneof(fc.constantFrom(...TEXTS), generatedTexts), { minLength: 1, maxLength: 4 }),
    signers: fc.subarray(LETTERS, { minLength: 1 }),
    rate: fc.constantFrom(0.1, 1, 1.3, 7, 50),
  })
  .map(({ texts, signers, ...rest }) => {
    const assets = { keys: keysOf(signers), hashes: HASHES, ...LOCKS };
    const spendable = texts.filter((text) => plan(descriptorOf(text, signers), assets));
    return { ...rest, signers, texts: spendable };
  })
  .filter(({ texts }) => texts.length > 0);

describe('the fee', () => {
  test('is never below its rate, and exact where the keys are named', () => {
    fc.assert(
      fc.property(cases, ({ texts, signers, rate }) => {
        const accounts = texts.map((text) => accountOf(text, signers));
        const [first] = accounts;
        const coins = accounts.map(coinOf);
        const build = (inputs: readonly SpendInput[]): Psbt =>
          buildPsbt({
            ...{ inputs, feeRate: rate, locktime: LOCKS.locktime },
            outputs: { [PAYEE]: 50_000n },
            ...(first && { change: first.receive(0) }),
          });
        const named = { keys: keysOf(signers), hashes: HASHES };
        const [bound, exact] = [build(coins), build(coins.map((coin) => ({ ...coin, ...named })))];
        for (const psbt of [bound, exact]) {
          const { vsize } = transactionSize(complete(psbt, accounts));
          expect(Number(feeOf(psbt))).toBeGreaterThanOrEqual(Math.ceil(vsize * rate));
        }
        const tx = complete(exact, accounts);
        // One ECDSA signature in 128 is shorter.
        const most = Math.ceil((transactionSize(tx).vsize + countEcdsa(tx)) * rate);
        expect(Number(feeOf(exact))).toBeLessThanOrEqual(most);
      }),
      campaign(2000),
    );
  });

  test('of a leaf alone is that of its script', () => {
    const account = accountOf('tr(A,{pk(B),pk(C)})', ['C']);
    const leaf = account.receive(0).derived.taproot?.leafScripts.at(-1)?.script ?? NOTHING;
    const build = (more: object): bigint =>
      feeOf(
        buildPsbt({
          inputs: [{ ...coinOf(account, 0), ...more }],
          outputs: { [PAYEE]: 50_000n },
          change: account.receive(0),
          feeRate: 1,
        }),
      );
    expect(build({ leaf })).toBe(build({ keys: keysOf(['C']) }));
    expect(build({ keys: keysOf(['A']) })).toBeLessThan(build({ leaf }));
  });

  test('of a signed PSBT is reviewed by the way that its signatures take', () => {
    const account = accountOf('tr(A,{pk(B),pk(C)})', ['C']);
    const options = { outputs: { [PAYEE]: 50_000n }, change: account.receive(0), feeRate: 1 };
    const psbt = buildPsbt({ inputs: [coinOf(account, 0)], ...options });
    const { vsize } = transactionSize(complete(psbt, [account]));
    expect(reviewPsbt(signedBy(psbt, [account])).vsize).toBe(vsize);
  });

  test('counts coins of others by their weight, or by an address that tells it', () => {
    const [taproot, keyHash] = [accountOf('tr(A)', ['A']), accountOf('wpkh(A)', ['A'])];
    const build = (account: Account, more: object): bigint =>
      feeOf(
        buildPsbt({
          ...{ network, feeRate: 1, outputs: { [PAYEE]: 50_000n }, change: account.receive(0) },
          inputs: [{ ...coinOf(account, 0), from: account.receive(0).address, value: VALUE, ...more }],
        }),
      );
    expect(build(taproot, { weight: 230 })).toBe(
      feeOf(
        buildPsbt({
          inputs: [coinOf(taproot, 0)],
          outputs: { [PAYEE]: 50_000n },
          change: taproot.receive(0),
          feeRate: 1,
        }),
      ),
    );
    expect(build(keyHash, {})).toBe(141n);
    expectRefusal(() => build(taproot, {}), 'build/unknown-size', { inputIndex: 0 });
    expectRefusal(() => build(taproot, { weight: 1 }), 'build/invalid', {
      member: 'inputs[0].weight',
      reason: 'must be a whole number of weight units, from 164 to 400000',
    });
  });

  test('is refused for a spend that its locks or assets do not allow', () => {
    const account = accountOf('wsh(and_v(v:pk(A),older(10)))', ['A']);
    const build = (more: object): Psbt =>
      buildPsbt({
        inputs: [{ ...coinOf(account, 0), ...more }],
        outputs: { [PAYEE]: 50_000n },
        change: account.receive(0),
        feeRate: 1,
      });
    expectRefusal(() => build({ sequence: 9 }), 'build/invalid', {
      member: 'inputs[0].sequence',
      reason: 'must be 10 or more, as the script has that lock',
    });
    expectRefusal(() => build({ keys: keysOf(['B']) }), 'build/invalid', {
      member: 'inputs[0]',
      reason: 'cannot be spent with the keys, hashes or leaf that are named',
    });
    expect(build({ sequence: 10 }).inputs.length).toBe(1);
  });
});
