import { expect, test } from 'vitest';
import { compareLeaves, type LeafScript, taprootSpend } from '../../../src/core/descriptors/taprootSpend.ts';
import { parseControlBlock, tapBranchHash } from '../../../src/core/script/tapTree.ts';
import { nobleEcc, parseHex, tapLeafHash, tapTweakHash } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { expectRefusal } from '../../support/refusal.ts';

const INTERNAL = nobleEcc.publicKey(filled(1)).slice(1);
const leaf = (depth: number, byte: number) => ({ depth, leafVersion: 0xc0, script: Uint8Array.of(byte) });

test('an output without scripts has no root', () => {
  const outputKey = nobleEcc.tweakPublicKey(INTERNAL, tapTweakHash(INTERNAL))?.publicKey;
  expect(taprootSpend(INTERNAL, [], nobleEcc)).toStrictEqual({
    ...{ outputKey, internalKey: INTERNAL, leafScripts: [], tree: [] },
  });
});

test('each leaf of a tree has the block that leads to the root', () => {
  const tree = [leaf(1, 0x51), leaf(2, 0x52), leaf(2, 0x53)];
  const spend = taprootSpend(INTERNAL, tree, nobleEcc);
  const [a, b, c] = [0x51, 0x52, 0x53].map((byte) => tapLeafHash(Uint8Array.of(byte)));
  if (!a || !b || !c) return expect.fail('three leaves');
  const merkleRoot = tapBranchHash(a, tapBranchHash(b, c));
  const output = nobleEcc.tweakPublicKey(INTERNAL, tapTweakHash(INTERNAL, merkleRoot));
  expect(spend).toMatchObject({ outputKey: output?.publicKey, merkleRoot, tree: [...tree].reverse() });
  const path = spend.leafScripts.map(({ controlBlock }) => parseControlBlock(controlBlock));
  const block = { leafVersion: 0xc0, parity: output?.parity, internalKey: INTERNAL };
  expect(path).toEqual([
    { ...block, path: [tapBranchHash(b, c)] },
    { ...block, path: [c, a] },
    { ...block, path: [b, a] },
  ]);
});

test('an internal key that is no point is refused', () => {
  const data = { reason: 'The internal key is not on the curve' };
  expectRefusal(() => taprootSpend(parseHex('05'.padStart(64, '0')), [], nobleEcc), 'descriptor/invalid', data);
});

test('leaves are ordered by script, version, and length of their blocks', () => {
  const of = (script: string, leafVersion: number, block: string): LeafScript => ({
    ...{ script: parseHex(script), leafVersion, controlBlock: parseHex(block) },
  });
  const ordered = [of('51', 0xc0, '02'), of('51', 0xc0, '0101'), of('51', 0xc2, '01'), of('5151', 0xc0, '01')];
  expect([...ordered].reverse().sort(compareLeaves)).toEqual(ordered);
});
