import { describe, expect, test } from 'vitest';
import {
  drive,
  HOLDER_NAMES,
  KIND_NAMES,
  keySignerOf,
  prevoutsOf,
  requestsOf,
  updatedPsbt,
} from '../../../support/kinds.ts';
import {
  addInput,
  applySignature,
  decodePsbtBytes,
  encodeDer,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  nobleEcc,
  type Psbt,
  parseTxid,
  psbtSighash,
  reviewPsbt,
  SIGHASH,
  type SignatureRequest,
  signingRequests,
  signLowR,
  signPsbt,
  tapLeafHash,
  verifyTransaction,
} from '../../../support/library.ts';
import { ALICE, BOB, PAYEE, signatureCount, withInput, without } from '../../../support/psbts.ts';
import { expectRefusal, refusalOf } from '../../../support/refusal.ts';

/** Signing requests, and which answers to them are accepted. */

const TYPES = [0x01, 0x02, 0x03, 0x81, 0x82, 0x83];
const everyone = keySignerOf(HOLDER_NAMES);
const typed = (sighashType?: number) => (sighashType === undefined ? {} : { sighashType });

test('a leaf that the coin does not commit to is neither requested nor shown as signed', () => {
  const signer = keySignerOf(['a2']);
  const [own] = requestsOf(updatedPsbt({ kinds: ['tr with leaves'] })).flatMap((request) =>
    signer(request) ? [request.publicKey] : [],
  );
  const script = Uint8Array.of(0x20, ...(own ?? []), 0xac);
  const plain = updatedPsbt({ kinds: ['tr'] });
  const { tapInternalKey = new Uint8Array(32) } = plain.inputs[0] ?? {};
  const controlBlock = Uint8Array.of(0xc0, ...tapInternalKey);
  const psbt = withInput(plain, 0, (input) => ({
    ...input,
    tapLeafScripts: [{ script, leafVersion: 0xc0, controlBlock }],
  }));
  expect(requestsOf(psbt).map((request) => request.algorithm === 'schnorr' && request.path)).toEqual(['key']);

  expectRefusal(() => psbtSighash(psbt, 0, { leaf: { script } }), 'sighash/leaf', {
    inputIndex: 0,
    scriptType: 'witness_v1_taproot',
    reason: 'not-committed',
  });
  const { digest } = psbtSighash(plain, 0, { leaf: { script } });
  const publicKey = own ?? new Uint8Array(32);
  const leafHash = tapLeafHash(script);
  const place = { inputIndex: 0, sighashType: SIGHASH.DEFAULT, publicKey, leafHash };
  const signature = signer({ ...place, algorithm: 'schnorr', path: 'script', digest }) ?? new Uint8Array(64);
  expect(nobleEcc.verifySchnorr(signature, digest, publicKey)).toBe(true);
  const signed = withInput(psbt, 0, (input) => ({
    ...input,
    tapScriptSigs: [{ pubkey: publicKey, leafHash, signature }],
  }));
  const review = reviewPsbt(signed, { policy: { 'taproot-mismatch': 'warn', 'signature-invalid': 'warn' } });
  expect(review.inputs[0]?.signatures).toMatchObject([{ state: 'unverifiable', reason: 'leaf-uncommitted' }]);
  expect(review.inputs[0]?.missingSignatures).toHaveLength(1);
});

