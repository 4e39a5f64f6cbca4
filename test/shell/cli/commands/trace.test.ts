import { describe, expect, test } from 'vitest';
import { type RunInput, run } from '../../../support/io.ts';
import {
  encodePsbt,
  encodeTransaction,
  formatHex,
  formatTxid,
  type Transaction,
  txid,
} from '../../../support/library.ts';
import { payment, sign } from '../../../support/psbts.ts';
import { kinds, signSpend, UNSIGNED } from '../../../support/spends.ts';

const { wpkh, rawtr } = kinds;
const [INPUT] = UNSIGNED.inputs;
if (!wpkh || !rawtr || !INPUT) throw new Error('kinds');

const PAID: Transaction = {
  ...UNSIGNED,
  outputs: [wpkh, rawtr].map(({ scriptPubKey }) => ({ value: 1000n, scriptPubKey })),
};
const SPEND: Transaction = {
  ...UNSIGNED,
  inputs: [0, 1].map((vout) => ({ ...INPUT, outpoint: { txid: txid(PAID), vout } })),
};
const { tx: SIGNED } = signSpend(
  SPEND,
  [wpkh, rawtr].map((kind) => ({ kind, sighashType: 1, value: 1000n })),
);
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const [FIRST, SECOND] = SIGNED.inputs;
if (!FIRST || !SECOND) throw new Error('two inputs');
/** Its locktime is another than the one that was signed. */
const CHANGED = { ...SIGNED, locktime: 1 };
const coin = (vout: number, amount: number) => ({
  ...{ txid: formatTxid(txid(PAID)), vout, amount },
  scriptPubKey: formatHex([wpkh, rawtr][vout]?.scriptPubKey ?? new Uint8Array()),
});
const FILES = {
  'spend.txn': hexOf(SIGNED),
  'changed.txn': hexOf(CHANGED),
  'one.txn': hexOf({ ...SIGNED, inputs: [FIRST] }),
  'paid.txn': hexOf(PAID),
  'coins.json': JSON.stringify([coin(0, 0.00001)]),
  'wrong.json': JSON.stringify([coin(0, 0.00002)]),
  'open.psbt': encodePsbt(payment(['wpkh'])),
  'signed.psbt': encodePsbt(sign(payment(['wpkh'])).psbt),
  'two.psbt': encodePsbt(sign(payment(['wpkh', 'tr'])).psbt),
  words: `${'abandon '.repeat(11)}about`,
};
const trace = (args: readonly string[], world: RunInput = {}) =>
  run(['trace', '--network', 'regtest', ...args], { files: FILES, ...world });

