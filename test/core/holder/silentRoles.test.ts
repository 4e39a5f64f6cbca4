import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  buildPsbt,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { formatSilentPaymentAddress, networks, type Psbt, parseSilentPaymentAddress } from '../../support/library.ts';

// Silent payments to the signer have the same role before their script is computed, and once all is signed.

const network = 'regtest';
const WORDS = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(WORDS, { network });
const other = accountFromWords(`${'zoo '.repeat(11)}wrong`, { network });
const mine = silentPaymentsFromWords(WORDS, { network, labels: [5, 5000] });
const theirs = silentPaymentsFromWords(`${'zoo '.repeat(11)}wrong`, { network });

const { scanKey } = parseSilentPaymentAddress(mine.address(), networks.regtest);
const { spendKey } = parseSilentPaymentAddress(theirs.address(), networks.regtest);
const STOLEN = formatSilentPaymentAddress({ scanKey, spendKey }, networks.regtest);

const paying = (to: string, payers: readonly (typeof me)[]): Psbt =>
  buildPsbt({
    inputs: payers.map((payer, i) => ({
      txid: `${i + 1}${i + 1}`.repeat(32),
      vout: 0,
      value: 100_000n,
      from: payer.receive(0),
    })),
    outputs: [{ to, value: 60_000n }],
    change: me.change(0),
    feeRate: 2,
  });

type Review = ReturnType<typeof reviewWith>;
const roleIn = ({ outputs, findings }: Review) => {
  const [output] = outputs;
  const found = findings.filter(({ check }) => check === 'silent-foreign').map(({ action }) => action);
  return [output?.role, output?.stays ? 'stays' : 'leaves', ...found];
};

describe('an output to an address of silent payments', () => {
  test.each<[string, string, readonly string[]]>([
    ['my own', mine.address(), ['change', 'stays']],
    ['my own with a label in use', mine.address(5), ['change', 'stays']],
    ['my own with a label that no restored wallet looks for', mine.address(5000), ['payment', 'leaves', 'warn']],
    ['my scan key and a stranger’s spend key', STOLEN, ['payment', 'leaves', 'warn']],
    ['a stranger’s', theirs.address(), ['payment', 'leaves']],
  ])('%s has one role before and after signing', (_, to, role) => {
    const policy = { 'silent-foreign': 'warn' } as const;
    const { psbt, review } = signWith(me, paying(to, [me]), { policy, finalize: false });
    expect(roleIn(review)).toEqual(role);
    const after = reviewWith(me, psbt, { policy });
    expect(roleIn(after)).toEqual(role);
    expect(after.outputs[0]?.silentPayment?.status).toBe('proven');
    expect(after.leaves).toBe(review.leaves);
  });

  test('my own beside a stranger’s coin leaves, while shares are missing and once all have signed', () => {
    const open = paying(mine.address(), [me, other]);
    const shared = signWith(me, open, { finalize: false });
    expect(roleIn(shared.review)).toEqual(['own', 'leaves']);
    const computed = signWith(other, shared.psbt, { finalize: false });
    const signed = signWith(me, computed.psbt, { finalize: false });
    expect(roleIn(signed.review)).toEqual(['own', 'leaves']);
    expect(roleIn(reviewWith(me, signed.psbt))).toEqual(['own', 'leaves']);
    expect(signed.review.findings.map(({ check }) => check)).toContain('coin-foreign');
  });
});
