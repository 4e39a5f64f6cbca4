import { describe, expect, test } from 'vitest';
import {
  encodeTransaction,
  formatHex,
  formatWif,
  hash160,
  networks,
  nobleEcc,
  OP,
  parseTxid,
  type SigningKey,
  type SigningOutcome,
  type SignTransactionInput,
  sha256,
  signLowR,
  signRawTransactionWithKey,
  signTransaction,
  type Transaction,
  tapTweakHash,
} from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';
import { kinds, SECRETS } from '../../support/spends.ts';

const NOTHING = new Uint8Array(0);
const KEYS: readonly SigningKey[] = SECRETS.map((secretKey) => ({ secretKey, isCompressed: true }));
const PUBLIC_KEYS = SECRETS.map((secret) => nobleEcc.publicKey(secret));
const [KEY = NOTHING, SECOND = NOTHING, THIRD = NOTHING] = PUBLIC_KEYS;
const push = (data: Uint8Array): Uint8Array => concat([data.length], data);

const spending = (count: number, more: Partial<Transaction> = {}): Transaction => ({
  version: 2,
  inputs: Array.from({ length: count }, (_, vout) => ({
    outpoint: { txid: parseTxid('cd'.repeat(32)), vout },
    scriptSig: NOTHING,
    sequence: 0xffff_fffd,
    witness: [],
  })),
  outputs: [{ value: 500n, scriptPubKey: Uint8Array.of(OP.RETURN) }],
  locktime: 0,
  ...more,
});

/** Signs one input and returns its outcome. */
function sign(scriptPubKey: Uint8Array, given: Partial<SignTransactionInput> = {}): SigningOutcome {
  const [outcome] = signTransaction({
    tx: spending(1),
    prevouts: [{ scriptPubKey, value: 1000n }],
    keys: KEYS,
    ...given,
  }).inputs;
  if (!outcome) throw new Error('one input');
  return outcome;
}
const scriptOf = (kind: string): Uint8Array => kinds[kind]?.scriptPubKey ?? NOTHING;
const innerOf = (kind: string): Uint8Array => kinds[kind]?.known?.scriptCode ?? NOTHING;
const missing = (outcome: SigningOutcome): unknown => (outcome.kind === 'incomplete' ? outcome.missing : 'nothing');

