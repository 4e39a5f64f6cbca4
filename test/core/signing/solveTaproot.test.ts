import { describe, expect, test } from 'vitest';
import { bytesKey, concatBytes } from '../../../src/core/bytes/compare.ts';
import { payToPubkeyHash, pushMinimally, pushNumber } from '../../../src/core/script/build.ts';
import type { SignatureCreator } from '../../../src/core/signing/signatureCreator.ts';
import {
  addLeafScript,
  addTapKey,
  createSignatureData,
  preimageName,
  type SignatureData,
} from '../../../src/core/signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../../../src/core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../../src/core/signing/signingRules.ts';
import { solveTaproot } from '../../../src/core/signing/solveTaproot.ts';
import { aggregateKeys, equalBytes, hash160, nobleEcc, OP, sha256, tapLeafHash } from '../../support/library.ts';
import { filled, NOTHING } from '../../support/musig2.ts';

const KEYS = [1, 2, 3, 4].map((byte) => nobleEcc.publicKey(filled(byte)));
const [KEY = NOTHING, OTHER = NOTHING, THIRD = NOTHING, OUTPUT = NOTHING] = KEYS.map((key) => key.slice(1));
const origin = { fingerprint: filled(1, 4), path: [5] };
const SIGNATURE = filled(9, 64);

/** Signs leaves for all keys but the third, and no key path. */
const CREATOR: SignatureCreator = {
  ecdsa: (publicKey) => ({ kind: 'private-key', publicKey }),
  schnorr: (key) => {
    const { kind, publicKey } = key;
    if (kind !== 'leaf') return { kind: 'output-key', outputKey: publicKey };
    return equalBytes(publicKey, THIRD) ? { kind: 'leaf-key', publicKey } : SIGNATURE;
  },
  aggregate: () => undefined,
  isMet: () => true,
};

interface Leaf {
  readonly script: Uint8Array;
  readonly leafVersion?: number;
  /** Bytes of its control block, whose content does not matter here. */
  readonly block?: number;
}
interface Given {
  readonly leaves?: readonly Leaf[];
  readonly provider?: Partial<SigningProvider>;
  readonly creator?: Partial<SignatureCreator>;
  readonly known?: SignatureData;
}

function solve({ leaves = [], provider, creator, known = createSignatureData() }: Given) {
  for (const { script, leafVersion = 0xc0, block = 33 } of leaves) {
    addLeafScript(known.taproot, { script, leafVersion, controlBlock: filled(0xc0, block) });
  }
  const context = {
    ...{ data: known, rules: CURRENT_RULES },
    provider: { ...NO_PROVIDER, ...provider },
    creator: { ...CREATOR, ...creator },
  };
  return { witness: solveTaproot(context, OUTPUT), known };
}

const code = (...parts: readonly (Uint8Array | number)[]): Uint8Array =>
  concatBytes(...parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : pushMinimally(part))));
const payTo = (key: Uint8Array): Uint8Array => code(key, OP.CHECKSIG);
const control = (block = 33): Uint8Array => filled(0xc0, block);

describe('the key path', () => {
  test('is taken if its key signs, or an aggregate does', () => {
    const leaves = [{ script: payTo(KEY) }];
    expect(solve({ leaves, creator: { schnorr: () => SIGNATURE } }).witness).toEqual([SIGNATURE]);
    const { witness, known } = solve({ leaves, creator: { aggregate: () => SIGNATURE } });
    expect([witness, known.taproot.keySignature, known.missing]).toEqual([[SIGNATURE], SIGNATURE, []]);
  });

  test('misses the private key of the output key', () => {
    const { witness, known } = solve({});
    expect([witness, known.missing]).toEqual([undefined, [{ kind: 'output-key', outputKey: OUTPUT }]]);
  });

  test('shows the origins of the internal key and of the output key', () => {
    const known = createSignatureData();
    known.taproot.internalKey = KEY;
    solve({ known, provider: { xOnlyOrigin: () => origin } });
    const added = [...known.taproot.keys.values()].map(({ publicKey, leafHashes }) => [publicKey, leafHashes.size]);
    expect(added).toEqual([
      [KEY, 0],
      [OUTPUT, 0],
    ]);
  });
});

