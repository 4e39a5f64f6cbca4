import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainSpend, failureReason, formatTrace } from '../../../src/kit/trace/index.ts';
import { bytes } from '../../support/arbitraries.ts';
import { campaign } from '../../support/campaign.ts';
import {
  encodeDer,
  encodeScript,
  hash160,
  MANDATORY_FLAGS,
  nobleEcc,
  OP,
  type ScriptPart,
  sha256,
  sighashForInput,
  type Transaction,
  type TxIn,
  tapLeafHash,
  tapTweakHash,
  type VerifyInputInput,
} from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { kinds, SECRETS, signSpend, UNSIGNED } from '../../support/spends.ts';
import { traced } from '../../support/tracedInput.ts';

const [INPUT] = UNSIGNED.inputs;
const [SECRET] = SECRETS;
if (!INPUT || !SECRET) throw new Error('one input and a key');

const KEY = nobleEcc.publicKey(SECRET);

function signed(name: string, change: Partial<TxIn> = {}, value = 1000n): VerifyInputInput {
  const kind = kinds[name];
  if (!kind) throw new Error(name);
  const { tx, prevouts } = signSpend(UNSIGNED, [{ kind, sighashType: 1, value: 1000n }]);
  return {
    tx: { ...tx, inputs: tx.inputs.map((input) => ({ ...input, ...change })) },
    prevouts: prevouts.map((prevout) => ({ ...prevout, value })),
    inputIndex: 0,
  };
}

/** Spends a witness script that takes these items. */
function witnessSpend(
  script: Uint8Array,
  items: (tx: Transaction, prevouts: VerifyInputInput['prevouts']) => readonly Uint8Array[],
  change: Partial<TxIn> = {},
): VerifyInputInput {
  const prevouts = [{ value: 1000n, scriptPubKey: concat([0, 32], sha256(script)) }];
  const tx = { ...UNSIGNED, inputs: [{ ...INPUT, ...change }] as readonly TxIn[] };
  const witness = [...items(tx, prevouts), script];
  return { tx: { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness })) }, prevouts, inputIndex: 0 };
}

function sign(script: Uint8Array, of: Pick<VerifyInputInput, 'tx' | 'prevouts'>, secretKey: Uint8Array): Uint8Array {
  const { digest } = sighashForInput({ ...of, inputIndex: 0, sighashType: 1, scriptCode: script });
  return concat(encodeDer(nobleEcc.signEcdsa(digest, secretKey)), [1]);
}

const parts = (...list: readonly ScriptPart[]): Uint8Array => encodeScript(list);

/** Returns the text below the steps. */
const endOf = (spend: VerifyInputInput): string => {
  const text = formatTrace(spend);
  return text
    .slice(text.search(/\nThe (?:output|leaf).* demands/))
    .replace(/\s+/g, ' ')
    .trim();
};

