// Tests a shop with node:test on one regtest for the file. Each test begins where the chain stands here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertConfirmed, assertPays, assertSpends, useRegtest } from 'countersign/regtest/node-test';

const chain = useRegtest();
const [alice, shop] = [chain.wallet('alice'), chain.wallet('shop')];
const coin = chain.fund(alice.address(), 100_000_000n);

test('the shop sees a payment before and after it is in a block', () => {
  const address = shop.address();
  const txid = alice.send(address, 25_000_000n);
  assertSpends(chain, txid, coin);
  assertPays(chain, txid, address, 25_000_000n);
  assert.throws(() => assertConfirmed(chain, txid), /to have 1 confirmation or more, but it is in the mempool$/);
  chain.mine(6);
  assertConfirmed(chain, txid, 6);
});

test('a broadcast that the node refuses is the error that a node gives', () => {
  chain.failNext('sendtoaddress', { code: -6, message: 'Insufficient funds' });
  assert.throws(() => alice.send(shop.address(), 25_000_000n), /Insufficient funds/);
  assert.equal(shop.balance(), 0n);
});
