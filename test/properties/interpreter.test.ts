import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import { bytes } from '../support/arbitraries.ts';
import { campaign, isWhole } from '../support/campaign.ts';
import {
  createSignatureCache,
  type Ecc,
  hash160,
  nobleEcc,
  OP,
  parseTxid,
  SCRIPT_FLAGS,
  type ScriptOutcome,
  sha256,
  type Transaction,
  type TxIn,
  type TxOut,
  tapLeafHash,
  tapTweakHash,
  verifyInput,
  verifyTransaction,
  withSignatureCache,
} from '../support/library.ts';
import { concat } from '../support/naiveSighash.ts';
import { isTaproot, kinds, type Spend, signSpend } from '../support/spends.ts';
import { verifyTraced } from '../support/tracedInput.ts';

const KINDS = Object.values(kinds);
const NOTHING = new Uint8Array(0);
const DEFAULT = 0;
const ALL = 1;

const input = (types: readonly number[]) =>
  fc.record({
    kind: fc.constantFrom(...KINDS),
    type: fc.constantFrom(...types),
    value: fc.bigInt({ min: 0n, max: 2n ** 50n }),
    sequence: fc.constantFrom(0, 1, 0xffff_fffd, 0xffff_ffff),
    vout: fc.nat({ max: 0xffff_fffe }),
  });

/** Generates signed transactions of one to three inputs of any kind, each with one of these sighash types. */
const spendOf = (types: readonly number[]): fc.Arbitrary<Spend> =>
  fc
    .record({
      version: fc.nat(),
      locktime: fc.nat(),
      inputs: fc.array(input(types), { minLength: 1, maxLength: 3 }),
      pays: fc.array(bytes(0, 30), { minLength: 3, maxLength: 4 }),
    })
    .map(({ version, locktime, inputs, pays }) => {
      const unsigned: Transaction = {
        version,
        locktime,
        inputs: inputs.map(({ sequence, vout }, i) => ({
          outpoint: { txid: parseTxid((i + 1).toString(16).padStart(64, '0')), vout },
          scriptSig: NOTHING,
          sequence,
          witness: [],
        })),
        outputs: pays.map((scriptPubKey, i) => ({ value: BigInt(i) * 1000n, scriptPubKey })),
      };
      const signed = inputs.map(({ kind, type, value }) => ({
        kind,
        value,
        sighashType: type === DEFAULT && !isTaproot(kind) ? ALL : type,
      }));
      return signSpend(unsigned, signed, nativeSecp256k1Ecc);
    });
const spend = spendOf([DEFAULT, ALL, 2, 3, 0x81, 0x82, 0x83]);

const implementations: readonly Ecc[] = [nobleEcc, tinySecp256k1Ecc, nativeSecp256k1Ecc];

const flip = (data: Uint8Array, bit: number): Uint8Array =>
  data.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

/** Picks one of `CHANGES`, a bit, and the input or output to change. */
const changes = fc.record({ of: fc.nat(), bit: fc.nat({ max: 31 }), at: fc.nat() });
type Change = (spend: Spend, pick: { bit: number; at: number }) => Spend;

const onInput =
  (change: (input: TxIn, bit: number) => TxIn): Change =>
  ({ tx, prevouts }, { bit, at }) => {
    const index = at % tx.inputs.length;
    return { prevouts, tx: { ...tx, inputs: tx.inputs.map((input, i) => (i === index ? change(input, bit) : input)) } };
  };
const onOutput =
  (change: (output: TxOut, bit: number) => TxOut): Change =>
  ({ tx, prevouts }, { bit, at }) => {
    const index = at % tx.outputs.length;
    return {
      prevouts,
      tx: { ...tx, outputs: tx.outputs.map((output, i) => (i === index ? change(output, bit) : output)) },
    };
  };
const flipNumber = (value: number, bit: number): number => (value ^ (1 << bit)) >>> 0;

