import { describe, expect, test } from 'vitest';
import { answerRequests } from '../../../src/core/job/signPsbt.ts';
import { inputWeight, spendSize } from '../../../src/core/tx/spendSize.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createPsbt,
  type Descriptor,
  extractTransaction,
  finalizePsbt,
  formatHex,
  keySigner,
  type Lack,
  lackingAssets,
  type Psbt,
  parseHex,
  parseTxid,
  plan,
  signingRequests,
  type Transaction,
  type TxIn,
  txid,
  updatePsbt,
  verifyTransaction,
} from '../../support/library.ts';
import { descriptorOf, HASHES, KEYS, keysOf, LETTERS, PREIMAGE, subsets, TEXTS } from '../../support/spendingWays.ts';

const NOTHING = new Uint8Array(0);

interface Terms {
  readonly sequence: number;
  readonly locktime: number;
  readonly hasPreimage: boolean;
}

/** Spends a coin with the private keys of a descriptor, and runs its scripts. @returns the weight of the input, if it was signed */
function spentWeight(descriptor: Descriptor, { sequence, locktime, hasPreimage }: Terms): number | undefined {
  const derived = createDeriver(descriptor)(0);
  const coin = { value: 100_000n, scriptPubKey: derived.scriptPubKeys[0] ?? NOTHING };
  const outpoint = { txid: parseTxid('aa'.repeat(32)), vout: 0 };
  const funding: Transaction = {
    version: 2,
    locktime: 0,
    inputs: [{ outpoint, sequence: 0, scriptSig: NOTHING, witness: [] }],
    outputs: [coin],
  };
  const spending: Transaction = {
    version: 2,
    locktime,
    inputs: [{ outpoint: { txid: txid(funding), vout: 0 }, sequence, scriptSig: NOTHING, witness: [] }],
    outputs: [{ value: 90_000n, scriptPubKey: parseHex(`0014${'99'.repeat(20)}`) }],
  };
  const provider = createDescriptorProvider([derived]);
  const created = createPsbt(spending, { version: 0 });
  const inputs = created.inputs.map((input) => ({ ...input, witnessUtxo: coin, nonWitnessUtxo: funding }));
  const updated: Psbt = updatePsbt({ ...created, inputs }, { provider });
  const [sha = NOTHING, hash = NOTHING] = HASHES;
  const known = {
    sha256Preimages: [{ hash: sha, preimage: PREIMAGE }],
    hash160Preimages: [{ hash, preimage: PREIMAGE }],
  };
  const ready = { ...updated, inputs: updated.inputs.map((input) => ({ ...input, ...(hasPreimage && known) })) };
  const { psbt: signed } = answerRequests(
    signingRequests(ready, { publicKey: provider.publicKey }),
    keySigner(provider),
  );
  const final = finalizePsbt(signed);
  if (!final.isComplete) return undefined;
  const tx = extractTransaction(final.psbt);
  expect(verifyTransaction(tx, [coin]).isValid).toBe(true);
  return tx.inputs.reduce((sum, input) => sum + weightOf(input), 0);
}

const TERMS: readonly Terms[] = [0xffff_fffd, 9, 10, 10_000].flatMap((sequence) =>
  [0, 500].flatMap((locktime) => [true, false].map((hasPreimage) => ({ sequence, locktime, hasPreimage }))),
);

const weightOf = ({ scriptSig, witness }: Pick<TxIn, 'scriptSig' | 'witness'>): number =>
  inputWeight(spendSize(scriptSig, witness));

/** The weights of a spend by these keys: planned, and the most that a spend on these terms has. */
function plannedWeights(text: string, signers: readonly string[], { hasPreimage, ...locks }: Terms) {
  const hashes = hasPreimage ? HASHES : [];
  const planned = plan(descriptorOf(text, signers), { keys: keysOf(signers), hashes, ...locks });
  const most = plan(descriptorOf(text, []), { hashes, ...locks });
  return { planned: planned && weightOf(planned), most: most ? weightOf(most) : 0 };
}

const isHopeless = (lack: Lack): boolean => lack.kind === 'some' && lack.of.length < lack.required;

/** Lists all that a lack names. */
function namedIn(lack: Lack): { keys: Uint8Array[]; hashes: Uint8Array[]; unlocks: Set<string> } {
  switch (lack.kind) {
    case 'signature':
      return { keys: [lack.publicKey], hashes: [], unlocks: new Set() };
    case 'preimage':
      return { keys: [], hashes: [lack.hash], unlocks: new Set() };
    case 'lock':
      return { keys: [], hashes: [], unlocks: new Set([lack.of === 'older' ? 'sequence' : 'locktime']) };
    default: {
      const all = lack.of.map(namedIn);
      return {
        keys: all.flatMap(({ keys }) => keys),
        hashes: all.flatMap(({ hashes }) => hashes),
        unlocks: new Set(all.flatMap(({ unlocks }) => [...unlocks])),
      };
    }
  }
}

