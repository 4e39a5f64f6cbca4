import { expect, test } from 'vitest';
import { measureProgress, psbtProgress } from '../../../src/core/job/progress.ts';
import { nextStepAdvice } from '../../../src/shell/cli/nextSteps.ts';
import { textsOf } from '../../support/findingTexts.ts';
import {
  concatBytes,
  createPsbt,
  encodeControlBlock,
  finalizePsbt,
  formatHex,
  formatReview,
  keySigner,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  parseHex,
  parseTxid,
  progressText,
  reviewPsbt,
  reviewToJson,
  sha256,
  signingRequests,
  signPsbt,
  tapLeafHash,
  tapTweakHash,
} from '../../support/library.ts';
import { ALICE, BOB, make, PAYEE, payment, sign, WALLETS, withInput, without } from '../../support/psbts.ts';

/** Scripts that no solver reads: the keys that they push can sign them, and their signatures are verified. */

const KEY = ALICE.keyAt('m/1h/0');
const XONLY = KEY.slice(1);
const OWN = { secretKey: ALICE.secretAt('m/1h/0'), publicKey: KEY };
const signer = keySigner({ key: () => OWN, xOnlyKey: () => OWN });

function spending(scriptPubKey: Uint8Array, records: Partial<PsbtInput>): Psbt {
  const outpoint = { txid: parseTxid('22'.repeat(32)), vout: 1 };
  const psbt = createPsbt({
    version: 2,
    inputs: [{ outpoint, scriptSig: new Uint8Array(0), sequence: 0xffff_fffe, witness: [] }],
    outputs: [{ value: 99_000n, scriptPubKey: PAYEE }],
    locktime: 0,
  });
  return withInput(psbt, 0, (input) => ({ ...input, witnessUtxo: { value: 100_000n, scriptPubKey }, ...records }));
}

/** Signs the requests for the key, and for no other. */
function signed(psbt: Psbt): Psbt {
  const requests = signingRequests(psbt);
  let step = requests.next();
  while (!step.done) {
    const request = step.value;
    const key = 'internalKey' in request && request.internalKey ? request.internalKey : request.publicKey;
    const isOwn = formatHex(key).endsWith(formatHex(XONLY));
    step = requests.next(isOwn ? signer(request) : undefined);
  }
  return step.value.psbt;
}

const spendingScript = (script: Uint8Array): Psbt =>
  spending(concatBytes(Uint8Array.of(0, 32), sha256(script)), { witnessScript: script });

const push = (data: Uint8Array): Uint8Array => Uint8Array.of(data.length, ...data);
const hex = (text: string): Uint8Array => parseHex(text);
const signatures = (psbt: Psbt) => reviewPsbt(psbt).inputs[0]?.signatures;
const checks = (psbt: Psbt): readonly string[] => reviewPsbt(psbt).findings.map(({ check }) => check);

/** A timelocked bond. @see BIP46 */
const BOND = concatBytes(hex('0400b95569b175'), push(KEY), hex('ac'));
/** A hash lock with a way back, as swaps have them. */
const SWAP = concatBytes(
  ...[hex('63a820'), new Uint8Array(32).fill(7), hex('88'), push(BOB.keyAt('m/2')), hex('6755b275')],
  ...[push(KEY), hex('68ac')],
);
/** Miniscript with a key of which the PSBT shows the hash only: or_d(pk(A),and_v(v:pkh(B),older(10))). */
const HIDDEN = concatBytes(push(KEY), hex('ac7364'), hex('76a914'), new Uint8Array(20).fill(9), hex('88ad5ab268'));

test.each([
  ['a bond', BOND, ['script-unread']],
  ['a swap', SWAP, ['script-unread']],
  ['a miniscript with an unknown key', HIDDEN, []],
])('%s is signed by the key that it pushes', (_, script, findings) => {
  const psbt = signed(spendingScript(script));
  expect(signatures(psbt)).toMatchObject([{ state: 'valid', publicKey: KEY }]);
  expect(checks(psbt)).toEqual(findings);
  expect(finalizePsbt(psbt).isComplete).toBe(false);
});

test('a signature for a leaf that is not shown is counted, and the missing leaf script is named', () => {
  const psbt = signed(spendingLeaf(BOB.keyAt('m/4').slice(1)));
  const trimmed = withInput(psbt, 0, ({ tapLeafScripts: _, ...input }) => input);
  const { inputs } = psbtProgress(trimmed);
  const [text = ''] = inputs.map(progressText);
  expect(text).toContain(
    `or key ${formatHex(XONLY)} by the leaf ${formatHex(LEAF_HASH.slice(0, 8))}...: have 1 signature`,
  );
  expect(text).toMatch(/; the leaf script is missing; combine this PSBT with the one that was sent$/);
  expect(nextStepAdvice(inputs)).toMatch(/^combine it with the PSBT that was sent/);
});

test('a script of which all keys have signed does not say that keys are missing', () => {
  const psbt = signed(spendingScript(BOND));
  const { inputs } = signPsbt(psbt, () => undefined);
  expect(inputs).toMatchObject([{ status: 'asked', signed: [] }]);
  expect(measureProgress({ psbt, inputs }, finalizePsbt(psbt)).map(progressText)).toEqual([
    'input 0: have 1 signature; its script is not a miniscript: the wallet that knows it has to finalize it',
  ]);
});

