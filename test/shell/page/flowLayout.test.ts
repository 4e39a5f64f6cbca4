import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReviewJson, reviewToJson } from '../../../src/core/report/reviewJson.ts';
import { accountFromWords } from '../../../src/kit/account/accountKeys.ts';
import { buildPsbt } from '../../../src/kit/account/buildPsbt.ts';
import { reviewWith } from '../../../src/kit/account/signWith.ts';
import { flowText, listFlows, placeFlows } from '../../../src/shell/page/views/review/flowLayout.ts';

const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const payee = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** Reviews a payment of 100 000 satoshi for each coin, less the share that returns as change. */
function reviewOf(coins: number, paid = 60_000n * BigInt(coins)): ReviewJson {
  const inputs = Array.from({ length: coins }, (_, i) => ({
    txid: (i + 256).toString(16).repeat(32).slice(0, 64),
    vout: i,
    value: 100_000n,
    from: me.receive(i),
  }));
  const psbt = buildPsbt({ inputs, outputs: { [payee]: paid }, change: me.change(0), fee: 1000n });
  return reviewToJson(reviewWith(me, psbt));
}

describe('the picture of the flow', () => {
  test('tells a payment, the change and the fee apart', () => {
    const { inputs, outputs } = listFlows(reviewOf(1));
    expect(inputs.map(({ kind, sats }) => [kind, sats])).toEqual([['input', 100_000n]]);
    expect(outputs.map(({ kind, sats }) => [kind, sats])).toEqual([
      ['payment', 60_000n],
      ['change', 39_000n],
      ['fee', 1000n],
    ]);
  });

  test('sets apart what the signatures do not cover', () => {
    const kinds = (sighashType: number): readonly string[] => {
      const psbt = buildPsbt({
        inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) }],
        outputs: { [payee]: 60_000n },
        change: me.change(0),
        fee: 1000n,
      });
      const asked = { ...psbt, inputs: psbt.inputs.map((input) => ({ ...input, sighashType })) };
      const review = reviewToJson(reviewWith(me, asked));
      return listFlows(review).outputs.map(({ kind, sats }) => `${kind} ${sats}`);
    };
    expect(kinds(1)).toEqual(['payment 60000', 'change 39000', 'fee 1000']);
    expect(kinds(2)).toEqual(['open 60000', 'open 39000', 'fee 1000']);
    expect(kinds(3)).toEqual(['payment 60000', 'open 39000', 'fee 1000']);
    expect(kinds(0x81)).toEqual(['payment 60000', 'payment 39000', 'fee 1000']);
  });

  test('sums up the smallest of many coins, and loses none', () => {
    const { inputs } = listFlows(reviewOf(30));
    expect(inputs.length).toBe(7);
    expect(inputs.reduce((sum, { sats = 0n }) => sum + sats, 0n)).toBe(3_000_000n);
    expect(inputs.at(-1)?.label).toBe('24 more');
  });

  test('draws an unknown amount without counting it', () => {
    const review = reviewOf(2);
    const [{ value: _, ...unknown } = {} as never, known] = review.inputs;
    const flows = listFlows({ ...review, inputs: [unknown, known as never] });
    expect(flows.inputs.map(({ sats }) => sats)).toEqual([100_000n, undefined]);
    expect(flowText(flows, 'regtest')).toContain('Not all amounts are known');
  });

  test('describes itself in words', () => {
    expect(flowText(listFlows(reviewOf(1)), 'regtest')).toBe(
      '0.00100000 BTC are spent. 0.00060000 BTC go to bcrt1q…ygt080. 0.00039000 BTC return to you. 0.00001000 BTC are the fee.',
    );
  });

  test('gives each flow a thickness by its amount, in rows that do not overlap', () => {
    const flow = fc.record({
      kind: fc.constant('payment' as const),
      sats: fc.bigInt(0n, 10n ** 12n),
      label: fc.string(),
    });
    fc.assert(
      fc.property(
        fc.array(flow, { minLength: 1, maxLength: 8 }),
        fc.array(flow, { maxLength: 8 }),
        (inputs, outputs) => {
          const { left, right, height } = placeFlows({ inputs, outputs });
          for (const side of [left, right]) {
            for (const [i, { outer, thickness, row }] of side.entries()) {
              expect(thickness).toBeGreaterThanOrEqual(2);
              expect(outer).toBeGreaterThanOrEqual(0);
              expect(outer + thickness).toBeLessThanOrEqual(height + 1e-6);
              expect(row).toBeGreaterThanOrEqual(thickness);
              const next = side[i + 1];
              if (next) expect(outer + thickness).toBeLessThanOrEqual(next.outer);
            }
          }
          const [most] = [...left, ...right].sort((a, b) => Number(b.sats ?? 0n) - Number(a.sats ?? 0n));
          expect([...left, ...right].every(({ thickness }) => thickness <= (most?.thickness ?? 0))).toBe(true);
        },
      ),
    );
  });
});