describe.each(KIND_NAMES)('%s', (name) => {
  const coins = { kinds: [name, name] };
  const psbt = updatedPsbt(coins);

  test('requests the digest that psbtSighash computes, for both coins', () => {
    for (const sighashType of [undefined, ...TYPES]) {
      const asked = requestsOf(psbt, typed(sighashType));
      expect(new Set(asked.map(({ inputIndex }) => inputIndex))).toEqual(new Set([0, 1]));
      for (const request of asked) {
        const leaf =
          request.algorithm === 'schnorr' && request.path === 'script'
            ? psbt.inputs[request.inputIndex]?.tapLeafScripts?.find(
                ({ script }) => Buffer.compare(tapLeafHash(script), request.leafHash) === 0,
              )
            : undefined;
        const wanted = psbtSighash(psbt, request.inputIndex, {
          ...(sighashType !== undefined && { sighashType }),
          ...(leaf && { leaf: { script: leaf.script } }),
        });
        expect(request.digest).toEqual(wanted.digest);
        expect(request.sighashType).toBe(wanted.sighashType);
        const withType = withInput(psbt, request.inputIndex, (input) => ({
          ...input,
          sighashType: wanted.sighashType,
        }));
        expect(psbtSighash(withType, request.inputIndex, leaf && { leaf: { script: leaf.script } }).digest).toEqual(
          wanted.digest,
        );
      }
    }
  });

  test('requests signatures with the origins of the keys', () => {
    for (const request of requestsOf(psbt)) {
      const fingerprints = [ALICE, BOB].map(({ fingerprint }) => fingerprint);
      expect(fingerprints).toContainEqual(request.origin?.fingerprint);
      expect(request.origin?.path.at(-1)).toBe(0);
    }
  });

  test.each([0, 2] as const)('is signed, finalized and extracted from version %s', (version) => {
    for (const sighashType of [undefined, ...TYPES]) {
      const { psbt: signed, inputs } = drive(updatedPsbt({ ...coins, version }), everyone, typed(sighashType));
      expect(inputs.every(({ status, signed: keys }) => status === 'asked' && keys.length > 0)).toBe(true);
      const { psbt: final, isComplete } = finalizePsbt(decodePsbtBytes(encodePsbt(signed)));
      expect(isComplete).toBe(true);
      expect(verifyTransaction(extractTransaction(final), prevoutsOf(coins))).toMatchObject({ isValid: true });
    }
  });

  test('requests no signature that it has, and none once it is final', () => {
    const { psbt: signed } = drive(psbt, everyone);
    expect(requestsOf(signed).filter(({ algorithm }) => algorithm === 'ecdsa')).toEqual([]);
    const { inputs } = drive(finalizePsbt(signed).psbt, () => {
      throw new Error('was asked');
    });
    expect(inputs.map(({ status }) => status)).toEqual(['final', 'final']);
  });
});

test('a Schnorr signature with the type DEFAULT written out is not valid', () => {
  const { psbt } = drive(updatedPsbt({ kinds: ['tr'] }), everyone);
  const validity = (changed: Psbt) => reviewPsbt(changed, {}).inputs[0]?.signatures.map(({ state }) => state);
  expect(validity(psbt)).toEqual(['valid']);
  const written = withInput(psbt, 0, (input) => ({
    ...input,
    tapKeySig: Uint8Array.of(...(input.tapKeySig ?? []), SIGHASH.DEFAULT),
  }));
  expect(validity(written)).toEqual(['invalid']);
});

test('the digest of an input is refused without the input or its coin', () => {
  const psbt = updatedPsbt({ kinds: ['wpkh'] });
  expectRefusal(() => psbtSighash(psbt, 1), 'sighash/input-index', { inputIndex: 1, inputs: 1 });
  const blind = withInput(psbt, 0, (input) => without(input, 'witnessUtxo', 'nonWitnessUtxo'));
  expectRefusal(() => psbtSighash(blind, 0), 'psbt/no-coin', { inputIndex: 0 });
  expect(refusalOf(() => psbtSighash(blind, 0)).message).toBe(
    'The coin that input 0 spends is unknown: add its witnessUtxo or nonWitnessUtxo',
  );
});

