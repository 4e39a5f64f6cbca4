import { describe, expect, test } from 'vitest';
import {
  MANDATORY_FLAGS,
  nobleEcc,
  OP,
  parseScriptFlags,
  sighashForInput,
  type TraceEvent,
  type TraceStep,
  type Transaction,
  tapLeafHash,
  tapTweakHash,
  traceInput,
  type VerifyInputInput,
} from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { expectRefusal } from '../../support/refusal.ts';
import { parseScriptText } from '../../support/scriptText.ts';
import { kinds, signSpend, UNSIGNED } from '../../support/spends.ts';
import { traced } from '../../support/tracedInput.ts';

const [INPUT] = UNSIGNED.inputs;
if (!INPUT) throw new Error('one input');

/** Spends a script with a scriptSig. */
const bare = (scriptSig: string, scriptPubKey: string, flags = 'P2SH'): VerifyInputInput => ({
  tx: { ...UNSIGNED, inputs: [{ ...INPUT, scriptSig: parseScriptText(scriptSig) }] },
  prevouts: [{ value: 1n, scriptPubKey: parseScriptText(scriptPubKey) }],
  inputIndex: 0,
  flags: parseScriptFlags(flags),
});

const stepsOf = (events: readonly TraceEvent[], script = 'scriptPubKey'): readonly TraceStep[] =>
  events.flatMap((event) => (event.kind === 'step' && event.script === script ? [event] : []));

const kindOf = (name: string) => {
  const kind = kinds[name];
  if (!kind) throw new Error(name);
  return kind;
};

function signed(name: string, change: (tx: Transaction) => Transaction = (tx) => tx): VerifyInputInput {
  const spend = signSpend(UNSIGNED, [{ kind: kindOf(name), sighashType: 1, value: 1000n }]);
  return { tx: change(spend.tx), prevouts: spend.prevouts, inputIndex: 0 };
}

describe('a step', () => {
  test('says what it pushed, popped and moved, on both stacks', () => {
    const { events } = traced(bare('1 2 3', 'ROT TOALTSTACK DROP FROMALTSTACK EQUAL'));
    const changes = stepsOf(events).map(({ opcode, stack, altstack }) => [opcode, stack, altstack]);
    const [one, two, three] = [1, 2, 3].map((byte) => Uint8Array.of(byte));
    const nothing = { popped: 0, pushed: [] };
    expect(changes).toEqual([
      [OP.ROT, { popped: 3, pushed: [two, three, one] }, nothing],
      [OP.TOALTSTACK, { popped: 1, pushed: [] }, { popped: 0, pushed: [one] }],
      [OP.DROP, { popped: 1, pushed: [] }, nothing],
      [OP.FROMALTSTACK, { popped: 0, pushed: [one] }, { popped: 1, pushed: [] }],
      [OP.EQUAL, { popped: 2, pushed: [new Uint8Array()] }, nothing],
    ]);
    expect(events.at(-1)).toEqual({ kind: 'end', script: 'scriptPubKey', stack: [new Uint8Array()] });
  });

  test('says in which branch it stands, and what its data is there', () => {
    const { events, decidedBy, outcome } = traced(bare('0', "IF 'no' ELSE 1 ENDIF"));
    expect(outcome).toEqual({ kind: 'valid' });
    expect(decidedBy).toEqual({ step: 1, script: 'scriptPubKey', offset: 0, opcode: OP.IF, result: false });
    const rows = stepsOf(events).map(({ step, position, offset, isExecuted, conditions, opCount, data }) => {
      const place = { step, position, offset, isExecuted };
      return { ...place, ...conditions, opCount, ...(data && { data }) };
    });
    const no = new TextEncoder().encode('no');
    expect(rows).toEqual([
      { step: 1, position: 0, offset: 0, isExecuted: true, depth: 1, firstFalse: 0, opCount: 1 },
      { step: 2, position: 1, offset: 1, isExecuted: false, depth: 1, firstFalse: 0, opCount: 1, data: no },
      { step: 3, position: 2, offset: 4, isExecuted: false, depth: 1, firstFalse: -1, opCount: 2 },
      { step: 4, position: 3, offset: 5, isExecuted: true, depth: 1, firstFalse: -1, opCount: 2 },
      { step: 5, position: 4, offset: 6, isExecuted: true, depth: 0, firstFalse: -1, opCount: 3 },
    ]);
  });

  test('that failed is the last, with the error', () => {
    const { events, steps, failedIn } = traced(bare('1', 'DUP RETURN 1'));
    expect(steps).toBe(3);
    expect(events.at(-1)).toMatchObject({ step: 2, opcode: OP.RETURN, error: 'OP_RETURN' });
    expect(failedIn).toBe('scriptPubKey');
  });
});

