import { describe, expect, test } from 'vitest';
import { textsOf } from '../support/findingTexts.ts';
import {
  holderOf,
  keyAt,
  masterOf,
  type Name,
  quorumOf,
  registered,
  type Spend,
  STRANGER,
  single,
  spend,
} from '../support/holderPsbts.ts';
import {
  derivePath,
  formatHex,
  formatXpub,
  type Holder,
  keyFingerprint,
  networks,
  neuter,
  type Psbt,
  parseBase58,
  parseHex,
  parsePath,
  reviewPsbt,
} from '../support/library.ts';

/** Attacks with wallets, keys and networks, on the main network; the numbers are those of docs/safety.md. */

const PATH = 'm/48h/0h/0h/2h';
const A84 = single('alice');
const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const fingerprint = (name: Name): string => formatHex(keyFingerprint(masterOf(name)));

const checksOf = (psbt: Psbt, holder: Holder, options: Omit<Parameters<typeof reviewPsbt>[1], 'holder'> = {}) =>
  reviewPsbt(psbt, { ...options, holder }).findings.map(({ check, action }) => `${check}: ${action}`);
const payment = (more: Partial<Spend> = {}): Psbt =>
  spend({ coins: [{ of: A84 }], outputs: [{ script: STRANGER }], ...more });
/** A payment of the quorum that leaves change in it. */
const ofFamily = payment({ coins: [{ of: FAMILY }], outputs: [{ of: FAMILY, chain: 1 }] });

describe('33. a wallet that is not as it was registered', () => {
  // Of the file and of the change.
  const CHANGED = 'wallet-changed: refuse';
  const family = registered(FAMILY, 'Family');
  const replaced = quorumOf(2, ['alice', 'mallory']);

  test('with another key takes no change, whatever token its file carries', () => {
    const psbt = payment({ coins: [{ of: replaced }], outputs: [{ of: replaced, chain: 1 }] });
    const forged = { ...registered(replaced, 'Family'), registered: family.registered } as typeof family;
    expect(checksOf(psbt, holderOf(['alice'], [forged]))).toEqual([CHANGED, CHANGED]);
    expect(checksOf(psbt, holderOf(['alice'], [family, replaced]))).toEqual(['wallet-changed: refuse']);
  });

  test('under another name or network is not registered', () => {
    const renamed = { ...family, registered: { ...family.registered, name: 'Savings' } } as typeof family;
    expect(checksOf(ofFamily, holderOf(['alice'], [renamed]))).toEqual([CHANGED, CHANGED]);
    expect(checksOf(ofFamily, holderOf(['alice'], [family]))).toEqual([]);
  });

  test('is refused if its file no longer says what it replaces, whatever is spent', () => {
    const renewed = registered(FAMILY, 'Family', { retires: ['00'.repeat(32)] });
    expect(checksOf(payment(), holderOf(['alice'], [renewed]))).toEqual([]);
    const stripped = { ...renewed, ...(renewed.registered && { registered: { ...renewed.registered, retires: [] } }) };
    expect(checksOf(payment(), holderOf(['alice'], [stripped]))).toEqual(['wallet-changed: refuse']);
  });

  test('is refused where another registration replaces it', () => {
    const id = holderOf(['alice'], [FAMILY]).wallets[0]?.id ?? '';
    const newer = registered(quorumOf(2, ['alice', 'bob']), 'Family', { retires: [id] });
    expect(checksOf(ofFamily, holderOf(['alice'], [family, newer]))).toEqual(['wallet-retired: refuse']);
  });
});

test('34. change that others take first is refused, whatever the clock says', () => {
  const vault = (lock: string): string =>
    `wsh(or_d(pk(${keyAt('bob', PATH)}/<0;1>/*),and_v(v:pkh(${keyAt('alice', PATH)}/<0;1>/*),${lock})))`;
  const byAge = vault('older(52560)');
  const coins = [{ of: byAge, sequence: 52_560 }];
  const heir = holderOf(['alice'], [registered(byAge, 'Vault')]);
  expect(checksOf(spend({ coins, outputs: [{ of: byAge, chain: 1 }] }), heir)).toContain('change-later: refuse');
  expect(checksOf(spend({ coins, outputs: [{ script: STRANGER }] }), heir)).not.toContain('change-later: refuse');
});