describe('countersign trace', () => {
  test('runs a valid input, whose coin a transaction shows', async () => {
    for (const index of ['0', '1']) {
      const { code, out, error } = await trace(['spend.txn', index, '--tx-file', 'paid.txn']);
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/, and is\s+valid\.\nValid after \d+ steps\.\n$/);
    }
  });

  test('names the failing step of an invalid input, with exit code 2', async () => {
    const { code, out, error } = await trace(['changed.txn', '0', '--coins-file', 'coins.json']);
    expect([code, error]).toEqual([2, '']);
    expect(out).toContain('\nFails at step 6, at OP_CHECKSIG, byte 24 of the scriptCode.\nSIG_NULLFAIL: ');
    // The coin of another input plays no part in a signature of version 0.
    const wrong = await trace(['spend.txn', '0', '--coins-file', 'wrong.json']);
    expect(wrong.code).toBe(2);
  });

  test('finalizes a PSBT, or takes it as it is if it is final', async () => {
    const { code, out } = await trace(['signed.psbt']);
    expect(code).toBe(0);
    expect(out).toContain('1 valid');
    expect((await trace(['two.psbt', '1'])).code).toBe(0);
    const open = await trace(['open.psbt']);
    expect([open.code, open.out]).toEqual([1, '']);
    expect(open.error).toMatch(
      /^error: open\.psbt does not have all signatures of the input: .*"countersign review" shows/,
    );
  });

  test('says what only the rules of relay refuse', async () => {
    // OP_NOP1 is one of those that later rules may use.
    const coins = [{ ...coin(0, 0.00001), scriptPubKey: 'b051' }];
    const odd = { ...SIGNED, inputs: [{ ...FIRST, witness: [] }] };
    const files = { 'odd.txn': hexOf(odd), 'coins.json': JSON.stringify(coins) };
    const args = ['odd.txn', '0', '--coins-file', 'coins.json'];
    const standard = await trace(args, { files });
    expect(standard.code).toBe(2);
    expect(standard.out).toContain('DISCOURAGE_UPGRADABLE_NOPS: ');
    expect(standard.error).toContain('by the rules of blocks (--flags consensus) it is valid');
    const consensus = await trace([...args, '--flags', 'consensus'], { files });
    expect([consensus.code, consensus.error]).toEqual([0, '']);
  });

  test('writes an object on each line with --json, the result last', async () => {
    const { code, out } = await trace(['changed.txn', '0', '--coins-file', 'coins.json', '--json']);
    expect(code).toBe(2);
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'step')).toEqual([
      ...['script', 'end', 'script', 'end', 'program', 'script', 'result'],
    ]);
    expect(events.at(-2)).toMatchObject({ kind: 'step', name: 'OP_CHECKSIG', error: 'SIG_NULLFAIL', opcode: 0xac });
    expect(events.at(-1)).toMatchObject({
      ...{ outcome: { kind: 'invalid', error: 'SIG_NULLFAIL' }, failedIn: 'scriptCode', reason: { bip: 146 } },
      explanation: expect.stringContaining('fails: SIG_NULLFAIL'),
    });
  });

  test('ends at 1000 steps unless asked for all', async () => {
    const many = { ...FIRST, witness: [], scriptSig: new Uint8Array(900).fill(0x51) };
    const coins = [{ ...coin(0, 0.00001), scriptPubKey: `${'51'.repeat(50)}${'61'.repeat(190)}6a` }];
    const files = { 'long.txn': hexOf({ ...SIGNED, inputs: [many] }), 'coins.json': JSON.stringify(coins) };
    const args = ['long.txn', '0', '--coins-file', 'coins.json'];
    expect((await trace(args, { files })).out).toContain('steps are left out');
    expect((await trace([...args, '--all-steps'], { files })).out).not.toContain('left out');
    const lines = async (more: readonly string[]) =>
      (await trace([...args, '--json', ...more], { files })).out.trimEnd().split('\n');
    // Two scripts begin, and one ends; the failing step and the result follow.
    expect(await lines([])).toHaveLength(1000 + 3 + 2);
    expect((await lines([])).at(-1)).toContain('"shownSteps":1000');
    expect(await lines(['--all-steps'])).toHaveLength(1141 + 3 + 1);
  });

  test.each([
    [[], 'error: trace takes a transaction or PSBT, and the number of an input: "countersign trace spend.psbt 0"\n'],
    [['spend.txn', '0', '1'], /^error: trace takes a transaction or PSBT/],
    [['spend.txn'], 'error: name an input of spend.txn, which has 0 to 1\n'],
    [['spend.txn', '2'], 'error: name an input of spend.txn, which has 0 to 1\n'],
    [['one.txn', '1'], 'error: name an input of one.txn, which has only 0\n'],
    [['spend.txn', 'x'], 'error: the number of the input must be a whole number, counted from 0\n'],
    [['spend.txn', '0'], /^error: input 0 spends the coin [0-9a-f]{64}:0, which is not given: name the transaction/],
    [['spend.txn', '1', '--coins-file', 'coins.json'], /^error: input 1 spends the coin [0-9a-f]{64}:1/],
    [['spend.txn', '0', '--tx-file', 'paid.txn', '--flags', 'NOSUCH'], /^error: .*no script flag/i],
    [['words', '0'], /^error: words is not a transaction or a PSBT: it is seed words/],
    [['abandon', ...'abandon '.repeat(10).trim().split(' '), 'about'], /^error: the arguments look like seed words/],
  ])('refuses %j with one line', async (args, text) => {
    const { code, out, error } = await trace(args);
    expect([code, out]).toEqual([1, '']);
    if (typeof text === 'string') expect(error).toBe(text);
    else expect(error).toMatch(text);
  });
});
