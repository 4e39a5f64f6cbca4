import { describe, expect, test } from 'vitest';
import { bytesKey } from '../../../src/core/bytes/compare.ts';
import type { ChangeRules } from '../../../src/core/review/change.ts';
import { type OutputContext, reviewOutput, type Spent } from '../../../src/core/review/outputs.ts';
import { type PolicyLimits, resolveLimits } from '../../../src/core/review/policy.ts';
import { payToMultisig, payToTaproot, wrapInWitness } from '../../../src/core/script/build.ts';
import {
  formatHex,
  formatPath,
  HARDENED,
  networks,
  nobleEcc,
  OP,
  type PsbtOutput,
  parseHex,
  tapLeafHash,
  tapTweakHash,
} from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { PAYEE } from '../../support/psbts.ts';
import { SECRETS } from '../../support/spends.ts';

const NETWORK = networks.regtest;
const KEYS = SECRETS.map((secretKey) => nobleEcc.publicKey(secretKey));
const [KEY = filled(2, 33), SECOND = filled(2, 33)] = KEYS;
const [ALICE, BOB] = [filled(0xa1, 4), filled(0xb0, 4)];
const OWNER = { descriptor: 0, position: 1, index: 4 };
const NONE: Spent = { kinds: new Set(['witness_v0_keyhash']), quorums: new Set(), accounts: new Map() };

/** Each wallet is that of the coins being spent, and refutes nothing. */
const HOME: ChangeRules = {
  isChange: () => true,
  walletAt: () => ({ name: '', control: 'own', hasOwnKey: true, holders: new Set(), others: new Set() }),
  refute: () => undefined,
  refuteOrigins: () => undefined,
  spendsAlone: true,
  addsStrangers: () => false,
  isSpent: () => true,
  findOwnKey: () => undefined,
  isSigning: true,
};

interface Given {
  readonly value?: bigint;
  readonly scriptPubKey?: Uint8Array;
  readonly output?: PsbtOutput;
  readonly limits?: Partial<PolicyLimits>;
  readonly more?: Partial<OutputContext>;
}

/** Returns the checks that find something in an output, and its review. */
function look({ value = 1_000_000n, scriptPubKey = PAYEE, output = {}, limits = {}, more = {} }: Given) {
  const context: OutputContext = {
    ...{
      network: NETWORK,
      limits: resolveLimits(NETWORK, limits),
      spent: NONE,
      hasDescriptors: true,
      firstAnchor: 0,
      ecc: nobleEcc,
    },
    ...{ findOwner: () => undefined, isFixed: true, change: HOME, hasClaimedCoins: false },
    ...more,
  };
  const { review, observations } = reviewOutput({ value, scriptPubKey }, { output, outputIndex: 0 }, context);
  for (const { outputIndex, inputIndex } of observations) expect([outputIndex, inputIndex]).toEqual([0, undefined]);
  return { review, checks: observations.map(({ check }) => check) };
}

const claiming = (...paths: readonly (readonly number[])[]): PsbtOutput => ({
  bip32Derivations: paths.map((path, i) => ({ pubkey: KEY, fingerprint: i % 2 === 0 ? ALICE : BOB, path })),
});

describe('an amount', () => {
  test.each<[string, Given, readonly string[]]>([
    ['of nothing', { value: 0n }, ['dust']],
    ['below the dust limit', { value: 293n }, ['dust']],
    ['at the dust limit', { value: 294n }, []],
    ['below 0', { value: -1n }, ['amount-impossible']],
    ['of all coins', { value: NETWORK.maxMoney }, []],
    ['above all coins', { value: NETWORK.maxMoney + 1n }, ['amount-impossible']],
    ['that is destroyed', { value: 1n, scriptPubKey: Uint8Array.of(OP.RETURN) }, ['burn']],
    ['of nothing beside data', { value: 0n, scriptPubKey: Uint8Array.of(OP.RETURN) }, []],
    ['that is given away', { value: 10_000n, scriptPubKey: Uint8Array.of(0x51) }, ['anyone-can-spend']],
    ['of nothing that is given away', { value: 0n, scriptPubKey: Uint8Array.of(0x51) }, ['dust']],
    ['of an anchor', { value: 2400n, scriptPubKey: parseHex('51024e73') }, []],
    ['above that of an anchor', { value: 2401n, scriptPubKey: parseHex('51024e73') }, ['anyone-can-spend']],
  ])('%s', (_, given, checks) => {
    expect(look(given).checks).toEqual(checks);
  });

  /** @see Bitcoin Core `GetDustThreshold` */
});

