import { describe, expect, test } from 'vitest';
import { run } from '../../support/io.ts';
import {
  encodeTransaction,
  formatAmount,
  formatHex,
  formatTxid,
  parseTxid,
  type Transaction,
  type TxOut,
  verifyRawTransaction,
} from '../../support/library.ts';
import { rpcErrorOf } from '../../support/refusal.ts';
import { kinds, signSpend } from '../../support/spends.ts';

const NOTHING = new Uint8Array(0);
const { pkh, wpkh } = kinds;
if (!pkh || !wpkh) throw new Error('kinds');
const unsigned: Transaction = {
  version: 2,
  inputs: ['11', '22'].map((byte, vout) => ({
    outpoint: { txid: parseTxid(byte.repeat(32)), vout },
    scriptSig: NOTHING,
    sequence: 0xffff_fffd,
    witness: [],
  })),
  outputs: [{ value: 900n, scriptPubKey: pkh.scriptPubKey }],
  locktime: 0,
};
const signed = signSpend(unsigned, [
  { kind: pkh, sighashType: 1, value: 400n },
  { kind: wpkh, sighashType: 1, value: 600n },
]);
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const prevtxsOf = ({ tx, prevouts }: { tx: Transaction; prevouts: readonly TxOut[] }) =>
  tx.inputs.map(({ outpoint }, i) => ({
    txid: formatTxid(outpoint.txid),
    vout: outpoint.vout,
    scriptPubKey: formatHex(prevouts[i]?.scriptPubKey ?? NOTHING),
    amount: formatAmount(prevouts[i]?.value ?? 0n),
  }));
const HEX = hexOf(signed.tx);
const PREVTXS = prevtxsOf(signed);
const [FIRST, SECOND] = PREVTXS;
if (!FIRST || !SECOND) throw new Error('two inputs');

