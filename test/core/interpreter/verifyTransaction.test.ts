import { describe, expect, test } from 'vitest';
import {
  checkInputValues,
  checkTransaction,
  decodeTransaction,
  formatHex,
  legacySigMsg,
  MANDATORY_FLAGS,
  nobleEcc,
  OP,
  parseHex,
  parseScriptFlags,
  parseTxid,
  type ScriptError,
  type ScriptFailure,
  type ScriptOutcome,
  STANDARD_FLAGS,
  scriptErrorBefore31,
  scriptErrorText,
  type Transaction,
  transactionChecker,
  verifyInput,
  verifyScript,
  verifyTransaction,
} from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { expectRefusal } from '../../support/refusal.ts';
import { parseScriptText } from '../../support/scriptText.ts';
import { kinds, signSpend } from '../../support/spends.ts';

const NOTHING = new Uint8Array(0);
const spend: Transaction = {
  version: 2,
  inputs: [{ outpoint: { txid: parseTxid('11'.repeat(32)), vout: 0 }, scriptSig: NOTHING, sequence: 0, witness: [] }],
  outputs: [{ value: 1n, scriptPubKey: NOTHING }],
  locktime: 0,
};

function outcomeOf(scriptSig: string, scriptPubKey: string, flags = 'P2SH'): ScriptOutcome {
  const [input] = spend.inputs;
  const tx = { ...spend, inputs: input ? [{ ...input, scriptSig: parseScriptText(scriptSig) }] : [] };
  const prevouts = [{ value: 1n, scriptPubKey: parseScriptText(scriptPubKey) }];
  return verifyInput({ tx, prevouts, inputIndex: 0, flags: parseScriptFlags(flags) });
}

