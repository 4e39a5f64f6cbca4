import { describe, expect, test } from 'vitest';
import { accountFromDescriptors, reviewWith } from '../../../src/kit/account/index.ts';
import { createRpc, encodePsbt, formatBase64, formatReview, type Policy, reviewToJson } from '../../support/library.ts';
import { make, PAYEE, payment, WALLETS } from '../../support/psbts.ts';

const rpc = createRpc({ network: 'regtest' });
const PSBT = payment(['wpkh', 'wpkh']);
const TEXT = formatBase64(encodePsbt(PSBT));
const ABSURD = formatBase64(
  encodePsbt(make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value: 800_000n }] })),
);

describe('reviewpsbt', () => {
  test('answers the review of the library as JSON, and in words', () => {
    const review = reviewWith(accountFromDescriptors(WALLETS.wpkh, { network: 'regtest' }), PSBT);
    const answer = { ...reviewToJson(review), text: formatReview(review).trimEnd().split('\n') };
    const plain = JSON.parse(JSON.stringify(answer));
    for (const item of [WALLETS.wpkh, { desc: WALLETS.wpkh }]) {
      const found = rpc.call('reviewpsbt', [TEXT, [item]]);
      expect(JSON.parse(JSON.stringify(found))).toEqual(plain);
      expect(JSON.stringify(found)).not.toMatch(/prv/);
    }
    expect(plain.text.join('\n')).toContain('change, verified');
  });

  test('applies a policy and a sighash type', () => {
    const refused = (policy: Policy): unknown => rpc.call('reviewpsbt', [ABSURD, [], policy]);
    expect(refused({})).toMatchObject({ isRefused: true });
    expect(refused({ 'fee-absurd': 'warn' })).toMatchObject({ isRefused: false });
    const checks = (sighashType?: 'NONE'): readonly string[] =>
      rpc.call('reviewpsbt', [TEXT, [], {}, sighashType ?? null]).findings.map(({ check }) => check);
    expect(checks()).not.toContain('sighash-unusual');
    expect(checks('NONE')).toContain('sighash-unusual');
  });

  test.each([
    [['x'], -22],
    [[TEXT, ['wpkh(x)']], -5],
    [[TEXT, [1]], -3],
    [[TEXT, [{}]], -8],
    [[TEXT, [], { nope: 'warn' }], -8],
    [[TEXT, [], { dust: 'maybe' }], -8],
    [[TEXT, [], { dust: 1 }], -3],
    [[TEXT, [], {}, 'ALLE'], -8],
  ])('refuses malformed arguments, %#', (args, code) => {
    expect(() => rpc.call('reviewpsbt' as string, args)).toThrow(expect.objectContaining({ name: 'RpcError', code }));
  });
});
