import { describe, expect, test } from 'vitest';
import { heldKeyFrom } from '../../src/core/holder/heldKey.ts';
import { wrapInScriptHash, wrapInWitness } from '../../src/core/script/build.ts';
import { tapTreeRoot, tapTweakHash, UNSPENDABLE_KEY } from '../../src/core/script/tapTree.ts';
import { expectFinding } from '../support/expectFinding.ts';
import { textsOf } from '../support/findingTexts.ts';
import {
  addInput,
  addOutput,
  concatBytes,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatReview,
  hash160,
  type KeyOrigin,
  networks,
  nobleEcc,
  OP,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  type PsbtReview,
  parseHex,
  parsePath,
  parseTxid,
  removeInput,
  sha256,
} from '../support/library.ts';
import {
  ALICE,
  BOB,
  MALLORY,
  make,
  PAYEE,
  parse,
  payment,
  review,
  type SignerFacts,
  scriptAt,
  sign,
  signatureCount,
  verdictsOf,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../support/psbts.ts';
import { expectRefusal } from '../support/refusal.ts';

/** Attacks with fees, amounts, change, locks and outputs; the numbers are those of docs/safety.md. */

const SEED = [ALICE.held];
const push = (data: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(data.length), data);
const keyHash = (key: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0), push(hash160(key)));
const scriptHash = (script: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0), push(sha256(script)));

/** Makes a payment whose output 1 pays to another script and has other records. */
const changeTo = (name: WalletName, script: Uint8Array, records: PsbtOutput): Psbt =>
  withOutput(payment([name]), 1, ({ amount }) => ({ ...(amount !== undefined && { amount }), script, ...records }));
const originOf = (fingerprint: Uint8Array, path: string): KeyOrigin => ({ fingerprint, path: parsePath(path) });

describe('13. an excessive fee', () => {
  const paying = (fee: bigint, paid = 1_000_000n): Psbt =>
    make({ inputs: [{ of: WALLETS.wpkh, value: paid + fee }], outputs: [{ to: PAYEE, value: paid }] });
  const anyRate = { limits: { warnFeeRate: Number.POSITIVE_INFINITY, maxFeeRate: Number.POSITIVE_INFINITY } };

  test('is found by its share of the payments', () => {
    expect(verdictsOf(paying(50_000n), anyRate)).toEqual([]);
    expect(expectFinding(paying(50_001n), 'fee-high', anyRate).text).toContain('5.0 % of the payments');
    expect(verdictsOf(paying(250_000n), anyRate)).toEqual(['fee-high: warn']);
    expect(expectFinding(paying(250_001n), 'fee-absurd', anyRate).text).toContain('25.0 % of the payments');
  });

  test('is not found by the share if it is small', () => {
    expect(verdictsOf(paying(10_000n, 20_000n))).toEqual([]);
    expect(verdictsOf(paying(10_001n, 20_000n))).toEqual(['fee-high: warn']);
    expect(verdictsOf(paying(100_000n, 20_000n), anyRate)).toEqual(['fee-high: warn']);
    expect(verdictsOf(paying(100_001n, 20_000n), anyRate)).toEqual(['fee-absurd: refuse']);
  });

  test('is found by its share of the coins where all of it stays', () => {
    const sweep = (fee: bigint): Psbt =>
      make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: WALLETS.wpkh, value: 1_000_000n - fee }] });
    const facts = { ...anyRate, descriptors: [parse(WALLETS.wpkh)] };
    expect(verdictsOf(sweep(50_000n), facts)).toEqual([]);
    expect(expectFinding(sweep(50_001n), 'fee-high', facts).text).toContain('5.0 % of the coins');
    expect(expectFinding(sweep(250_001n), 'fee-absurd', facts).text).toContain('25.0 % of the coins');
  });

  test('is found by its rate', () => {
    const psbt = paying(150_000n, 100_000_000n);
    expect(expectFinding(psbt, 'fee-absurd').text).toMatch(/^The fee of 0\.00150000 BTC is \d+ sat\/vB, above 1000\.$/);
    expect(expectFinding(paying(90_000n, 100_000_000n), 'fee-high').text).toMatch(
      /^The fee of 0\.00090000 BTC is \d+ sat\/vB, above 300\.$/,
    );
    expect(verdictsOf(paying(30_000n, 100_000_000n))).toEqual([]);
  });

  test('is found by its amount', () => {
    expect(verdictsOf(paying(500_000n, 100_000_000n), anyRate)).toEqual([]);
    expect(expectFinding(paying(500_001n, 100_000_000n), 'fee-high', anyRate).text).toBe('The fee is 0.00500001 BTC.');
  });

  test('is the opposite of one that no node relays, which is warned of unless a child may pay', () => {
    expect(verdictsOf(paying(12n))).toEqual([]);
    expect(expectFinding(paying(9n), 'fee-low').text).toContain('no node relays it');
    const bumped = (txVersion: number): Psbt =>
      make({
        inputs: [{ of: WALLETS.wpkh }],
        outputs: [
          { to: PAYEE, value: 1_000_000n },
          { to: parseHex('51024e73'), value: 0n },
        ],
        txVersion,
      });
    expect(verdictsOf(bumped(3))).toEqual([]);
    expect(verdictsOf(bumped(2))).toEqual(['fee-low: warn']);
  });

  test('is found by its rate, even if another input holds a huge witness', () => {
    const inputs = [{ of: WALLETS.wpkh, value: 100_000_000n }, { of: WALLETS.tr }];
    const psbt = make({ inputs, outputs: [{ to: PAYEE, value: 92_000_000n }] });
    const padded = withInput(psbt, 1, (input) => ({
      ...without(input, 'nonWitnessUtxo', 'witnessUtxo'),
      finalScriptWitness: [new Uint8Array(400_000)],
    }));
    expect(expectFinding(padded, 'fee-absurd').text).toMatch(
      /^The fee of at least 0\.08000000 BTC is up to \d+ sat\/vB/,
    );
    expect(review(padded).vsize).toBeUndefined();
  });

  test('is permitted by the policy or by other limits', () => {
    const psbt = paying(150_000n);
    expect(verdictsOf(psbt, { policy: { 'fee-absurd': 'warn' } })).toEqual(['fee-absurd: warn']);
    const { psbt: signed } = sign(psbt, { policy: { 'fee-absurd': 'warn' } });
    expect(extractTransaction(finalizePsbt(signed).psbt).outputs).toHaveLength(1);
    const limits = { maxFeePercent: 20, warnFeePercent: 20, maxFeeRate: 2000, warnFeeRate: 2000 };
    expect(verdictsOf(psbt, { limits })).toEqual([]);
    expect(signatureCount(sign(psbt, { limits }).psbt)).toBe(1);
    expect(verdictsOf(paying(10_000n), { limits: { maxFeeRate: 20 } })).toEqual(['fee-absurd: refuse']);
    expect(verdictsOf(paying(10_000n), { network: { ...networks.regtest, maxFeeRate: 20 } })).toEqual([
      'fee-absurd: refuse',
    ]);
  });
});