describe('why did this input fail?', () => {
  test('the signer was told a wrong amount', () => {
    const spend = signed('wpkh', {}, 999n);
    expect(traced(spend).events.at(-1)).toMatchObject({ kind: 'step', opcode: OP.CHECKSIG, error: 'SIG_NULLFAIL' });
    expect(endOf(spend)).toContain('1 signature not valid for the keys it was checked with, and fails: SIG_NULLFAIL.');
    expect(endOf(spend)).toContain('Fails at step 6, at OP_CHECKSIG, byte 24 of the scriptCode. SIG_NULLFAIL:');
    expect(endOf(spend)).toContain('with the right key and the right amounts of the coins');
  });

  test('the key is another than the one that was paid', () => {
    const other = nobleEcc.publicKey(new Uint8Array(32).fill(9));
    const spend = signed('wpkh', { witness: [Uint8Array.of(0x30, 1), other] });
    expect(traced(spend).events.at(-1)).toMatchObject({ opcode: OP.EQUALVERIFY, error: 'EQUALVERIFY' });
    expect(endOf(spend)).toContain('The output demands a signature by the key that hashes to');
    expect(endOf(spend)).toContain('a key or a preimage that does not hash to what the script names');
  });

  test('the branch of the heir is locked for longer', () => {
    const heir = nobleEcc.publicKey(new Uint8Array(32).fill(8));
    // wsh(or_d(pk(KEY),and_v(v:pk(heir),older(144))))
    const late = [heir, 'OP_CHECKSIGVERIFY', 144, 'OP_CHECKSEQUENCEVERIFY'] as const;
    const script = parts(KEY, 'OP_CHECKSIG', 'OP_IFDUP', 'OP_NOTIF', ...late, 'OP_ENDIF');
    const spend = witnessSpend(
      script,
      (tx, prevouts) => [sign(script, { tx, prevouts }, new Uint8Array(32).fill(8)), new Uint8Array()],
      { sequence: 143 },
    );
    const { events, decidedBy } = traced(spend);
    expect(events.at(-1)).toMatchObject({ opcode: OP.CHECKSEQUENCEVERIFY, error: 'UNSATISFIED_LOCKTIME' });
    expect(decidedBy).toMatchObject({ opcode: OP.NOTIF, result: false });
    expect(endOf(spend)).toContain('is not set for the lock after 144 blocks');
    expect(endOf(spend)).toContain(
      'OP_NOTIF at byte 36 of the witnessScript found a false item, and took its first branch',
    );
  });

  test('the preimage is another', () => {
    const hash = sha256(new Uint8Array(32).fill(1));
    // wsh(and_v(v:sha256(hash),pk(KEY)))
    const script = parts('OP_SIZE', 32, 'OP_EQUALVERIFY', 'OP_SHA256', hash, 'OP_EQUALVERIFY', KEY, 'OP_CHECKSIG');
    const given = (preimage: Uint8Array): VerifyInputInput =>
      witnessSpend(script, (tx, prevouts) => [sign(script, { tx, prevouts }, SECRET), preimage]);
    const right = endOf(given(new Uint8Array(32).fill(1)));
    expect(right).toMatch(/^The output demands the preimage of sha256 \w+\.\.\. and a signature by /);
    expect(right).toMatch(/the input offers 1 valid signature \(by \S+\), the preimage of sha256 \S+, and is valid/);
    const wrong = given(new Uint8Array(32).fill(2));
    expect(traced(wrong).events.at(-1)).toMatchObject({ opcode: OP.EQUALVERIFY, error: 'EQUALVERIFY' });
    expect(endOf(wrong)).toContain('the input offers no valid signature, and fails: EQUALVERIFY');
    const bare = parts('OP_SHA256', hash, 'OP_EQUAL');
    const unequal = witnessSpend(bare, () => [new Uint8Array(32).fill(2)]);
    expect(endOf(unequal)).toContain('OP_EQUAL at byte 34 of the witnessScript came out false');
  });

  test('the leaf is not in the tree', () => {
    const leaf = parts(KEY.slice(1), 'OP_CHECKSIG');
    const output = nobleEcc.tweakPublicKey(KEY.slice(1), tapTweakHash(KEY.slice(1), tapLeafHash(parts(1))));
    const control = concat([0xc0 | (output?.parity ?? 0)], KEY.slice(1));
    const scriptPubKey = concat([OP['1'], 32], output?.publicKey ?? KEY.slice(1));
    const spend: VerifyInputInput = {
      tx: { ...UNSIGNED, inputs: [{ ...INPUT, witness: [new Uint8Array(64), leaf, control] }] },
      prevouts: [{ value: 1n, scriptPubKey }],
      inputIndex: 0,
    };
    expect(traced(spend).events.at(-1)).toMatchObject({ kind: 'leaf', isCommitted: false });
    expect(formatTrace(spend)).toContain('the output does not commit to it');
    expect(endOf(spend)).toContain('Fails in the witness, not at an instruction. WITNESS_PROGRAM_MISMATCH:');
    expect(endOf(spend)).toMatch(/^The leaf, which is not one of the output, demands /);
  });

  test('the signatures of a multisig stand in another order than the keys', () => {
    const { witness = [] } = signed('wsh(multi)').tx.inputs[0] ?? {};
    const [dummy, first, second, script] = witness as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const spend = signed('wsh(multi)', { witness: [dummy, second, first, script] });
    const last = traced(spend).events.at(-1);
    expect(last).toMatchObject({ opcode: OP.CHECKMULTISIG, error: 'SIG_NULLFAIL' });
    expect(endOf(spend)).toContain('The output demands 2 of: a signature by');
  });
});

