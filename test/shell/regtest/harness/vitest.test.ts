import * as vitest from 'vitest';
import { nativeSecp256k1Ecc } from '../../../../src/core/crypto/nativeSecp256k1.ts';
import { useRegtest } from '../../../../src/shell/regtest/harness/vitest.ts';
import type { Regtest } from '../../../../src/shell/regtest/index.ts';

const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = vitest;
const options = { ecc: nativeSecp256k1Ecc };
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const chain = useRegtest(vitest, options);
const coin = chain.fund(PAYEE, 5000n);
const start = heightOf(chain);

function heightOf({ rpc }: Regtest): number {
  return rpc.call('getblockcount');
}

beforeAll(() => void chain.mine());
beforeEach(() => void chain.mine());
/** What a hook of the file sees after each test. */
const seen: number[] = [];
afterEach(() => void seen.push(heightOf(chain)));
afterAll(() => expect(seen).toEqual([3, 2, 12, 13, 12, 12].map((mined) => start + mined)));

test('a test begins where the file and beforeAll left the chain', () => {
  expect(heightOf(chain)).toBe(start + 2);
  chain.mine();
});

test('the next one, too', () => expect(heightOf(chain)).toBe(start + 2));

describe('a block', () => {
  beforeAll(() => void chain.mine(10));

  test('begins where its own beforeAll left it', () => {
    expect(heightOf(chain)).toBe(start + 12);
  });

  test('for each of its tests', () => {
    chain.mine();
    expect(heightOf(chain)).toBe(start + 13);
  });
});

describe('a block with a chain of its own', () => {
  const own = useRegtest(vitest, { ...options, seed: 'own' });
  const paid = own.fund(PAYEE, 7000n);

  test('has matchers that ask it', () => {
    expect(paid.txid).toBeConfirmed();
    expect(coin.txid).not.toBeConfirmed();
  });
});

describe('matchers', () => {
  test('tell where a transaction is, and what it spends and pays', async () => {
    expect(coin.txid).toBeConfirmed(2);
    expect(coin.txid).not.toBeConfirmed(100);
    expect(coin.txid).toPay(PAYEE, 5000n);
    expect(coin.txid).not.toSpend(coin);
    await expect(Promise.resolve(coin.txid)).resolves.toBeConfirmed();
    expect(() => expect(coin.txid).toPay(PAYEE, 1n)).toThrow(/to pay 1 sat to bcrt1qw5\w+, but it pays 5000 sat to /);
    expect(() => expect(coin.txid).not.toBeConfirmed()).toThrow(/not to have 1 confirmation or more, but it has \d+/);
  });
});
