// Tests a shop with Jest on one regtest for the file. Each test begins where the chain stands here.
import { useRegtest } from 'countersign/regtest/jest';

const chain = useRegtest();
const [alice, shop] = [chain.wallet('alice'), chain.wallet('shop')];
const coin = chain.fund(alice.address(), 100_000_000n);

test('the shop sees a payment before and after it is in a block', () => {
  const address = shop.address();
  const txid = alice.send(address, 25_000_000n);
  expect(txid).toSpend(coin);
  expect(txid).toPay(address, 25_000_000n);
  expect(txid).not.toBeConfirmed();
  chain.mine(6);
  expect(txid).toBeConfirmed(6);
});

test('a broadcast that the node refuses is the error that a node gives', () => {
  chain.failNext('sendtoaddress', { code: -6, message: 'Insufficient funds' });
  expect(() => alice.send(shop.address(), 25_000_000n)).toThrow('Insufficient funds');
  expect(shop.balance()).toBe(0n);
});
