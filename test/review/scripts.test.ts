import { expect, test } from 'vitest';
import { nobleEcc } from '../../src/crypto/nobleEcc.ts';
import { isTaprootConsistent } from '../../src/review/scripts.ts';
import { type PsbtInput, parseHex } from '../support/library.ts';
import { payment, without } from '../support/psbts.ts';

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