describe('an owner', () => {
  test('is verified change only if nothing can change any more', () => {
    const findOwner = () => OWNER;
    expect(look({ more: { findOwner } }).review).toMatchObject({ verifiedOwner: OWNER, verifiedChange: OWNER });
    const open = look({ more: { findOwner, isFixed: false } }).review;
    expect(open).toMatchObject({ verifiedOwner: OWNER });
    expect(open).not.toHaveProperty('verifiedChange');
    expect(look({}).review).not.toHaveProperty('verifiedOwner');
  });

  test('at an index that wallets do not search is unusual', () => {
    const findOwner = () => OWNER;
    expect(look({ limits: { maxIndex: 4 }, more: { findOwner } }).checks).toEqual([]);
    expect(look({ limits: { maxIndex: 3 }, more: { findOwner } }).checks).toEqual(['path-unusual']);
  });

  test('of a kind that no input has is unusual', () => {
    const spent = { ...NONE, kinds: new Set(['pubkeyhash']) };
    expect(look({ more: { spent, findOwner: () => OWNER } }).checks).toEqual(['path-unusual']);
    expect(look({ more: { spent } }).checks).toEqual([]);
  });
});

describe('a claim to be change', () => {
  const accounts = new Map([[bytesKey(ALICE), new Set([formatPath([84 + HARDENED])])]]);
  const spent: Spent = { ...NONE, accounts };
  const looked = (path: readonly number[], limits: Partial<PolicyLimits> = {}) =>
    look({ output: claiming(path), limits, more: { spent } }).checks;
  const PURPOSE = 84 + HARDENED;

  test.each<[string, readonly number[], readonly string[]]>([
    ['on the chain 0', [PURPOSE, 0, 5], []],
    ['on the chain 1', [PURPOSE, 1, 5], []],
    ['on another chain', [PURPOSE, 2, 5], ['path-unusual']],
    ['on a hardened chain', [PURPOSE, HARDENED, 5], ['path-unusual']],
    ['at a hardened index', [PURPOSE, 0, HARDENED + 5], ['path-unusual']],
    ['in another account', [PURPOSE + 1, 0, 5], ['path-unusual']],
  ])('%s', (_, path, checks) => {
    const unverified = ['change-unverified', ...checks];
    expect(looked(path)).toEqual(unverified);
    // Without a limit, hardened steps are still unusual.
    expect(looked(path, { maxIndex: Number.POSITIVE_INFINITY })).toEqual(unverified);
  });

  test('of a short path, or by a key of no input, is judged by its index alone', () => {
    const short = (path: readonly number[]) => look({ output: claiming(path), limits: { maxIndex: 9 } }).checks;
    expect([[], [9], [10], [1, 9], [2, 9]].map((path) => short(path).includes('path-unusual'))).toEqual([
      ...[false, false, true, false, true],
    ]);
  });

  test('pays to a quorum that an input has: the numbers, and the fingerprints in any order', () => {
    const script = payToMultisig(1, [KEY, SECOND]);
    const quorums = new Set(['1 of 2: a1a1a1a1,b0b0b0b0']);
    const kinds = new Set(['witness_v0_scripthash']);
    const given = (output: PsbtOutput, of = script) =>
      look({
        scriptPubKey: wrapInWitness(of),
        output: { ...output, witnessScript: of },
        more: { spent: { ...NONE, quorums, kinds } },
      }).checks;
    expect(given(claiming([0, 1], [0, 1]))).toEqual(['change-unverified']);
    expect(given({ bip32Derivations: [...(claiming([0, 1], [0, 1]).bip32Derivations ?? [])].reverse() })).toEqual([
      'change-unverified',
    ]);
    expect(given(claiming([0, 1]))).toEqual(['change-unverified', 'quorum-mixed']);
    expect(given(claiming([0, 1], [0, 1]), payToMultisig(2, [KEY, SECOND]))).toContain('quorum-mixed');
    expect(given({}, payToMultisig(2, [KEY, SECOND]))).toEqual([]);
  });
});

describe('the scripts of an output', () => {
  const internal = KEY.slice(1);
  const leaf = { depth: 0, leafVersion: 0xc0, script: parseHex(`20${formatHex(SECOND.slice(1))}ac`) };
  const tweak = tapTweakHash(internal, tapLeafHash(leaf.script));
  const scriptPubKey = payToTaproot(nobleEcc.tweakPublicKey(internal, tweak)?.publicKey ?? internal);
  const checksOf = (output: PsbtOutput): readonly string[] => look({ scriptPubKey, output }).checks;

  test('are an internal key and a tree that lead to the output key', () => {
    const records = { tapInternalKey: internal, tapTree: [leaf] };
    expect(checksOf(records)).toEqual([]);
    expect(checksOf({ ...records, tapInternalKey: SECOND.slice(1) })).toEqual(['taproot-mismatch']);
    expect(checksOf({ ...records, tapTree: [{ ...leaf, script: Uint8Array.of(0x52) }] })).toEqual(['taproot-mismatch']);
    expect([checksOf({ tapInternalKey: SECOND.slice(1) }), checksOf({ tapTree: [] })]).toEqual([[], []]);
    expect(look({ output: { ...records, tapInternalKey: SECOND.slice(1) } }).checks).toEqual([]);
  });

  test('are those that it pays to', () => {
    const witnessScript = payToMultisig(1, [KEY]);
    expect(look({ scriptPubKey: wrapInWitness(witnessScript), output: { witnessScript } }).checks).toEqual([]);
    const other = wrapInWitness(payToMultisig(1, [SECOND]));
    expect(look({ scriptPubKey: other, output: { witnessScript } }).checks).toEqual(['script-mismatch']);
  });
});
