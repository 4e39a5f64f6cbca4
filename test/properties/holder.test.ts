import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { walletControl } from '../../src/core/holder/control.ts';
import { campaign } from '../support/campaign.ts';
import {
  heldKey,
  keyAt,
  masterOf,
  type Name,
  registered,
  type Spend,
  STRANGER,
  spend,
} from '../support/holderPsbts.ts';
import {
  createHolder,
  derivePath,
  formatHex,
  type HeldKey,
  type Holder,
  heldKeysIn,
  keyFingerprint,
  networks,
  nobleEcc,
  type OfferedWallet,
  type Psbt,
  type PsbtReview,
  parseDescriptor,
  parseHex,
  parsePath,
  reviewPsbt,
  reviewToJson,
} from '../support/library.ts';

/**
 * Laws of the holder over generated wallets, PSBTs, files and tokens: nothing that an attacker can add makes money stay, an
 * honest payment has no finding, and neither the order of anything nor the clock decides.
 */

const network = networks.main;
const NAMES: readonly Name[] = ['alice', 'bob', 'mallory'];

/** Deriving seed words takes long. */
const texts = new Map<string, string>();
function key(name: Name, path: string): string {
  const known = texts.get(name + path) ?? keyAt(name, path);
  texts.set(name + path, known);
  return known;
}

/** A condition to spend, with the keys of persons. */
type Condition =
  | { readonly is: 'key'; readonly name: Name }
  | { readonly is: 'older' | 'after'; readonly lock: number }
  | { readonly is: 'hash' }
  | { readonly is: 'quorum'; readonly required: number; readonly names: readonly Name[] }
  | { readonly is: 'and' | 'or'; readonly parts: readonly [Condition, Condition] };

const anyName = fc.constantFrom(...NAMES);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('key' as const), name: anyName }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('older' as const), lock: fc.constantFrom(1, 144, 4320, 52_560, 65_535) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('after' as const), lock: fc.constantFrom(1, 880_000, 499_999_999) }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'hash' as const }) },
  {
    weight: 2,
    arbitrary: fc.array(anyName, { minLength: 2, maxLength: 4 }).chain((names) =>
      fc.record({
        is: fc.constant('quorum' as const),
        required: fc.integer({ min: 1, max: names.length }),
        names: fc.constant(names),
      }),
    ),
  },
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({
      is: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.tuple(tie('node'), tie('node')) as fc.Arbitrary<readonly [Condition, Condition]>,
    }),
  ),
})).node;

const HASH = `sha256(${'22'.repeat(32)})`;

/** Writes a condition as miniscript; each key is another account of its person. */
function miniscript(root: Condition): string {
  let accounts = 0;
  const keyOf = (name: Name): string => {
    accounts += 1;
    return `${key(name, `m/48h/0h/${accounts}h/2h`)}/<0;1>/*`;
  };
  const write = (node: Condition): string => {
    switch (node.is) {
      case 'key':
        return `pk(${keyOf(node.name)})`;
      case 'older':
      case 'after':
        return `${node.is}(${node.lock})`;
      case 'hash':
        return HASH;
      case 'quorum':
        return `multi(${node.required},${node.names.map(keyOf).join()})`;
      default: {
        const [a, b] = node.parts.map(write);
        return node.is === 'and' ? `and_v(v:${a},${b})` : `or_i(${a},${b})`;
      }
    }
  };
  return `wsh(${write(root)})`;
}

function isSane(text: string): boolean {
  try {
    parseDescriptor(text, network);
    return true;
  } catch {
    return false;
  }
}

const namesIn = (node: Condition): readonly Name[] =>
  node.is === 'key'
    ? [node.name]
    : node.is === 'quorum'
      ? node.names
      : 'parts' in node
        ? node.parts.flatMap(namesIn)
        : [];

const miniscripts = condition.map((root) => ({ root, text: miniscript(root) })).filter(({ text }) => isSane(text));
const ownMiniscripts = miniscripts.filter(({ root }) => namesIn(root).includes('alice'));