describe('14. impossible amounts are refused', () => {
  const TOO_MUCH = 2_100_000_000_000_001n;
  const paid = (...values: readonly bigint[]): Psbt => {
    const outputs = values.map((value) => ({ to: PAYEE, value }));
    return make({ inputs: [{ of: WALLETS.wpkh }], outputs });
  };

  test('if the outputs exceed the inputs', () => {
    expect(expectFinding(paid(600_000n, 400_001n), 'fee-negative').text).toBe(
      'The transaction pays 0.00000001 BTC more than it spends.',
    );
    expect(verdictsOf(paid(600_000n, 399_000n))).toEqual([]);
  });

  test('if an output, a coin or a sum exceeds the money supply', () => {
    expect(expectFinding(paid(TOO_MUCH), 'amount-impossible')).toMatchObject({ outputIndex: 0 });
    expectFinding(paid(TOO_MUCH - 1n, 1n), 'amount-impossible');
    const rich = make({ inputs: [{ of: WALLETS.wpkh, value: TOO_MUCH }], outputs: [{ to: PAYEE, value: 1n }] });
    expectFinding(rich, 'amount-impossible');
    const half = { of: WALLETS.wpkh, value: TOO_MUCH - 1n };
    expectFinding(make({ inputs: [half, { ...half, index: 1 }], outputs: [] }), 'amount-impossible');
    expectFinding(paid(-1n), 'amount-impossible');
  });
});

describe('15. false change', () => {
  const stolen = MALLORY.keyAt('m/84h/1h/0h/1/0');
  const asAlice = originOf(ALICE.fingerprint, 'm/84h/1h/0h/1/0');

  test('a foreign key with a false origin', () => {
    const psbt = changeTo('wpkh', keyHash(stolen), { bip32Derivations: [{ pubkey: stolen, ...asAlice }] });
    const lies = [
      [WALLETS.wpkh, 'your key at [58be68cb/84h/1h/0h/1/0] is another one'],
      [`wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*)`, 'descriptor 1 has another script at index 0'],
    ] as const;
    for (const [text, lie] of lies) {
      const descriptors = [parse(text)];
      expect(expectFinding(psbt, 'change-refuted', { descriptors }).text).toBe(
        `Output 1 claims to be yours, which is false: ${lie}. The money would go to a stranger.`,
      );
      expectFinding(psbt, 'key-contradicted', { descriptors });
      const { outputs, leaves, stays } = review(psbt, { descriptors });
      expect(outputs[1]).toMatchObject({ role: 'payment', stays: false });
      expect([leaves, stays]).toEqual([1_000_000n, 0n]);
    }
    expect(expectFinding(psbt, 'change-unverified').text).toContain('no key or wallet is at hand to verify it');
  });

  test('an own key next to a foreign script', () => {
    const own = ALICE.keyAt('m/84h/1h/0h/1/0');
    const psbt = changeTo('wpkh', keyHash(stolen), { bip32Derivations: [{ pubkey: own, ...asAlice }] });
    expectFinding(psbt, 'change-refuted', { descriptors: [parse(WALLETS.wpkh)] });
  });

  test('an own witness script next to a foreign script', () => {
    const own = payment(['multi']).outputs[1] ?? {};
    const other = scriptHash(Uint8Array.of(OP['1']));
    const psbt = withOutput(payment(['multi']), 1, (output) => ({ ...output, ...own, script: other }));
    expectFinding(psbt, 'change-refuted', { descriptors: [parse(WALLETS.multi)] });
  });

  test('an own key that the output does not pay to, seen by the seed alone', () => {
    const own = ALICE.keyAt('m/84h/1h/0h/1/0');
    const lies: readonly (readonly [string, Psbt])[] = [
      ['is not in its script', changeTo('wpkh', keyHash(stolen), { bip32Derivations: [{ pubkey: own, ...asAlice }] })],
      ['is another one', changeTo('wpkh', keyHash(stolen), { bip32Derivations: [{ pubkey: stolen, ...asAlice }] })],
      [
        'does not pay to your key',
        changeTo('wpkh', scriptHash(own), { bip32Derivations: [{ pubkey: own, ...asAlice }] }),
      ],
    ];
    for (const [text, psbt] of lies) {
      expect(expectFinding(psbt, 'change-refuted', { keys: SEED }).text).toContain(text);
    }
    const { findings, outputs } = review(payment(['wpkh']), { keys: SEED });
    expect(findings).toEqual([]);
    expect(outputs[1]).toMatchObject({ role: 'change', stays: true, owner: { kind: 'account', root: 'key' } });
  });

  const path = 'm/48h/1h/0h/1/0';
  const quorumOf = (required: number, ...keys: readonly Uint8Array[]): Uint8Array =>
    concatBytes(Uint8Array.of(0x50 + required), ...keys.map(push), Uint8Array.of(0x50 + keys.length, OP.CHECKMULTISIG));
  const derivationsOf = (...keys: readonly (readonly [Uint8Array, Uint8Array])[]) =>
    keys.map(([pubkey, fingerprint]) => ({ pubkey, ...originOf(fingerprint, path) }));
  const alice = ALICE.keyAt(path);
  const bob = BOB.keyAt(path);
  const mallory = MALLORY.keyAt(path);

  test.each([
    [
      'with another cosigner',
      quorumOf(2, alice, mallory),
      derivationsOf([alice, ALICE.fingerprint], [mallory, MALLORY.fingerprint]),
    ],
    [
      'with a lower threshold',
      quorumOf(1, alice, bob),
      derivationsOf([alice, ALICE.fingerprint], [bob, BOB.fingerprint]),
    ],
    [
      'with one more cosigner',
      quorumOf(2, alice, bob, mallory),
      derivationsOf([alice, ALICE.fingerprint], [bob, BOB.fingerprint], [mallory, MALLORY.fingerprint]),
    ],
  ])('a foreign quorum: %s', (_, witnessScript, bip32Derivations) => {
    const psbt = changeTo('multi', scriptHash(witnessScript), { witnessScript, bip32Derivations });
    const descriptors = [parse(WALLETS.multi)];
    expectFinding(psbt, 'change-refuted', { descriptors });
    expect(review(psbt, { descriptors }).outputs[1]).toMatchObject({ role: 'payment', stays: false });
    // Without the wallet file, nothing tells which quorum is right.
    for (const facts of [{}, { keys: SEED }]) {
      expectFinding(psbt, 'change-unverified', facts);
      expect(review(psbt, facts).outputs[1]).toMatchObject({ role: 'payment', stays: false });
    }
  });

  test('a foreign cosigner with a false origin', () => {
    const witnessScript = quorumOf(2, alice, mallory);
    const bip32Derivations = derivationsOf([alice, ALICE.fingerprint], [mallory, BOB.fingerprint]);
    const psbt = changeTo('multi', scriptHash(witnessScript), { witnessScript, bip32Derivations });
    expectFinding(psbt, 'change-refuted', { descriptors: [parse(WALLETS.multi)] });
  });

  test.each([
    [
      'one key',
      WALLETS.wpkh,
      `wsh(multi(1,${ALICE.xpub('m/84h/1h/0h')}/2/*,${MALLORY.xpub('m/84h')}/2/*))`,
      'names your key at [58be68cb/84h/1h/0h/2/0], but does not pay to it alone',
    ],
    [
      'a quorum',
      WALLETS.multi,
      `wsh(sortedmulti(2,${ALICE.xpub('m/48h/1h/0h')}/2/*,${MALLORY.xpub('m/48h')}/2/*))`,
      'descriptor 1 has another script on chain 2 at index 0',
    ],
  ])('on a chain that the wallet of %s does not have', (_, wallet, evil, text) => {
    const psbt = make({
      inputs: [{ of: wallet }],
      outputs: [{ to: evil.replaceAll('/2/*', '/<3;2>/*'), value: 998_000n }],
    });
    expect(expectFinding(psbt, 'change-refuted', { descriptors: [parse(wallet)] }).text).toContain(text);
    // A file may lack the chain of its wallet's change: the one for receiving implies it.
    const honest = make({ inputs: [{ of: wallet }], outputs: [{ to: wallet, value: 998_000n }] });
    const { findings, outputs } = review(honest, { descriptors: [parse(wallet.replaceAll('<0;1>', '0'))] });
    expect(findings).toEqual([]);
    expect(outputs[0]).toMatchObject({ role: 'change', stays: true });
  });

  test('on two chains that the wallet does not have, each of which is named', () => {
    const evil = `wsh(multi(1,${ALICE.xpub('m/84h/1h/0h')}/<3;2>/*,${MALLORY.xpub('m/84h')}/<3;2>/*))`;
    const outputs = [evil, evil.replaceAll('<3;2>', '<2;3>')].map((to) => ({ to, value: 400_000n }));
    const { findings } = review(make({ inputs: [{ of: WALLETS.wpkh }], outputs }), {
      descriptors: [parse(WALLETS.wpkh)],
      policy: { 'change-refuted': 'warn' },
    });
    expect(findings.filter(({ check }) => check === 'change-refuted')).toHaveLength(2);
  });

  test.each([
    ['a hardened chain', "/<2';3'>/*"],
    ['one step more', '/0/<1;2>/*'],
    ['one step less', '/*'],
  ])('in the account of the coins, at %s', (_, steps) => {
    const evil = `wsh(sortedmulti(2,${ALICE.xprv('m/48h/1h/0h')}${steps},${MALLORY.xpub('m/48h')}/<2;3>/*))`;
    const psbt = make({ inputs: [{ of: WALLETS.multi }], outputs: [{ to: evil, value: 998_000n }] });
    expectFinding(psbt, 'change-refuted', { descriptors: [parse(WALLETS.multi)] });
  });

  test('under no fingerprint: at a path of the wallet, and on another chain', () => {
    const unnamed = (psbt: Psbt): Psbt =>
      withOutput(psbt, 0, ({ bip32Derivations = [], ...output }) => ({
        ...output,
        bip32Derivations: bip32Derivations.map((claim) => ({ ...claim, fingerprint: new Uint8Array(4) })),
      }));
    for (const steps of ['/<0;1>/*', '/<3;2>/*']) {
      const evil = `wsh(multi(1,${ALICE.xpub('m/84h/1h/0h')}${steps},${MALLORY.xpub('m/84h')}${steps}))`;
      const psbt = unnamed(make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: evil, value: 998_000n }] }));
      expectFinding(psbt, 'change-refuted', { descriptors: [parse(WALLETS.wpkh)] });
    }
  });

  test('is not on other chains below each of two that are not the last step', () => {
    const wallet = `wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/7/*)`;
    const outputs = ['<1;0>/5', '<0;1>/5'].map((chain) => ({ to: wallet.replace('<0;1>/7', chain), value: 400_000n }));
    const { findings } = review(make({ inputs: [{ of: wallet }], outputs }), {
      descriptors: [parse(wallet)],
    });
    expect(findings.map(({ check }) => check)).not.toContain('change-refuted');
  });

  test('is not on a chain that files of several kinds of script lack', () => {
    const key = ALICE.xpub('m/84h/1h/0h');
    const kinds = [`wpkh(${key}/<0;1>/*)`, `sh(wpkh(${key}/<0;1>/*))`];
    for (const to of kinds) {
      const psbt = make({
        inputs: kinds.map((of, index) => ({ of, index })),
        outputs: [{ to, index: 5, value: 1_990_000n }],
      });
      const descriptors = kinds.map((kind) => parse(kind.replaceAll('<0;1>', '0')));
      expect(verdictsOf(psbt, { descriptors })).not.toContain('change-refuted: refuse');
    }
  });

  test('does not include own change', () => {
    for (const name of ['wpkh', 'multi', 'tr', 'tree'] as const) {
      const psbt = payment([name]);
      expect(verdictsOf(psbt, { descriptors: [parse(WALLETS[name])] })).toEqual([]);
    }
  });
});