/** Changes of every part of a transaction that SIGHASH_ALL commits to. */
const CHANGES: readonly Change[] = [
  ({ tx, prevouts }, { bit }) => ({ prevouts, tx: { ...tx, version: flipNumber(tx.version, bit) } }),
  ({ tx, prevouts }, { bit }) => ({ prevouts, tx: { ...tx, locktime: flipNumber(tx.locktime, bit) } }),
  onInput((input, bit) => ({ ...input, sequence: flipNumber(input.sequence, bit) })),
  onInput((input, bit) => ({ ...input, outpoint: { ...input.outpoint, vout: flipNumber(input.outpoint.vout, bit) } })),
  onInput((input, bit) => {
    const changed = flip(input.outpoint.txid, bit * 8);
    return {
      ...input,
      outpoint: { ...input.outpoint, txid: parseTxid(Buffer.from(changed).reverse().toString('hex')) },
    };
  }),
  onOutput((output, bit) => ({ ...output, value: output.value ^ (1n << BigInt(bit)) })),
  onOutput((output, bit) => ({ ...output, scriptPubKey: concat(output.scriptPubKey, [bit]) })),
];

describe('spends of every kind', () => {
  test('verify with every curve backend, and with a signature cache', () => {
    const cached = withSignatureCache(nobleEcc, createSignatureCache());
    fc.assert(
      fc.property(spend, ({ tx, prevouts }) => {
        for (const ecc of [...implementations, cached, cached]) {
          expect(verifyTransaction(tx, prevouts, { ecc })).toEqual({
            isValid: true,
            inputs: tx.inputs.map(() => ({ kind: 'valid' })),
          });
        }
      }),
      campaign(40),
    );
  });

  test('fail if one bit that all signatures commit to is flipped', () => {
    fc.assert(
      fc.property(spendOf([ALL]), changes, (valid, { of, bit, at }) => {
        const change = CHANGES[of % CHANGES.length];
        const { tx, prevouts } = change?.(valid, { bit, at }) ?? valid;
        const { inputs } = verifyTransaction(tx, prevouts, { ecc: nativeSecp256k1Ecc });
        expect(inputs.every(({ kind }) => kind === 'invalid')).toBe(true);
      }),
      campaign(300),
    );
  });

  test('fail if one bit of a signature, key or script in the input is flipped', () => {
    fc.assert(
      fc.property(spend, fc.nat(), fc.nat(), ({ tx, prevouts }, at, where) => {
        const inputIndex = at % tx.inputs.length;
        const changed = tx.inputs.map((input, i) => (i === inputIndex ? flipInput(input, where) : input));
        const outcome = verifyInput({
          tx: { ...tx, inputs: changed },
          prevouts,
          inputIndex,
          ecc: nativeSecp256k1Ecc,
        });
        expect(outcome.kind).toBe('invalid');
      }),
      campaign(400),
    );
  });

  test('fail if a segwit prevout is worth one satoshi more', () => {
    fc.assert(
      fc.property(spend, ({ tx, prevouts }) => {
        const richer = prevouts.map((prevout) => ({ ...prevout, value: prevout.value + 1n }));
        const { inputs } = verifyTransaction(tx, richer, { ecc: nativeSecp256k1Ecc });
        expect(inputs.map(({ kind }) => kind)).toEqual(
          tx.inputs.map(({ witness }) => (witness.length > 0 ? 'invalid' : 'valid')),
        );
      }),
      campaign(60),
    );
  });
});

/** Flips a bit of the witness, or of the scriptSig if there is no witness. */
function flipInput(input: TxIn, where: number): TxIn {
  if (input.witness.length === 0)
    return { ...input, scriptSig: flip(input.scriptSig, where % (input.scriptSig.length * 8)) };
  const full = input.witness.filter(({ length }) => length > 0);
  const item = full[where % full.length];
  const bit = (where >> 4) % ((item?.length ?? 1) * 8);
  return { ...input, witness: input.witness.map((other) => (other === item ? flip(other, bit) : other)) };
}

