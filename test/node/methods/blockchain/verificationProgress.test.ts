import { describe, expect, test } from 'vitest';
import { blocksAfter, GENESIS, type MadeBlock } from '../../../support/blocks.ts';
import { change } from '../../../support/feeding.ts';
import { realHeaders } from '../../../support/headers.ts';
import {
  createNodeRpc,
  type DialectName,
  type Network,
  type NodeRpc,
  networks,
  parseHex,
  stringifyRpc,
} from '../../../support/library.ts';

/** The guesses of Core's `GuessVerificationProgress`. */

const NOW = 1_780_000_000;
const { main, regtest, signet } = networks;

function open(dialect: DialectName, network: Network = regtest, clock = (): number => NOW): NodeRpc {
  return createNodeRpc({ network, dialect, clock, random: (size) => new Uint8Array(size).fill(1) });
}

const progress = (rpc: NodeRpc): number => rpc.call('getblockchaininfo').verificationprogress;
const headerOf = ({ hex }: MadeBlock): Uint8Array => parseHex(hex.slice(0, 160));

test.each([
  ['core-0.21', '1'],
  ['litecoin-0.21', '1'],
  ['core-29', '1'],
  // 1 / (1 + (1780000000 - 1296688602) * 0.001)
  ['core-30', '2.06905513729445e-06'],
  ['core-31', '2.06905513729445e-06'],
  ['core-32', '2.06905513729445e-06'],
  ['documented', '2.06905513729445e-06'],
] as const)('%s guesses %s for a new regtest', (dialect, text) => {
  const rpc = open(dialect, dialect === 'litecoin-0.21' ? networks['litecoin-regtest'] : regtest);
  expect(stringifyRpc(rpc.call('getblockchaininfo'))).toContain(`"verificationprogress":${text},`);
  expect(rpc.call('getblockchaininfo').initialblockdownload).toBe(true);
});

test('getchainstates guesses as getblockchaininfo', () => {
  const rpc = open('core-32');
  expect(rpc.call('getchainstates').chainstates[0]?.verificationprogress).toBe(progress(rpc));
});

describe('a chain of blocks', () => {
  const blocks = blocksAfter(GENESIS, 4);
  const last = blocks[1];
  const time = last ? new DataView(headerOf(last).buffer).getUint32(68, true) : 0;
  /** Has two of four blocks, and the headers of all. */
  function openAt(dialect: DialectName, age: number): NodeRpc {
    const rpc = open(dialect, regtest, () => time + age);
    for (const { hex } of blocks) rpc.call('submitheader', [hex.slice(0, 160)]);
    for (const { hex } of blocks.slice(0, 2)) rpc.call('submitblock', [hex]);
    return rpc;
  }

  // Three transactions, and two blocks of 600 seconds above.
  test.each([
    ['core-29', 7_200, 1],
    ['core-30', 7_200, 3 / (3 + 1_200 * 0.001)],
    ['core-32', -600, 3 / (3 + 1_200 * 0.001)],
    ['core-32', 7_201, 3 / (3 + 7_201 * 0.001)],
  ] as const)('%s goes by the headers if the last block is recent: %i seconds', (dialect, age, guess) => {
    expect(progress(openAt(dialect, age))).toBeCloseTo(guess, 12);
  });

  test('is complete without blocks above a recent one', () => {
    const rpc = open('core-32', regtest, () => time + 7_000);
    for (const { hex } of blocks.slice(0, 2)) rpc.call('submitblock', [hex]);
    expect(progress(rpc)).toBe(1);
  });
});

test.each([
  ['core-0.21', 582_083_445 + (NOW - 1_603_995_752) * 3.508976121410527],
  ['core-29', 1_161_875_261 + (NOW - 1_741_017_141) * 4.620728156243148],
  ['core-30', 1_235_299_397 + (NOW - 1_756_722_903) * 5.456290459519495],
  ['core-31', 1_315_805_869 + (NOW - 1_772_055_173) * 5.40111006496122],
] as const)('%s knows how many transactions the main chain had', (dialect, total) => {
  expect(progress(open(dialect, main)) * total).toBeCloseTo(1, 12);
});

test('nothing is known of a signet of one’s own', () => {
  expect(progress(open('core-32', signet))).toBeLessThan(1e-6);
  expect(progress(open('core-32', { ...signet, signetChallenge: '51' }))).toBe(1);
});

test('a chain that lacks blocks is guessed by the time of its last one', () => {
  const rpc = open('core-32', main);
  const [, header] = realHeaders('main');
  if (!header) throw new Error('no header');
  const startAt = (time: number): NodeRpc => {
    const late = Uint8Array.from(header);
    new DataView(late.buffer).setUint32(68, time, true);
    const partial = open('core-32', main);
    change(partial, { type: 'start', header: late, height: 900_000 });
    return partial;
  };
  const guesses = [1_231_006_505, 1_500_000_000, 1_772_055_173, NOW - 600, NOW].map((time) => progress(startAt(time)));
  expect(guesses[0]).toBe(progress(rpc));
  expect(guesses).toEqual([...guesses].sort((a, b) => a - b));
  expect(guesses[2]).toBeCloseTo(1_315_805_869 / (1_315_805_869 + (NOW - 1_772_055_173) * 5.40111006496122), 9);
  expect(guesses[3]).toBeGreaterThan(0.999_99);
  expect(guesses[4]).toBe(1);
});