describe('an outcome says', () => {
  test('for which keys signatures were made', () => {
    expect(sign(scriptOf('pkh'))).toEqual({ kind: 'complete', signed: [KEY] });
    const multi = sign(scriptOf('wsh(multi)'), { scripts: [innerOf('wsh(multi)')] });
    expect(multi).toEqual({ kind: 'complete', signed: PUBLIC_KEYS });
    const whole = signTransaction({
      tx: spending(1),
      prevouts: [{ scriptPubKey: scriptOf('pkh'), value: 1n }],
      keys: KEYS,
    });
    const again = signTransaction({
      tx: whole.tx,
      prevouts: [{ scriptPubKey: scriptOf('pkh'), value: 1n }],
      keys: KEYS,
    });
    expect(again.inputs).toEqual([{ kind: 'complete', signed: [] }]);
  });

  test('which key, script or coin is missing', () => {
    expect(missing(sign(scriptOf('pk'), { keys: [] }))).toEqual([{ kind: 'private-key', publicKey: KEY }]);
    expect(missing(sign(scriptOf('pkh'), { keys: [] }))).toEqual([{ kind: 'key', hash: hash160(KEY) }]);
    expect(missing(sign(scriptOf('wpkh'), { keys: [] }))).toEqual([{ kind: 'key', hash: hash160(KEY) }]);
    expect(missing(sign(scriptOf('sh(multi)')))).toEqual([
      { kind: 'redeem-script', hash: hash160(innerOf('sh(multi)')) },
    ]);
    expect(missing(sign(scriptOf('wsh(multi)')))).toEqual([
      { kind: 'witness-script', program: sha256(innerOf('wsh(multi)')) },
    ]);
    const partly = sign(scriptOf('wsh(multi)'), { keys: KEYS.slice(0, 1), scripts: [innerOf('wsh(multi)')] });
    expect(missing(partly)).toEqual([
      { kind: 'private-key', publicKey: SECOND },
      { kind: 'private-key', publicKey: THIRD },
    ]);
    expect(partly).toMatchObject({ signed: [KEY], failure: { error: 'SIG_NULLFAIL' } });
    expect(missing(sign(scriptOf('rawtr'), { keys: [] }))).toEqual([{ kind: 'output-key', outputKey: KEY.slice(1) }]);
    expect(sign(scriptOf('pkh'), { prevouts: [undefined] })).toEqual({
      kind: 'incomplete',
      failure: undefined,
      signed: [],
      missing: [{ kind: 'coin' }],
    });
  });

  test('that a required amount is missing', () => {
    expect(sign(scriptOf('pkh'), { prevouts: [{ scriptPubKey: scriptOf('pkh') }] })).toMatchObject({
      kind: 'complete',
    });
    expect(missing(sign(scriptOf('wpkh'), { prevouts: [{ scriptPubKey: scriptOf('wpkh') }] }))).toEqual([
      { kind: 'amount' },
    ]);
    const prevouts = [{ scriptPubKey: scriptOf('rawtr'), value: 5n }, { scriptPubKey: scriptOf('pkh') }];
    const { inputs } = signTransaction({ tx: spending(2), prevouts, keys: KEYS });
    expect(inputs.map(missing)).toEqual([[{ kind: 'other-coins' }], 'nothing']);
  });

  test('that the amount of a witness script is missing, once for the input and for each key', () => {
    const prevouts = [{ scriptPubKey: scriptOf('wsh(multi)') }];
    const outcome = sign(scriptOf('wsh(multi)'), { prevouts, scripts: [innerOf('wsh(multi)')] });
    expect(missing(outcome)).toEqual(Array(4).fill({ kind: 'amount' }));
    expect(outcome).toMatchObject({ failure: undefined, signed: [] });
  });

  test('that an anchor needs no signature', () => {
    expect(sign(Uint8Array.of(OP['1'], 2, 0x4e, 0x73), { keys: [] })).toEqual({ kind: 'complete', signed: [] });
  });

  test('whether all inputs are complete', () => {
    const prevouts = ['pkh', 'wpkh'].map((kind) => ({ scriptPubKey: scriptOf(kind), value: 1000n }));
    const given = { tx: spending(2), prevouts };
    expect(signTransaction({ ...given, keys: KEYS }).isComplete).toBe(true);
    const [first] = prevouts;
    const half = signTransaction({ ...given, prevouts: [first, undefined], keys: KEYS });
    expect(half.inputs.map(({ kind }) => kind)).toEqual(['complete', 'incomplete']);
    expect(half.isComplete).toBe(false);
  });

  test('the same for a partially signed input, whose signatures are kept', () => {
    const known = { scriptPubKey: scriptOf('wsh(multi)'), value: 5n };
    const given = { keys: KEYS, scripts: [innerOf('wsh(multi)')] };
    const { tx } = signTransaction({ tx: spending(1), prevouts: [known], ...given });
    const again = signTransaction({ tx, prevouts: [{ scriptPubKey: known.scriptPubKey }], ...given });
    expect(again.tx).toEqual(tx);
    expect(again.inputs.map(missing)).toEqual([[{ kind: 'amount' }]]);
    expect(again.inputs[0]?.signed).toEqual([]);
    const worthless = signTransaction({ tx: spending(1), prevouts: [{ ...known, value: 0n }], ...given });
    expect(
      signTransaction({ tx: worthless.tx, prevouts: [{ scriptPubKey: known.scriptPubKey }], ...given }).isComplete,
    ).toBe(false);
  });

  test('that segwit does not permit uncompressed keys', () => {
    const secretKey = SECRETS[0] ?? NOTHING;
    const publicKey = nobleEcc.publicKey(secretKey, false);
    const script = concat(push(publicKey), [OP.CHECKSIG]);
    const outcome = sign(concat([0], push(sha256(script))), {
      keys: [{ secretKey, isCompressed: false }],
      scripts: [script],
    });
    expect(missing(outcome)).toEqual([{ kind: 'compressed-key', publicKey }]);
  });

  test('which preimage or lock a miniscript needs', () => {
    const hash = sha256(Uint8Array.of(1));
    const hashed = concat(push(KEY), [OP.CHECKSIGVERIFY, OP.SIZE, 1, 32, OP.EQUALVERIFY, OP.SHA256], push(hash), [
      OP.EQUAL,
    ]);
    const wsh = (script: Uint8Array): Uint8Array => concat([0], push(sha256(script)));
    expect(missing(sign(wsh(hashed), { scripts: [hashed] }))).toEqual([{ kind: 'preimage', name: 'sha256', hash }]);
    const older = concat(push(KEY), [OP.CHECKSIGVERIFY, OP['1'] + 9, OP.CHECKSEQUENCEVERIFY]);
    expect(missing(sign(wsh(older), { scripts: [older] }))).toEqual([{ kind: 'lock', of: 'older', lock: 10 }]);
    const waited = spending(1);
    const tx = { ...waited, inputs: waited.inputs.map((input) => ({ ...input, sequence: 10 })) };
    expect(sign(wsh(older), { scripts: [older], tx })).toEqual({ kind: 'complete', signed: [KEY] });
  });
});