describe('an outcome', () => {
  test('names the script and the instruction that failed', () => {
    expect(outcomeOf('1', 'DUP VERIFY RETURN')).toEqual({
      kind: 'invalid',
      error: 'OP_RETURN',
      at: { script: 'scriptPubKey', offset: 2, opcode: OP.RETURN },
    });
    expect(outcomeOf('1 ADD', '1')).toEqual({
      kind: 'invalid',
      error: 'INVALID_STACK_OPERATION',
      at: { script: 'scriptSig', offset: 1, opcode: OP.ADD },
    });
    expect(outcomeOf('0', 'NOP')).toEqual({ kind: 'invalid', error: 'EVAL_FALSE' });
    expect(outcomeOf('1', 'NOP')).toEqual({ kind: 'valid' });
  });

  test('has the error names of Core 31 and of Core 0.21', () => {
    const namesOf = (outcome: ScriptOutcome): readonly ScriptError[] =>
      outcome.kind === 'valid' ? [] : [outcome.error, scriptErrorBefore31(outcome)];
    expect(namesOf(outcomeOf('', 'IF 1 ENDIF'))).toEqual(['INVALID_STACK_OPERATION', 'UNBALANCED_CONDITIONAL']);
    expect(namesOf(outcomeOf('', 'NOTIF 1 ENDIF'))).toEqual(['INVALID_STACK_OPERATION', 'UNBALANCED_CONDITIONAL']);
    expect(namesOf(outcomeOf('', 'DUP'))).toEqual(['INVALID_STACK_OPERATION', 'INVALID_STACK_OPERATION']);
    expect(namesOf(outcomeOf("'aaaaa'", '1ADD'))).toEqual(['SCRIPTNUM', 'UNKNOWN_ERROR']);
    const empty: ScriptFailure = { kind: 'invalid', error: 'TAPSCRIPT_EMPTY_PUBKEY' };
    expect(scriptErrorBefore31(empty)).toBe('PUBKEYTYPE');
    expect(scriptErrorText('UNKNOWN_ERROR')).toBe('unknown error');
  });

  test('of a transaction lists one outcome per input', () => {
    const two = { ...spend, inputs: [...spend.inputs, ...spend.inputs] };
    const { pkh, rawtr } = kinds;
    if (!pkh || !rawtr) throw new Error('kinds');
    const { tx, prevouts } = signSpend(two, [
      { kind: pkh, sighashType: 1, value: 5n },
      { kind: rawtr, sighashType: 0, value: 6n },
    ]);
    expect(verifyTransaction(tx, prevouts)).toEqual({ isValid: true, inputs: [{ kind: 'valid' }, { kind: 'valid' }] });
    const poorer = prevouts.map((prevout) => ({ ...prevout, value: prevout.value - 1n }));
    expect(verifyTransaction(tx, poorer)).toEqual({
      isValid: false,
      inputs: [{ kind: 'valid' }, { kind: 'invalid', error: 'SCHNORR_SIG' }],
    });
  });

  test('of a Schnorr signature without all prevouts is SCHNORR_SIG_HASHTYPE, as in Core', () => {
    const { rawtr } = kinds;
    if (!rawtr) throw new Error('kinds');
    const { tx, prevouts } = signSpend(spend, [{ kind: rawtr, sighashType: 0, value: 6n }]);
    const [input] = tx.inputs;
    const [prevout] = prevouts;
    if (!input || !prevout) throw new Error('one input');
    const checker = transactionChecker({ tx, inputIndex: 0, value: prevout.value });
    const { scriptSig, witness } = input;
    const outcome = verifyScript({ scriptSig, witness, scriptPubKey: prevout.scriptPubKey, checker });
    expect(outcome).toEqual({ kind: 'invalid', error: 'SCHNORR_SIG_HASHTYPE' });
  });

  test('of pay-to-anchor is valid with an empty witness, and of unknown programs depends on the flags', () => {
    const anchor = '1 0x02 0x4e73';
    const unknown = '1 0x02 0x4e74';
    const standard = [...STANDARD_FLAGS].join();
    expect(outcomeOf('', anchor, standard)).toEqual({ kind: 'valid' });
    expect(outcomeOf('', unknown, standard)).toMatchObject({ error: 'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM' });
    expect(outcomeOf('', unknown, [...MANDATORY_FLAGS].join())).toEqual({ kind: 'valid' });
    expect(outcomeOf('1', anchor, standard)).toMatchObject({ error: 'WITNESS_MALLEATED' });
    const old = { tx: spend, prevouts: [{ value: 1n, scriptPubKey: parseScriptText(anchor) }], inputIndex: 0 };
    expect(verifyInput({ ...old, knowsAnchors: false })).toMatchObject({
      error: 'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM',
    });
  });

  test('of a script is valid at a limit, and an error beyond it', () => {
    const nops = (count: number): string => 'NOP '.repeat(count);
    expect(outcomeOf('', `1 ${nops(201)}`)).toEqual({ kind: 'valid' });
    expect(outcomeOf('', `1 ${nops(202)}`)).toMatchObject({ error: 'OP_COUNT', at: { offset: 202 } });
    expect(outcomeOf('', '1 '.repeat(1000))).toEqual({ kind: 'valid' });
    expect(outcomeOf('', '1 '.repeat(1001))).toMatchObject({ error: 'STACK_SIZE' });
    expect(outcomeOf('', '1 '.repeat(10_001))).toEqual({ kind: 'invalid', error: 'SCRIPT_SIZE' });
  });

  test('of scripts designed to be slow is found within the general time-out', () => {
    const deep = `${'1 IF '.repeat(100)}${'ENDIF '.repeat(100)}1`;
    expect(outcomeOf('', deep)).toEqual({ kind: 'valid' });
    // Every push of the scriptCode equals the signature that FindAndDelete removes.
    const repeated = `${'0x09 0x300602010102010101 DROP '.repeat(150)} 0x09 0x300602010102010101 0x21 0x02${'11'.repeat(32)} ${'2DUP CHECKSIG DROP '.repeat(20)}`;
    outcomeOf('', repeated);
    // A tapscript of four megabytes, limited only by its budget.
    const script = concat([OP['1']], new Uint8Array(4_000_000).fill(OP.NOP));
    const checker = transactionChecker({ tx: spend, inputIndex: 0, value: 1n });
    verifyScript({ scriptSig: script, scriptPubKey: script, witness: [script, script], checker });
  });
});

/** As litecoind 0.21.2.1 answers `testmempoolaccept` for such spends. */
describe('a legacy signature for a script that ends within a push', () => {
  const KEY = '21031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fac';
  const SPEND =
    '0200000001828597f152a8d28a0b64fad5623b5bd775d5bd87bb21889ca0642784139867ad00000000494830450221008f7bc0de6d325e6422' +
    '012f22bdf417e61fa05ac20e900caafccb710223fc56cf02203ec98e98945b4f7519066b48abef4eb8eb21ff89307c02722bc48d3be76d6dc2' +
    '01ffffffff01204e00000000000017a91400000000000000000000000000000000000000008700000000';

  test('is invalid if made for the whole script, and fails before the script does', () => {
    const prevouts = [{ value: 100_000n, scriptPubKey: parseHex(`${KEY}050102`) }];
    const outcome = verifyInput({ tx: decodeTransaction(parseHex(SPEND)), prevouts, inputIndex: 0 });
    expect(outcome).toMatchObject({ kind: 'invalid', error: 'SIG_NULLFAIL' });
  });

  test.each([
    ['050102', '05'],
    ['05', '05'],
    ['4c', '4c'],
    ['4c09', '4c09'],
    ['4c0901', '4c09'],
    ['4d01', '4d'],
    ['4d0900', '4d0900'],
    ['4d090007', '4d0900'],
    ['4e010203', '4e'],
    ['ab4e09000000aa', '4e09000000'],
  ])('commits, of the tail %s, only to %s', (tail, signed) => {
    const scriptCode = parseHex(`51${tail}`);
    const message = legacySigMsg({ tx: spend, inputIndex: 0, scriptCode, sighashType: 1 }) ?? NOTHING;
    const size = scriptCode.length - (tail.startsWith('ab') ? 1 : 0);
    expect(formatHex(message.slice(41))).toMatch(new RegExp(`^0?${size.toString(16)}51${signed}00000000`));
  });
});