describe('a check', () => {
  test('shows key, hash type, digest, script code and verdict', () => {
    const spend = signed('wpkh');
    const { events } = traced(spend);
    const [check] = stepsOf(events, 'scriptCode').flatMap(({ checks }) => checks);
    const [signature, publicKey] = spend.tx.inputs[0]?.witness ?? [];
    const beginnings = events.filter((event) => event.kind === 'script');
    const { digest } = sighashForInput({ ...spend, sighashType: 1 });
    expect(check).toEqual({
      ...{ rules: 'witness-v0', signature, publicKey, hashType: 1, digest, verdict: true },
      scriptCode: beginnings.find(({ sigVersion }) => sigVersion === 'witness-v0')?.bytes,
    });
  });

  test('of a multisig is one for each key that was tried, from the last', () => {
    const { events, decidedBy } = traced(signed('wsh(multi)'));
    const checks = stepsOf(events, 'witnessScript').flatMap((step) => step.checks);
    expect(checks.map(({ verdict }) => verdict)).toContain(true);
    expect(checks.filter(({ verdict }) => verdict === true)).toHaveLength(2);
    expect(decidedBy).toBeUndefined();
  });

  test('of the key path stands in no script', () => {
    const { events, outcome } = traced(signed('rawtr'));
    expect(outcome).toEqual({ kind: 'valid' });
    expect(events.at(-1)).toMatchObject({ kind: 'key-path', check: { rules: 'taproot', hashType: 1, verdict: true } });
    expect(events.at(-2)).toMatchObject({ kind: 'program', version: 1 });
  });

  test('has no digest where its encoding decides', () => {
    const { events, outcome } = traced(bare(`0x03 0x300101 0x21 0x02${'11'.repeat(32)}`, 'CHECKSIG', 'DERSIG'));
    expect(outcome).toMatchObject({ error: 'SIG_DER' });
    const [check] = stepsOf(events).flatMap(({ checks }) => checks);
    expect(check).toMatchObject({ rules: 'base', hashType: 1, verdict: 'SIG_DER' });
    expect(check).not.toHaveProperty('digest');
  });
});

describe('a leaf', () => {
  const script = concat([OP['1']]);
  const internalKey = nobleEcc.publicKey(new Uint8Array(32).fill(3)).slice(1);
  const leafHash = tapLeafHash(script);
  const output = nobleEcc.tweakPublicKey(internalKey, tapTweakHash(internalKey, leafHash));
  const spending = (control: Uint8Array): VerifyInputInput => ({
    tx: { ...UNSIGNED, inputs: [{ ...INPUT, witness: [script, control] }] },
    prevouts: [{ value: 1n, scriptPubKey: concat([OP['1'], 32], output?.publicKey ?? internalKey) }],
    inputIndex: 0,
  });
  const control = concat([0xc0 | (output?.parity ?? 0)], internalKey);

  test('shows its commitment, and its budget', () => {
    const { events } = traced(spending(control));
    expect(events.find(({ kind }) => kind === 'leaf')).toMatchObject({
      ...{ leafVersion: 0xc0, leafHash, merkleRoot: leafHash, path: [], internalKey, isCommitted: true },
      outputKey: output?.publicKey,
    });
    // The witness has 1 + 1 + 1 + 1 + 33 bytes.
    expect(events).toContainEqual(expect.objectContaining({ kind: 'script', script: 'tapscript', budget: 87 }));
  });

  test('that the output does not commit to is shown as well', () => {
    const { events, outcome, failedIn } = traced(spending(concat(control, new Uint8Array(32))));
    expect(outcome).toEqual({ kind: 'invalid', error: 'WITNESS_PROGRAM_MISMATCH' });
    expect(failedIn).toBe('witness');
    expect(events.at(-1)).toMatchObject({ kind: 'leaf', isCommitted: false, path: [new Uint8Array(32)] });
  });
});

