// Tests a shop with node:test on one regtest for all tests, which each begin where the chain stood at first.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startRegtest } from 'countersign/regtest';

const chain = startRegtest();
const [alice, shop] = [chain.wallet('alice'), chain.wallet('shop')];
chain.fund(alice.address(), 100_000_000n);
const start = chain.snapshot();
// Vitest and Jest have the same afterEach.
afterEach(() => chain.rewind(start));

test('the shop sees a payment before and after it is in a block', () => {
  const txid = alice.send(shop.address(), 25_000_000n);
  assert.equal(shop.call('gettransaction', [txid]).confirmations, 0);
  chain.mine(6);
  assert.equal(shop.call('gettransaction', [txid]).confirmations, 6);
});

test('a broadcast that the node refuses is the error that a node gives', () => {
  chain.failNext('sendtoaddress', { code: -6, message: 'Insufficient funds' });
  assert.throws(() => alice.send(shop.address(), 25_000_000n), /Insufficient funds/);
  assert.equal(shop.balance(), 0n);
});
