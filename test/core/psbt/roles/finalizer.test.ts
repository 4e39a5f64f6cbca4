import { describe, expect, test } from 'vitest';
import { decodePsbtBytes, extractTransaction, finalizePsbt, parseBase64 } from '../../../support/library.ts';
import { ask, text } from '../../../support/psbtCalls.ts';
import { payment, sign, WALLETS, withInput, without } from '../../../support/psbts.ts';
import { expectRefusal } from '../../../support/refusal.ts';

const KINDS = ['pkh', 'shWpkh', 'wpkh', 'tr', 'tree', 'multi'] as const;
const PUBKEY = Uint8Array.of(2, ...new Uint8Array(32).fill(0x11));
const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };

describe('the finalizer and the extractor', () => {
  test('finalize the complete inputs even if another lacks a signature', () => {
    const psbt = payment(['wpkh', 'multi', 'tr']);
    const { psbt: partly, inputs, isComplete } = finalizePsbt(sign(psbt).psbt);
    expect([isComplete, inputs.map(({ status }) => status)]).toEqual([true, ['complete', 'complete', 'complete']]);
    const some = finalizePsbt(sign(psbt, {}, [WALLETS.wpkh, WALLETS.multi, WALLETS.tr]).psbt);
    expect([some.isComplete, some.inputs.map(({ status }) => status)]).toEqual([
      false,
      ['complete', 'incomplete', 'complete'],
    ]);
    expectRefusal(() => extractTransaction(some.psbt), 'psbt/not-final', { inputIndex: 1 });
    expect(finalizePsbt(partly).psbt).toEqual(partly);
    // The missing signatures can still be added.
    const rest = finalizePsbt(sign(some.psbt, {}, [WALLETS.multiOfBob]).psbt);
    expect(extractTransaction(rest.psbt)).toEqual(extractTransaction(partly));
  });

  test('leave only the coin, the outpoint and unknown records in a final input', () => {
    const psbt = withInput(payment(['multi']), 0, (input) => ({ ...input, unknown: [CLAIM] }));
    const [input = {}] = finalizePsbt(sign(psbt).psbt).psbt.inputs;
    expect(Object.keys(input).sort()).toEqual(
      [
        'nonWitnessUtxo',
        'witnessUtxo',
        'finalScriptWitness',
        'previousTxid',
        'outputIndex',
        'sequence',
        'unknown',
      ].sort(),
    );
  });

  test('leave no record that led to a final input', () => {
    const [hash, bytes] = [new Uint8Array(32).fill(5), Uint8Array.of(5)];
    const key = PUBKEY;
    const origin = { fingerprint: new Uint8Array(4), path: [1] };
    const preimages = [{ hash, preimage: bytes }];
    const signer = { participantPubkey: key, aggregatePubkey: key };
    const psbt = withInput(payment(['tr']), 0, (input) => ({
      ...input,
      unknown: [CLAIM],
      redeemScript: bytes,
      witnessScript: bytes,
      bip32Derivations: [{ pubkey: key, ...origin }],
      ripemd160Preimages: preimages,
      sha256Preimages: preimages,
      hash160Preimages: preimages,
      hash256Preimages: preimages,
      musig2Participants: [{ aggregatePubkey: key, participants: [key] }],
      musig2PubNonces: [{ ...signer, pubNonce: new Uint8Array(66) }],
      musig2PartialSigs: [{ ...signer, partialSig: hash }],
    }));
    const [input = {}] = finalizePsbt(sign(psbt).psbt).psbt.inputs;
    const kept = ['nonWitnessUtxo', 'witnessUtxo', 'finalScriptWitness', 'previousTxid', 'outputIndex', 'sequence'];
    expect(Object.keys(input).filter((name) => !kept.includes(name))).toEqual(['unknown']);
  });

  test('neither accept nor repair invalid final fields', () => {
    for (const name of KINDS) {
      const { psbt } = finalizePsbt(sign(payment([name])).psbt);
      const spoilt = withInput(psbt, 0, ({ finalScriptWitness = [], finalScriptSig, ...rest }) => ({
        ...rest,
        ...(finalScriptSig && { finalScriptSig: finalScriptSig.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) }),
        finalScriptWitness: finalScriptWitness.map((item) => item.map((byte, i) => (i === 30 ? byte ^ 1 : byte))),
      }));
      expectRefusal(() => extractTransaction(spoilt), 'psbt/not-final', { inputIndex: 0 });
      expect(finalizePsbt(spoilt)).toMatchObject({ psbt: spoilt, isComplete: false });
      const unproven = withInput(psbt, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
      expectRefusal(() => extractTransaction(unproven), 'psbt/not-final', { inputIndex: 0 });
    }
  });

  test('do not extract an unsigned transaction', () => {
    expectRefusal(() => extractTransaction(payment(KINDS)), 'psbt/not-final', { inputIndex: 0 });
    const { psbt } = sign(payment(KINDS));
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
    expect(sign(psbt).psbt).toEqual(psbt);
  });
});

test('previous transactions are kept if a finalized taproot input was signed with ANYONECANPAY', () => {
  const names = ['DEFAULT', 'ALL', 'NONE', 'ALL|ANYONECANPAY', 'NONE|ANYONECANPAY', 'SINGLE|ANYONECANPAY'];
  // Next to a segwit v0 input, previous transactions are kept.
  const mixed = payment(['tr', 'tree', 'wpkh']);
  const psbt = { ...mixed, inputs: mixed.inputs.slice(0, 2) };
  for (const name of names) {
    for (const finalize of [true, false]) {
      const descriptors = [WALLETS.tr, WALLETS.tree].map((desc) => ({ desc, range: 2 }));
      const answer = ask('descriptorprocesspsbt', text(psbt), descriptors, name, true, finalize);
      const { psbt: processed, complete } = answer as { psbt: string; complete: boolean };
      const { inputs } = decodePsbtBytes(parseBase64(processed));
      const isKept = name.includes('ANYONECANPAY');
      expect([complete, ...inputs.map(({ nonWitnessUtxo }) => nonWitnessUtxo !== undefined)]).toEqual([
        finalize,
        isKept,
        isKept,
      ]);
    }
  }
});