describe.each(TEXTS)('%s', (text) => {
  const letters = LETTERS.filter((letter) => new RegExp(`\\b${letter}\\b`).test(text));
  const terms = /older|after|sha|hash/.test(text) ? TERMS : TERMS.slice(0, 1);
  const cases = terms.flatMap((given) => subsets(letters).map((signers) => ({ given, signers })));

  test('is planned as it is spent, by any of its keys', () => {
    for (const { given, signers } of cases) {
      const actual = spentWeight(descriptorOf(text, signers), given);
      const { planned, most } = plannedWeights(text, signers, given);
      // One ECDSA signature in 128 has a shorter S.
      const isShorter = !text.startsWith('tr') && planned !== undefined && actual === planned - 1;
      const weight = isShorter ? actual : planned;
      expect({ signers, given, weight }).toEqual({ signers, given, weight: actual });
      expect(most).toBeGreaterThanOrEqual(actual ?? 0);
    }
  });

  test('says what assets lack, and suffices once they have it', () => {
    for (const { given, signers } of cases) {
      const { hasPreimage, ...locks } = given;
      const assets = { keys: keysOf(signers), hashes: hasPreimage ? HASHES : [], ...locks };
      const descriptor = descriptorOf(text, []);
      const lack = lackingAssets(descriptor, assets);
      expect(lack === undefined).toBe(plan(descriptor, assets) !== undefined);
      if (!lack || isHopeless(lack)) continue;
      const { keys, hashes, unlocks } = namedIn(lack);
      const time = Object.fromEntries(Object.entries(locks).filter(([name]) => !unlocks.has(name)));
      const more = { keys: [...assets.keys, ...keys], hashes: [...assets.hashes, ...hashes], ...time };
      expect(plan(descriptor, more)).toBeDefined();
    }
  });

  test('names those who sign', () => {
    for (const { given, signers } of cases) {
      const { hasPreimage, ...locks } = given;
      const assets = { keys: keysOf(signers), hashes: hasPreimage ? HASHES : [], ...locks };
      const planned = plan(descriptorOf(text, []), assets);
      if (!planned) continue;
      const found = LETTERS.filter((_, i) =>
        planned.signers.some((key) => formatHex(KEYS[i] ?? NOTHING).endsWith(formatHex(key))),
      );
      expect(planned.signers.length).toBe(found.length);
      // They suffice, and all of them are needed.
      expect(spentWeight(descriptorOf(text, found), given)).toBeDefined();
      for (const left of found) {
        const fewer = plan(descriptorOf(text, []), { ...assets, keys: keysOf(found.filter((each) => each !== left)) });
        expect(fewer?.signers).not.toEqual(planned.signers);
      }
    }
  });
});

test.each(['tr(musig(A,B),pk(C))', 'tr(musig(A,B,C),pk(D))'])(
  'an aggregate key of %s signs with all participants',
  (text) => {
    const participants = LETTERS.slice(0, text.includes('musig(A,B,C)') ? 3 : 2);
    const descriptor = descriptorOf(text, []);
    const planned = plan(descriptor, { keys: keysOf(participants) });
    expect(planned?.witness.map(({ length }) => length)).toEqual([64]);
    expect(planned?.signers.map(formatHex).sort()).toEqual(keysOf(participants).map(formatHex).sort());
    expect(plan(descriptor, { keys: keysOf(participants.slice(1)) })).toBeUndefined();
  },
);

test('a plan tells the locks and preimages of its way', () => {
  const text = 'wsh(or_i(and_v(v:pk(A),and_v(v:sha256(SHA),older(10))),and_v(v:pk(B),after(500))))';
  const [sha] = HASHES;
  const claim = plan(descriptorOf(text, []), { keys: keysOf(['A']), hashes: HASHES });
  expect(claim).toMatchObject({ sequence: 10, preimages: [{ name: 'sha256', hash: sha }] });
  const refund = plan(descriptorOf(text, []), { keys: keysOf(['B']) });
  expect(refund).toMatchObject({ locktime: 500, preimages: [], locks: [{ kind: 'after', lock: 500 }] });
  expect(plan(descriptorOf(text, []), { keys: keysOf(['A']) })).toBeUndefined();
});
