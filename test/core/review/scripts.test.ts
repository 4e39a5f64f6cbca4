import { expect, test } from 'vitest';
import { nobleEcc } from '../../../src/core/crypto/nobleEcc.ts';
import { isTaprootConsistent, unwrapRecords } from '../../../src/core/review/scripts.ts';
import { wrapInScriptHash, wrapInWitness } from '../../../src/core/script/build.ts';
import { type PsbtInput, parseHex } from '../../support/library.ts';
import { payment, without } from '../../support/psbts.ts';

const recordsOf = (name: 'tr' | 'tree'): { readonly key: Uint8Array; readonly input: PsbtInput } => {
  const [input = {}] = payment([name]).inputs;
  return { key: input.witnessUtxo?.scriptPubKey.slice(2) ?? parseHex(''), input };
};
const isConsistent = ({ key, input }: ReturnType<typeof recordsOf>, more: Partial<PsbtInput> = {}): boolean =>
  isTaprootConsistent(key, { ...input, ...more }, nobleEcc);

const tree = recordsOf('tree');
const plain = recordsOf('tr');
const zeros = new Uint8Array(32);
const other = plain.input.tapInternalKey?.map((byte) => byte ^ 1) ?? zeros;

test('the records of a taproot input must all lead to its output key', () => {
  expect(isConsistent(tree)).toBe(true);
  expect(isConsistent(plain)).toBe(true);
  expect(isConsistent(tree, { tapInternalKey: other })).toBe(false);
  expect(isConsistent(plain, { tapInternalKey: other })).toBe(false);
  expect(isConsistent({ ...tree, key: plain.key })).toBe(false);
  expect(isConsistent({ ...plain, key: tree.key })).toBe(false);
  expect(isConsistent(tree, { tapMerkleRoot: other })).toBe(false);
  expect(isConsistent(plain, { tapMerkleRoot: other })).toBe(false);
  const [first] = tree.input.tapLeafScripts ?? [];
  expect(isConsistent(tree, { tapLeafScripts: first ? [{ ...first, leafVersion: 0xc2 }] : [] })).toBe(false);
  expect(isConsistent(tree, { tapLeafScripts: first ? [{ ...first, script: zeros }] : [] })).toBe(false);
});

test('a leaf counts only with a control block of its version', () => {
  const [first] = tree.input.tapLeafScripts ?? [];
  if (!first) return expect.fail('no leaf');
  const withBlock = (controlBlock: Uint8Array): boolean =>
    isConsistent(tree, { tapLeafScripts: [{ ...first, controlBlock }] });
  expect(withBlock(first.controlBlock)).toBe(true);
  expect(withBlock(first.controlBlock.map((byte, i) => (i === 0 ? byte ^ 2 : byte)))).toBe(false);
  expect(withBlock(first.controlBlock.map((byte, i) => (i === 0 ? byte ^ 1 : byte)))).toBe(false);
  expect(withBlock(first.controlBlock.slice(1))).toBe(false);
});

test('a script must be the one that the output commits to', () => {
  const mismatch = (scriptPubKey: Uint8Array, records: Parameters<typeof unwrapRecords>[1]): boolean =>
    unwrapRecords(scriptPubKey, records).isMismatch;
  const [script, other] = [Uint8Array.of(0x51), Uint8Array.of(0x52)];
  expect(mismatch(wrapInScriptHash(script), { redeemScript: script })).toBe(false);
  expect(mismatch(wrapInScriptHash(script), { redeemScript: other })).toBe(true);
  expect(mismatch(wrapInWitness(script), { witnessScript: script })).toBe(false);
  expect(mismatch(wrapInWitness(script), { witnessScript: other })).toBe(true);
  expect(mismatch(script, { redeemScript: other, witnessScript: other })).toBe(false);
  expect(mismatch(wrapInScriptHash(script), {})).toBe(false);
});

test('the records of a taproot input need not be complete', () => {
  const { key } = tree;
  const withoutRoot = without(tree.input, 'tapMerkleRoot');
  expect(isConsistent({ key, input: withoutRoot })).toBe(true);
  expect(isConsistent({ key, input: without(withoutRoot, 'tapInternalKey') })).toBe(true);
  expect(isConsistent({ key, input: without(tree.input, 'tapLeafScripts') })).toBe(true);
  expect(isConsistent({ key, input: {} })).toBe(true);
  // A root of zeros is no root: some signers write it for a key without scripts.
  expect(isConsistent(plain, { tapMerkleRoot: zeros })).toBe(true);
  expect(isConsistent(tree, { tapMerkleRoot: zeros })).toBe(true);
  expect(isConsistent({ key, input: without(withoutRoot, 'tapLeafScripts') })).toBe(false);
});