// Random scripts consist mostly of known opcodes, small numbers, keys and signatures, so that they execute far.
const OPCODES = Object.values(OP);
const KEY = nobleEcc.publicKey(new Uint8Array(32).fill(1));
const push = (data: Uint8Array): readonly number[] => [data.length, ...data];
const pushOf = (data: Uint8Array): readonly number[] => (data.length > 75 ? [OP.PUSHDATA1, ...push(data)] : push(data));
const SIGNATURE = Uint8Array.from([0x30, 6, 2, 1, 1, 2, 1, 1, 1]);
const PUSHES: readonly (readonly number[])[] = [
  push(KEY),
  push(KEY.slice(1)),
  push(SIGNATURE),
  push(new Uint8Array(64).fill(7)),
  [0],
  [1, 0x81],
  [2, 1, 0],
  [5, 255, 255, 255, 255, 127],
];
const instruction = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...OPCODES.map((opcode) => [opcode])) },
  { weight: 4, arbitrary: fc.constantFrom(...PUSHES) },
  { weight: 3, arbitrary: fc.integer({ min: 0x4f, max: 0x60 }).map((opcode) => [opcode]) },
  { weight: 1, arbitrary: fc.nat({ max: 255 }).map((opcode) => [opcode]) },
);
const program = fc.array(instruction, { maxLength: 12 }).map((parts) => Uint8Array.from(parts.flat()));
const items = fc.array(
  fc.oneof(fc.constantFrom(...PUSHES.map((parts) => Uint8Array.from(parts.slice(1)))), bytes(0, 6)),
  {
    maxLength: 5,
  },
);

describe('random scripts and stacks', () => {
  const RUNS = campaign(30_000);
  const flags = fc.oneof(fc.constant(SCRIPT_FLAGS), fc.subarray([...SCRIPT_FLAGS]));
  const form = fc.constantFrom('base', 'p2sh', 'p2wsh', 'tapscript');

  test('have the same outcome with every curve backend', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(program, program, items, flags, form, (script, other, witness, names, kind) => {
        const given = { ...wrap(kind, script, other, witness), flags: new Set(names), inputIndex: 0 };
        const outcomes: readonly ScriptOutcome[] = implementations.map((ecc) => verifyInput({ ...given, ecc }));
        const [first, ...rest] = outcomes;
        for (const outcome of rest) if (!isSame(outcome, first)) expect(outcome).toEqual(first);
        seen.add(first?.kind === 'invalid' ? first.error : 'valid');
      }),
      RUNS,
    );
    expect(seen.size).toBeGreaterThan(isWhole ? 30 : 20);
  });

  test('have a trace that ends as they do, and whose changes give their stacks', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(program, program, items, flags, form, (script, other, witness, names, kind) => {
        const given = { ...wrap(kind, script, other, witness), flags: new Set(names), inputIndex: 0 };
        const outcome = verifyTraced({ ...given, ecc: nativeSecp256k1Ecc });
        seen.add(outcome.kind === 'invalid' ? outcome.error : 'valid');
      }),
      campaign(10_000),
    );
    expect(seen.size).toBeGreaterThan(isWhole ? 30 : 15);
  });
});

/** Makes a spend of a script in one of the contexts in which scripts are executed. */
function wrap(form: string, script: Uint8Array, other: Uint8Array, items: readonly Uint8Array[]): Spend {
  const outpoint = { txid: parseTxid('11'.repeat(32)), vout: 0 };
  const spendOutput = (scriptPubKey: Uint8Array, changed: Partial<TxIn>): Spend => ({
    prevouts: [{ value: 5n, scriptPubKey }],
    tx: {
      version: 2,
      inputs: [{ outpoint, scriptSig: NOTHING, sequence: 10, witness: [], ...changed }],
      outputs: [],
      locktime: 500_000_001,
    },
  });
  const pushes = [...items, script].map((item) => pushOf(item));
  switch (form) {
    case 'p2sh':
      return spendOutput(concat([OP.HASH160, 20], hash160(script), [OP.EQUAL]), { scriptSig: concat(...pushes) });
    case 'p2wsh':
      return spendOutput(concat([0, 32], sha256(script)), { witness: [...items, script] });
    case 'tapscript': {
      const internalKey = KEY.slice(1);
      const output = nativeSecp256k1Ecc.tweakPublicKey(internalKey, tapTweakHash(internalKey, tapLeafHash(script)));
      const control = concat([0xc0 | (output?.parity ?? 0)], internalKey);
      return spendOutput(concat([OP['1'], 32], output?.publicKey ?? internalKey), {
        witness: [...items, script, control],
      });
    }
    default:
      return spendOutput(script, { scriptSig: other });
  }
}

/** Compares faster than `toEqual`, which is only used for its failure message. */
const isSame = (a: ScriptOutcome, b: ScriptOutcome | undefined): boolean =>
  a.kind === b?.kind && (a.kind === 'valid' || (b.kind === 'invalid' && a.error === b.error));
