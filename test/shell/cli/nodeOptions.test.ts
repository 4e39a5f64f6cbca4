import { describe, expect, test } from 'vitest';
import { BITCOIND_OPTIONS } from '../../../src/node/bitcoindOptions.ts';
import { commands } from '../../../src/shell/cli/commandTable.ts';
import type { Options } from '../../../src/shell/cli/options.ts';
import { loadCommand } from '../../../src/shell/cli/readLine.ts';
import { xprvA } from '../../support/descriptorWallet.ts';
import { run } from '../../support/io.ts';
import { descriptorChecksum } from '../../support/library.ts';

type Call = readonly [method: string, params: readonly unknown[]];

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const LINE = ['batch', '--network', 'regtest', '--dialect', 'core-31', '--keypool', '10'];

/** Answers calls in one batch. @returns the last answer */
async function lastOf(options: readonly string[], calls: readonly Call[]): Promise<Reply | undefined> {
  const stdin = calls.map(([method, params]) => `${JSON.stringify({ method, params })}\n`).join('');
  const { out } = await run([...LINE, ...options], { stdin });
  return out
    .trimEnd()
    .split('\n')
    .map((line): Reply => JSON.parse(line))
    .at(-1);
}

const summed = (desc: string): string => `${desc}#${descriptorChecksum(desc)}`;
const RANGED = summed(`wpkh(${xprvA}/*)`);
const ELSEWHERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** A wallet with a coin pays without a fee rate. */
const PAYMENT: readonly Call[] = [
  ['createwallet', ['w', false, true]],
  [
    'importdescriptors',
    [[true, false].map((internal) => ({ desc: RANGED, timestamp: 0, active: internal, internal }))],
  ],
  ['generatetodescriptor', [1, summed(`wpkh(${xprvA}/5)`)]],
  ['generatetoaddress', [100, ELSEWHERE]],
  ['sendtoaddress', [ELSEWHERE, 1]],
];

describe('batch, serve and a call take the options of a node', () => {
  test('all that bitcoind has, by one declaration', async () => {
    const declared = await Promise.all(['', ...commands.keys()].map(loadCommand));
    const [called] = declared;
    const isCommandLine = (name: string): boolean => name !== 'skipsMempoolPolicy' && name !== 'debuglogfile';
    const names = Object.keys(BITCOIND_OPTIONS).filter(isCommandLine);
    const optionsOf = ({ options }: { readonly options: Options }, name: string) => options[name];
    const taking = declared.filter((command) => optionsOf(command, 'fallbackfee'));
    expect(taking.length).toBeGreaterThanOrEqual(3);
    for (const command of taking) {
      for (const name of names) {
        expect(optionsOf(command, name)).toBeDefined();
        expect(optionsOf(command, name)).toBe(called && optionsOf(called, name));
      }
    }
  });

  test('such as the fee rate of payments that state none', async () => {
    const refused = await lastOf([], PAYMENT);
    expect(refused?.error?.message).toMatch('Fallbackfee is disabled');
    expect(await lastOf(['--fallbackfee', '0.0002'], PAYMENT)).toMatchObject({ result: expect.any(String) });
  });

  test.each([
    [[], 1],
    [['--walletbroadcast'], 1],
    [['--walletbroadcast=1'], 1],
    [['--walletbroadcast=0'], 0],
  ])('a flag may have a value: %j', async (options, pooled) => {
    const answer = await lastOf(['--fallbackfee=0.0002', ...options], [...PAYMENT, ['getrawmempool', []]]);
    expect(answer?.result).toHaveLength(pooled);
  });

  test('a list may be given again and again', async () => {
    const answer = await lastOf(['--uacomment', 'a', '--uacomment=b'], [['getnetworkinfo', []]]);
    expect(answer?.result).toMatchObject({ subversion: expect.stringMatching(/\(a; b\)/) });
  });

  test.each([
    ['--fallbackfee=cheap', '--fallbackfee needs a number of coins, such as 0.0002, not "cheap"'],
    ['--keypool=ten', '--keypool needs a whole number, at least 0, not "ten"'],
    ['--walletrbf=yes', '--walletrbf needs no value, 0 or 1, not "yes"'],
    ['--addresstype=taproot', '--addresstype needs one of legacy, p2sh-segwit, bech32, bech32m, not "taproot"'],
    ['--paytxfee=0.0002', '--paytxfee is not an option of core-31'],
    [
      '--blockmaxweight=4000001',
      'Specified -blockmaxweight (4000001) exceeds consensus maximum block weight (4000000)',
    ],
    ['--fallbackfees=1', 'unknown option --fallbackfees; did you mean --fallbackfee?'],
  ])('%s is refused', async (option, reason) => {
    const line = LINE.filter((word) => word !== '--keypool' && word !== '10');
    expect(await run([...line, option])).toEqual({ code: 1, out: '', error: `error: ${reason}\n` });
  });
});
