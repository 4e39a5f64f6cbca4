import { describe, expect, test } from 'vitest';
import {
  checkTransaction,
  completeFlags,
  decodeTransaction,
  formatTxid,
  parseHex,
  parseScriptFlags,
  SCRIPT_FLAGS,
  type ScriptFlag,
  type ScriptFlags,
  type Transaction,
  type TxOut,
  verifyTransaction,
} from '../support/library.ts';
import { parseScriptText } from '../support/scriptText.ts';
import { versionsOf } from '../support/suites.ts';
import { verifyTraced } from '../support/tracedInput.ts';

type Prevout = [txid: string, vout: number, scriptPubKey: string, value?: number];
type Row = [prevouts: Prevout[], tx: string, flags: string];

interface Spend {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[];
}

function readSpend([prevouts, hex]: Row): Spend {
  const coins = new Map(
    prevouts.map(([id, vout, scriptPubKey, value = 0]) => [
      `${id}:${vout >>> 0}`,
      { value: BigInt(value), scriptPubKey: parseScriptText(scriptPubKey) },
    ]),
  );
  const tx = decodeTransaction(parseHex(hex));
  const nothing = { value: 0n, scriptPubKey: new Uint8Array(0) };
  return {
    tx,
    prevouts: tx.inputs.map(({ outpoint }) => coins.get(`${formatTxid(outpoint.txid)}:${outpoint.vout}`) ?? nothing),
  };
}

const isValid = ({ tx, prevouts }: Spend, flags: ScriptFlags): boolean =>
  verifyTransaction(tx, prevouts, { flags }).isValid;

/** Verifies as `isValid` does, and refuses a trace of an input that differs. */
const isValidTraced = ({ tx, prevouts }: Spend, flags: ScriptFlags): boolean =>
  tx.inputs
    .map((_, inputIndex) => verifyTraced({ tx, prevouts, inputIndex, flags }))
    .every(({ kind }) => kind === 'valid');

/** Returns all flags except the excluded ones and those that require them. */
function allBut(excluded: Iterable<ScriptFlag>): ScriptFlags {
  const flags = new Set<ScriptFlag>(SCRIPT_FLAGS);
  for (const flag of excluded) flags.delete(flag);
  if (!flags.has('P2SH')) flags.delete('WITNESS');
  if (!flags.has('WITNESS')) flags.delete('CLEANSTACK');
  return flags;
}

const without = (flags: ScriptFlags, excluded: ScriptFlag): ScriptFlags =>
  new Set([...flags].filter((flag) => flag !== excluded));

const VALID_COUNTS = { 'bitcore-lib': 50, Core: 121 } as const;
const INVALID_COUNTS = { 'bitcore-lib': 39, Core: 93 } as const;
const rowsOf = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => row.length > 1);

describe.each(versionsOf<Row[]>('tx_valid', 'bitcoind/tx_valid'))("Core's tx_valid, from $from", ({ from, rows }) => {
  const cases = rowsOf(rows);

  test(`has ${VALID_COUNTS[from]} rows`, () => expect(cases).toHaveLength(VALID_COUNTS[from]));
  test.each(cases)('row %# is valid', (...row) => {
    const spend = readSpend(row);
    expect(checkTransaction(spend.tx)).toBeUndefined();
    if (from === 'bitcore-lib') {
      expect(isValidTraced(spend, parseScriptFlags(row[2]))).toBe(true);
      return;
    }
    const named = new Set(SCRIPT_FLAGS.filter((flag) => row[2].split(',').includes(flag)));
    // The newest file names the flags to exclude. Excluding more never makes a spend invalid, and each one is necessary.
    expect(isValidTraced(spend, allBut(named))).toBe(true);
    for (const flag of SCRIPT_FLAGS) expect(isValid(spend, allBut([...named, flag])), flag).toBe(true);
    for (const flag of named) expect(isValid(spend, allBut(without(named, flag))), flag).toBe(false);
  });
});

describe.each(versionsOf<Row[]>('tx_invalid', 'bitcoind/tx_invalid'))(
  "Core's tx_invalid, from $from",
  ({ from, rows }) => {
    const cases = rowsOf(rows);

    test(`has ${INVALID_COUNTS[from]} rows`, () => expect(cases).toHaveLength(INVALID_COUNTS[from]));
    test.each(cases)('row %# is invalid', (...row) => {
      const spend = readSpend(row);
      const isBad = checkTransaction(spend.tx) !== undefined;
      if (row[2] === 'BADTX') {
        expect(isBad).toBe(true);
        return;
      }
      const named = parseScriptFlags(row[2]);
      if (from === 'bitcore-lib') {
        expect(isBad || !isValidTraced(spend, named)).toBe(true);
        return;
      }
      expect(isBad).toBe(false);
      expect(isValidTraced(spend, named)).toBe(false);
      // Adding flags never makes a spend valid, and each named flag is necessary.
      for (const flag of SCRIPT_FLAGS) expect(isValid(spend, completeFlags([...named, flag])), flag).toBe(false);
      for (const flag of named) {
        if (!(flag === 'P2SH' && named.has('WITNESS'))) expect(isValid(spend, without(named, flag)), flag).toBe(true);
      }
    });
  },
);
