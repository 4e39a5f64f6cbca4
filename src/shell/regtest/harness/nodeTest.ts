import { AssertionError } from 'node:assert';
import { after, afterEach, beforeEach } from 'node:test';
import { type Payment, type Regtest, type RegtestOptions, startRegtest } from '../startRegtest.ts';
import { isolateTests } from './isolation.ts';
import { judgeConfirmed, judgePayment, judgeSpend, type Verdict } from './verdicts.ts';

/**
 * Starts a chain for the tests of a node:test file, or of a block. Each test begins where the file and its `before` left the
 * chain, a subtest where its test stands. The chain ends after the last test.
 * @throws BtcError `argument/invalid`
 */
export function useRegtest(options: RegtestOptions = {}): Regtest {
  const chain = startRegtest(options);
  const { begin, end } = isolateTests(chain);
  let outer = '';
  beforeEach((test) => {
    const name = 'fullName' in test ? test.fullName : test.name;
    const isPart = outer !== '' && name.startsWith(`${outer} > `);
    if (!isPart) outer = name;
    begin(isPart);
  });
  afterEach(end);
  after(() => chain.close());
  return chain;
}

/**
 * Asserts that a transaction has so many confirmations, or more. Default: one.
 * @throws AssertionError, which says where it is instead; BtcError `hex/invalid`, `tx/txid-length`, `argument/invalid`
 */
export function assertConfirmed(chain: Regtest, txid: string, confirmations?: number): void {
  assertVerdict(judgeConfirmed(chain, txid, confirmations), assertConfirmed);
}

/**
 * Asserts that a transaction of the chain or of its mempool spends an output.
 * @throws AssertionError, which says what it spends; Error where the chain has no such transaction; BtcError as `assertConfirmed`
 */
export function assertSpends(chain: Regtest, txid: string, outpoint: Payment): void {
  assertVerdict(judgeSpend(chain, txid, outpoint), assertSpends);
}

/**
 * Asserts that an output of a transaction of the chain or of its mempool pays an address just so many satoshi.
 * @throws AssertionError, which says what it pays; Error where the chain has no such transaction; BtcError as `assertConfirmed`,
 * and as `parseAddress`
 */
export function assertPays(chain: Regtest, txid: string, address: string, sats: bigint): void {
  assertVerdict(judgePayment(chain, txid, address, sats), assertPays);
}

/** `asserting`: the function that a stack trace leaves out. */
function assertVerdict({ pass, message }: Verdict, asserting: (...given: never) => void): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: asserting });
}