describe('verifyrawtransaction', () => {
  test('calls a valid transaction complete', () => {
    expect(verifyRawTransaction([HEX, PREVTXS])).toEqual({ complete: true });
    expect(verifyRawTransaction([HEX, PREVTXS, 'NONE'])).toEqual({ complete: true });
  });

  test('reports the error of each input, with the members in the order of the dialect', () => {
    const poorer = [FIRST, { ...SECOND, amount: '0.00000599' }];
    const error = 'Signature must be zero for failed CHECK(MULTI)SIG operation';
    const [, input] = signed.tx.inputs;
    const witness = input?.witness.map((item) => formatHex(item)) ?? [];
    const own = { txid: '22'.repeat(32), vout: 1 };
    const text = (value: unknown): string => JSON.stringify(value);
    expect(text(verifyRawTransaction([HEX, poorer]))).toBe(
      text({
        complete: false,
        errors: [{ ...own, scriptSig: '', sequence: 4294967293, error, witness, code: 'SIG_NULLFAIL' }],
      }),
    );
    expect(text(verifyRawTransaction([HEX, poorer], { dialect: 'core-32' }))).toBe(
      text({ complete: false, errors: [{ ...own, witness, scriptSig: '', sequence: 4294967293, error }] }),
    );
  });

  test('applies the given script flags', () => {
    // Without WITNESS, a witness program is a script that leaves its hash on the stack: true.
    const stripped = signed.tx.inputs.map((input) => ({ ...input, witness: [] }));
    const hex = hexOf({ ...signed.tx, inputs: stripped });
    expect(verifyRawTransaction([hex, PREVTXS, 'P2SH'])).toEqual({ complete: true });
    expect(verifyRawTransaction([hex, PREVTXS, 'P2SH,WITNESS']).errors).toMatchObject([
      { error: 'Witness program hash mismatch' },
    ]);
    expect(rpcErrorOf(() => verifyRawTransaction([HEX, PREVTXS, 'P2SH,WITNES']))).toEqual({
      code: -8,
      message: expect.stringMatching(/^Unknown script flag 'WITNES'; known flags: P2SH,STRICTENC,/),
    });
  });

  test('reports unknown coins and missing segwit amounts', () => {
    expect(verifyRawTransaction([HEX, [FIRST]])).toMatchObject({
      complete: false,
      errors: [{ vout: 1, error: 'Input not found or already spent', code: 'MISSING_INPUT' }],
    });
    const { amount: _none, ...withoutAmount } = SECOND;
    expect(rpcErrorOf(() => verifyRawTransaction([HEX, [FIRST, withoutAmount]]))).toEqual({
      code: -3,
      message: expect.stringMatching(
        /^Missing amount for CTxOut\(nValue=21000000\.00000000, scriptPubKey=0014[0-9a-f]{26}\)$/,
      ),
    });
    const { amount: _neither, ...legacy } = FIRST;
    expect(verifyRawTransaction([HEX, [legacy, SECOND]])).toMatchObject({ complete: true });
  });

  test('reports a reject reason of the transaction itself', () => {
    const twice = { ...signed.tx, inputs: [...signed.tx.inputs, ...signed.tx.inputs] };
    expect(verifyRawTransaction([hexOf(twice), PREVTXS])).toMatchObject({
      complete: false,
      'reject-reason': 'bad-txns-inputs-duplicate',
    });
    const greedy = signSpend({ ...unsigned, outputs: [{ value: 1001n, scriptPubKey: NOTHING }] }, [
      { kind: pkh, sighashType: 1, value: 400n },
      { kind: wpkh, sighashType: 1, value: 600n },
    ]);
    expect(verifyRawTransaction([hexOf(greedy.tx), prevtxsOf(greedy)])).toEqual({
      complete: false,
      'reject-reason': 'bad-txns-in-belowout',
    });
  });

  test.each([
    [['zz', []], -22, 'TX decode failed. Make sure the tx has at least one input.'],
    [['', []], -22, 'TX decode failed. Make sure the tx has at least one input.'],
    [[HEX, [5]], -22, 'expected object with {"txid\'","vout","scriptPubKey"}'],
    [[HEX, [{}]], -3, 'Missing scriptPubKey'],
    [[HEX, [{ ...FIRST, txid: 5 }]], -3, 'JSON value of type number for field txid is not of expected type string'],
    [[HEX, [{ ...FIRST, vout: -1 }]], -22, 'vout cannot be negative'],
    [[HEX, [{ ...FIRST, vout: 2 ** 31 }]], -1, 'JSON integer out of range'],
    [[HEX, [{ ...FIRST, vout: 0.5 }]], -1, 'JSON integer out of range'],
    [[HEX, [{ ...FIRST, txid: 'é'.repeat(32) }]], -8, `txid must be hexadecimal string (not '${'é'.repeat(32)}')`],
    [[HEX, [{ ...FIRST, txid: 'é' }]], -8, "txid must be of length 64 (not 2, for 'é')"],
    [[HEX, [{ ...FIRST, scriptPubKey: '0' }]], -8, "scriptPubKey must be hexadecimal string (not '0')"],
    [[HEX, [{ ...FIRST, amount: null }]], -3, 'Amount is not a number or string'],
    [[HEX, [{ ...FIRST, amount: '0.000000001' }]], -3, 'Invalid amount'],
    [[HEX, [{ ...FIRST, amount: '-1' }]], -3, 'Amount out of range'],
    [[HEX, [{ ...FIRST, amount: '21000000.00000001' }]], -3, 'Amount out of range'],
    [
      [HEX, [FIRST, { ...FIRST, scriptPubKey: '51' }]],
      -22,
      expect.stringMatching(/^Previous output scriptPubKey mismatch:\nOP_DUP .*\nvs:\n1$/s),
    ],
    [[HEX, 'x'], -3, expect.stringContaining('Position 2 (prevtxs)')],
    [[HEX, [], 5], -3, expect.stringContaining('Position 3 (flags)')],
    [
      [HEX],
      -1,
      expect.stringMatching(/^verifyrawtransaction "hexstring" \[\{"txid":"hex",.*\},\.\.\.\] \( "flags" \)/),
    ],
  ])('refuses bad arguments: case %#', async (params, code, message) => {
    const { out } = await run(['batch'], {
      stdin: `${JSON.stringify({ id: 1, method: 'verifyrawtransaction', params })}\n`,
    });
    expect(JSON.parse(out)).toEqual({ result: null, error: { code, message }, id: 1 });
  });

  test('works from the command line', async () => {
    const { out, code } = await run(['verifyrawtransaction', HEX, JSON.stringify(PREVTXS)]);
    expect(JSON.parse(out)).toEqual({ complete: true });
    expect(code).toBe(0);
  });
});

describe('parsing of amounts', () => {
  const isAccepted = (amount: string): boolean => {
    try {
      verifyRawTransaction([HEX, [{ ...FIRST, amount }, SECOND]]);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    '0',
    '-0',
    '0.00000001',
    '0.000000010',
    '1e-8',
    '100e-10',
    '1E2',
    '1e+2',
    '0.00000000000000000000',
    '21000000',
    '2.1e7',
  ])('accepts %s', (amount) => expect(isAccepted(amount)).toBe(true));
  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '01',
    '1e',
    '0x1',
    '1e-9',
    '0.000000001',
    '1e99999999999999999999',
    '0e20',
    'NaN',
    '1,0',
  ])('refuses %j', (amount) => expect(isAccepted(amount)).toBe(false));
});