describe('16. change at an unusual path', () => {
  const claimed = (path: string): Psbt => {
    const pubkey = ALICE.keyAt(path);
    return changeTo('wpkh', keyHash(pubkey), { bip32Derivations: [{ pubkey, ...originOf(ALICE.fingerprint, path) }] });
  };

  test.each([
    ['an index beyond all gaps', 'm/84h/1h/0h/1/100001', 'path-far'],
    ['the first index that is too far', 'm/84h/1h/0h/1/201', 'path-far'],
    ['the last index', 'm/84h/1h/0h/1/2147483647', 'path-far'],
    ['an account that no wallet searches', 'm/84h/1h/100h/1/0', 'path-far'],
    ['a hardened index', 'm/84h/1h/0h/1/5h', 'path-unusual'],
    ['a hardened chain', 'm/84h/1h/0h/1h/5', 'path-unusual'],
    ['a chain that is neither 0 nor 1', 'm/84h/1h/0h/2/5', 'path-unusual'],
    ['the purpose of another script', 'm/44h/1h/0h/1/0', 'path-unusual'],
    ['another coin', 'm/84h/2h/0h/1/0', 'path-unusual'],
    ['one step with a huge index', 'm/2147483647', 'path-unusual'],
    ['another account', 'm/84h/1h/7h/1/0', 'account-other'],
  ] as const)('%s', (_, path, check) => {
    expect(expectFinding(claimed(path), check, { keys: SEED })).toMatchObject({ outputIndex: 1 });
    const { outputs, leaves } = review(claimed(path), { keys: SEED });
    const stays = check === 'account-other';
    expect(outputs[1]).toMatchObject({ role: 'own', stays });
    expect(leaves).toBe(stays ? 402_000n : 1_000_000n);
  });

  test('does not include usual paths with an index near one that is spent', () => {
    for (const path of ['m/84h/1h/0h/1/0', 'm/84h/1h/0h/0/99', 'm/84h/1h/0h/1/200']) {
      expect(verdictsOf(claimed(path), { keys: SEED })).toEqual([]);
      expect(review(claimed(path), { keys: SEED }).outputs[1]).toMatchObject({ role: 'change', stays: true });
      // Without the seed, the claim is not verified.
      expect(verdictsOf(claimed(path))).toEqual(['change-unverified: warn']);
    }
  });

  test('is warned of even if a descriptor derives it', () => {
    const outputs = [{ to: WALLETS.wpkh, index: 0x7fff_ffff, value: 999_000n }];
    const psbt = make({ inputs: [{ of: WALLETS.wpkh }], outputs });
    const descriptors = [parse(WALLETS.wpkh)];
    expect(review(psbt, { descriptors }).outputs[0]).toMatchObject({
      ...{ owner: { kind: 'account', place: { index: 0x7fff_ffff } }, role: 'own', stays: false },
    });
    expectFinding(psbt, 'path-far', { descriptors });
  });

  test('does not include another script type of the same account', () => {
    const psbt = make({ inputs: [{ of: WALLETS.tr }], outputs: [{ to: WALLETS.pkh, value: 990_000n }] });
    expect(verdictsOf(psbt, { descriptors: [parse(WALLETS.tr), parse(WALLETS.pkh)] })).toEqual([]);
    expect(verdictsOf(psbt, { keys: SEED })).toEqual([]);
  });
});