const SECRET = new Uint8Array(32).fill(0x42);
const N = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const withHighS = (signature: Uint8Array): Uint8Array => {
  const s = BigInt(`0x${Buffer.from(signature.slice(32)).toString('hex')}`);
  return Uint8Array.of(...signature.slice(0, 32), ...bytesOf(N - s));
};
describe('an answer', () => {
  const ecdsa = updatedPsbt({ kinds: ['wpkh'] });
  const schnorr = updatedPsbt({ kinds: ['tr'] });
  const [ask] = requestsOf(ecdsa);
  const [askSchnorr] = requestsOf(schnorr);
  if (ask?.algorithm !== 'ecdsa' || askSchnorr?.algorithm !== 'schnorr') throw new Error('one request each');
  const own = everyone;
  const good = own(ask) ?? SECRET;
  const goodSchnorr = own(askSchnorr) ?? SECRET;
  const der = encodeDer(good);
  const of = (reason: string) => ({ inputIndex: 0, reason });

  /** Expects a refusal that leaves the PSBT unchanged. */
  function expectRefused(psbt: Psbt, request: SignatureRequest, signature: Uint8Array, reason: string): void {
    const before = encodePsbt(psbt);
    expectRefusal(() => applySignature(psbt, request, signature), 'signature/invalid', of(reason));
    expect(encodePsbt(psbt)).toEqual(before);
    expect(signatureCount(psbt)).toBe(0);
  }

  test('of ECDSA is accepted in compact form and in DER with its hash type', () => {
    const whole = Uint8Array.of(...der, 1);
    const taken = applySignature(ecdsa, ask, good);
    expect(taken.inputs[0]?.partialSigs).toEqual([{ pubkey: ask.publicKey, signature: whole }]);
    expect(applySignature(ecdsa, ask, whole)).toEqual(taken);
    expect(finalizePsbt(taken).isComplete).toBe(true);
  });

  test.each<[string, Uint8Array, string]>([
    ['of another key', signLowR(ask.digest, SECRET, { ecc: nobleEcc }), 'not-valid'],
    ['for another digest', signLowR(askSchnorr.digest, SECRET, { ecc: nobleEcc }), 'not-valid'],
    ['with s in the upper half', withHighS(good), 'high-s'],
    ['with s in the upper half, in DER', Uint8Array.of(...encodeDer(withHighS(good)), 1), 'high-s'],
    ['of zeros', new Uint8Array(64), 'not-valid'],
    ['of the highest numbers', new Uint8Array(64).fill(0xff), 'not-valid'],
    ['with the type NONE', Uint8Array.of(...der, 2), 'sighash-type'],
    ['with the type ALL|ANYONECANPAY', Uint8Array.of(...der, 0x81), 'sighash-type'],
    ['without a type', der, 'sighash-type'],
    ['of nothing', new Uint8Array(0), 'sighash-type'],
    ['of a type alone', Uint8Array.of(1), 'encoding'],
    ['cut short', Uint8Array.of(...der.slice(0, -1), 1), 'encoding'],
    ['with a byte too many', Uint8Array.of(...der, 0, 1), 'encoding'],
    ['of 63 bytes', Uint8Array.of(...good.slice(0, 62), 1), 'encoding'],
    ['of 65 bytes', Uint8Array.of(...good, 1), 'encoding'],
    ['of random bytes', Uint8Array.of(...PAYEE, ...PAYEE, ...PAYEE, 1), 'encoding'],
    ['of a megabyte', new Uint8Array(1 << 20).fill(1), 'encoding'],
  ])('of ECDSA %s is refused', (_, signature, reason) => expectRefused(ecdsa, ask, signature, reason));

  test('of Schnorr is accepted with and without its hash type', () => {
    const taken = applySignature(schnorr, askSchnorr, goodSchnorr);
    expect(taken.inputs[0]?.tapKeySig).toEqual(goodSchnorr);
    const named = { ...requestsOf(schnorr, typed(1))[0] } as SignatureRequest;
    const signature = own(named) ?? SECRET;
    const whole = Uint8Array.of(...signature, 1);
    expect(applySignature(schnorr, named, signature).inputs[0]).toMatchObject({ tapKeySig: whole, sighashType: 1 });
    expect(applySignature(schnorr, named, whole)).toEqual(applySignature(schnorr, named, signature));
    for (const wrong of [Uint8Array.of(...signature, 0), Uint8Array.of(...signature, 2), Uint8Array.of(...whole, 1)]) {
      expectRefused(schnorr, named, wrong, 'sighash-type');
    }
  });

  test.each<[string, Uint8Array, string]>([
    ['of another key', nobleEcc.signSchnorr(askSchnorr.digest, SECRET, SECRET), 'not-valid'],
    [
      'of the internal key, not tweaked',
      nobleEcc.signSchnorr(askSchnorr.digest, ALICE.secretAt('m/1h/0'), SECRET),
      'not-valid',
    ],
    ['for another digest', nobleEcc.signSchnorr(ask.digest, SECRET, SECRET), 'not-valid'],
    ['with one bit changed', goodSchnorr.map((byte, i) => (i === 63 ? byte ^ 1 : byte)), 'not-valid'],
    ['of zeros', new Uint8Array(64), 'not-valid'],
    ['of the highest numbers', new Uint8Array(64).fill(0xff), 'not-valid'],
    ['with the type ALL where it is DEFAULT', Uint8Array.of(...goodSchnorr, 1), 'sighash-type'],
    ['with the type DEFAULT', Uint8Array.of(...goodSchnorr, 0), 'sighash-type'],
    ['of 63 bytes', goodSchnorr.slice(1), 'sighash-type'],
    ['of nothing', new Uint8Array(0), 'sighash-type'],
    ['of ECDSA', Uint8Array.of(...der, 1), 'sighash-type'],
  ])('of Schnorr %s is refused', (_, signature, reason) => expectRefused(schnorr, askSchnorr, signature, reason));

  test('for a missing input is refused', () => {
    const request = { ...ask, inputIndex: 5 };
    expectRefusal(() => applySignature(ecdsa, request, good), 'signature/invalid', { inputIndex: 5, reason: 'input' });
  });

  test('for another transaction never completes this one', () => {
    const other = applySignature(updatedPsbt({ kinds: ['wpkh'], outputs: 2 }), ask, good);
    const { psbt, isComplete } = finalizePsbt(other);
    expect(isComplete).toBe(false);
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
    expect(refusalOf(() => signPsbt(other, own)).data).toMatchObject({
      checks: expect.stringContaining('signature-invalid'),
    });
  });

  test('replaces an invalid signature of the same key', () => {
    const bad = {
      pubkey: ask.publicKey,
      signature: Uint8Array.of(...encodeDer(signLowR(SECRET, SECRET, { ecc: nobleEcc })), 1),
    };
    const spoilt = withInput(ecdsa, 0, (input) => ({ ...input, partialSigs: [bad] }));
    // An invalid signature counts as missing.
    expect(requestsOf(spoilt)).toEqual([ask]);
    const taken = applySignature(spoilt, ask, good);
    expect(taken.inputs[0]?.partialSigs).toEqual([{ pubkey: ask.publicKey, signature: Uint8Array.of(...der, 1) }]);
    const spoiltTaproot = withInput(schnorr, 0, (input) => ({ ...input, tapKeySig: new Uint8Array(64).fill(1) }));
    expect(applySignature(spoiltTaproot, askSchnorr, goodSchnorr).inputs[0]?.tapKeySig).toEqual(goodSchnorr);
  });
});

