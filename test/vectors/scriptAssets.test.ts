import { describe, expect, test } from 'vitest';
import { inTurn, isWhole } from '../support/campaign.ts';
import { someOf } from '../support/corpus.ts';
import {
  completeFlags,
  createSignatureCache,
  decodeTransaction,
  nobleEcc,
  parseHex,
  parseScriptFlags,
  type ScriptFlag,
  type ScriptFlags,
  type TxOut,
  verifyInput,
  withSignatureCache,
} from '../support/library.ts';
import { readBitcoreSuite } from '../support/suites.ts';
import { verifyTraced } from '../support/tracedInput.ts';

interface Side {
  readonly scriptSig: string;
  readonly witness: readonly string[];
}

interface Row {
  readonly tx: string;
  readonly prevouts: readonly string[];
  readonly index: number;
  readonly flags: string;
  readonly comment: string;
  /** True if the success must also pass under every other set of flags. */
  readonly final?: boolean;
  readonly success?: Side;
  readonly failure?: Side;
}

const rows = readBitcoreSuite<Row[]>('bitcoind/script_assets_test');

/** Reads an output: a value of 8 bytes and a length-prefixed script. */
function readOutput(hex: string): TxOut {
  const bytes = parseHex(hex);
  const size = bytes[8] ?? 0;
  const start = size === 0xfd ? 11 : 9;
  return { value: new DataView(bytes.buffer).getBigInt64(0, true), scriptPubKey: bytes.slice(start) };
}

/**
 * The sets of consensus flags in which none misses a flag it requires: all combinations in a whole run, otherwise none and
 * all of the independent flags at each step of the ladder, and those that take their turn.
 */
const LADDER: readonly ScriptFlag[][] = [[], ['P2SH'], ['P2SH', 'WITNESS'], ['P2SH', 'WITNESS', 'TAPROOT']];
const FREE: readonly ScriptFlag[] = ['DERSIG', 'NULLDUMMY', 'CHECKLOCKTIMEVERIFY', 'CHECKSEQUENCEVERIFY'];
const subsets: readonly ScriptFlag[][] = Array.from({ length: 2 ** FREE.length }, (_, bits) =>
  FREE.filter((_flag, i) => (bits >> i) % 2 === 1),
);
const RULE_SETS: readonly ScriptFlags[] = LADDER.flatMap((step) =>
  (isWhole ? subsets : [[], [...FREE], ...inTurn(subsets.slice(1, -1))]).map((free) =>
    completeFlags([...step, ...free]),
  ),
);

const includes = (set: ScriptFlags, subset: ScriptFlags): boolean => [...subset].every((flag) => set.has(flag));

describe("Core's script_assets_test, from bitcore-lib", () => {
  const ecc = withSignatureCache(nobleEcc, createSignatureCache());

  test('has 2243 rows, 1492 of them with a failure', () => {
    expect(rows).toHaveLength(2243);
    expect(rows.filter(({ success }) => success)).toHaveLength(2243);
    expect(rows.filter(({ failure }) => failure)).toHaveLength(1492);
  });
  test.each(someOf(rows.map((row, i) => ({ row, name: `${i} ${row.comment}` }))))('$name', ({ row }) => {
    const unsigned = decodeTransaction(parseHex(row.tx));
    const prevouts = row.prevouts.map(readOutput);
    const rules = parseScriptFlags(row.flags);
    const isValid = ({ scriptSig, witness }: Side, flags: ScriptFlags): boolean => {
      const spend = { scriptSig: parseHex(scriptSig), witness: witness.map(parseHex) };
      const inputs = unsigned.inputs.map((input, i) => (i === row.index ? { ...input, ...spend } : input));
      const tx = { ...unsigned, inputs };
      // The trace is compared under the flags of the row.
      const verify = flags === rules ? verifyTraced : verifyInput;
      return verify({ tx, prevouts, inputIndex: row.index, flags, ecc }).kind === 'valid';
    };
    for (const flags of [rules, ...RULE_SETS]) {
      const name = [...flags].join();
      if (row.success && (row.final || includes(rules, flags))) expect(isValid(row.success, flags), name).toBe(true);
      if (row.failure && includes(flags, rules)) expect(isValid(row.failure, flags), name).toBe(false);
    }
  });
});