const ACCOUNT_KINDS = [
  ['44', 'pkh(@)'],
  ['49', 'sh(wpkh(@))'],
  ['84', 'wpkh(@)'],
  ['86', 'tr(@)'],
] as const;
const accountText = (kind: number, number: number): string => {
  const [purpose, form] = ACCOUNT_KINDS[kind % 4] ?? ACCOUNT_KINDS[2];
  return form.replace('@', `${key('alice', `m/${purpose}h/0h/${number}h`)}/<0;1>/*`);
};
const accounts = fc
  .tuple(fc.nat({ max: 3 }), fc.constantFrom(0, 0, 0, 1, 7, 99))
  .map(([kind, number]) => accountText(kind, number));

/** As a descriptor file has them, with private keys. */
const ACCOUNTS = ACCOUNT_KINDS.map(([purpose, form]) =>
  form.replace('@', `${keyAt('alice', `m/${purpose}h/0h/0h`, network, true)}/<0;1>/*`),
);

const cosigner = (name: Name, chains = '<0;1>', number = 0): string =>
  `${key(name, `m/48h/0h/${number}h/2h`)}/${chains}/*`;
const [A, B, M] = NAMES.map((name) => cosigner(name)) as [string, string, string];
const [A2, B2] = (['alice', 'bob'] as const).map((name) => cosigner(name, '<2;3>')) as [string, string];
const NUMS = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';

/** Wallets of Alice with others, in which nobody takes her change sooner than she. */
const QUORUMS = [
  `wsh(sortedmulti(2,${A},${B},${M}))`,
  `wsh(sortedmulti(2,${A},${B}))`,
  `wsh(sortedmulti(1,${A},${B}))`,
  `wsh(sortedmulti(3,${A},${B},${M}))`,
  `sh(wsh(sortedmulti(2,${A},${B},${M})))`,
  `tr(${NUMS},sortedmulti_a(2,${A},${B},${M}))`,
  `tr(${A},and_v(v:pk(${B}),older(4320)))`,
  `tr(musig(${A.replace('/<0;1>/*', '')},${B.replace('/<0;1>/*', '')})/<0;1>/*)`,
  `wsh(or_d(pk(${A}),and_v(v:pkh(${B}),older(52560))))`,
  `wsh(or_i(and_v(v:pkh(${M}),older(65535)),multi(2,${A},${B})))`,
  // A decaying quorum: the same keys, other chains.
  `wsh(or_i(and_v(v:multi(1,${A2},${B2}),older(4320)),multi(2,${A},${B})))`,
].filter(isSane);
const quorums = fc.constantFrom(...QUORUMS);

/** What an attacker offers: files with Alice's key beside others, at odd chains, or with a junk registration. */
const HOSTILE = [
  `wpkh(${key('mallory', 'm/84h/0h/0h')}/<0;1>/*)`,
  `wpkh(${key('alice', 'm/84h/0h/0h')}/1234567/<0;1>/*)`,
  `wpkh(${key('alice', 'm/84h/0h/0h')}/<0;7>/*)`,
  `pkh(${key('alice', 'm/84h/0h/0h')}/<0;1>/*)`,
  `tr(${NUMS},and_v(v:pk(${key('alice', 'm/86h/0h/0h')}/<0;1>/*),${HASH}))`,
  `wsh(sortedmulti(1,${A},${M}))`,
  `wsh(or_d(pk(${M}),and_v(v:pkh(${A}),older(52560))))`,
  `wsh(sortedmulti(2,${cosigner('alice', '<0;7>')},${cosigner('bob', '<0;9>')},${cosigner('mallory', '<0;11>')}))`,
] as const;
const files = fc.oneof(
  fc.constantFrom(...HOSTILE),
  quorums,
  accounts,
  miniscripts.map(({ text }) => text),
);

const offered = (text: string): OfferedWallet => ({ descriptor: parseDescriptor(text, network) });
const FINGERPRINT = formatHex(keyFingerprint(masterOf('alice')));

/** A file with registrations that no key of Alice made. */
const junkFiles: fc.Arbitrary<OfferedWallet> = fc
  .tuple(files, fc.constantFrom('bare', 'zeros', 'mallory', 'retiring'), fc.constantFrom('Family', 'New', 'x'))
  .map(([text, kind, name]) => {
    const wallet = offered(text);
    if (kind === 'bare') return wallet;
    if (kind === 'mallory') return { ...registered(text, name, { by: 'mallory' }) };
    const registrations = [{ version: 1, fingerprint: FINGERPRINT, token: '00'.repeat(32) }];
    const retires = kind === 'retiring' ? ['11'.repeat(32)] : [];
    return { ...wallet, registered: { name, retires, registrations } };
  });