describe('verification throws', () => {
  test('for an input index out of range and a wrong number of prevouts', () => {
    const given = { tx: spend, prevouts: [], inputIndex: 0 };
    expectRefusal(() => verifyInput(given), 'sighash/prevouts', { expected: 1, found: 0 });
    expectRefusal(() => verifyInput({ ...given, inputIndex: 1 }), 'sighash/input-index', { inputIndex: 1, inputs: 1 });
    expectRefusal(() => verifyTransaction(spend, []), 'sighash/prevouts', { expected: 1, found: 0 });
    const checker = { tx: spend, inputIndex: -1, value: 0n, ecc: nobleEcc };
    expectRefusal(() => transactionChecker(checker), 'sighash/input-index', { inputIndex: -1, inputs: 1 });
  });
});

describe('without running scripts', () => {
  const [input] = spend.inputs;
  const inputs = input ? [input] : [];
  const MAX = 2_100_000_000_000_000n;
  const paying = (...values: readonly bigint[]): Transaction => ({
    ...spend,
    outputs: values.map((value) => ({ value, scriptPubKey: NOTHING })),
  });
  const nothing = { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff };
  const spending = (...outpoints: Transaction['inputs'][number]['outpoint'][]): Transaction => ({
    ...spend,
    inputs: outpoints.flatMap((outpoint) => inputs.map((own) => ({ ...own, outpoint }))),
  });
  const coinbase = (size: number): Transaction => ({
    ...spend,
    inputs: inputs.map((own) => ({ ...own, outpoint: nothing, scriptSig: new Uint8Array(size) })),
  });
  const outpoint = { txid: parseTxid('22'.repeat(32)), vout: 1 };

  test.each([
    ['is fine', spend, undefined],
    ['has no inputs', { ...spend, inputs: [] }, 'bad-txns-vin-empty'],
    ['has no outputs', { ...spend, outputs: [] }, 'bad-txns-vout-empty'],
    [
      'is too large',
      { ...spend, outputs: [{ value: 0n, scriptPubKey: new Uint8Array(1_000_000) }] },
      'bad-txns-oversize',
    ],
    ['pays a negative amount', paying(1n, -1n), 'bad-txns-vout-negative'],
    ['pays all possible money', paying(MAX), undefined],
    ['pays too much in one output', paying(MAX + 1n), 'bad-txns-vout-toolarge'],
    ['pays too much in total', paying(MAX, 1n), 'bad-txns-txouttotal-toolarge'],
    ['spends an output twice', spending(outpoint, outpoint), 'bad-txns-inputs-duplicate'],
    ['spends two outputs of one transaction', spending(outpoint, { ...outpoint, vout: 0 }), undefined],
    ['spends a null outpoint among others', spending(outpoint, nothing), 'bad-txns-prevout-null'],
    ['is a coinbase', coinbase(2), undefined],
    ['is a coinbase with a scriptSig that is too short', coinbase(1), 'bad-cb-length'],
    ['is a coinbase with a scriptSig that is too long', coinbase(101), 'bad-cb-length'],
  ] as const)('checkTransaction finds the fault, if any, of a transaction that %s', (_, tx, fault) =>
    expect(checkTransaction(tx)).toBe(fault),
  );

  test('checkInputValues refuses inputs that are out of range or worth less than the outputs', () => {
    const coin = (value: bigint) => [{ value, scriptPubKey: NOTHING }];
    expect(checkInputValues(spend, coin(1n))).toBeUndefined();
    expect(checkInputValues(spend, coin(0n))).toBe('bad-txns-in-belowout');
    expect(checkInputValues(spend, coin(-1n))).toBe('bad-txns-inputvalues-outofrange');
    expect(checkInputValues(spend, coin(MAX + 1n))).toBe('bad-txns-inputvalues-outofrange');
    expect(checkInputValues(spend, coin(MAX + 1n), { maxMoney: 4n * MAX })).toBeUndefined();
  });
});
