import { expect, test } from 'vitest';
import { txid } from '../../../support/library.ts';
import { ask, hexOf, MODERN, makeWorld, payment } from '../../../support/walletWorld.ts';

test('simulaterawtransaction follows outputs from one transaction to the next', () => {
  const { rpc, coins, scripts } = makeWorld(MODERN);
  const [own = '', , , foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, foreign]);
  const sent = payment({ txid: txid(received), vout: 0 }, [foreign, own], 1000n);
  const simulate = (...txs: readonly (typeof received)[]): unknown =>
    ask(rpc, 'simulaterawtransaction', [txs.map(hexOf)]);
  expect(simulate(received)).toEqual({ balance_change: 0.00045 });
  expect(simulate(received, sent)).toEqual({ balance_change: 0.00000499 });
  expect(simulate(sent)).toMatchObject({ code: -8, message: expect.stringContaining('missing or have been spent') });
  expect(simulate(received, received)).toMatchObject({ code: -8, message: expect.stringContaining('more than once') });
  expect(ask(rpc, 'simulaterawtransaction', [['zz']])).toMatchObject({ code: -22 });
});