const holder = (wallets: readonly OfferedWallet[], keys: readonly HeldKey[] = [heldKey('alice')]): Holder =>
  createHolder({ network, ecc: nobleEcc, keys, wallets });

/** The keys of Alice's accounts as a descriptor file has them, without her master key. */
const ACCOUNT_KEYS = heldKeysIn(
  [
    ...[44, 49, 84, 86].flatMap((purpose) => [0, 1, 7, 99].map((number) => `m/${purpose}h/0h/${number}h`)),
    'm/48h/0h/0h/2h',
  ].map((path) => parseDescriptor(`wpkh(${keyAt('alice', path, network, true)}/<0;1>/*)`, network)),
);

const places = (of: fc.Arbitrary<string>) =>
  fc.record({ of, chain: fc.nat({ max: 1 }), index: fc.constantFrom(0, 1, 5, 60, 250), value: fc.constant(400_000n) });
const anyOutput = fc.oneof(
  { weight: 6, arbitrary: places(fc.oneof(accounts, quorums, files)) },
  { weight: 1, arbitrary: fc.constant({ script: STRANGER, value: 400_000n }) },
);
const anyCoin = fc.record({
  of: fc.oneof(accounts, quorums, files),
  index: fc.constantFrom(0, 1, 5, 60),
  value: fc.constantFrom(546n, 1_000_000n, 50_000_000n),
});
const spends: fc.Arbitrary<Spend> = fc.record({
  coins: fc.array(anyCoin, { minLength: 1, maxLength: 3 }),
  outputs: fc.array(anyOutput, { minLength: 1, maxLength: 3 }),
});
const registeredOnes = fc
  .uniqueArray(quorums, { maxLength: 2 })
  .map((chosen) => chosen.map((text, i) => registered(text, `Wallet ${i}`)));

/** False records: own keys at other places, keys of others at own places, and scripts that nothing commits to. */
const junkRecords = fc.array(
  fc.record({
    name: anyName,
    pubkeyPath: fc.constantFrom('m/84h/0h/0h/1/5', 'm/48h/0h/0h/2h/1/5', 'm/84h/0h/0h/1234567/0/1'),
    fingerprint: fc.constantFrom(...NAMES.map((name) => formatHex(keyFingerprint(masterOf(name)))), '00000000'),
    path: fc.constantFrom([0x8000_0054, 0x8000_0000, 0x8000_0000, 1, 5], [0, 5], [1, 5], []),
    isOutput: fc.boolean(),
    at: fc.nat({ max: 2 }),
  }),
  { maxLength: 4 },
);
type JunkRecord = typeof junkRecords extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

function withRecords(psbt: Psbt, records: readonly JunkRecord[]): Psbt {
  const add = <T extends Psbt['inputs'][number] & Psbt['outputs'][number]>(map: T, junk: readonly JunkRecord[]): T => {
    const { bip32Derivations: known = [] } = map;
    const added = junk.map(({ name, pubkeyPath, fingerprint, path }) => {
      return { pubkey: publicKeyAt(name, pubkeyPath), fingerprint: parseHex(fingerprint), path };
    });
    // The true records count where both name a key.
    const byKey = new Map([...added, ...known].map((record) => [formatHex(record.pubkey), record]));
    return byKey.size > 0 ? { ...map, bip32Derivations: [...byKey.values()] } : map;
  };
  const junkAt = (index: number, isOutput: boolean) =>
    records.filter((record) => record.at === index && record.isOutput === isOutput);
  return {
    ...psbt,
    inputs: psbt.inputs.map((input, i) => add(input, junkAt(i, false))),
    outputs: psbt.outputs.map((output, i) => add(output, junkAt(i, true))),
  };
}

const publicKeys = new Map<string, Uint8Array>();
function publicKeyAt(name: Name, path: string): Uint8Array {
  const known = publicKeys.get(name + path) ?? derivePath(masterOf(name), parsePath(path)).publicKey;
  publicKeys.set(name + path, known);
  return known;
}

const verdictsOf = ({ outputs }: PsbtReview): readonly (readonly [string, boolean])[] =>
  outputs.map(({ role, stays }) => [role, stays]);

/** Row 6: change to a wallet that no key has registered, which the review says. */
const isRow6 = ({ findings }: PsbtReview, index: number): boolean =>
  findings.some(({ check, outputIndex }) => check === 'wallet-unregistered' && outputIndex === index);