describe('24. locktime, sequences and versions', () => {
  const FINAL = 0xffff_ffff;
  const locked = (locktime: number, sequence: number, txVersion = 2): Psbt =>
    make({
      inputs: [{ of: WALLETS.wpkh, sequence }],
      outputs: [{ to: PAYEE, value: 990_000n }],
      locktime,
      txVersion,
    });

  test('a locktime that final sequences disable', () => {
    expectFinding(locked(800_000, FINAL), 'locktime-unusual');
    expect(review(locked(800_000, FINAL)).lockedUntil).toEqual({ kind: 'none' });
    expect(verdictsOf(locked(800_000, FINAL - 1))).toEqual([]);
    expect(review(locked(800_000, FINAL - 1))).toMatchObject({
      lockedUntil: { kind: 'height', value: 800_000 },
      isReplaceable: false,
    });
    expect(review(locked(1_700_000_000, FINAL - 2))).toMatchObject({
      lockedUntil: { kind: 'time', value: 1_700_000_000 },
      isReplaceable: true,
    });
  });

  test('a locktime that cannot be the current height', () => {
    for (const locktime of [1_500_001, 499_999_999, 500_000_000, 1_700_000_000, 0xffff_ffff]) {
      expect(verdictsOf(locked(locktime, FINAL - 2))).toEqual(['locktime-unusual: warn']);
    }
    expect(expectFinding(locked(0xffff_ffff, FINAL - 2), 'locktime-unusual').text).toBe(
      'The transaction cannot be mined before 2106-02-07 06:28:15 UTC: if you pay again from other coins meanwhile, you pay twice.',
    );
    // Wallets lock a transaction to the current height, or to one a little lower.
    for (const locktime of [1, 800_000, 1_500_000]) expect(verdictsOf(locked(locktime, FINAL - 1))).toEqual([]);
    const limits = { maxLockHeight: 799_999 };
    expect(verdictsOf(locked(800_000, FINAL - 1), { limits })).toEqual(['locktime-unusual: warn']);
    expect(verdictsOf(locked(799_999, FINAL - 1), { limits })).toEqual([]);
    expect(verdictsOf(locked(4_000_000, FINAL - 1), { network: networks.litecoin })).not.toContain(
      'locktime-unusual: warn',
    );
  });

  test('a locktime that an input requires', () => {
    const requiring = (lock: PsbtInput): Psbt => withInput(locked(0, FINAL - 1), 0, (input) => ({ ...input, ...lock }));
    const requiredTimeLocktime = 1_700_000_000;
    for (const lock of [{ requiredHeightLocktime: 800_000 }, { requiredTimeLocktime }]) {
      expectFinding(requiring(lock), 'locktime-unusual');
    }
  });

  test('a relative lock, which delays a transaction as well', () => {
    expectFinding(locked(0, 0xffff), 'locktime-unusual');
    expectFinding(locked(0, (1 << 22) | 0xffff), 'locktime-unusual');
    // Bit 31 disables it, and so does version 1 (BIP68).
    expect(verdictsOf(locked(0, FINAL - 2))).toEqual([]);
    expect(verdictsOf(locked(0, 0xffff, 1))).toEqual([]);
  });

  test('a coin whose every way to spend waits for a lock that the transaction does not meet', () => {
    const key = `${ALICE.xpub('m/48h')}/<0;1>/*`;
    const spend = (script: string, rest: { locktime?: number; sequence?: number; txVersion?: number } = {}): Psbt => {
      const { sequence = FINAL - 2, ...more } = rest;
      return make({ inputs: [{ of: script, sequence }], outputs: [{ to: PAYEE, value: 998_000n }], ...more });
    };
    const late = `wsh(and_v(v:pk(${key}),after(900000)))`;
    const old = `wsh(and_v(v:pk(${key}),older(144)))`;
    const start = 'No signature completes input 0: its coin can be spent only';
    const rest = ', and the transaction does not say that it waits. Create it again with';
    const rows: readonly (readonly [Psbt, string])[] = [
      [spend(late), `after block 900000${rest} a locktime of at least 900000.`],
      [spend(late, { locktime: 899_999 }), `after block 900000${rest} a locktime of at least 900000.`],
      [
        spend(late, { locktime: 900_000, sequence: FINAL }),
        `after block 900000${rest} a sequence below 4294967295 in this input.`,
      ],
      [spend(old), `after 144 blocks${rest} a sequence of 144 in this input.`],
      [spend(old, { sequence: 143 }), `after 144 blocks${rest} a sequence of 144 in this input.`],
      [
        spend(old, { sequence: 144, txVersion: 1 }),
        `after 144 blocks${rest} version 2 and a sequence of 144 in this input.`,
      ],
      [
        spend(`wsh(and_v(v:and_v(v:pk(${key}),older(144)),after(900000)))`),
        `after 144 blocks and after block 900000${rest} a sequence of 144 in this input and a locktime of at least 900000.`,
      ],
      [
        spend(`wsh(or_i(and_v(v:pk(${key}),older(1000)),and_v(v:pkh(${BOB.xpub('m/48h')}/<0;1>/*),older(144))))`),
        `after 144 blocks${rest} a sequence of 144 in this input.`,
      ],
    ];
    for (const [psbt, text] of rows) {
      expect(expectFinding(psbt, 'lock-unmet').text).toBe(`${start} ${text}`);
      expect(formatReview(review(psbt))).toMatch(/^Mined {4}never: the transaction does not meet/m);
    }
    const met = [
      spend(late, { locktime: 900_000 }),
      spend(old, { sequence: 144 }),
      spend(`wsh(or_d(pk(${key}),and_v(v:pkh(${BOB.xpub('m/48h')}/<0;1>/*),older(144))))`),
    ];
    for (const psbt of met) expect(verdictsOf(psbt)).not.toContain('lock-unmet: warn');
  });

  test('a version that nodes do not relay', () => {
    for (const txVersion of [0, 4, 0xffff_ffff]) expectFinding(locked(0, FINAL, txVersion), 'version-unusual');
    for (const txVersion of [1, 2, 3]) expect(verdictsOf(locked(0, FINAL, txVersion))).toEqual([]);
  });

  test('required locktimes that exclude each other', () => {
    const psbt = payment(['wpkh', 'wpkh']);
    const torn = {
      ...psbt,
      inputs: psbt.inputs.map((input, i) => ({
        ...input,
        ...(i === 0 ? { requiredHeightLocktime: 800_000 } : { requiredTimeLocktime: 1_700_000_000 }),
      })),
    };
    for (const run of [
      () => review(torn),
      () => sign(torn),
      () => finalizePsbt(torn),
      () => extractTransaction(torn),
    ]) {
      expectRefusal(run, 'psbt/locktime-conflict', { inputIndex: 1 });
    }
  });

  test('inputs and outputs change only as far as BIP370 permits', () => {
    const outpoint = { txid: parseTxid('99'.repeat(32)), vout: 0 };
    const fixed = payment(['wpkh']);
    expectRefusal(() => addInput(fixed, outpoint), 'psbt/not-modifiable', { reason: 'inputs' });
    expectRefusal(() => addOutput(fixed, { value: 1n, scriptPubKey: PAYEE }), 'psbt/not-modifiable', {
      reason: 'outputs',
    });
    const open = { ...fixed, global: { ...fixed.global, txModifiable: 0b011 } };
    expect(addInput(open, outpoint).inputs).toHaveLength(2);
    const { psbt: signed } = sign(open);
    expect(signatureCount(signed)).toBe(1);
    // BIP370 "Signer": a signature clears the flags of the changes that it forbids.
    expect(signed.global.txModifiable).toBe(0);
    expect(sign(open, { sighashType: 0x82 }).psbt.global.txModifiable).toBe(0b011);
    expect(sign(open, { sighashType: 0x83 }).psbt.global.txModifiable).toBe(0b101);
    expectRefusal(() => addOutput(signed, { value: 1n, scriptPubKey: PAYEE }), 'psbt/not-modifiable', {
      reason: 'outputs',
    });
    expectRefusal(() => removeInput(signed, 0), 'psbt/not-modifiable', { reason: 'inputs' });
  });
});

