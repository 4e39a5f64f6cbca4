import { describe, expect, test } from 'vitest';
import { changedScriptRules } from '../divergences.ts';
import {
  formatHex,
  nobleEcc,
  parseHex,
  parseScriptFlags,
  type ScriptOutcome,
  scriptErrorBefore31,
  TAPSCRIPT_LEAF_VERSION,
  type Transaction,
  tapLeafHash,
  tapTweakHash,
  txid,
} from '../support/library.ts';
import { parseScriptText } from '../support/scriptText.ts';
import { versionsOf } from '../support/suites.ts';
import { verifyTraced } from '../support/tracedInput.ts';

type Row = readonly (string | readonly (string | number)[])[];

interface Case {
  readonly witness: readonly Uint8Array[];
  readonly value: bigint;
  readonly scriptSig: Uint8Array;
  readonly scriptPubKey: Uint8Array;
  readonly flags: string;
  readonly expected: string;
}

/** An internal key whose secret key is unknown. @see BIP341 "Constructing and spending Taproot outputs" */
const NUMS = parseHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0');

function readCase(row: Row): Case {
  const hasWitness = typeof row[0] !== 'string';
  const items = hasWitness ? [...(row[0] as readonly (string | number)[])] : [];
  const coins = items.pop() ?? 0;
  const [scriptSig, scriptPubKey, flags, expected] = (hasWitness ? row.slice(1) : row) as readonly string[];
  const leaf = items.map(String).find((item) => item.startsWith('#SCRIPT#'));
  const script = parseScriptText((leaf ?? '').replace('#SCRIPT#', ''));
  const output = nobleEcc.tweakPublicKey(NUMS, tapTweakHash(NUMS, tapLeafHash(script)));
  const control = Uint8Array.of(TAPSCRIPT_LEAF_VERSION | (output?.parity ?? 0), ...NUMS);
  const itemBytes = (item: string): Uint8Array => {
    if (item.startsWith('#SCRIPT#')) return script;
    return item === '#CONTROLBLOCK#' ? control : parseHex(item);
  };
  const outputText = (scriptPubKey ?? '').replace('#TAPROOTOUTPUT#', `0x${formatHex(output?.publicKey ?? NUMS)}`);
  return {
    witness: items.map((item) => itemBytes(String(item))),
    value: BigInt(Math.round(Number(coins) * 1e8)),
    scriptSig: parseScriptText(scriptSig ?? ''),
    scriptPubKey: parseScriptText(outputText),
    flags: flags ?? '',
    expected: expected ?? '',
  };
}

/** Verifies and traces a case with the two transactions of Core's test: one that creates the output, and one that spends it. */
function run({ witness, value, scriptSig, scriptPubKey, flags }: Case): ScriptOutcome {
  const nothing = { txid: txid({ version: 0, inputs: [], outputs: [], locktime: 0 }), vout: 0xffff_ffff };
  nothing.txid.fill(0);
  const prevout = { value, scriptPubKey };
  const spendOf = (
    outpoint: Transaction['inputs'][number]['outpoint'],
    more: object,
  ): Transaction['inputs'][number] => ({
    outpoint,
    scriptSig: Uint8Array.of(0, 0),
    sequence: 0xffff_ffff,
    witness: [],
    ...more,
  });
  const credit: Transaction = { version: 1, inputs: [spendOf(nothing, {})], outputs: [prevout], locktime: 0 };
  const spend: Transaction = {
    version: 1,
    inputs: [spendOf({ txid: txid(credit), vout: 0 }, { scriptSig, witness })],
    outputs: [{ value, scriptPubKey: new Uint8Array(0) }],
    locktime: 0,
  };
  return verifyTraced({ tx: spend, inputIndex: 0, prevouts: [prevout], flags: parseScriptFlags(flags) });
}

/** Maps the file's abbreviations of Core's error names. */
const NAMES: Readonly<Record<string, string>> = { NULLFAIL: 'SIG_NULLFAIL' };

const ROW_COUNTS = { 'bitcore-lib': 1189, Core: 1233 } as const;

describe.each(versionsOf<Row[]>('script_tests', 'bitcoind/script_tests'))(
  "Core's script_tests, from $from",
  ({ from, rows }) => {
    const cases = rows.filter((row) => row.length > 1);
    const changed = new Map<unknown, number>();

    test(`has ${ROW_COUNTS[from]} rows`, () => expect(cases).toHaveLength(ROW_COUNTS[from]));
    test.each(cases.map((row) => ({ row, name: JSON.stringify(row).slice(0, 300) })))('$name', ({ row }) => {
      const given = readCase(row);
      const expected = NAMES[given.expected] ?? given.expected;
      const outcome = run(given);
      const error = outcome.kind === 'valid' ? 'OK' : from === 'Core' ? outcome.error : scriptErrorBefore31(outcome);
      const change = changedScriptRules.find((rule) => rule.expected === expected && rule.ours === error);
      if (from === 'bitcore-lib' && change) changed.set(change, (changed.get(change) ?? 0) + 1);
      else expect(error).toBe(expected);
    });
    test('has other results only where the rules have changed since', () => {
      const counts = from === 'Core' ? [] : changedScriptRules.map((rule) => [rule, rule.rows]);
      expect([...changed]).toEqual(expect.arrayContaining(counts));
      expect(changed.size).toBe(counts.length);
    });
  },
);