test('24. a lock that the policy of a registered wallet demands is not told again', () => {
  const sequence = 52_560;
  const byAge = `wsh(or_d(pk(${keyAt('bob', PATH)}/<0;1>/*),and_v(v:pkh(${keyAt('alice', PATH)}/<0;1>/*),older(${sequence}))))`;
  const byHeight = byAge.replace(/older\(\d+\)/, 'after(1900000)');
  const paying = (of: string, at: { sequence: number }, locktime = 0) =>
    spend({ coins: [{ of, ...at }], outputs: [{ script: STRANGER }], locktime });
  const by = (of: string) => holderOf(['alice'], [registered(of, 'Vault')]);
  expect(checksOf(paying(byAge, { sequence }), by(byAge))).toEqual([]);
  expect(checksOf(paying(byAge, { sequence: sequence + 1 }), by(byAge))).toEqual(['locktime-unusual: warn']);
  expect(checksOf(paying(byAge, { sequence }), holderOf(['alice'], [byAge]))).toEqual(['locktime-unusual: warn']);
  expect(checksOf(paying(byHeight, { sequence: 0xffff_fffe }, 1_900_000), by(byHeight))).toEqual([]);
  expect(checksOf(paying(byHeight, { sequence: 0xffff_fffe }, 1_900_001), by(byHeight))).toEqual([
    'locktime-unusual: warn',
  ]);
});

test('24. a signature whose own way waits completes nothing, and the review says so', () => {
  const [mine, theirs] = [keyAt('alice', PATH), keyAt('bob', PATH)].map((key) => `${key}/<0;1>/*`);
  const vault = (lock: string): string => `wsh(or_d(pk(${theirs}),and_v(v:pkh(${mine}),${lock})))`;
  const paying = (of: string, sequence?: number, locktime = 0) =>
    spend({ coins: [{ of, ...(sequence !== undefined && { sequence }) }], outputs: [{ script: STRANGER }], locktime });
  const said = (of: string, psbt = paying(of)): readonly string[] =>
    textsOf(reviewPsbt(psbt, { holder: holderOf(['alice'], [registered(of, 'Vault')]) }));
  const byAge = vault('older(144)');
  expect(said(byAge)).toEqual([
    'Your keys spend the coin of input 0 only after about 144 blocks (24 hours), and the transaction does not say that it waits: your signature completes nothing.',
  ]);
  expect(said(byAge, paying(byAge, 144))).toEqual([]);
  const byHeight = vault('after(900000)');
  expect(said(byHeight)).toEqual([expect.stringContaining('only once an absolute lock of its policy has passed')]);
  expect(said(byHeight, paying(byHeight, 0xffff_fffd, 900_000))).toEqual([]);
  expect(said(FAMILY)).toEqual([]);
  // The PSBT may hold the preimage, with which another way of mine is open.
  const later = `${keyAt('alice', PATH)}/<2;3>/*`;
  const either = `wsh(andor(pk(${mine}),sha256(${'11'.repeat(32)}),and_v(v:pkh(${later}),older(144))))`;
  expect(checksOf(paying(either), holderOf(['alice'], [either]))).not.toContain('lock-unmet: warn');
});

describe('35. keys that contradict each other', () => {
  const keyOf = (name: Name): string => keyAt(name, PATH).replace(/^\[.*\]/, '');

  test('in a file: a stranger’s key under your fingerprint', () => {
    const forged = `wsh(multi(1,${keyAt('bob', PATH)}/<0;1>/*,[${fingerprint('alice')}${PATH.slice(1)}]${keyOf('mallory')}/<0;1>/*))`;
    expect(checksOf(payment(), holderOf(['alice'], [forged]))).toEqual(['key-contradicted: refuse']);
  });

  test('in a file: one key under two fingerprints, or at a path that its depth does not fit', () => {
    const twice = `wsh(multi(1,${keyAt('bob', PATH)}/<0;1>/*,${keyAt('alice', PATH)}/<0;1>/*))`;
    const renamed = twice.replace(`[${fingerprint('bob')}`, `[${fingerprint('mallory')}`).replace('multi(1', 'multi(2');
    expect(checksOf(payment(), holderOf(['alice'], [twice]))).toEqual([]);
    expect(checksOf(payment(), holderOf(['alice'], [twice, renamed]))).toEqual(['key-contradicted: refuse']);
    const short = twice.replace(`[${fingerprint('bob')}/48h/0h/0h/2h]`, `[${fingerprint('bob')}/48h/0h/0h]`);
    expect(checksOf(payment(), holderOf(['alice'], [short]))).toEqual(['key-contradicted: refuse']);
  });

  test('in the extended keys of a PSBT', () => {
    const xpub = parseBase58(
      formatXpub(neuter(derivePath(masterOf('mallory'), parsePath(PATH))), networks.main),
      82,
    ).slice(0, 78);
    const named = (of: Name) => ({ xpub, fingerprint: parseHex(fingerprint(of)), path: parsePath(PATH) });
    const withXpub = (of: Name): Psbt => ({ ...payment(), global: { ...payment().global, xpubs: [named(of)] } });
    expect(checksOf(withXpub('alice'), holderOf(['alice']))).toEqual(['key-contradicted: refuse']);
    expect(checksOf(withXpub('mallory'), holderOf(['alice']))).toEqual([]);
  });

  test('in a record of an input', () => {
    const psbt = payment();
    const mallory = derivePath(masterOf('mallory'), [1]);
    const pubkey = derivePath(mallory, [0]).publicKey;
    const path = parsePath('m/84h/0h/0h/0/7');
    const record = { pubkey, fingerprint: parseHex(fingerprint('alice')), path };
    const [input = {}] = psbt.inputs;
    const forged = { ...psbt, inputs: [{ ...input, bip32Derivations: [...(input.bip32Derivations ?? []), record] }] };
    expect(checksOf(forged, holderOf(['alice']))).toEqual(['key-contradicted: refuse']);
    // However many others stand before it.
    const theirs = parseHex(fingerprint('mallory'));
    const junk = Array.from({ length: 500 }, (_, i) => ({
      pubkey: derivePath(mallory, [i]).publicKey,
      fingerprint: theirs,
      path: [1, i],
    }));
    const buried = { ...psbt, inputs: [{ ...input, bip32Derivations: [...junk, record] }] };
    expect(checksOf(buried, holderOf(['alice']))).toContain('key-contradicted: refuse');
  });

  const key = (name: Name): string => `${keyAt(name, PATH)}/<0;1>/*`;
  test.each([
    ['a quorum', FAMILY],
    ['one of two', quorumOf(1, ['alice', 'bob'])],
    ['an heir who waits', `wsh(or_d(pk(${key('alice')}),and_v(v:pkh(${key('bob')}),older(65535))))`],
    ['an aggregate key', `tr(musig(${keyAt('alice', PATH)},${keyAt('bob', PATH)})/<0;1>/*)`],
  ])('nowhere in a payment of a registered wallet: %s; a forged second file is named alone', (_, wallet) => {
    const outputs = [
      { script: STRANGER, value: 500_000n },
      { of: wallet, chain: 1, value: 495_000n },
    ];
    const psbt = payment({ coins: [{ of: wallet }], outputs });
    const family = registered(wallet, 'Family');
    expect(checksOf(psbt, holderOf(['alice'], [family]))).toEqual([]);
    const forged = `wsh(multi(1,[${fingerprint('alice')}${PATH.slice(1)}]${keyOf('mallory')}/<0;1>/*,${key('bob')}))`;
    expect(new Set(checksOf(psbt, holderOf(['alice'], [forged, family])))).toEqual(
      new Set(['key-contradicted: refuse']),
    );
  });
});

