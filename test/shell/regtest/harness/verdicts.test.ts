import { afterEach, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../../src/core/crypto/nativeSecp256k1.ts';
import { judgeConfirmed, judgePayment, judgeSpend } from '../../../../src/shell/regtest/harness/verdicts.ts';
import { type Regtest, startRegtest } from '../../../../src/shell/regtest/startRegtest.ts';
import { refusalOf } from '../../../support/refusal.ts';

const UNKNOWN = 'ab'.repeat(32);
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const open: Regtest[] = [];

function start(): Regtest {
  const chain = startRegtest({ ecc: nativeSecp256k1Ecc });
  open.push(chain);
  return chain;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
});

const said = ({ pass, message }: ReturnType<typeof judgeConfirmed>): readonly [boolean, string] => [pass, message()];

describe('whether a transaction is confirmed', () => {
  test('counts its block', () => {
    const chain = start();
    const { txid } = chain.fund(PAYEE, 5000n, { isMined: false });
    const expected = `Expected transaction ${txid}`;
    expect(said(judgeConfirmed(chain, txid))).toEqual([
      false,
      `${expected} to have 1 confirmation or more, but it is in the mempool`,
    ]);
    chain.mine();
    expect(said(judgeConfirmed(chain, txid))).toEqual([
      true,
      `${expected} not to have 1 confirmation or more, but it has 1 confirmation`,
    ]);
    chain.mine();
    expect(said(judgeConfirmed(chain, txid.toUpperCase(), 3))).toEqual([
      false,
      `${expected} to have 3 confirmations or more, but it has 2 confirmations`,
    ]);
    expect(judgeConfirmed(chain, txid, 2).pass).toBe(true);
  });

  test('says that nothing has it', () => {
    expect(said(judgeConfirmed(start(), UNKNOWN))).toEqual([false, expect.stringMatching(/but neither a block nor/)]);
  });

  test('says what replaced it', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 1_000_000n);
    const txid = alice.send(PAYEE, 5000n);
    const replacement = alice.call('bumpfee', [txid, { fee_rate: 50 }]).txid;
    expect(judgeConfirmed(chain, txid).message()).toMatch(`but ${replacement} replaced it`);
  });

  test('says that a block holds another that spends its coin, and that its wallet alone has it', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 1_000_000n);
    const before = chain.snapshot();
    const other = start();
    const twin = other.wallet('alice');
    other.fund(twin.address(), 1_000_000n);
    const rival = other.rpc.call('getrawtransaction', [twin.send(PAYEE, 7000n)]);
    const txid = alice.send(PAYEE, 5000n);
    chain.rpc.call('generateblock', [PAYEE, [rival]]);
    expect(judgeConfirmed(chain, txid).message()).toMatch(/but a transaction in a block conflicts with it$/);
    chain.rewind(before);
    const kept = alice.send(PAYEE, 5000n);
    chain.rpc.call('generateblock', [PAYEE, [rival]]);
    chain.rpc.call('invalidateblock', [chain.rpc.call('getbestblockhash')]);
    expect(judgeConfirmed(chain, kept).message()).toMatch(
      /but only the wallet alice has it: it is not in the mempool$/,
    );
  });

  test.each([0, -1, 1.5, '1'])('refuses %j confirmations', (wanted) => {
    const refusal = refusalOf(() => judgeConfirmed(start(), UNKNOWN, wanted as number));
    expect(refusal.message).toBe('The argument confirmations must be a whole number, 1 or more');
  });

  test('refuses what is no txid', () => {
    expect(refusalOf(() => judgeConfirmed(start(), 'abcd')).code).toBe('tx/txid-length');
  });
});

describe('what a transaction spends', () => {
  test('is listed', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    const coin = chain.fund(alice.address(), 1_000_000n);
    const txid = alice.send(PAYEE, 5000n);
    const wanted = `spend ${coin.txid}:${coin.vout}`;
    expect(said(judgeSpend(chain, txid, coin))).toEqual([
      true,
      `Expected transaction ${txid} not to ${wanted}, but it spends ${coin.txid}:${coin.vout}`,
    ]);
    chain.mine();
    expect(said(judgeSpend(chain, txid, { ...coin, vout: 7 }))).toEqual([
      false,
      `Expected transaction ${txid} to spend ${coin.txid}:7, but it spends ${coin.txid}:${coin.vout}`,
    ]);
  });

  test('is unknown where the chain has no such transaction', () => {
    expect(() => judgeSpend(start(), UNKNOWN, { txid: UNKNOWN, vout: 0 })).toThrow(
      `The chain has no transaction ${UNKNOWN}: neither a block nor the mempool has it`,
    );
  });

  test('refuses an outpoint with another member', () => {
    const outpoint = { txid: UNKNOWN, n: 0 } as never;
    expect(refusalOf(() => judgeSpend(start(), UNKNOWN, outpoint)).message).toMatch(
      /^The option outpoint\.n is unknown/,
    );
  });
});

describe('what a transaction pays', () => {
  test('is listed, with the addresses', () => {
    const chain = start();
    const { txid } = chain.fund(PAYEE, 5000n);
    expect(judgePayment(chain, txid, PAYEE.toUpperCase(), 5000n).pass).toBe(true);
    expect(said(judgePayment(chain, txid, PAYEE, 5001n))).toEqual([
      false,
      expect.stringMatching(
        /^Expected .* to pay 5001 sat to bcrt1qw5\w+, but it pays 5000 sat to bcrt1qw5\w+, \d+ sat to /,
      ),
    ]);
  });

  test('shows the script of an output without an address', () => {
    const chain = start();
    const coinbase = chain.rpc.call('getblock', [chain.mine(1, PAYEE)[0] ?? '', 1]).tx[0] ?? '';
    expect(judgePayment(chain, coinbase, PAYEE, 1n).message()).toMatch(/, 0 sat to the script 6a24aa21a9ed/);
  });

  test('refuses an amount in bitcoin and an address of another network', () => {
    const chain = start();
    const { txid } = chain.fund(PAYEE, 5000n);
    expect(refusalOf(() => judgePayment(chain, txid, PAYEE, 0.5 as never)).message).toMatch(
      /^The argument sats must be/,
    );
    const main = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(refusalOf(() => judgePayment(chain, txid, main, 5000n)).code).toBe('address/network');
  });
});
