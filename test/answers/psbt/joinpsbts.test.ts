import { describe, expect, test } from 'vitest';
import { toPsbtV0 } from '../../support/library.ts';
import { answerTo, read, replyText, text } from '../../support/psbtCalls.ts';
import { losesOnlyGlobals } from '../../support/psbtReplies.ts';
import { payment, withInput } from '../../support/psbts.ts';

describe('joinpsbts keeps global records', () => {
  const [a, b] = (['wpkh', 'pkh'] as const).map((name) => toPsbtV0(payment([name])));
  if (!a || !b) throw new Error('two payments');
  const proprietary = [
    { identifier: Uint8Array.of(81), subtype: 1, keyData: Uint8Array.of(1), value: Uint8Array.of(2) },
  ];
  const call = { method: 'joinpsbts', params: [[text({ ...a, global: { ...a.global, proprietary } }), text(b)]] };
  const own = read(answerTo(call.method, ...call.params));
  const { proprietary: _, xpubs: __, ...rest } = own.global;
  const lost = { ...own, global: rest };

  test('in our reply', () => expect(own.global.proprietary).toEqual(proprietary));

  test('and a reply of Core without them is the only excused difference', () => {
    expect(losesOnlyGlobals({ ...call, reply: replyText(lost) }, replyText(own))).toBe(true);
    const less = withInput(lost, 0, () => ({}));
    for (const other of [own, less]) {
      expect(losesOnlyGlobals({ ...call, reply: replyText(other) }, replyText(own))).toBe(false);
    }
    expect(losesOnlyGlobals({ ...call, reply: replyText(lost) }, replyText(lost))).toBe(false);
  });
});
