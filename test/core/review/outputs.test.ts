import { describe, expect, test } from 'vitest';
import { holdPsbt } from '../../../src/core/holder/owner.ts';
import { createRefutations } from '../../../src/core/holder/refutation.ts';
import { spentBy } from '../../../src/core/holder/role.ts';
import { type OutputContext, reviewOutput } from '../../../src/core/review/outputs.ts';
import { type PolicyLimits, resolveLimits } from '../../../src/core/review/policy.ts';
import { payToMultisig, payToTaproot, payToWitness, wrapInWitness } from '../../../src/core/script/build.ts';
import {
  createHolder,
  formatHex,
  hash160,
  networks,
  nobleEcc,
  OP,
  type Psbt,
  type PsbtOutput,
  parseHex,
  parsePath,
  tapLeafHash,
  tapTweakHash,
} from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import { ALICE, PAYEE, payment, review as reviewOf } from '../../support/psbts.ts';
import { SECRETS } from '../../support/spends.ts';

const NETWORK = networks.regtest;
const KEYS = SECRETS.map((secretKey) => nobleEcc.publicKey(secretKey));
const [KEY = filled(2, 33), SECOND = filled(2, 33)] = KEYS;

/** A holder of Alice's seed, who spends a coin of her BIP84 account at the index 0. */
const HOLDER = createHolder({ network: NETWORK, ecc: nobleEcc, keys: [ALICE.held] });
const COINS = reviewOf(payment(['wpkh']), { holder: HOLDER }).inputs.map(({ owner, inputIndex }) => ({
  ...{ owner, inputIndex, value: 1_000_000n },
}));

interface Given {
  readonly value?: bigint;
  readonly scriptPubKey?: Uint8Array;
  readonly output?: PsbtOutput;
  readonly limits?: Partial<PolicyLimits>;
  readonly more?: Partial<OutputContext>;
}

/** Returns the checks that find something in an output, and its review. */
function look({ value = 1_000_000n, scriptPubKey = PAYEE, output = {}, limits = {}, more = {} }: Given) {
  const psbt: Psbt = { ...payment(['wpkh']), outputs: [output] };
  const held = holdPsbt(HOLDER, psbt);
  const context: OutputContext = {
    isOpen: () => false,
    proveName: undefined,
    ...{ held, spent: spentBy(COINS), tx: { version: 2, inputs: [], outputs: [], locktime: 0 } },
    ...{ refutations: createRefutations({ held, wallets: new Set(), spendsOneKey: true }) },
    ...{ network: NETWORK, limits: resolveLimits(NETWORK, limits), firstAnchor: 0, ecc: nobleEcc },
    ...{ isFixed: true, isAllOwn: true, hasClaimedCoins: false },
    ...more,
  };
  const { review, observations } = reviewOutput({ value, scriptPubKey }, { output, outputIndex: 0 }, context);
  for (const { outputIndex, inputIndex } of observations) expect([outputIndex, inputIndex]).toEqual([0, undefined]);
  return { review, checks: observations.map(({ check }) => check) };
}

/** An output to Alice's key at a path, which it names. */
function payingTo(path: string, wrap = (key: Uint8Array): Uint8Array => payToWitness(0, hash160(key))) {
  const pubkey = ALICE.keyAt(path);
  const bip32Derivations = [{ pubkey, fingerprint: ALICE.fingerprint, path: parsePath(path) }];
  return { scriptPubKey: wrap(pubkey), output: { bip32Derivations } };
}

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
});

describe('an owner', () => {
  test('has change only if nothing can change any more', () => {
    const own = payingTo('m/84h/1h/0h/1/4');
    const account = { kind: 'account', root: 'key', place: { number: 0, chain: 1, index: 4 } };
    expect(look(own).review).toMatchObject({ owner: account, role: 'change', stays: true });
    expect(look({ ...own, more: { isFixed: false } }).review).toMatchObject({
      ...{ owner: account, role: 'change', stays: false },
    });
    expect(look({}).review).toMatchObject({ owner: { kind: 'none' }, role: 'payment', stays: false });
  });

  test('has no change at an index that wallets do not search', () => {
    expect(look(payingTo('m/84h/1h/0h/1/200'))).toMatchObject({ checks: [], review: { stays: true } });
    expect(look(payingTo('m/84h/1h/0h/1/201'))).toMatchObject({ checks: ['path-far'], review: { stays: false } });
  });

  test('has change of another kind in the account of the same number, and none without coins that are spent', () => {
    const legacy = payingTo('m/44h/1h/0h/1/0', (key) => Uint8Array.of(0x76, 0xa9, 20, ...hash160(key), 0x88, 0xac));
    expect(look(legacy)).toMatchObject({ checks: [], review: { role: 'change', stays: true } });
    const nothing = { ...legacy, more: { spent: spentBy([]) } };
    expect(look(nothing)).toMatchObject({ checks: [], review: { role: 'own', stays: false } });
  });
});

describe('an output to an own key', () => {
  test.each<[string, string, readonly string[], boolean]>([
    ['on the chain 0', 'm/84h/1h/0h/0/5', [], true],
    ['on the chain 1', 'm/84h/1h/0h/1/5', [], true],
    ['on another chain', 'm/84h/1h/0h/2/5', ['path-unusual'], false],
    ['on a hardened chain', 'm/84h/1h/0h/0h/5', ['path-unusual'], false],
    ['at a hardened index', 'm/84h/1h/0h/0/5h', ['path-unusual'], false],
    ['at the purpose of another kind', 'm/86h/1h/0h/0/5', ['path-unusual'], false],
    ['at a path of no step', 'm', ['path-unusual'], false],
    ['at a path of one step', 'm/9', ['path-unusual'], false],
    ['at a path of two steps', 'm/1/9', ['path-unusual'], false],
    ['in the account of another number', 'm/84h/1h/1h/0/5', ['account-other'], true],
    ['in an account of a high number', 'm/84h/1h/100h/0/5', ['path-far'], false],
  ])('%s', (_, path, checks, stays) => {
    expect(look(payingTo(path))).toMatchObject({ checks, review: { stays } });
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
