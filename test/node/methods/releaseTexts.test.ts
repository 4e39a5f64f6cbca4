import { describe, expect, test } from 'vitest';
import { startRegtest } from '../../../src/shell/regtest/index.ts';
import { rpcFault } from '../../support/feeding.ts';
import { type DialectName, descriptorChecksum } from '../../support/library.ts';

/** Texts that a release has and the one before or after has not, by the source of the releases. */

type Release = Extract<DialectName, 'core-29' | 'core-30' | 'core-31' | 'core-32'>;
type Texts = Readonly<Record<Release, string>>;

const ELSEWHERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const RELEASES = ['core-29', 'core-30', 'core-31', 'core-32'] as const;

/** Opens a chain with a wallet that has a coin, and calls a method of it. */
function open(dialect: Release) {
  const chain = startRegtest({ dialect });
  const wallet = chain.wallet('w');
  chain.fund(wallet.address(), 100_000_000n);
  type Params = readonly unknown[] | Readonly<Record<string, unknown>>;
  const call = (method: string, params: Params, name?: string): unknown => chain.rpc.call(method, params, name);
  return {
    call,
    fund: chain.fund,
    refusal: (...args: Parameters<typeof call>) => rpcFault(() => call(...args)).message,
  };
}

const since = (release: Release, text: string, before: string): Texts => {
  const first = RELEASES.indexOf(release);
  return Object.fromEntries(RELEASES.map((name, i) => [name, i < first ? before : text])) as Texts;
};

const LOW = 'Fee rate (0.010 sat/vB) is lower than the minimum fee rate setting';
const EITHER = 'Either the RPC endpoint wallet or the wallet name parameter must be provided';
const NULL = 'JSON value of type null is not of expected type string';
const NOTHING = 'Transaction requires one destination of';

describe.each(RELEASES)('%s', (release) => {
  test('takes names of wallets that are no normalized paths, before 32', () => {
    const { call, refusal } = open(release);
    const names = ['a/../b', '../c', './d'];
    if (release !== 'core-32') {
      expect(names.map((name) => call('createwallet', [name]))).toEqual(names.map((name) => ({ name })));
      expect(refusal('loadwallet', ['../../etc'])).toMatch('Path does not exist.');
      return;
    }
    for (const name of names) {
      for (const method of ['createwallet', 'loadwallet'])
        expect(refusal(method, [name])).toMatch('Wallet name given as a');
    }
  });

  test('says that unloadwallet lacks a name', () => {
    expect(open(release).refusal('unloadwallet', [])).toBe(since('core-30', EITHER, NULL)[release]);
  });

  test('says how a fee rate was chosen', () => {
    const { call } = open(release);
    const sent = call('sendtoaddress', { address: ELSEWHERE, amount: 0.1, fee_rate: 5, verbose: true }, 'w');
    const reasons: Texts = { ...since('core-31', 'None', 'PayTxFee set'), 'core-32': 'User Specified Fee' };
    expect(sent).toMatchObject({ fee_reason: reasons[release] });
  });

  test('advises on a fee rate that is too low, in 32', () => {
    const { refusal } = open(release);
    const text = refusal('sendtoaddress', { address: ELSEWHERE, amount: 0.1, fee_rate: 0.01 }, 'w');
    expect(text).toMatch(LOW);
    expect(text.includes('Consider modifying -mintxfee')).toBe(release === 'core-32');
    expect(/\)$/.test(text)).toBe(release !== 'core-32');
  });

  test('refuses a payment that costs nothing', () => {
    const { call, refusal } = open(release);
    const tx = call('createrawtransaction', [[], [{ data: '00' }]]);
    const words = since('core-30', 'non-zero value, a non-zero feerate', 'non-0 value, a non-0 feerate')[release];
    expect(refusal('fundrawtransaction', [tx, { fee_rate: 0 }], 'w')).toBe(
      `${NOTHING} ${words}, or a pre-selected input`,
    );
  });

  test('refuses to send all coins of which it cannot tell the size', () => {
    const { call, fund, refusal } = open(release);
    call('createwallet', ['watching', true]);
    const desc = `addr(${ELSEWHERE})`;
    call('importdescriptors', [[{ desc: `${desc}#${descriptorChecksum(desc)}`, timestamp: 'now' }]], 'watching');
    fund(ELSEWHERE, 100_000_000n);
    const texts = since(
      'core-30',
      'Unable to determine the size of the transaction, the wallet contains unsolvable descriptors',
      'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)',
    );
    expect(refusal('sendall', { recipients: [ELSEWHERE], fee_rate: 1 }, 'watching')).toBe(texts[release]);
  });
});
