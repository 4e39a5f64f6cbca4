import { describe, expect, test } from 'vitest';
import {
  payToMultisig,
  payToPubkey,
  payToPubkeyHash,
  payToWitness,
  pushMinimally,
  wrapInScriptHash,
  wrapInWitness,
} from '../../../src/core/script/build.ts';
import { type Produced, produceSignature } from '../../../src/core/signing/produceSignature.ts';
import type { SignatureCreator } from '../../../src/core/signing/signatureCreator.ts';
import { createSignatureData, type SignatureData } from '../../../src/core/signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../../../src/core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../../src/core/signing/signingRules.ts';
import { concatBytes, equalBytes, hash160, nobleEcc, OP, parseHex, sha256 } from '../../support/library.ts';
import { filled, NOTHING } from '../../support/musig2.ts';
import { SECRETS } from '../../support/spends.ts';

const KEYS = SECRETS.map((secretKey) => nobleEcc.publicKey(secretKey));
const [KEY = NOTHING, SECOND = NOTHING] = KEYS;
const LONG = nobleEcc.publicKey(SECRETS[0] ?? NOTHING, false);
const origin = { fingerprint: filled(1, 4), path: [5] };
const signatureOf = (publicKey: Uint8Array): Uint8Array => sha256(publicKey);

/** Signs for the first key alone, as itself, and reports where. */
const CREATOR: SignatureCreator = {
  ecdsa: (publicKey, _, sigVersion) => {
    if (publicKey.length === 65) return { kind: 'compressed-key', publicKey: Uint8Array.of(sigVersion.length) };
    return equalBytes(publicKey, KEY) ? signatureOf(publicKey) : { kind: 'private-key', publicKey };
  },
  schnorr: ({ publicKey }) => ({ kind: 'output-key', outputKey: publicKey }),
  aggregate: () => undefined,
  isMet: () => false,
};

function produce(
  scriptPubKey: Uint8Array,
  scripts: readonly Uint8Array[] = [],
): Produced & { readonly known: SignatureData } {
  const data = createSignatureData();
  const provider: SigningProvider = {
    ...NO_PROVIDER,
    script: (hash) => scripts.find((script) => equalBytes(hash160(script), hash)),
    publicKey: (hash) => [...KEYS, LONG].find((key) => equalBytes(hash160(key), hash)),
    origin: (publicKey) => (equalBytes(publicKey, KEY) ? origin : undefined),
  };
  const produced = produceSignature({ provider, data, creator: CREATOR, rules: CURRENT_RULES }, scriptPubKey);
  return { ...produced, known: data };
}

const TWO_OF_TWO = payToMultisig(2, [KEY, SECOND]);
const ONE_OF_TWO = payToMultisig(1, [KEY, SECOND]);
const ANCHOR = parseHex('51024e73');

describe('a script is solved', () => {
  test.each([
    ['pk', payToPubkey(KEY), [signatureOf(KEY)]],
    ['pkh', payToPubkeyHash(hash160(KEY)), [signatureOf(KEY), KEY]],
    ['multi', ONE_OF_TWO, [NOTHING, signatureOf(KEY)]],
    ['an anchor', ANCHOR, []],
  ])('%s', (_, script, items) => {
    const { known: _known, ...produced } = produce(script);
    const scriptSig = concatBytes(...items.map(pushMinimally));
    expect(produced).toEqual({ isSolved: true, isWitness: false, witness: [], scriptSig });
  });

  test('in sh, in wsh, and in both', () => {
    const wrapped = wrapInWitness(ONE_OF_TWO);
    const items = [NOTHING, signatureOf(KEY)];
    expect(produce(wrapInScriptHash(ONE_OF_TWO), [ONE_OF_TWO])).toMatchObject({
      isSolved: true,
      scriptSig: concatBytes(...[...items, ONE_OF_TWO].map(pushMinimally)),
      known: { redeemScript: ONE_OF_TWO },
    });
    expect(produce(wrapped, [ONE_OF_TWO])).toMatchObject({ isSolved: true, witness: [...items, ONE_OF_TWO] });
    expect(produce(wrapInScriptHash(wrapped), [wrapped, ONE_OF_TWO])).toMatchObject({
      isSolved: true,
      scriptSig: pushMinimally(wrapped),
      witness: [...items, ONE_OF_TWO],
      known: { redeemScript: wrapped, witnessScript: ONE_OF_TWO },
    });
  });

  test('for a segwit key hash, with a witness signature', () => {
    const program = payToWitness(0, hash160(LONG));
    const { known } = produce(program);
    expect(known.missing).toEqual([{ kind: 'compressed-key', publicKey: Uint8Array.of('witness-v0'.length) }]);
  });

  test('and what it found is kept: signatures, and the origins of keys', () => {
    const { known } = produce(TWO_OF_TWO);
    expect([...known.signatures.values()]).toEqual([{ publicKey: KEY, signature: signatureOf(KEY) }]);
    expect([...known.keys.values()]).toEqual([{ publicKey: KEY, origin }]);
    expect(known).toMatchObject({ signed: [KEY], missing: [{ kind: 'private-key', publicKey: SECOND }] });
  });
});

describe('a script is not solved', () => {
  test('without all signatures, which are still built in', () => {
    expect(produce(TWO_OF_TWO)).toMatchObject({ isSolved: false });
    expect(produce(wrapInScriptHash(TWO_OF_TWO), [TWO_OF_TWO])).toMatchObject({ isSolved: false });
    expect(produce(wrapInWitness(TWO_OF_TWO), [TWO_OF_TWO])).toMatchObject({
      isSolved: false,
      witness: [NOTHING, signatureOf(KEY), NOTHING, TWO_OF_TWO],
    });
  });

  test('if it is miniscript that cannot be satisfied: the witness is the script alone', () => {
    const script = concatBytes(pushMinimally(SECOND), Uint8Array.of(OP.CHECKSIGVERIFY, 0x52, OP.CHECKSEQUENCEVERIFY));
    expect(produce(wrapInWitness(script), [script])).toMatchObject({ isSolved: false, witness: [script] });
  });

  /** @see Bitcoin Core `ProduceSignature`, where the step succeeds, but not for these types */
  test('if P2SH is in P2SH, or P2SH or a witness program in P2WSH', () => {
    const inner = wrapInScriptHash(ONE_OF_TWO);
    expect(produce(wrapInScriptHash(inner), [inner, ONE_OF_TWO])).toMatchObject({
      isSolved: false,
      scriptSig: concatBytes(...[ONE_OF_TWO, inner].map(pushMinimally)),
    });
    const program = payToWitness(0, hash160(KEY));
    for (const [script, item] of [
      [inner, ONE_OF_TWO],
      [wrapInWitness(ONE_OF_TWO), ONE_OF_TWO],
      [program, hash160(KEY)],
    ] as const) {
      const produced = produce(wrapInWitness(script), [script, ONE_OF_TWO]);
      expect(produced).toMatchObject({ isSolved: false, isWitness: true, witness: [item, script] });
    }
  });
});
