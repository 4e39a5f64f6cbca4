import { expect, test } from 'vitest';
import { blockAfter } from '../../../support/blocks.ts';
import { txid } from '../../../support/library.ts';
import { ask, idOf, LEGACY, MODERN, makeWorld, payment, put, type WalletKind } from '../../../support/walletWorld.ts';

/** A wallet that sends one of its coins to another, with change. */
function sentFrom(kind: WalletKind) {
  const world = makeWorld(kind);
  const { rpc, coins, scripts, base } = world;
  const [own = '', other = '', , foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, other]);
  ask(rpc, 'submitblock', [blockAfter(base, { txs: [received] }).hex]);
  const sent = payment({ txid: txid(received), vout: 0 }, [foreign, other], 40_000n);
  put(rpc, sent);
  return { ...world, received, sent };
}

test.each([
  ['0.21', LEGACY],
  ['31', MODERN],
])('gettransaction of %s shows what others got, and the fee', (_, kind) => {
  const { rpc, received, sent } = sentFrom(kind);
  expect(ask(rpc, 'gettransaction', [idOf(received)])).toMatchObject({ amount: 0.00089999, confirmations: 1 });
  expect(ask(rpc, 'gettransaction', [idOf(sent), null, true])).toMatchObject({
    amount: -0.0002,
    fee: -0.00005001,
    trusted: true,
    details: [
      { category: 'send', amount: -0.0002, vout: 0, abandoned: false },
      { category: 'send', amount: -0.00019999, label: 'key 1', vout: 1 },
      { category: 'receive', amount: 0.00019999, label: 'key 1', vout: 1 },
    ],
    decoded: { txid: idOf(sent) },
  });
  expect(ask(rpc, 'gettransaction', ['11'.repeat(32)])).toEqual({
    code: -5,
    message: 'Invalid or non-wallet transaction id',
  });
});

test('gettransaction of Core 31 marks change in the decoded transaction', () => {
  const { rpc, coins, scripts } = makeWorld(MODERN);
  const [, , watched = '', foreign = ''] = scripts;
  const { descriptor } = rpc.call('getdescriptorinfo', [`raw(${watched})`]);
  rpc.call('createwallet', ['watcher', true]);
  const request = { desc: descriptor, timestamp: 'now', internal: true } as const;
  expect(rpc.call('importdescriptors', [[request]], 'watcher')).toMatchObject([{ success: true }]);
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const tx = payment(first, [watched, foreign]);
  put(rpc, tx);
  const { decoded } = rpc.call('gettransaction', [idOf(tx), null, true], 'watcher');
  expect(decoded?.vout.map((output) => Object.keys(output))).toEqual([
    ['value', 'n', 'scriptPubKey', 'ischange'],
    ['value', 'n', 'scriptPubKey'],
  ]);
});