test('taproot is signed with the output key itself, or the internal key of an output without scripts', () => {
  expect(sign(scriptOf('rawtr'))).toEqual({ kind: 'complete', signed: [KEY.slice(1)] });
  const output = nobleEcc.tweakPublicKey(KEY.slice(1), tapTweakHash(KEY.slice(1)));
  const scriptPubKey = concat([OP['1']], push(output?.publicKey ?? NOTHING));
  expect(sign(scriptPubKey)).toEqual({ kind: 'complete', signed: [output?.publicKey] });
});

test('invalid arguments are refused with an exception', () => {
  const given = { tx: spending(1), prevouts: [], keys: KEYS };
  expectRefusal(() => signTransaction(given), 'sighash/prevouts', { expected: 1, found: 0 });
  const prevouts = [{ scriptPubKey: scriptOf('pkh'), value: 1n }];
  expectRefusal(() => signTransaction({ ...given, prevouts, sighashType: 4 }), 'sighash/type', {
    sighashType: 4,
    algorithm: 'any',
  });
  const { message } = refusalOf(() => signTransaction({ ...given, prevouts, sighashType: 4 }));
  expect(message).toBe('The sighash type 4 is not defined for any input');
  const zero = [{ secretKey: new Uint8Array(32), isCompressed: true }];
  expectRefusal(() => signTransaction({ ...given, prevouts, keys: zero }), 'ecc/secret-key', {});
});

test('a wrong signature of a faulty backend is not returned', () => {
  const faulty = {
    ...nobleEcc,
    signEcdsa: (...of: Parameters<typeof nobleEcc.signEcdsa>) => nobleEcc.signEcdsa(...of).fill(1, 40),
  };
  expectRefusal(() => sign(scriptOf('pkh'), { ecc: faulty }), 'ecc/fault', {});
  const faultySchnorr = { ...nobleEcc, signSchnorr: () => new Uint8Array(64).fill(1) };
  expectRefusal(() => sign(scriptOf('rawtr'), { ecc: faultySchnorr }), 'ecc/fault', {});
});

