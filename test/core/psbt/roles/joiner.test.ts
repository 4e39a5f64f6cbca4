import { describe, expect, test } from 'vitest';
import { createPsbt, joinPsbts, type Psbt, parseTxid } from '../../../support/library.ts';
import { PAYEE, payment, sign, withInput } from '../../../support/psbts.ts';
import { refusalOf } from '../../../support/refusal.ts';

const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };
const OUTPUT = { value: 5n, scriptPubKey: PAYEE };

/** Makes a PSBT of version 0 that spends one coin. */
const spending = (vout: number, version: number, locktime: number): Psbt => {
  const outpoint = { txid: parseTxid('11'.repeat(32)), vout };
  const input = { outpoint, scriptSig: new Uint8Array(0), sequence: vout, witness: [] };
  return createPsbt(
    { version, inputs: [input], outputs: [{ ...OUTPUT, value: BigInt(vout) }], locktime },
    { version: 0 },
  );
};

describe('joined PSBTs', () => {
  test('have all inputs and outputs, the highest version and the lowest locktime', () => {
    const parts = [spending(0, 1, 700_000), spending(1, 3, 699_999), spending(2, 2, 700_001)];
    const { global, inputs, outputs } = joinPsbts(parts);
    expect(global.unsignedTx).toEqual({
      version: 3,
      locktime: 699_999,
      inputs: parts.flatMap((part) => part.global.unsignedTx?.inputs ?? []),
      outputs: parts.flatMap((part) => part.global.unsignedTx?.outputs ?? []),
    });
    expect(global.unsignedTx?.outputs.map(({ value }) => value)).toEqual([0n, 1n, 2n]);
    expect([inputs, outputs]).toEqual([
      [{}, {}, {}],
      [{}, {}, {}],
    ]);
  });

  test('have at least transaction version 1', () => {
    expect(joinPsbts([spending(0, 0, 0), spending(1, 0, 0)]).global.unsignedTx?.version).toBe(1);
  });

  test('keep the global records of all, and of two with one key the first', () => {
    const [first, second] = [spending(0, 2, 0), spending(1, 2, 0)];
    const other = { key: Uint8Array.of(0xf2), value: Uint8Array.of(8) };
    const withUnknown = (psbt: Psbt, ...unknown: readonly (typeof CLAIM)[]): Psbt => ({
      ...psbt,
      global: { ...psbt.global, unknown },
    });
    const changed = { ...CLAIM, value: Uint8Array.of(9) };
    const joined = joinPsbts([withUnknown(first, CLAIM), withUnknown(second, changed, other)]);
    expect(joined.global.unknown).toEqual([CLAIM, other]);
  });

  test('keep records but no signatures, those of taproot only if asked to', () => {
    const made = payment(['wpkh', 'tr', 'tree'], { version: 0 });
    const key = made.inputs[0]?.bip32Derivations?.[0]?.pubkey ?? PAYEE;
    const share = { participantPubkey: key, aggregatePubkey: key };
    const shares = {
      musig2PubNonces: [{ ...share, pubNonce: new Uint8Array(66) }],
      musig2PartialSigs: [{ ...share, partialSig: new Uint8Array(32) }],
    };
    const psbt = withInput(
      withInput(made, 1, (input) => ({ ...input, ...shares })),
      0,
      (input) => ({
        ...input,
        unknown: [CLAIM],
      }),
    );
    const signed = sign(psbt).psbt;
    const final = withInput(signed, 0, (input) => ({ ...input, finalScriptSig: PAYEE, finalScriptWitness: [PAYEE] }));
    expect(signed.inputs.map(({ partialSigs, tapKeySig }) => [!!partialSigs, !!tapKeySig])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
    const other = spending(9, 2, 0);
    expect(joinPsbts([final, other]).inputs.slice(0, 3)).toEqual(
      psbt.inputs.map(({ musig2PubNonces, musig2PartialSigs, ...input }) => input),
    );
    const kept = joinPsbts([final, other], { keepsTaproot: true }).inputs;
    expect(kept[0]).toEqual(psbt.inputs[0]);
    expect(kept.slice(1, 3)).toEqual(signed.inputs.slice(1));
  });
});

describe('a join is refused', () => {
  const [first, second] = [spending(0, 2, 0), spending(1, 2, 0)];

  test.each<[string, readonly Psbt[], string, object, string]>([
    ['of nothing', [], 'psbt/empty', {}, 'Pass at least two PSBTs'],
    ['of one PSBT', [first], 'psbt/empty', {}, 'Pass at least two PSBTs'],
    [
      'of a PSBT of version 2',
      [first, payment(['wpkh'])],
      'psbt/not-v0',
      { psbt: 1 },
      'PSBT 1, counted from 0, must be converted to version 0 first',
    ],
    [
      'of two that spend one coin',
      [second, first, second],
      'psbt/duplicate-input',
      { psbt: 2, inputIndex: 0 },
      'Input 0 of PSBT 2, counted from 0, spends the same coin as an earlier input',
    ],
  ])('%s', (_, psbts, code, data, message) => {
    const { message: found, ...error } = refusalOf(() => joinPsbts(psbts));
    expect({ code: error.code, data: error.data, message: found }).toEqual({ code, data, message });
  });
});
