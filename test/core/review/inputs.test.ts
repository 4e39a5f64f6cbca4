import { describe, expect, test } from 'vitest';
import { encodeDer, type Psbt, type PsbtInput, reviewPsbt } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { findingsOf, payment, sign, WALLETS, type WalletName, withInput, without } from '../../support/psbts.ts';

/** Whether final fields of two inputs are found to repeat a nonce. */
function repeats(names: readonly [WalletName, WalletName], first: PsbtInput, second: PsbtInput): boolean {
  const final = (psbt: Psbt, index: number, fields: PsbtInput): Psbt =>
    withInput(psbt, index, (input) => ({ ...input, ...fields }));
  const psbt = final(final(payment(names), 0, first), 1, second);
  return findingsOf(psbt).some(({ check }) => check === 'nonce-repeated');
}
const signature = (r: Uint8Array, s: number): Uint8Array => Uint8Array.of(...r, ...filled(s));
/** Changes a byte of s. */
const spoilt = (der: Uint8Array): Uint8Array => der.map((byte, i) => (i === der.length - 2 ? byte ^ 1 : byte));
const R = filled(7);
/** Begins with a bit that DER must keep from being a sign, and one that begins with zeros, which DER drops. */
const [HIGH, SMALL] = [filled(0xee), Uint8Array.of(0, 0, ...filled(7, 30))];

test('the types of an input are those of its valid signatures and of the one to be made', () => {
  const { psbt } = sign(payment(['wpkh']), {}, [WALLETS.wpkh]);
  const typesOf = (given: Psbt): readonly number[] | undefined =>
    reviewPsbt(given, { sighashType: 2 }).inputs[0]?.sighashTypes;
  expect(typesOf(psbt)).toEqual([1, 2]);
  const changed = withInput(psbt, 0, (input) => ({
    ...input,
    partialSigs: (input.partialSigs ?? []).map((sig) => ({ ...sig, signature: spoilt(sig.signature) })),
  }));
  expect(typesOf(changed)).toEqual([2]);
});

test('no signature of a final input is listed, and that of an unknown coin cannot be verified', () => {
  const { psbt } = sign(payment(['wpkh']), {}, [WALLETS.wpkh]);
  const lists = (given: Psbt): readonly number[] => {
    const [{ signatures = [], missingSignatures = [] } = {}] = reviewPsbt(given).inputs;
    return [signatures.length, missingSignatures.length];
  };
  expect(lists(psbt)).toEqual([1, 0]);
  expect(lists(withInput(psbt, 0, (input) => ({ ...input, finalScriptWitness: [filled(1)] })))).toEqual([0, 0]);
  const blind = withInput(psbt, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
  expect(lists(blind)).toEqual([1, 0]);
  expect(reviewPsbt(blind).inputs[0]?.signatures).toMatchObject([{ state: 'unverifiable', reason: 'coin' }]);
});

describe('a nonce is found in final fields', () => {
  const spend = (item: Uint8Array): PsbtInput => ({ finalScriptWitness: [item] });

  test('of taproot: in 64 bytes, and in 65 with a type', () => {
    const both = ['tr', 'tr'] as const;
    expect(repeats(both, spend(signature(R, 1)), spend(signature(R, 2)))).toBe(true);
    expect(repeats(both, spend(signature(R, 1)), spend(Uint8Array.of(...signature(R, 2), 1)))).toBe(true);
    expect(repeats(both, spend(signature(R, 1)), spend(signature(filled(8), 1)))).toBe(false);
    expect(repeats(both, spend(signature(R, 1)), spend(signature(R, 1)))).toBe(false);
    expect(repeats(both, spend(signature(R, 1)), spend(Uint8Array.of(...signature(R, 2), 1, 1)))).toBe(false);
  });

  test('of ECDSA: in DER, however long r is there', () => {
    const der = (r: Uint8Array, s: number): Uint8Array => Uint8Array.of(...encodeDer(signature(r, s)), 1);
    for (const r of [R, HIGH, SMALL]) {
      expect(repeats(['wpkh', 'wpkh'], spend(der(r, 1)), spend(der(r, 2)))).toBe(true);
      expect(repeats(['wpkh', 'wpkh'], spend(der(r, 1)), spend(der(filled(8), 1)))).toBe(false);
    }
    const pushed = der(R, 2);
    const legacy = { finalScriptSig: Uint8Array.of(pushed.length, ...pushed) };
    expect(repeats(['wpkh', 'pkh'], spend(der(R, 1)), legacy)).toBe(true);
    expect(repeats(['wpkh', 'wpkh'], spend(filled(1, 71)), spend(filled(1, 71)))).toBe(false);
  });

  test('and in valid signatures that are not final, but not in invalid ones', () => {
    const signed = sign(payment(['wpkh', 'wpkh']), {}, [WALLETS.wpkh]).psbt;
    const [{ signature: held = filled(1) } = {}] = signed.inputs[0]?.partialSigs ?? [];
    const r = held.slice(4, 4 + (held[3] ?? 0));
    const same = Uint8Array.of(...encodeDer(signature(r.slice(-32), 3)), 1);
    const finds = (psbt: Psbt): boolean => findingsOf(psbt).some(({ check }) => check === 'nonce-repeated');
    const final = withInput(signed, 1, (input) => ({ ...without(input, 'partialSigs'), ...spend(same) }));
    expect(finds(final)).toBe(true);
    expect(findingsOf(final).map(({ text }) => text)).toContain(
      'Two signatures share a nonce: anyone who sees them can compute the private key.',
    );
    const changed = withInput(final, 0, (input) => ({
      ...input,
      partialSigs: (input.partialSigs ?? []).map((sig) => ({ ...sig, signature: spoilt(sig.signature) })),
    }));
    expect(finds(changed)).toBe(false);
  });

  test('of both kinds, which are one curve', () => {
    const der = Uint8Array.of(...encodeDer(signature(R, 2)), 1);
    expect(repeats(['tr', 'wpkh'], spend(signature(R, 1)), spend(der))).toBe(true);
  });
});