test('signatures have a low r, so that they take at most 71 bytes', () => {
  for (let i = 0; i < 60; i += 1) {
    const signature = signLowR(sha256(Uint8Array.of(i)), SECRETS[i % 3] ?? NOTHING, { ecc: nobleEcc });
    expect(signature[0]).toBeLessThan(0x80);
    expect(signature[32]).toBeLessThan(0x80);
  }
});

test('a caller may pass randomness for Schnorr signatures', () => {
  const given = { tx: spending(1), prevouts: [{ scriptPubKey: scriptOf('rawtr'), value: 1n }], keys: KEYS };
  const [plain, other] = [signTransaction(given), signTransaction({ ...given, auxRand: new Uint8Array(32).fill(1) })];
  expect(plain.isComplete && other.isComplete).toBe(true);
  expect(plain.tx).not.toEqual(other.tx);
  expect(plain.tx).toEqual(signTransaction(given).tx);
});

describe('the documented dialect', () => {
  const hex = formatHex(encodeTransaction(spending(1)));
  const wif = formatWif({ secretKey: SECRETS[0] ?? NOTHING, isCompressed: true }, networks.main);
  const prevtx = { txid: 'cd'.repeat(32), vout: 0, amount: '0.00001' };

  test('adds a code and a hint after the members of the contract', () => {
    const { errors } = signRawTransactionWithKey([hex, [], [{ ...prevtx, scriptPubKey: formatHex(scriptOf('wpkh')) }]]);
    expect(JSON.stringify(errors)).toBe(
      JSON.stringify([
        {
          txid: prevtx.txid,
          vout: 0,
          scriptSig: '',
          sequence: 4294967293,
          error: 'Witness program hash mismatch',
          witness: [],
          code: 'WITNESS_PROGRAM_MISMATCH',
          hint: `Supply the private key whose public key has the hash ${formatHex(hash160(KEY))}.`,
        },
      ]),
    );
    const unknown = signRawTransactionWithKey([hex, [wif]]).errors?.[0];
    expect(unknown).toMatchObject({
      error: 'Input not found or already spent',
      code: 'MISSING_INPUT',
      hint: 'Supply the output that this input spends in prevtxs.',
    });
    expect(signRawTransactionWithKey([hex, [wif], []], { dialect: 'core-32' }).errors?.[0]).not.toHaveProperty('hint');
  });

  test('signs with BIP86 keys; a node does not', () => {
    const output = nobleEcc.tweakPublicKey(KEY.slice(1), tapTweakHash(KEY.slice(1)));
    const scriptPubKey = formatHex(concat([OP['1']], push(output?.publicKey ?? NOTHING)));
    expect(signRawTransactionWithKey([hex, [wif], [{ ...prevtx, scriptPubKey }]]).complete).toBe(true);
    expect(
      signRawTransactionWithKey([hex, [wif], [{ ...prevtx, scriptPubKey }]], { dialect: 'core-32' }).complete,
    ).toBe(false);
  });

  test('asks for the amounts of other coins before it signs taproot; a node signs for the wrong ones', () => {
    const two = formatHex(encodeTransaction(spending(2)));
    const { amount: _none, ...unknown } = { ...prevtx, vout: 1, scriptPubKey: formatHex(scriptOf('pkh')) };
    const prevtxs = [{ ...prevtx, scriptPubKey: formatHex(scriptOf('rawtr')) }, unknown];
    expect(signRawTransactionWithKey([two, [wif], prevtxs])).toMatchObject({
      complete: false,
      errors: [
        {
          vout: 0,
          hint: expect.stringContaining('supply the outputs that the other inputs spend, with their amounts'),
        },
      ],
    });
    expect(signRawTransactionWithKey([two, [wif], prevtxs], { dialect: 'core-32' }).complete).toBe(true);
  });

  test('reports its progress', () => {
    const seen: [number, number][] = [];
    const onProgress = (done: number, inputs: number): void => {
      seen.push([done, inputs]);
    };
    signRawTransactionWithKey([formatHex(encodeTransaction(spending(3))), [], []], { onProgress });
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });
});