test.each([
  ['a key', BOND, 'countersign can sign it but not read it'],
  ['an OP_CODESEPARATOR', concatBytes(hex('ab'), BOND), 'countersign can neither read nor sign it'],
  ['no key', hex('63516752b36851'), 'countersign can neither read nor sign it'],
])('the review says whether it can sign an unread script with %s', (_, script, text) => {
  expect(textsOf(reviewPsbt(spendingScript(script)))).toContainEqual(expect.stringContaining(text));
});

test('a P2SH coin without its redeemScript is not called legacy', () => {
  const psbt = make({ inputs: [{ of: WALLETS.shWpkh, shownBy: 'output' }], outputs: [{ to: PAYEE, value: 900_000n }] });
  const trimmed = withInput(psbt, 0, (input) => without(input, 'redeemScript'));
  expect(checks(psbt)).not.toContain('legacy-unproven');
  expect(textsOf(reviewPsbt(trimmed))).toContainEqual(
    expect.stringMatching(/^Input 0 shows neither the redeemScript nor the previous transaction/),
  );
});

test('a key path signature for a coin that is not shown has no key', () => {
  const psbt = payment(['tr']);
  const trimmed = withInput(sign(psbt).psbt, 0, ({ tapKeySig }) => ({
    ...without(psbt.inputs[0] ?? {}, 'nonWitnessUtxo', 'witnessUtxo'),
    ...(tapKeySig && { tapKeySig }),
  }));
  expect(signatures(trimmed)).toEqual([{ state: 'unverifiable', reason: 'coin', sighashType: 0 }]);
  expect(formatReview(reviewPsbt(trimmed))).toContain('signature for the key path, which cannot be verified');
  expect(reviewToJson(reviewPsbt(trimmed)).inputs[0]?.signatures).toEqual(signatures(trimmed));
});

test('a key that a script pushes twice is asked once', () => {
  const twice = concatBytes(hex('63'), push(KEY), hex('ac67'), BOND, hex('68'));
  expect([...signingRequests(spendingScript(twice))]).toHaveLength(1);
});

test('a script with an OP_CODESEPARATOR has several digests: no key is asked, and a signature cannot be refuted', () => {
  const script = concatBytes(hex('ab'), BOND);
  const psbt = spendingScript(script);
  expect([...signingRequests(psbt)]).toEqual([]);
  const { partialSigs = [] } = signed(spendingScript(BOND)).inputs[0] ?? {};
  expect(signatures(withInput(psbt, 0, (input) => ({ ...input, partialSigs })))).toMatchObject([
    { state: 'unverifiable', reason: 'code-separator' },
  ]);
});

test('a signature by a key that the script does not name is not called invalid', () => {
  const { partialSigs = [] } = signed(spendingScript(BOND)).inputs[0] ?? {};
  const alien = partialSigs.map(({ signature }) => ({ pubkey: BOB.keyAt('m/3'), signature }));
  expect(signatures(withInput(spendingScript(BOND), 0, (input) => ({ ...input, partialSigs: alien })))).toMatchObject([
    { state: 'unverifiable', reason: 'key-unnamed' },
  ]);
});

/** A leaf that reveals data after its key. */
const ENVELOPE = concatBytes(push(XONLY), hex('ac0063036f7264010103666f6f68'));
const LEAF_HASH = tapLeafHash(ENVELOPE);

/** A coin with that leaf, and an internal key. */
function spendingLeaf(internalKey: Uint8Array): Psbt {
  const tweaked = nobleEcc.tweakPublicKey(internalKey, tapTweakHash(internalKey, LEAF_HASH));
  if (!tweaked) throw new Error('a valid internal key');
  const controlBlock = encodeControlBlock({ leafVersion: 0xc0, parity: tweaked.parity, internalKey, path: [] });
  return spending(concatBytes(Uint8Array.of(0x51, 32), tweaked.publicKey), {
    tapInternalKey: internalKey,
    tapLeafScripts: [{ script: ENVELOPE, leafVersion: 0xc0, controlBlock }],
  });
}

test('a leaf is signed by the key that it pushes, and stays valid without its script', () => {
  const psbt = signed(spendingLeaf(BOB.keyAt('m/4').slice(1)));
  expect(checks(psbt)).toEqual(['script-unread']);
  expect(signatures(psbt)).toMatchObject([{ state: 'valid', publicKey: XONLY, leafHash: LEAF_HASH }]);
  const trimmed = withInput(psbt, 0, ({ tapLeafScripts: _, ...input }) => input);
  expect(signatures(trimmed)).toMatchObject([{ state: 'valid' }]);
  const forged = withInput(trimmed, 0, ({ tapScriptSigs = [], ...input }) => ({
    ...input,
    tapScriptSigs: tapScriptSigs.map((record) => ({ ...record, signature: new Uint8Array(64).fill(1) })),
  }));
  expect(signatures(forged)).toMatchObject([{ state: 'unverifiable', reason: 'leaf-script' }]);
});

test('the key path comes first, and a finding names the leaf that it leaves aside', () => {
  const psbt = signed(spendingLeaf(XONLY));
  expect(psbt.inputs[0]?.tapKeySig).toHaveLength(64);
  expect(textsOf(reviewPsbt(spendingLeaf(XONLY)))).toEqual([
    expect.stringContaining(`leaf of ${ENVELOPE.length} bytes`),
  ]);
});