describe('driving the signing requests', () => {
  const psbt = updatedPsbt({ kinds: ['wpkh', 'tr', 'sh(multi)', 'pkh'] });

  test('works with time between the steps', async () => {
    const requests = signingRequests(psbt);
    let step = requests.next();
    while (!step.done) {
      const request = step.value;
      const signature = await new Promise<Uint8Array | undefined>((resolve) => {
        setTimeout(() => resolve(everyone(request)), 2);
      });
      step = requests.next(signature);
    }
    expect(step.value.psbt).toEqual(drive(psbt, everyone).psbt);
    expect(finalizePsbt(step.value.psbt).isComplete).toBe(true);
  });

  test('twice at once keeps both runs apart', () => {
    const [first, second] = [signingRequests(psbt), signingRequests(psbt)];
    expect(first.next()).toEqual(second.next());
    for (let step = first.next(); !step.done; step = first.next());
    expect(second.next().done).toBe(false);
    expect(requestsOf(psbt)).toEqual(requestsOf(psbt));
  });

  test('stops at a wrong answer and leaves the PSBT as it was', () => {
    const before = encodePsbt(psbt);
    const requests = signingRequests(psbt);
    requests.next();
    expectRefusal(() => requests.next(new Uint8Array(64)), 'signature/invalid', { inputIndex: 0, reason: 'not-valid' });
    expect(encodePsbt(psbt)).toEqual(before);
    expect(requests.next().done).toBe(true);
  });

  test('skips a request without an answer, and continues', () => {
    const { inputs, psbt: signed } = drive(psbt, (request) =>
      request.inputIndex === 1 ? everyone(request) : undefined,
    );
    expect(inputs.map(({ signed: keys }) => keys.length)).toEqual([0, 1, 0, 0]);
    expect(signed.inputs[1]?.tapKeySig).toBeDefined();
    expect(signatureCount(signed)).toBe(1);
  });

  test('names the reason for not requesting a signature', () => {
    const status = (changed: Psbt, sighashType?: number): readonly string[] =>
      drive(changed, () => undefined, typed(sighashType)).inputs.map((input) => input.status);
    const claimed = withInput(updatedPsbt({ kinds: ['pkh'] }), 0, ({ nonWitnessUtxo, ...input }) => ({
      ...input,
      ...(nonWitnessUtxo?.outputs[1] && { witnessUtxo: nonWitnessUtxo.outputs[1] }),
    }));
    expect(status(claimed)).toEqual(['unproven-legacy-coin']);
    const blind = withInput(updatedPsbt({ kinds: ['wpkh'] }), 0, (input) =>
      without(input, 'witnessUtxo', 'nonWitnessUtxo'),
    );
    expect(status(blind)).toEqual(['no-coin']);
    const named = withInput(updatedPsbt({ kinds: ['wpkh'] }), 0, (input) => ({ ...input, sighashType: 2 }));
    expect(status(named)).toEqual(['sighash-mismatch']);
    expect(status(updatedPsbt({ kinds: ['wpkh'] }), 4)).toEqual(['sighash-undefined']);
    const open = { ...named, global: { ...named.global, txModifiable: 3 } };
    const lone = addInput(addInput(open, { txid: parseTxid('aa'.repeat(32)), vout: 0 }), {
      txid: parseTxid('bb'.repeat(32)),
      vout: 0,
    });
    const single = withInput(lone, 2, () => ({ ...lone.inputs[2], witnessUtxo: { value: 5n, scriptPubKey: PAYEE } }));
    expect(status(single, SIGHASH.SINGLE)).toEqual(['sighash-mismatch', 'no-coin', 'single-without-output']);
  });

  test('names nothing else that a coin of one key needs', () => {
    for (const name of ['wpkh', 'tr', 'rawtr', 'tr with leaves'] as const) {
      const unsigned = drive(updatedPsbt({ kinds: [name] }), () => undefined);
      expect(unsigned.inputs).toEqual([{ status: 'asked', signed: [], missing: [] }]);
    }
    const blind = withInput(updatedPsbt({ kinds: ['tr'] }), 0, (input) =>
      without(input, 'witnessUtxo', 'nonWitnessUtxo'),
    );
    expect(drive(blind, everyone).inputs).toEqual([{ status: 'no-coin', signed: [], missing: [] }]);
  });

  test('names what else an input needs', () => {
    const bare = withInput(updatedPsbt({ kinds: ['wsh(multi)'] }), 0, (input) => without(input, 'witnessScript'));
    expect(drive(bare, () => undefined).inputs[0]?.missing).toMatchObject([{ kind: 'witness-script' }]);
    const keyless = withInput(updatedPsbt({ kinds: ['wpkh'] }), 0, (input) => without(input, 'bip32Derivations'));
    expect(drive(keyless, () => undefined).inputs[0]?.missing).toMatchObject([{ kind: 'key' }]);
  });
});
