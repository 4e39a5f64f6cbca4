import { describe, expect, test } from 'vitest';
import { expectFinding } from '../support/expectFinding.ts';
import { messagePsbt, type Psbt, SIGHASH } from '../support/library.ts';
import { PAYEE, payment, review, scriptAt, verdictsOf, WALLETS, withInput, without } from '../support/psbts.ts';

const MESSAGE = messagePsbt('I log in', scriptAt(WALLETS.wpkh));
const withText = (psbt: Psbt, text: string): Psbt => ({
  ...psbt,
  global: { ...psbt.global, signedMessage: new TextEncoder().encode(text) },
});

describe('38. a message and a payment', () => {
  test('a message that shows its text is one, and moves nothing', () => {
    const { purpose, leaves, findings } = review(MESSAGE);
    expect([purpose.kind, leaves, findings]).toEqual(['message', 0n, []]);
  });

  test.each([
    ['a message shows another text than it signs', withText(MESSAGE, 'I owe you')],
    ['a payment calls itself a message', withText(payment(['wpkh']), 'I log in')],
    [
      'a signature would serve for a payment, too',
      withInput(MESSAGE, 0, (input) => ({ ...input, sighashType: SIGHASH.NONE })),
    ],
  ])('%s', (_, psbt) => {
    expect(review(psbt).purpose.kind).toBe('payment');
    expectFinding(psbt, 'message-mismatch');
  });

  test('a transaction of 0 signs a text that nobody shows', () => {
    const hidden = { ...MESSAGE, global: without(MESSAGE.global, 'signedMessage') };
    expectFinding(hidden, 'message-hidden');
  });

  test('a message where a payment was asked for', () => {
    expect(verdictsOf(MESSAGE, { pays: [{ scriptPubKey: PAYEE }] })).toContain('pays-other: refuse');
  });
});