describe('36. another network', () => {
  test('in a path', () => {
    const outputs = [
      { script: STRANGER, value: 500_000n },
      { of: single('alice', 'm/84h/1h/0h'), value: 495_000n },
    ];
    expect(checksOf(payment({ outputs }), holderOf(['alice']))).toContain('network-mixed: refuse');
  });

  test('in the version of an extended key', () => {
    const key = neuter(derivePath(masterOf('bob'), parsePath(PATH)));
    const xpub = parseBase58(formatXpub(key, networks.testnet4), 82).slice(0, 78);
    const xpubs = [{ xpub, fingerprint: parseHex(fingerprint('bob')), path: parsePath(PATH) }];
    const psbt = payment();
    expect(checksOf({ ...psbt, global: { ...psbt.global, xpubs } }, holderOf(['alice']))).toEqual([
      'network-mixed: refuse',
    ]);
  });
});

test('37. what you did not ask for is refused once you say what to pay', () => {
  const other = `0014${'22'.repeat(20)}`;
  const outputs = [
    { script: STRANGER, value: 100_000n },
    { script: parseHex(other), value: 1000n },
    { of: A84, chain: 1, value: 890_000n },
  ];
  const psbt = payment({ outputs });
  const pays = [{ scriptPubKey: STRANGER }];
  expect(checksOf(psbt, holderOf(['alice']))).toEqual([]);
  expect(checksOf(psbt, holderOf(['alice']), { pays })).toEqual(['pays-other: refuse']);
  expect(checksOf(psbt, holderOf(['alice']), { pays: [...pays, { scriptPubKey: parseHex(other) }] })).toEqual([]);
});

test('37. a name that two wallets at hand have names neither', () => {
  const namesakes = [registered(FAMILY, 'Family'), registered(quorumOf(2, ['alice', 'bob']), 'Family')];
  const psbt = payment({ outputs: [{ of: FAMILY }] });
  const pays = [{ wallet: 'Family' }];
  expect(checksOf(psbt, holderOf(['alice'], namesakes.slice(0, 1)), { pays })).toEqual([]);
  expect(checksOf(psbt, holderOf(['alice'], namesakes), { pays })).toContain('pays-other: refuse');
});

describe('16. a coin that a stranger sent to an odd path', () => {
  const bait = single('alice', 'm/84h/0h/0h/1234567');
  const coins = [
    { of: A84, value: 5_000_000n },
    { of: bait, index: 1, value: 1000n },
  ];

  test.each([
    ['at another index', 5, 1],
    ['at the same one', 1, 0],
  ])('is no reason for change there, %s', (_, index, chain) => {
    const psbt = payment({ coins, outputs: [{ of: bait, chain, index, value: 4_990_000n }] });
    expect(checksOf(psbt, holderOf(['alice']))).toEqual(['path-unusual: refuse']);
  });
});