describe('26. silent payments', () => {
  const keys = { scanKey: ALICE.keyAt('m/352h/0'), spendKey: ALICE.keyAt('m/352h/1') };
  const findingsOf = (psbt: Psbt): readonly string[] =>
    review(psbt).findings.map(({ check, action }) => `${check}: ${action}`);

  test('are refused if nothing proves that the script is that of the address, whatever the policy', () => {
    const psbt = withOutput(payment(['tr']), 0, (output) => ({ ...output, spV0Info: keys }));
    expect(findingsOf(psbt)).toContain('silent-payment-unproven: refuse');
    const policy = { 'silent-payment-unproven': 'allow' } as const;
    expectRefusal(() => sign(psbt, { policy }), 'psbt/silent-payment', {
      outputIndex: 0,
      reason: 'share',
      inputIndex: 0,
    });
  });

  test('are refused if their proof is false', () => {
    const record = { scanKey: keys.scanKey, share: keys.spendKey };
    const psbt = withOutput(payment(['tr']), 0, (output) => ({ ...output, spV0Info: keys }));
    const proofs = [{ scanKey: keys.scanKey, proof: new Uint8Array(64).fill(1) }];
    const shared = { ...psbt, global: { ...psbt.global, spEcdhShares: [record], spDleqProofs: proofs } };
    expect(findingsOf(shared)).toContain('silent-payment-refuted: refuse');
  });

  test('are not signed before they have a script', () => {
    const psbt = withOutput(payment(['tr']), 0, ({ script: _script, ...output }) => ({ ...output, spV0Info: keys }));
    expectRefusal(() => sign(psbt), 'psbt/silent-payment', { outputIndex: 0, reason: 'no-script' });
    expect(findingsOf(psbt)).toContain('silent-payment-open: warn');
  });

  test('are change only to an own address, whatever keys they name', () => {
    const origin = { fingerprint: ALICE.fingerprint, path: parsePath('m/352h/1h/0h/1h/0') };
    const claiming = (pubkey: Uint8Array) =>
      withOutput(payment(['tr']), 0, (output) => ({
        ...output,
        spV0Info: keys,
        bip32Derivations: [{ ...origin, pubkey }],
      }));
    for (const claimed of [keys.scanKey, ALICE.keyAt('m/352h/1h/0h/1h/0')]) {
      const { findings, outputs } = review(claiming(claimed), { keys: SEED });
      expect(findings.map(({ check }) => check)).toContain('change-refuted');
      expect(outputs[0]).toMatchObject({ role: 'payment', stays: false, owner: { kind: 'none' } });
    }
  });
});

interface Wrapping {
  readonly script: Uint8Array;
  readonly records: Pick<PsbtOutput, 'redeemScript' | 'witnessScript'>;
}

/** Wraps a script in P2SH, P2WSH and P2SH-P2WSH, with the records that show it. */
function wrappings(script: Uint8Array): readonly Wrapping[] {
  const program = wrapInWitness(script);
  return [
    { script: wrapInScriptHash(script), records: { redeemScript: script } },
    { script: program, records: { witnessScript: script } },
    { script: wrapInScriptHash(program), records: { redeemScript: program, witnessScript: script } },
  ];
}

/** Makes a taproot output with a leaf for each script, and the records that show them. */
function taprootOf(tapInternalKey: Uint8Array, scripts: readonly Uint8Array[], leafVersion = 0xc0) {
  const tapTree = scripts.map((script, i) => ({ depth: Math.min(i + 1, scripts.length - 1), leafVersion, script }));
  const tweak = tapTweakHash(tapInternalKey, tapTreeRoot(tapTree));
  const outputKey = nobleEcc.tweakPublicKey(tapInternalKey, tweak)?.publicKey ?? tapInternalKey;
  const script = concatBytes(Uint8Array.of(OP['1']), push(outputKey));
  return { script, records: { tapInternalKey, ...(scripts.length > 0 && { tapTree }) } };
}

const LONG_KEY = nobleEcc.publicKey(ALICE.secretAt('m/0'), false);

/** Makes a PSBT whose output 0 pays to a script. */
const payingTo = (scriptPubKey: Uint8Array, value: bigint): Psbt =>
  make({
    inputs: [{ of: WALLETS.wpkh }],
    outputs: [
      { to: scriptPubKey, value },
      { to: PAYEE, value: 990_000n - value },
    ],
  });

