import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { heldKeyFrom } from '../../src/core/holder/heldKey.ts';
import { isHolders } from '../../src/core/holder/owner.ts';
import { campaign } from '../support/campaign.ts';
import {
  drive,
  HOLDER_NAMES,
  type Holder,
  heldKeysOf,
  KIND_NAMES,
  KINDS,
  type KindName,
  keySignerOf,
  requestsOf,
  updatedPsbt,
} from '../support/kinds.ts';
import {
  finalizePsbt,
  formatHex,
  type HeldKey,
  type Psbt,
  type PsbtInput,
  type PsbtReview,
  parseHex,
  tapTweakHash,
} from '../support/library.ts';
import { MALLORY, review } from '../support/psbts.ts';

/** Coins that a key at hand can sign for count as own in a review, whatever else their inputs hold. */

const ecc = nativeSecp256k1Ecc;
const TYPES = [0x00, 0x01, 0x02, 0x03, 0x81, 0x82, 0x83];
const FOREIGN = MALLORY.keyAt('m/1');
const JUNK = new Uint8Array(32).fill(0x5a);
const LEAF = Uint8Array.of(0x20, ...FOREIGN.slice(1), 0xac);

const ownInputs = ({ inputs }: PsbtReview): readonly number[] =>
  inputs.filter(({ owner }) => isHolders(owner)).map(({ inputIndex }) => inputIndex);

type Spoil = (input: PsbtInput, signed: PsbtInput, final: PsbtInput) => PsbtInput;

/** Missing, contradictory and false records. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  'no derivations': ({ bip32Derivations: _b, tapBip32Derivations: _t, ...input }) => input,
  'no internal key': ({ tapInternalKey: _k, ...input }) => input,
  'no root': ({ tapMerkleRoot: _r, ...input }) => input,
  'another internal key': (input) => ({ ...input, tapInternalKey: FOREIGN.slice(1) }),
  'another root': (input) => ({ ...input, tapMerkleRoot: JUNK }),
  'another leaf': (input) => ({
    ...input,
    tapLeafScripts: [
      { script: LEAF, leafVersion: 0xc0, controlBlock: Uint8Array.of(0xc0, ...FOREIGN.slice(1), ...JUNK) },
      ...(input.tapLeafScripts ?? []),
    ],
  }),
  'a foreign key': (input) => ({
    ...input,
    bip32Derivations: [
      { pubkey: FOREIGN, fingerprint: JUNK.slice(0, 4), path: [1] },
      ...(input.bip32Derivations ?? []),
    ],
  }),
  'a redeemScript': (input) => ({ redeemScript: LEAF, ...input }),
  'another witnessScript': (input) => ({ ...input, witnessScript: LEAF }),
  'a false signature': (input) => ({
    ...input,
    partialSigs: [{ pubkey: FOREIGN, signature: Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, 1) }],
  }),
  'a false key path signature': (input) => ({ ...input, tapKeySig: new Uint8Array(64).fill(1) }),
  'all signatures': (_, signed) => signed,
  'final fields': (input, _, { finalScriptSig, finalScriptWitness }) => ({
    ...input,
    ...(finalScriptSig && { finalScriptSig }),
    ...(finalScriptWitness && { finalScriptWitness }),
  }),
  'false final fields': (input) => ({ ...input, finalScriptWitness: [JUNK] }),
};

const signedOf = (psbt: Psbt, holders: readonly Holder[], sighashType?: number): Psbt =>
  drive(psbt, keySignerOf(holders, ecc), { ecc, ...(sighashType !== undefined && { sighashType }) }).psbt;

const plans = fc.record({
  inputs: fc.array(
    fc.record({
      kind: fc.constantFrom(...KIND_NAMES),
      spoils: fc.array(fc.constantFrom(...Object.keys(SPOILS)), { maxLength: 3 }),
      type: fc.option(fc.constantFrom(...TYPES, 0x41), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  holders: fc.subarray([...HOLDER_NAMES], { minLength: 1 }),
  named: fc.constantFrom(undefined, ...TYPES),
});

test('each input with a signing request for a key at hand counts as own', () => {
  fc.assert(
    fc.property(plans, ({ inputs, holders, named }) => {
      const psbt = updatedPsbt({ kinds: inputs.map(({ kind }) => kind), outputs: 3 });
      const signed = signedOf(psbt, HOLDER_NAMES);
      const final = finalizePsbt(signed, { ecc }).psbt;
      const spoiled: Psbt = {
        ...psbt,
        inputs: psbt.inputs.map((input, i) => {
          const { spoils = [], type } = inputs[i] ?? {};
          const given = spoils.reduce(
            (one, name) => SPOILS[name]?.(one, signed.inputs[i] ?? {}, final.inputs[i] ?? {}) ?? one,
            input,
          );
          return type === undefined ? given : { ...given, sighashType: type };
        }),
      };
      const options = { ecc, ...(named !== undefined && { sighashType: named }) };
      const signer = keySignerOf(holders, ecc);
      const own = ownInputs(review(spoiled, { ...options, keys: heldKeysOf(holders, ecc) }));
      const asked = requestsOf(spoiled, options).filter((request) => signer(request) !== undefined);
      expect(own).toEqual(expect.arrayContaining(asked.map(({ inputIndex }) => inputIndex)));
      // Final fields, hash types, another root or another leaf do not hide a coin whose other records are complete.
      const harmless = new Set([
        'final fields',
        'false final fields',
        'all signatures',
        'a foreign key',
        'another root',
        'another leaf',
      ]);
      const whole = inputs.flatMap(({ kind, spoils }, i) =>
        spoils.every((name) => harmless.has(name)) && signs(kind, holders) ? [i] : [],
      );
      expect(own).toEqual(expect.arrayContaining(whole));
    }),
    campaign(300),
  );
});

const signs = (kind: KindName, holders: readonly Holder[]): boolean =>
  KINDS[kind].quorums.some((quorum) => quorum.some((holder) => holders.includes(holder)));

/** Key path spends reveal only the output key. */
const REVEALING = KIND_NAMES.filter((name) => name !== 'tr' && name !== 'tr with leaves');