describe('a trace', () => {
  test('names what decided a failure', () => {
    const decided = (scriptSig: string, scriptPubKey: string) => {
      const { decidedBy } = traced(bare(scriptSig, scriptPubKey, [...MANDATORY_FLAGS].join()));
      return decidedBy && { opcode: decidedBy.opcode, result: decidedBy.result };
    };
    expect(decided('0', 'IF 1 ELSE 500000 CHECKLOCKTIMEVERIFY ENDIF')).toEqual({ opcode: OP.IF, result: false });
    expect(decided('0', 'NOTIF RETURN ENDIF')).toEqual({ opcode: OP.NOTIF, result: false });
    expect(decided('2', '1 EQUAL')).toEqual({ opcode: OP.EQUAL, result: false });
    expect(decided('2', '1 EQUAL VERIFY 1')).toEqual({ opcode: OP.EQUAL, result: false });
    expect(decided('1 2', '1 EQUAL DROP IF 0 ENDIF')).toEqual({ opcode: OP.IF, result: true });
    // An earlier check that was false does not make a lock fail.
    expect(decided('1 2', '1 EQUAL DROP 500000 CHECKLOCKTIMEVERIFY')).toBeUndefined();
    expect(decided('0', '1 IF 1 EQUAL ENDIF')).toEqual({ opcode: OP.EQUAL, result: false });
  });

  test.each([
    ['scriptSig', bare('NOP 1', '1', 'SIGPUSHONLY'), 'SIG_PUSHONLY'],
    ['scriptPubKey', bare('0', 'NOP'), 'EVAL_FALSE'],
    ['scriptPubKey', bare('1', 'IF 1'), 'UNBALANCED_CONDITIONAL'],
    ['scriptPubKey', bare('', '1 '.repeat(10_001)), 'SCRIPT_SIZE'],
    ['scriptSig', bare('1', `0 0x14 0x${'11'.repeat(20)}`, 'P2SH,WITNESS'), 'WITNESS_MALLEATED'],
    ['witness', bare('', `0 0x14 0x${'11'.repeat(20)}`, 'P2SH,WITNESS'), 'WITNESS_PROGRAM_MISMATCH'],
    ['witness', { ...bare('', '1', 'P2SH,WITNESS'), ...signedWitness() }, 'WITNESS_UNEXPECTED'],
  ] as const)('names the part at fault outside instructions: %s', (part, spend, error) => {
    expect(traced(spend)).toMatchObject({ failedIn: part, outcome: { kind: 'invalid', error } });
  });

  test('ends its events when told so, and not the verification', () => {
    const seen: TraceEvent[] = [];
    const spend = bare('1 0', 'IF RETURN ENDIF');
    const result = traceInput(spend, (event) => seen.push(event) < 2);
    expect(seen.map(({ kind }) => kind)).toEqual(['script', 'step']);
    const { events, ...whole } = traced(spend);
    expect(result).toEqual(whole);
    expect(events.length).toBeGreaterThan(2);
  });

  test('hands out copies: who writes into them changes nothing', () => {
    for (const name of ['wpkh', 'pkh', 'rawtr', 'wsh(multi)']) {
      const spend = signed(name);
      const wipe = (value: unknown): void => {
        if (value instanceof Uint8Array) value.fill(0xaa);
        else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) wipe(each);
      };
      expect(traceInput(spend, wipe).outcome).toEqual({ kind: 'valid' });
      expect(traceInput(spend, () => undefined).outcome).toEqual({ kind: 'valid' });
    }
  });

  test('needs a function', () => {
    expectRefusal(() => traceInput(bare('1', '1'), undefined as never), 'argument/invalid', {
      argument: 'onEvent',
      reason: 'must be a function that takes the events',
    });
  });
});

/** An input with a witness that its output does not ask for. */
function signedWitness(): Pick<VerifyInputInput, 'tx'> {
  return { tx: { ...UNSIGNED, inputs: INPUT ? [{ ...INPUT, witness: [Uint8Array.of(1)] }] : [] } };
}