describe('27. lost outputs', () => {
  // The results of Bitcoin Core's GetDustThreshold at 3 sat/vB.
  test.each([
    ['pkh', `76a914${'22'.repeat(20)}88ac`, 546n],
    ['sh', `a914${'22'.repeat(20)}87`, 540n],
    ['wpkh', `0014${'22'.repeat(20)}`, 294n],
    ['wsh', `0020${'22'.repeat(32)}`, 330n],
    ['tr', formatHex(scriptAt(WALLETS.tr)), 330n],
  ])('dust: %s', (_, hex, limit) => {
    const script = parseHex(hex);
    expect(verdictsOf(payingTo(script, limit))).toEqual([]);
    expect(expectFinding(payingTo(script, limit - 1n), 'dust')).toMatchObject({ outputIndex: 0 });
  });

  test('dust by the rate of the network or the caller', () => {
    const psbt = payingTo(PAYEE, 2000n);
    expect(verdictsOf(psbt, { network: networks['litecoin-testnet'] })).toEqual(['dust: warn']);
    expect(verdictsOf(psbt, { limits: { dustFeeRate: 30 } })).toEqual(['dust: warn']);
  });

  test('burnt: OP_RETURN with an amount, and a script of over 10,000 bytes', () => {
    const data = Uint8Array.of(OP.RETURN, 2, 0x68, 0x69);
    expect(expectFinding(payingTo(data, 1n), 'burn').text).toBe(
      'Output 0 destroys 0.00000001 BTC: it can never be spent.',
    );
    expect(verdictsOf(payingTo(data, 0n))).toEqual([]);
    expectFinding(payingTo(new Uint8Array(10_001).fill(OP['1']), 1000n), 'burn');
  });

  test('burnt: a taproot key that is not a point', () => {
    expectFinding(payingTo(parseHex(`5120${'00'.repeat(31)}05`), 1000n), 'burn');
  });

  test.each([
    ['version 0 of 2 bytes', '00020102'],
    ['version 0 of 25 bytes', `0019${'11'.repeat(25)}`],
    ['a key that is not a point', `2102${'ff'.repeat(32)}ac`],
    ['a quorum that needs keys that are not points', `5221${formatHex(ALICE.keyAt('m/0'))}2102${'ff'.repeat(32)}52ae`],
    ['OP_FALSE', '00'],
    ['a script that ends in OP_FALSE', '7500'],
    ['an invalid opcode', '65'],
    ['an opcode without a name', '51ff'],
    ['a disabled opcode, even in a branch', '63' + '7e' + '68' + '51'],
    ['OP_RETURN after a push', '516a'],
    ['a push beyond the end of the script', '4c'],
    ['a push of 521 bytes', `4d0902${'00'.repeat(521)}7551`],
    ['a branch that does not end', '63' + '51'],
    ['an unbalanced OP_ENDIF', '5168'],
    ['202 operations', `${'61'.repeat(202)}51`],
    ['a hash in place of a key', `14${'22'.repeat(20)}ac`],
    ['an x-only key in place of a key', `20${formatHex(ALICE.keyAt('m/0').slice(1))}ac`],
    ['OP_CHECKSIGVERIFY with a number as key', '52ad51'],
    ['a signature that cannot be valid, verified', `14${'22'.repeat(20)}ac6951`],
  ])('burnt: %s', (_, hex) => {
    expect(expectFinding(payingTo(parseHex(hex), 10_000n), 'burn')).toMatchObject({ outputIndex: 0 });
    expect(verdictsOf(payingTo(parseHex(hex), 0n))).not.toContain('burn: refuse');
  });

  test.each([
    ['a quorum with a spare key that is not a point', `5121${formatHex(ALICE.keyAt('m/0'))}2102${'ff'.repeat(32)}52ae`],
    ['a key after a lock', `0101b17521${formatHex(ALICE.keyAt('m/0'))}ac`],
    ['an OP_RETURN in one of two branches', `636a6721${formatHex(ALICE.keyAt('m/0'))}ac68`],
    ['a hash whose preimage may be known', `a914${'22'.repeat(20)}88`],
    ['a key of 65 bytes in a legacy script', `41${formatHex(LONG_KEY)}ac`],
  ])('neither burnt nor spendable by anyone: %s', (_, hex) => {
    expect(verdictsOf(payingTo(parseHex(hex), 10_000n))).toEqual([]);
  });

  const burntScripts: readonly (readonly [string, string])[] = [
    ['OP_FALSE', '00'],
    ['a key that is not a point', `2102${'ff'.repeat(32)}ac`],
    ['a hash in place of a key', `14${'22'.repeat(20)}ac`],
    ['OP_RETURN after a push', '516a'],
  ];

  test.each(burntScripts)('burnt by a script that the records show: %s', (_, hex) => {
    for (const { script, records } of wrappings(parseHex(hex))) {
      const psbt = withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
      expect(expectFinding(psbt, 'burn')).toMatchObject({ outputIndex: 0 });
      expect(verdictsOf(payingTo(script, 10_000n))).toEqual([]);
    }
  });

  test.each([
    ['a script that always leaves two items', '5151'],
    ['a script that adds an item to those that it is given', '82'],
    ['two items at least on either side of a branch', '6351516752515168'],
    ['an item above the verdict of a quorum', `5121${formatHex(ALICE.keyAt('m/0'))}51ae51`],
    ['a number of items that cannot be alone', '745587'],
    ['a number of items that is verified, and cannot be alone', '74558851'],
    ['no item, where the script is false without one', '74008791'],
    ['items that are verified, but not taken', '7869'],
  ])('burnt by a witness script that never leaves one item: %s', (_, hex) => {
    const [inScriptHash, ...inWitness] = wrappings(parseHex(hex));
    const show = ({ script, records }: Wrapping | ReturnType<typeof taprootOf>): Psbt =>
      withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
    for (const wrapping of inWitness) expectFinding(show(wrapping), 'burn');
    // Only policy asks a script hash for one item.
    if (inScriptHash) expect(verdictsOf(show(inScriptHash))).not.toContain('burn: refuse');
    const leaf = taprootOf(UNSPENDABLE_KEY, [parseHex(hex)]);
    if (!hex.includes('ae')) expectFinding(show(leaf), 'burn');
  });

  test.each([
    ['one item of a branch', '6351675251516877'],
    ['a number of items that the script drops', '745587756d6d51'],
    ['an item that the script does not take', '745188'],
    [
      'a signature on either side of a branch',
      `6321${formatHex(ALICE.keyAt('m/0'))}67${'21'}${formatHex(ALICE.keyAt('m/1'))}68ac`,
    ],
  ])('not burnt by a witness script that can leave one item: %s', (_, hex) => {
    for (const { script, records } of wrappings(parseHex(hex))) {
      const psbt = withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
      expect(verdictsOf(psbt)).not.toContain('burn: refuse');
    }
  });

  test('burnt by the records of a taproot output: no key path, and no leaf that can be satisfied', () => {
    expectFinding(payingTo(concatBytes(Uint8Array.of(OP['1']), push(UNSPENDABLE_KEY)), 10_000n), 'burn');
    for (const leaves of [[], ['00'], ['6a', '51ff']]) {
      const { script, records } = taprootOf(UNSPENDABLE_KEY, leaves.map(parseHex));
      const psbt = withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
      expect(expectFinding(psbt, 'burn')).toMatchObject({ outputIndex: 0 });
      const ofKey = taprootOf(ALICE.keyAt('m/0').slice(1), leaves.map(parseHex));
      const owned = withOutput(payingTo(ofKey.script, 10_000n), 0, (output) => ({ ...output, ...ofKey.records }));
      expect(verdictsOf(owned)).toEqual([]);
    }
  });

  test('burnt by relay policy: keys of 65 bytes in witness scripts', () => {
    const [inScriptHash, ...inWitness] = wrappings(parseHex(`41${formatHex(LONG_KEY)}ac`));
    const show = ({ script, records }: Wrapping): Psbt =>
      withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
    for (const wrapping of inWitness) expectFinding(show(wrapping), 'burn');
    if (inScriptHash) expect(verdictsOf(show(inScriptHash))).toEqual([]);
  });

  test('burnt: a redeem script too large to push, or a program of a wrong size within P2SH', () => {
    for (const redeemScript of [new Uint8Array(521).fill(0x61), parseHex('00020102')]) {
      const psbt = withOutput(payingTo(wrapInScriptHash(redeemScript), 10_000n), 0, (output) => ({
        ...output,
        redeemScript,
      }));
      expectFinding(psbt, 'burn');
    }
  });

  test('not dust: an anchor', () => {
    expect(verdictsOf(payingTo(parseHex('51024e73'), 240n))).toEqual([]);
  });
});