afterEach(() => void vi.useRealTimers());

test('nothing that is added to a reviewed PSBT makes what leaves stay, but a file of row 6 with its warning', () => {
  fc.assert(
    fc.property(
      spends,
      registeredOnes,
      fc.array(junkFiles, { maxLength: 2 }),
      fc.array(junkFiles, { maxLength: 3 }),
      junkRecords,
      (plan, mine, known, added, records) => {
        const psbt = spend(plan);
        const before = reviewPsbt(psbt, { holder: holder([...mine, ...known]) });
        const after = reviewPsbt(withRecords(psbt, records), { holder: holder([...added, ...mine, ...known]) });
        for (const { outputIndex, stays } of after.outputs) {
          if (!stays || before.outputs[outputIndex]?.stays === true) continue;
          expect([outputIndex, isRow6(after, outputIndex)]).toEqual([outputIndex, true]);
        }
      },
    ),
    campaign(250),
  );
});

/** No restored wallet looks there, so that a person registers it. */
const FAR_ACCOUNT = accountText(2, 500);

/** What an honest wallet has: the kinds of scripts of one account number, or a registered wallet. */
const honest = fc.record({
  descriptors: fc.oneof(
    fc.constantFrom(0, 1, 99).map((number) => [0, 1, 2, 3].map((kind) => accountText(kind, number))),
    quorums.map((text) => [text]),
    fc.constant([FAR_ACCOUNT]),
  ),
  coins: fc.array(fc.record({ kind: fc.nat({ max: 3 }), chain: fc.nat({ max: 1 }), index: fc.nat({ max: 40 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  change: fc.record({ kind: fc.nat({ max: 3 }), chain: fc.nat({ max: 1 }), index: fc.nat({ max: 60 }) }),
  others: fc.array(quorums, { maxLength: 2 }),
  isLast: fc.boolean(),
  isMaster: fc.boolean(),
  /** Whether the descriptors of accounts are at hand, too. */
  isOffered: fc.boolean(),
});

test('an honest payment of accounts or of a registered wallet has no finding', () => {
  fc.assert(
    fc.property(honest, ({ descriptors, coins, change, others, isLast, isMaster, isOffered }) => {
      const placeOf = ({ kind, ...place }: typeof change) => ({
        ...place,
        of: descriptors[kind % descriptors.length] ?? '',
      });
      const places = [...new Map(coins.map(placeOf).map((place) => [Object.values(place).join(), place])).values()];
      const total = BigInt(places.length) * 1_000_000n;
      const psbt = spend({
        coins: places,
        outputs: [
          { script: STRANGER, value: 300_000n },
          { ...placeOf(change), value: total - 305_000n },
        ],
      });
      const keys = isMaster || descriptors.includes(FAR_ACCOUNT) ? [heldKey('alice')] : ACCOUNT_KEYS;
      const root = keys.at(-1) ?? heldKey('alice');
      const [text = '', ...more] = descriptors;
      const wallets = [
        ...(more.length > 0 ? [] : [registered(text, 'Mine', { root })]),
        ...(isOffered ? ACCOUNTS.map(offered) : []),
        ...others.filter((other) => other !== text).map((other, i) => registered(other, `Other ${i}`, { root })),
      ];
      const review = reviewPsbt(psbt, { holder: holder(isLast ? wallets.reverse() : wallets, keys) });
      expect(review.findings).toEqual([]);
      expect(verdictsOf(review)).toEqual([
        ['payment', false],
        ['change', true],
      ]);
      expect(review.leaves).toBe(305_000n);
    }),
    campaign(400),
  );
});

const orders = fc.infiniteStream(fc.nat({ max: 1000 }));
function shuffled<T>(items: readonly T[], order: Iterator<number>): readonly T[] {
  return items
    .map((item) => ({ item, at: Number(order.next().value) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** What a review says of a coin or an output, without the positions of files and outputs. */
const named = ({ outputs, findings }: PsbtReview, find: (index: number) => number) =>
  outputs
    .map(({ role, stays, owner, outputIndex }) => ({
      output: find(outputIndex),
      role,
      stays,
      kind: owner.kind,
      root: owner.root,
      wallet: owner.kind === 'wallet' ? owner.wallet.id : undefined,
      findings: findings
        .filter((finding) => finding.outputIndex === outputIndex)
        .map(({ check, action }) => `${check} ${action}`)
        .sort(),
    }))
    .sort((a, b) => a.output - b.output);

test('the order of files, records, inputs and outputs decides nothing', () => {
  fc.assert(
    fc.property(
      spends,
      registeredOnes,
      fc.array(junkFiles, { maxLength: 3 }),
      junkRecords,
      orders,
      (plan, mine, junk, records, order) => {
        const psbt = withRecords(spend(plan), records);
        const wallets = [...mine, ...junk];
        const before = reviewPsbt(psbt, { holder: holder(wallets) });
        const inputs = shuffled(psbt.inputs, order);
        const outputs = shuffled(psbt.outputs, order);
        const permuted = {
          ...psbt,
          inputs: inputs.map(({ bip32Derivations: claims, ...input }) => ({
            ...input,
            ...(claims && { bip32Derivations: shuffled(claims, order) }),
          })),
          outputs: outputs.map(({ bip32Derivations: claims, ...output }) => ({
            ...output,
            ...(claims && { bip32Derivations: shuffled(claims, order) }),
          })),
        };
        const after = reviewPsbt(permuted, { holder: holder(shuffled(wallets, order)) });
        const positions = outputs.map((output) => psbt.outputs.indexOf(output));
        expect(named(after, (i) => positions[i] ?? -1)).toEqual(named(before, (i) => i));
      },
    ),
    campaign(200),
  );
});

test('random miniscripts that are not registered never stay beside coins of accounts', () => {
  fc.assert(
    fc.property(
      ownMiniscripts,
      accounts,
      fc.boolean(),
      fc.nat({ max: 1 }),
      registeredOnes,
      ({ text }, account, isBaited, chain, mine) => {
        const coins = [{ of: account, index: 3 }, ...(isBaited ? [{ of: text, index: 1, value: 546n }] : [])];
        const psbt = spend({ coins, outputs: [{ of: text, chain, index: 4 }] });
        const { outputs, findings } = reviewPsbt(psbt, { holder: holder([offered(text), ...mine]) });
        expect(outputs.map(({ stays }) => stays)).toEqual([false]);
        expect(findings.some(({ action, outputIndex }) => action === 'refuse' && outputIndex === 0)).toBe(true);
      },
    ),
    campaign(150),
  );
});

/** Tells whether a condition is met by these persons with a coin of this age, in blocks. */
function isMet(
  node: Condition,
  facts: { readonly names: readonly Name[]; readonly age: number; readonly hasSecrets: boolean },
): boolean {
  switch (node.is) {
    case 'key':
      return facts.names.includes(node.name);
    case 'quorum':
      return node.names.filter((name) => facts.names.includes(name)).length >= node.required;
    case 'older':
      return facts.age >= node.lock;
    case 'after':
    case 'hash':
      return facts.hasSecrets;
    default: {
      const met = node.parts.map((part) => isMet(part, facts));
      return node.is === 'and' ? met.every(Boolean) : met.some(Boolean);
    }
  }
}

const AGES = [0, 1, 144, 4320, 52_560, 65_535];

test('the ages that a review shows are those of every way to spend', () => {
  fc.assert(
    fc.property(ownMiniscripts, ({ root, text }) => {
      const [wallet] = holder([offered(text)]).wallets;
      if (!wallet) throw new Error('no wallet');
      const soonest = (names: readonly Name[], hasSecrets: boolean): number =>
        600 * (AGES.find((age) => isMet(root, { names, age, hasSecrets })) ?? Number.POSITIVE_INFINITY);
      const { alone, others } = walletControl(wallet);
      expect([text, alone, others]).toEqual([text, soonest(['alice'], false), soonest(['bob', 'mallory'], true)]);
    }),
    campaign(400),
  );
});

test('no review looks at the clock', () => {
  fc.assert(
    fc.property(spends, registeredOnes, fc.array(junkFiles, { maxLength: 2 }), (plan, mine, junk) => {
      const psbt = spend(plan);
      const [then, later] = ['2009-01-03', '2100-01-01'].map((day) => {
        vi.useFakeTimers({ now: new Date(day), toFake: ['Date'] });
        return reviewToJson(reviewPsbt(psbt, { holder: holder([...mine, ...junk]) }));
      });
      expect(later).toEqual(then);
    }),
    campaign(60),
  );
});