describe('a trace as text', () => {
  test('says what a valid input offered', () => {
    for (const name of Object.keys(kinds)) {
      expect(endOf(signed(name)), name).toMatch(
        /^The (?:output|leaf) demands .*valid signatures? \(by .*\), and is valid\. Valid after/,
      );
    }
  });

  test('ends at 1000 steps with the last ones, unless asked for more', () => {
    const spend: VerifyInputInput = {
      tx: { ...UNSIGNED, inputs: [{ ...INPUT, scriptSig: new Uint8Array(900).fill(OP['1']) }] },
      prevouts: [
        {
          value: 1n,
          scriptPubKey: concat(new Uint8Array(50).fill(OP['1']), new Uint8Array(190).fill(OP.NOP), [OP.RETURN]),
        },
      ],
      inputIndex: 0,
      flags: MANDATORY_FLAGS,
    };
    const text = formatTrace(spend);
    expect(text.split('\n').filter((line) => /^ *\d+ +\d+ /.test(line))).toHaveLength(1012);
    expect(text).toContain('129 steps are left out');
    expect(text).toContain('Fails at step 1140, at OP_RETURN');
    const whole = formatTrace(spend, { maxSteps: Number.POSITIVE_INFINITY });
    expect(whole).not.toContain('left out');
    expect(whole.split('\n').filter((line) => /^ *\d+ +\d+ /.test(line))).toHaveLength(1141);
  });

  test('fits 80 columns of plain characters, whatever the scripts hold', () => {
    const program = fc.oneof(
      bytes(0, 60),
      fc
        .array(fc.constantFrom(...Object.values(OP).filter((opcode) => opcode > OP.PUSHDATA4)), { maxLength: 40 })
        .map((list) => Uint8Array.from(list)),
    );
    const form = fc.constantFrom('base', 'sh', 'wsh', 'tr');
    fc.assert(
      fc.property(program, fc.array(bytes(0, 80), { maxLength: 6 }), form, (script, items, kind) => {
        const scriptPubKeys: Record<string, Uint8Array> = {
          base: script,
          sh: concat([OP.HASH160, 20], hash160(script), [OP.EQUAL]),
          wsh: concat([0, 32], sha256(script)),
          tr: concat([OP['1'], 32], KEY.slice(1)),
        };
        const witness =
          kind === 'wsh' ? [...items, script] : kind === 'tr' ? [...items, script, concat([0xc0], KEY.slice(1))] : [];
        const scriptSig = kind === 'base' || kind === 'sh' ? parts(...items, script) : new Uint8Array();
        const spend = {
          tx: { ...UNSIGNED, inputs: [{ ...INPUT, scriptSig, witness }] },
          prevouts: [{ value: 1n, scriptPubKey: scriptPubKeys[kind] ?? script }],
          inputIndex: 0,
        };
        for (const line of formatTrace(spend).split('\n')) expect(line).toMatch(/^[ -~]{0,80}$/);
        expect(formatTrace(spend).replace(/\s+/g, ' ')).toContain(explainSpend(spend));
      }),
      campaign(2000),
    );
  });

  test('has a reason for every error, with a sentence of meaning and one of advice', () => {
    for (const error of ['EVAL_FALSE', 'SIG_PUSHONLY', 'SCHNORR_SIG'] as const) {
      const { text, meaning, advice } = failureReason(error);
      for (const sentence of [meaning, advice]) expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(text).not.toBe('');
    }
  });
});
