import { expect, test } from 'vitest';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { blockAfter } from '../../../support/blocks.ts';
import {
  answerText,
  createMemoryStore,
  type NodeRpc,
  stringifyRpc,
  type Transaction,
  txid,
} from '../../../support/library.ts';
import { ask, idOf, LEGACY, MODERN, makeWorld, openWalletRpc, payment, put } from '../../../support/walletWorld.ts';

const ELSEWHERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const textOf = (rpc: NodeRpc): string => stringifyRpc(rpc.call('getbalances', [], 'w'));

/** Spends the first output of a transaction to others. */
const spendFirst = (tx: Transaction, foreign: string): Transaction =>
  payment({ txid: txid(tx), vout: 0 }, [foreign, foreign], 1000n);

test('getbalances of 0.21 separates watch-only outputs', () => {
  const { rpc, coins, scripts, base } = makeWorld(LEGACY);
  const [own = '', , watched = ''] = scripts;
  const [first, second] = coins;
  if (!first || !second) throw new Error('no coins');
  ask(rpc, 'submitblock', [blockAfter(base, { txs: [payment(first, [own, watched])], script: own }).hex]);
  put(rpc, payment(second, [own, watched], 2000n));
  expect(textOf(rpc)).toBe(
    '{"mine":{"trusted":0.00045000,"untrusted_pending":0.00001000,"immature":50.00000000},"watchonly":{"trusted":0.00044999,"untrusted_pending":0.00000999,"immature":0.00000000}}',
  );
  expect(ask(rpc, 'getbalance')).toBe(0.00045);
  expect(ask(rpc, 'getbalance', ['*', 2])).toBe(0);
  expect(ask(rpc, 'getbalance', ['*', 1, true])).toBe(0.00089999);
  expect(ask(rpc, 'getunconfirmedbalance')).toBe(0.00001);
});

test('getbalances of Core 31 takes away what a transaction outside the mempool spends, and getbalance leaves it out', () => {
  const store = createMemoryStore();
  const { rpc, coins, scripts, base } = makeWorld(MODERN, { store });
  const [own = '', , , foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, own]);
  ask(rpc, 'submitblock', [blockAfter(base, { txs: [received] }).hex]);
  const sent = spendFirst(received, foreign);
  put(rpc, sent);
  expect(ask(rpc, 'getbalances')).toMatchObject({ mine: { trusted: 0.00044999, nonmempool: 0 } });
  ask(rpc, 'droptransaction', [idOf(sent)]);
  expect(textOf(rpc)).toMatch(
    /^\{"mine":\{"trusted":0.00089999,"untrusted_pending":0.00000000,"immature":0.00000000,"nonmempool":-0.00045000\},"lastprocessedblock":\{/,
  );
  expect(ask(rpc, 'getbalance')).toBe(0.00044999);
  expect(openWalletRpc(MODERN, store).call('getbalance', [], 'w')).toBe(0.00044999);
});

test('getbalance with avoid_reuse leaves out addresses that were spent from', () => {
  const { rpc, coins, scripts, base } = makeWorld(MODERN, { avoidsReuse: true });
  const [own = '', other = '', , foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, other]);
  const again = payment(coins[1] ?? first, [own, own]);
  ask(rpc, 'submitblock', [blockAfter(base, { txs: [received, again] }).hex]);
  expect(ask(rpc, 'getbalance')).toBe(0.00179998);
  put(rpc, spendFirst(received, foreign));
  expect(ask(rpc, 'getbalance')).toBe(0.00044999);
  expect(ask(rpc, 'getbalance', ['*', 0, false, false])).toBe(0.00134998);
  expect(ask(rpc, 'getbalances')).toMatchObject({ mine: { trusted: 0.00044999, used: 0.00089999 } });
});

test('an amount that is the whole answer has eight decimals as text, and is a number for programs', () => {
  const { rpc } = makeWorld(LEGACY);
  expect(answerText(rpc, '{"method":"getbalance","id":1}')).toBe('{"result":0.00000000,"error":null,"id":1}');
  expect(stringifyRpc(rpc.callJson('getbalance', { type: 'array', items: [] }, 'w', 'printable'), { indent: 2 })).toBe(
    '0.00000000',
  );
  expect(rpc.call('getbalance', [], 'w')).toBe(0);
});

test('getbalance refuses a dummy and an unknown way to avoid reuse', () => {
  const { rpc } = makeWorld(MODERN);
  expect(ask(rpc, 'getbalance', ['x'])).toMatchObject({ code: -32 });
  expect(ask(rpc, 'getbalance', ['*', 0, false, true])).toEqual({
    code: -4,
    message: 'wallet does not have the "avoid reuse" feature enabled',
  });
});

test('getbalances of 0.21 leaves out what a transaction outside the mempool spends', () => {
  const { rpc, coins, scripts, base } = makeWorld(LEGACY);
  const [own = '', , , foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, own]);
  ask(rpc, 'submitblock', [blockAfter(base, { txs: [received] }).hex]);
  const sent = spendFirst(received, foreign);
  put(rpc, sent);
  ask(rpc, 'droptransaction', [idOf(sent)]);
  expect(ask(rpc, 'getbalances')).toMatchObject({ mine: { trusted: 0.00044999 } });
});

test.each([
  [true, { trusted: 1, untrusted_pending: 0 }],
  [false, { trusted: 0, untrusted_pending: 1 }],
])('own payments count before they are confirmed if spendzeroconfchange is %s', (spendzeroconfchange, mine) => {
  const chain = startRegtest({ spendzeroconfchange });
  const alice = chain.wallet('alice');
  chain.fund(alice.address(), 100_000_000n);
  alice.call('sendall', { recipients: [alice.address()], fee_rate: 1 });
  const balances = alice.call('getbalances').mine;
  expect({ trusted: Math.round(balances.trusted), untrusted_pending: Math.round(balances.untrusted_pending) }).toEqual(
    mine,
  );
});

test.each([
  ['core-29', { immature: 50, used: 0 }],
  ['core-30', { immature: 0, used: 0 }],
  ['core-31', { immature: 0, used: 0 }],
  ['core-32', { immature: 0, used: 50 }],
] as const)('%s counts immature coins of a used address as %j', (dialect, mine) => {
  const { rpc, mine: mineTo, wallet } = startRegtest({ dialect });
  rpc.call('createwallet', ['w', false, false, '', true]);
  const own = wallet('w');
  const address = own.address();
  mineTo(1, address);
  mineTo(100);
  own.call('sendall', { recipients: [ELSEWHERE], fee_rate: 1 });
  mineTo(1, address);
  const { trusted, immature, used = 0 } = own.call('getbalances').mine;
  expect({ trusted, immature: Math.floor(immature), used: Math.floor(used) }).toEqual({ trusted: 0, ...mine });
});