test('a final input counts as own for each key that its spend reveals', () => {
  for (const kind of REVEALING) {
    for (const quorum of KINDS[kind].quorums) {
      const { psbt, isComplete } = finalizePsbt(signedOf(updatedPsbt({ kinds: [kind] }), quorum), { ecc });
      expect([kind, isComplete]).toEqual([kind, true]);
      for (const holder of quorum) {
        expect([kind, holder, ownInputs(review(psbt, { ecc, keys: heldKeysOf([holder], ecc) }))]).toEqual([
          kind,
          holder,
          [0],
        ]);
      }
      expect(ownInputs(review(psbt, { ecc, keys: [MALLORY.held] }))).toEqual([]);
    }
  }
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** @see BIP341 "taproot_tweak_seckey" */
function outputSecret({ publicKey, secretKey }: HeldKey['key']): Uint8Array {
  const secret = BigInt(`0x${formatHex(secretKey)}`);
  const even = publicKey[0] === 3 ? ORDER - secret : secret;
  const tweak = BigInt(`0x${formatHex(tapTweakHash(publicKey.slice(1), undefined))}`);
  return parseHex(((even + tweak) % ORDER).toString(16).padStart(64, '0'));
}

test('the holder of an output key owns the coin, even if the PSBT names an internal key', () => {
  const psbt = updatedPsbt({ kinds: ['tr'] });
  const [request] = requestsOf(psbt, { ecc });
  const [internal] = heldKeysOf(['a1'], ecc);
  const secretKey = internal && outputSecret(internal.key);
  if (!request || !secretKey) return expect.fail('no output key');
  const keys = [heldKeyFrom({ secretKey, isCompressed: true }, ecc)];
  expect(formatHex(keys[0]?.key.publicKey.slice(1) ?? JUNK)).toBe(formatHex(request.publicKey));
  expect(ownInputs(review(psbt, { ecc, keys }))).toEqual([0]);
});