describe('30. outputs that anyone can spend', () => {
  test.each([
    ['OP_TRUE', '51'],
    ['the empty script', ''],
    ['a script that leaves true by itself', '515187'],
    ['a lock alone', '0101b1'],
    ['a script that OP_0 satisfies', '91'],
    ['a script that two equal items satisfy', '87'],
    ['a script that two true items satisfy', '9a'],
    ['a script that two false items satisfy', '9b91'],
    ['a script that an invalid signature satisfies', `21${formatHex(ALICE.keyAt('m/0'))}ac91`],
    ['a script that five items satisfy', '745587'],
    ['an anchor of a large amount', '51024e73'],
    ['witness version 1 of another size', `5114${'22'.repeat(20)}`],
    ['witness version 2', `5220${'22'.repeat(32)}`],
    ['witness version 16', '60020102'],
  ])('%s', (_, hex) => {
    expect(expectFinding(payingTo(parseHex(hex), 10_000n), 'anyone-can-spend').text).toBe(
      'Output 0 gives 0.00010000 BTC away: anyone can spend it.',
    );
    expect(verdictsOf(payingTo(parseHex(hex), 0n))).not.toContain('anyone-can-spend: refuse');
  });

  test('a second anchor, however small', () => {
    const anchor = { to: parseHex('51024e73'), value: 240n };
    const paying = (count: number): Psbt =>
      make({
        inputs: [{ of: WALLETS.wpkh }],
        outputs: [{ to: PAYEE, value: 990_000n }, ...Array<typeof anchor>(count).fill(anchor)],
      });
    expect(verdictsOf(paying(1))).not.toContain('anyone-can-spend: refuse');
    expect(expectFinding(paying(2), 'anyone-can-spend')).toMatchObject({ outputIndex: 2 });
  });

  test.each([
    ['OP_TRUE', '51'],
    ['a script that OP_0 satisfies', '91'],
    ['a script that two true items satisfy', '9a'],
    ['a script that its constant 2 satisfies', '5287'],
    ['a script that its constant 16 satisfies', '6087'],
    ['a script that two items of a sum satisfy', '935587'],
    ['a script that three items satisfy', '6d7551'],
  ])('by a script that the records show: %s', (_, hex) => {
    for (const { script, records } of wrappings(parseHex(hex))) {
      const psbt = withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
      expectFinding(psbt, 'anyone-can-spend');
      expect(verdictsOf(payingTo(script, 10_000n))).toEqual([]);
    }
  });

  test.each([
    ['OP_TRUE', '51'],
    ['a lock alone', '51b2'],
    ['OP_SUCCESS', '50'],
    ['OP_SUCCESS after a key', `20${formatHex(ALICE.keyAt('m/1').slice(1))}ac7e`],
    ['a key of an undefined size', `21${formatHex(ALICE.keyAt('m/1'))}ac`],
    ['an undefined version', `20${formatHex(ALICE.keyAt('m/1').slice(1))}ac`, 0xc2],
  ])('by a leaf that the records show: %s', (_, hex, leafVersion = 0xc0) => {
    const { script, records } = taprootOf(ALICE.keyAt('m/0').slice(1), [parseHex(hex)], leafVersion);
    const psbt = withOutput(payingTo(script, 10_000n), 0, (output) => ({ ...output, ...records }));
    expect(expectFinding(psbt, 'anyone-can-spend')).toMatchObject({ outputIndex: 0 });
    const other = withOutput(payingTo(scriptAt(WALLETS.tr), 10_000n), 0, (output) => ({ ...output, ...records }));
    expect(verdictsOf(other)).toEqual(['taproot-mismatch: refuse']);
  });

  test('a witness program of version 1 within P2SH, where it has no rules', () => {
    const redeemScript = scriptAt(WALLETS.tr);
    const psbt = withOutput(payingTo(wrapInScriptHash(redeemScript), 10_000n), 0, (output) => ({
      ...output,
      redeemScript,
    }));
    expectFinding(psbt, 'anyone-can-spend');
  });

  test('not an anchor of a small amount', () => {
    const anchor = parseHex('51024e73');
    for (const value of [0n, 240n, 2400n]) expect(verdictsOf(payingTo(anchor, value))).toEqual([]);
    expectFinding(payingTo(anchor, 2401n), 'anyone-can-spend');
  });

  test("not Litecoin's own witness versions on Litecoin", () => {
    for (const version of ['58', '59']) {
      const psbt = payingTo(parseHex(`${version}20${'22'.repeat(32)}`), 10_000n);
      expect(verdictsOf(psbt, { network: networks.litecoin })).not.toContain('anyone-can-spend: refuse');
      expectFinding(psbt, 'anyone-can-spend');
    }
  });
});