describe('a leaf is solved', () => {
  test.each([
    ['pk', payTo(KEY), [SIGNATURE]],
    ['multi_a', code(OTHER, OP.CHECKSIG, THIRD, OP.CHECKSIGADD, 0x51, OP.NUMEQUAL), [NOTHING, SIGNATURE]],
  ])('%s', (_, script, items) => {
    expect(solve({ leaves: [{ script }] }).witness).toEqual([...items, script, control()]);
  });

  test('with the types of tapscript, where d: leaves exactly 1', () => {
    const parts = [KEY, OP.CHECKSIG, OP.SWAP, THIRD, OP.CHECKSIG, OP.ADD, OP.TOALTSTACK];
    const older = [OP.DUP, OP.IF, 0x55, OP.CHECKSEQUENCEVERIFY, OP.VERIFY, OP.ENDIF, OP.FROMALTSTACK, OP.ADD];
    const script = code(...parts, ...older, 0x52, OP.EQUAL);
    expect(solve({ leaves: [{ script }] }).witness).toEqual([Uint8Array.of(1), NOTHING, SIGNATURE, script, control()]);
  });

  test('with the key of a hash, if a record or the provider has it', () => {
    const script = payToPubkeyHash(hash160(KEY));
    const known = createSignatureData();
    addTapKey(known.taproot, { publicKey: KEY, origin });
    const items = [SIGNATURE, KEY, script, control()];
    expect(solve({ leaves: [{ script }], known }).witness).toEqual(items);
    expect(solve({ leaves: [{ script }], provider: { publicKey: () => KEYS[0] } }).witness).toEqual(items);
    const { witness, known: without } = solve({ leaves: [{ script }] });
    expect(witness).toBeUndefined();
    expect(without.missing).toContainEqual({ kind: 'key', hash: hash160(KEY) });
  });

  test('with a preimage, which is missing otherwise', () => {
    const [preimage, hash] = [filled(7), sha256(filled(7))];
    const sized = [OP.SIZE, Uint8Array.of(32), OP.EQUALVERIFY, OP.SHA256, hash, OP.EQUAL];
    const script = code(KEY, OP.CHECKSIGVERIFY, ...sized);
    const known = createSignatureData();
    known.preimages.set(preimageName('sha256', hash), preimage);
    expect(solve({ leaves: [{ script }], known }).witness).toEqual([preimage, SIGNATURE, script, control()]);
    expect(known.missing).toEqual([{ kind: 'output-key', outputKey: OUTPUT }]);
    const { witness, known: without } = solve({ leaves: [{ script }] });
    expect(witness).toBeUndefined();
    expect(without.missing).toContainEqual({ kind: 'preimage', name: 'sha256', hash });
  });

  test('and its signature is kept, which the next attempt uses', () => {
    const { known } = solve({ leaves: [{ script: payTo(KEY) }] });
    const leafHash = tapLeafHash(payTo(KEY));
    expect([...known.taproot.signatures.values()]).toEqual([{ publicKey: KEY, leafHash, signature: SIGNATURE }]);
    const creator = {
      schnorr: ({ publicKey }: { publicKey: Uint8Array }) => ({ kind: 'leaf-key', publicKey }) as const,
    };
    expect(solve({ known, creator }).witness).toEqual([SIGNATURE, payTo(KEY), control()]);
  });

  test('and the origins of its keys are kept, if the provider shows them', () => {
    const leaves = [{ script: payTo(KEY) }];
    expect([...solve({ leaves }).known.taproot.keys]).toEqual([]);
    const provider = { xOnlyOrigin: (key: Uint8Array) => (equalBytes(key, KEY) ? origin : undefined) };
    expect([...solve({ leaves, provider }).known.taproot.keys.values()]).toEqual([
      { publicKey: KEY, origin, leafHashes: new Map([[bytesKey(tapLeafHash(payTo(KEY))), tapLeafHash(payTo(KEY))]]) },
    ]);
  });

  test('but none of another version', () => {
    expect(solve({ leaves: [{ script: payTo(KEY), leafVersion: 0xc2 }] }).witness).toBeUndefined();
  });
});

describe('of several leaves', () => {
  const older = (blocks: number): Uint8Array =>
    concatBytes(code(KEY, OP.CHECKSIGVERIFY), pushNumber(blocks), Uint8Array.of(OP.CHECKSEQUENCEVERIFY));
  /** 199 bytes in three items. */
  const few: Leaf = { script: older(144), block: 97 };
  /** 199 bytes in four. */
  const many: Leaf = { script: code(OTHER, OP.CHECKSIG, THIRD, OP.CHECKSIGADD, 0x51, OP.NUMEQUAL), block: 65 };

  test('the one with the smallest witness is taken, where each item costs its length, too', () => {
    for (const leaves of [
      [few, many],
      [many, few],
    ]) {
      expect(solve({ leaves }).witness).toEqual([SIGNATURE, few.script, control(97)]);
    }
    expect(solve({ leaves: [few, { ...many, block: 33 }] }).witness).toHaveLength(4);
  });

  test('the first by its script is taken if witnesses are as small', () => {
    const scripts = [payTo(KEY), payTo(OTHER)].sort((a, b) => Buffer.compare(a, b));
    for (const order of [scripts, [...scripts].reverse()]) {
      const leaves = order.map((script) => ({ script }));
      expect(solve({ leaves }).witness).toEqual([SIGNATURE, scripts[0], control()]);
    }
  });

  test('a script that is there twice is solved once, with the shortest control block', () => {
    const twice = (script: Uint8Array): readonly Leaf[] => [65, 33, 97].map((block) => ({ script, block }));
    expect(solve({ leaves: twice(payTo(KEY)) }).witness).toEqual([SIGNATURE, payTo(KEY), control()]);
    expect(solve({ leaves: twice(payTo(THIRD)) }).known.missing).toEqual([
      { kind: 'output-key', outputKey: OUTPUT },
      { kind: 'leaf-key', publicKey: THIRD },
    ]);
  });
});

test('the origins of participants are looked up once, and added for each leaf that a key may sign', () => {
  const participants = KEYS.slice(0, 2);
  const record = { aggregatePubkey: aggregateKeys(participants).publicKey, participants };
  const asked: Uint8Array[] = [];
  const provider: Partial<SigningProvider> = {
    aggregates: [record],
    origin: (publicKey) => {
      asked.push(publicKey);
      return equalBytes(publicKey, participants[0] ?? NOTHING) ? origin : undefined;
    },
  };
  const scripts = [payTo(THIRD), payTo(OTHER)];
  const { known } = solve({ leaves: scripts.map((script) => ({ script })), provider });
  expect(asked).toEqual(participants);
  expect([...known.taproot.aggregates.values()]).toEqual([record]);
  const [key, ...others] = known.taproot.keys.values();
  expect(others).toEqual([]);
  expect(key).toMatchObject({ publicKey: KEY, origin });
  const hashes = scripts.map((script) => bytesKey(tapLeafHash(script)));
  expect([...(key?.leafHashes.keys() ?? [])].sort()).toEqual(hashes.sort());
});
