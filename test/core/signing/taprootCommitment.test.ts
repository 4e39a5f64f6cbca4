import { describe, expect, test } from 'vitest';
import type { LeafScript } from '../../../src/core/descriptors/taprootSpend.ts';
import { encodeControlBlock, tapBranchHash } from '../../../src/core/script/tapTree.ts';
import { addLeafScript, createSignatureData } from '../../../src/core/signing/signatureData.ts';
import { commitsToLeaf, outputTweak } from '../../../src/core/signing/taprootCommitment.ts';
import { nobleEcc, tapLeafHash, tapTweakHash } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';

const xOnly = (byte: number): Uint8Array => nobleEcc.publicKey(filled(byte)).slice(1);
const INTERNAL = xOnly(1);
/** A tree of two leaves. */
const SCRIPTS = [Uint8Array.of(0x51), Uint8Array.of(0x52)] as const;
const [FIRST, SECOND] = [tapLeafHash(SCRIPTS[0]), tapLeafHash(SCRIPTS[1])];
const ROOT = tapBranchHash(FIRST, SECOND);
const TWEAK = tapTweakHash(INTERNAL, ROOT);
const OUTPUT = nobleEcc.tweakPublicKey(INTERNAL, TWEAK) ?? { publicKey: INTERNAL, parity: 0 };
const outputKey = OUTPUT.publicKey;
const block = { leafVersion: 0xc0, parity: OUTPUT.parity, internalKey: INTERNAL } as const;
const LEAVES: readonly LeafScript[] = SCRIPTS.map((script, i) => ({
  script,
  leafVersion: 0xc0,
  controlBlock: encodeControlBlock({ ...block, path: [i === 0 ? SECOND : FIRST] }),
}));
/** A leaf of a tree that no output commits to. */
const stranger = (byte: number): LeafScript => ({
  script: Uint8Array.of(byte),
  leafVersion: 0xc0,
  controlBlock: encodeControlBlock({ ...block, path: [] }),
});
const STRANGERS = [0x61, 0x62, 0x63, 0x64].map(stranger);

function taprootOf(leaves: readonly LeafScript[], merkleRoot?: Uint8Array) {
  const { taproot } = createSignatureData();
  for (const leaf of leaves) addLeafScript(taproot, leaf);
  return { ...taproot, ...(merkleRoot && { merkleRoot }) };
}

describe('an output commits to a leaf', () => {
  const commits = (leaves: readonly LeafScript[]): readonly boolean[] => {
    const isCommitted = commitsToLeaf(taprootOf(leaves), outputKey, nobleEcc);
    return SCRIPTS.map((script) => isCommitted(tapLeafHash(script)));
  };

  test('if its control block leads to the output key', () => {
    expect(commits(LEAVES)).toEqual([true, true]);
    expect(commits(LEAVES.slice(1))).toEqual([false, true]);
    expect(commits([])).toEqual([false, false]);
  });

  test('but not if the block states the other parity, another version, or is malformed', () => {
    const [leaf] = LEAVES;
    const bad = [
      encodeControlBlock({ ...block, parity: OUTPUT.parity === 1 ? 0 : 1, path: [SECOND] }),
      encodeControlBlock({ ...block, leafVersion: 0xc2, path: [SECOND] }),
      encodeControlBlock({ ...block, path: [SECOND] }).slice(1),
      encodeControlBlock({ ...block, internalKey: xOnly(2), path: [SECOND] }),
    ];
    for (const controlBlock of bad) expect(commits(leaf ? [{ ...leaf, controlBlock }] : [])).toEqual([false, false]);
  });

  test('if most leaves lead to its key, however many others lead elsewhere', () => {
    const others = [0x65, 0x66, 0x67, 0x68].map(stranger);
    expect(commits([...STRANGERS, ...LEAVES, ...others])).toEqual([true, true]);
  });

  test('but not behind four others with as many leaves, since each costs a point multiplication', () => {
    expect(commits([...STRANGERS.slice(1), ...LEAVES.slice(0, 1)])).toEqual([true, false]);
    expect(commits([...STRANGERS, ...LEAVES.slice(0, 1)])).toEqual([false, false]);
  });
});

describe('the tweak of an output key', () => {
  const plain = tapTweakHash(INTERNAL);
  const plainKey = nobleEcc.tweakPublicKey(INTERNAL, plain)?.publicKey ?? INTERNAL;
  const tweakOf = (leaves: readonly LeafScript[], merkleRoot?: Uint8Array, key = outputKey, publicKey = INTERNAL) =>
    outputTweak({ publicKey, outputKey: key, taproot: taprootOf(leaves, merkleRoot) }, nobleEcc);

  test('comes from the recorded root, or from a control block', () => {
    expect(tweakOf([], ROOT)).toEqual(TWEAK);
    expect(tweakOf(LEAVES)).toEqual(TWEAK);
    expect(tweakOf(LEAVES, filled(9))).toEqual(TWEAK);
  });

  test('needs no root if the output has no scripts, whatever is recorded', () => {
    expect(tweakOf([], undefined, plainKey)).toEqual(plain);
    expect(tweakOf([], ROOT, plainKey)).toEqual(plain);
  });

  test('is not found without the root, or for another internal key', () => {
    expect(tweakOf([])).toBeUndefined();
    expect(tweakOf([], filled(9))).toBeUndefined();
    expect(tweakOf(LEAVES, undefined, outputKey, xOnly(2))).toBeUndefined();
  });
});