describe('31. own coins that false records hide', () => {
  const DECOYS = Array.from({ length: 8 }, (_, i) => ({
    pubkey: ALICE.keyAt(`m/84h/1h/0h/0/${1000 + i}`),
    ...originOf(ALICE.fingerprint, `m/84h/1h/0h/0/${1000 + i}`),
  }));
  const plan = {
    inputs: [{ of: WALLETS.wpkh }, { of: WALLETS.wpkh, index: 700 }],
    outputs: [{ to: PAYEE, value: 1_990_000n }],
  };
  const hidden = withInput(make(plan), 1, (input) => ({
    ...input,
    bip32Derivations: [...DECOYS, ...(input.bip32Derivations ?? [])],
  }));
  const descriptors = [parse(WALLETS.wpkh)];

  test('behind more indexes than the review searches', () => {
    // The keys at hand know the coin nevertheless, but others may be hidden in the same way.
    expect(review(hidden, { descriptors }).leaves).toBe(2_000_000n);
    expect(expectFinding(hidden, 'search-cut', { descriptors }, 'refuse')).toMatchObject({ inputIndex: 1 });
    const watching = { descriptors: [parse(`wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*)`)] };
    expect(review(hidden, watching).leaves).toBe(1_000_000n);
    expect(expectFinding(hidden, 'search-cut', watching)).toMatchObject({ inputIndex: 1 });
    const eight = withInput(make(plan), 1, (input) => ({
      ...input,
      bip32Derivations: [...DECOYS.slice(1), ...(input.bip32Derivations ?? [])],
    }));
    expect(verdictsOf(eight, { descriptors })).toEqual([]);
    for (const facts of [{ descriptors }, watching]) expect(review(eight, facts).leaves).toBe(2_000_000n);
    const change = withOutput(make(plan), 0, (output) => ({
      ...output,
      bip32Derivations: [
        ...DECOYS,
        ...DECOYS.slice(0, 1).map((decoy) => ({ ...decoy, pubkey: ALICE.keyAt('m/1'), path: [5] })),
      ],
    }));
    expect(expectFinding(change, 'search-cut')).toMatchObject({ outputIndex: 0 });
    expect(expectFinding(change, 'search-cut', { descriptors }, 'refuse')).toMatchObject({ outputIndex: 0 });
  });

  test('behind a single false record: the first hundred indexes are searched, and coins beside yours are named', () => {
    const plan = { outputs: [{ to: PAYEE, value: 1_990_000n }] };
    const hide = (index: number): Psbt => {
      const psbt = make({ ...plan, inputs: [{ of: WALLETS.wpkh }, { of: WALLETS.wpkh, index }] });
      const false84 = { pubkey: MALLORY.keyAt('m/0'), ...originOf(MALLORY.fingerprint, 'm/84h/1h/0h/0/7') };
      return withInput(psbt, 1, (input) => ({ ...input, bip32Derivations: [false84] }));
    };
    expect(verdictsOf(hide(99), { descriptors })).toEqual([]);
    expect(review(hide(99), { descriptors }).leaves).toBe(2_000_000n);
    expect(expectFinding(hide(100), 'coin-foreign', { descriptors }).text).toContain(
      'The coin of input 1 is not known',
    );
    expect(verdictsOf(hide(100))).toEqual([]);
  });

  test('count as spent, with a finding, if a key at hand can sign for them', () => {
    const mixed = make({ ...plan, inputs: [{ of: WALLETS.wpkh }, { of: WALLETS.multi, index: 3 }] });
    expect(expectFinding(mixed, 'owner-unknown', { descriptors, keys: SEED })).toMatchObject({ inputIndex: 1 });
    expect(review(mixed, { descriptors, keys: SEED }).leaves).toBe(2_000_000n);
    const known = { keys: SEED, descriptors: [...descriptors, parse(WALLETS.multi)] };
    expect(verdictsOf(mixed, known)).toEqual([]);
  });

  test('count as spent if a single key at hand alone spends them, whatever the records say', () => {
    const key = heldKeyFrom({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/700'), isCompressed: true }, nobleEcc);
    const { inputs, leaves } = review(hidden, { keys: [key] });
    expect(inputs[1]).toMatchObject({ owner: { kind: 'account', root: 'key' }, canSign: true });
    expect(inputs[0]).toMatchObject({ owner: { kind: 'none' }, canSign: false });
    expect(leaves).toBe(1_000_000n);
  });
});

describe('32. a wallet file with a stranger’s key', () => {
  const own = (path: string): string => `${ALICE.xpub(path)}/<0;1>/*`;
  const stranger = `${MALLORY.xpub('m/86h/1h/0h')}/<0;1>/*`;
  const mine = `tr(${own('m/86h/1h/0h')})`;
  const reviewWith = (psbt: Psbt, texts: readonly string[], facts: SignerFacts = {}): PsbtReview =>
    review(psbt, { keys: SEED, descriptors: texts.map(parse), ...facts });
  /** Test networks allow wallets that are not registered. */
  const strict = { policy: { 'wallet-unregistered': 'warn' } } as const;

  test.each([
    `tr(${stranger},pk(${own('m/86h/1h/0h')}))`,
    `wsh(or_i(pk(${own('m/86h/1h/0h')}),pk(${stranger})))`,
    `wsh(sortedmulti(1,${own('m/86h/1h/0h')},${stranger}))`,
  ])('makes no payment change: %s', (evil) => {
    const psbt = make({ inputs: [{ of: mine }], outputs: [{ to: evil, value: 998_000n }] });
    const { outputs, leaves, findings } = reviewWith(psbt, [mine, evil]);
    expect(outputs[0]).toMatchObject({
      ...{ owner: { kind: 'wallet', root: 'none', wallet: { positions: [1] } }, role: 'payment', stays: false },
    });
    expect(leaves).toBe(1_000_000n);
    expect(findings.map(({ check, action }) => `${check}: ${action}`)).toEqual(['wallet-foreign: refuse']);
    // Without a key at hand, both are taken for the signer's, as they are listed, and still it is no change.
    const watched = reviewWith(psbt, [mine, evil], { keys: [] });
    expect(watched.outputs[0]).toMatchObject({
      owner: { kind: 'wallet', root: 'listed' },
      role: 'wallet',
      stays: false,
    });
    expect(watched.findings.map(({ check, action }) => `${check}: ${action}`)).toEqual(['wallet-other: warn']);
    expect(textsOf(watched)[0]).toContain('not proven: no key at hand');
  });

  test('cannot take change that names a key of the coins being spent, at their place', () => {
    const [wallet, evil] = [`wpkh(${own('m/84h')})`, `wsh(sortedmulti(2,${own('m/84h')},${stranger}))`];
    const psbt = make({ inputs: [{ of: wallet }], outputs: [{ to: evil, value: 998_000n }] });
    const checks = reviewWith(psbt, [wallet, evil]).findings.map(({ check, action }) => `${check}: ${action}`);
    expect(checks).toContain('wallet-foreign: refuse');
    const other = `wsh(sortedmulti(2,${own('m/48h')},${stranger}))`;
    const migration = make({ inputs: [{ of: wallet }], outputs: [{ to: other, value: 998_000n }] });
    expect(reviewWith(migration, [wallet, other]).findings.map(({ check }) => check)).toEqual(['wallet-foreign']);
  });

  test('has no change beside coins of others, and none with the same keys in another script', () => {
    const shared = `wsh(sortedmulti(2,${own('m/48h')},${stranger}))`;
    const both = make({ inputs: [{ of: mine }, { of: shared }], outputs: [{ to: shared, value: 1_998_000n }] });
    const mixed = reviewWith(both, [mine, shared]);
    expect(mixed.findings.map(({ check, action }) => `${check}: ${action}`)).toEqual(['wallets-mixed: refuse']);
    expect(mixed.outputs[0]?.stays).toBe(false);
    const moved = shared.replace('wsh(', 'sh(wsh(').concat(')');
    const move = make({ inputs: [{ of: shared }], outputs: [{ to: moved, value: 998_000n }] });
    const left = reviewWith(move, [shared, moved]);
    expect(left.findings.map(({ check, action }) => `${check}: ${action}`)).toEqual(['wallet-foreign: refuse']);
  });

  test.each([
    ['a quorum', `wsh(sortedmulti(2,${own('m/48h')},${stranger}))`],
    ['a recovery key', `tr(${own('m/86h/1h/0h')},and_v(v:pk(${stranger}),older(144)))`],
  ])('does not make the change of coins with %s go to one key', (_, shared) => {
    const alone = `wpkh(${own('m/84h/1h/7h')})`;
    const psbt = make({ inputs: [{ of: shared }], outputs: [{ to: alone, value: 998_000n }] });
    const { outputs, findings } = reviewWith(psbt, [shared, alone]);
    expect(outputs[0]).toMatchObject({ owner: { kind: 'account', root: 'key' }, role: 'own', stays: false });
    expect(findings.map(({ check }) => check)).toEqual(['account-other']);
    const two = make({ inputs: [{ of: mine }], outputs: [{ to: alone, value: 998_000n }] });
    expect(reviewWith(two, [mine, alone]).outputs[0]).toMatchObject({ role: 'own', stays: true });
    expect(reviewWith(two, [mine, alone]).findings.map(({ check }) => check)).toEqual(['account-other']);
  });

  test('is named where its own coins are spent', () => {
    const evil = `tr(${stranger},pk(${own('m/86h/1h/0h')}))`;
    const psbt = make({ inputs: [{ of: evil }], outputs: [{ to: evil, value: 998_000n }] });
    const review = reviewWith(psbt, [evil], strict);
    const { outputs, findings } = review;
    expect(outputs[0]).toMatchObject({ owner: { kind: 'wallet', root: 'none' }, role: 'change', stays: true });
    expect(findings.map(({ check }) => check)).toEqual(['wallet-unregistered']);
    expect(textsOf(review)[0]).toContain('others can spend without you at once');
  });

  test.each([
    ['needs the user', `wsh(sortedmulti(2,${own('m/48h')},${stranger}))`, 'others cannot spend without you'],
    [
      'comes later',
      `tr(${own('m/86h/1h/0h')},and_v(v:pk(${stranger}),older(144)))`,
      'others can spend without you after about 144 blocks',
    ],
  ])('has one warning, which says when the stranger can spend: %s', (_, text, exposure) => {
    const psbt = make({ inputs: [{ of: text }], outputs: [{ to: text, value: 998_000n }] });
    const review = reviewWith(psbt, [text], strict);
    const { outputs, findings } = review;
    expect(outputs[0]).toMatchObject({ role: 'change', stays: true });
    expect(findings.map(({ check, action }) => `${check}: ${action}`)).toEqual(['wallet-unregistered: warn']);
    expect(textsOf(review)[0]).toContain(exposure);
    expect(reviewWith(psbt, [text]).findings).toEqual([]);
  });
});
