import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import {
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  buildPsbt,
  type Purpose,
  reviewWith,
  signWith,
  updateWith,
} from '../../../src/kit/account/index.ts';
import {
  combinePsbts,
  decodeTransaction,
  derivePath,
  type Ecc,
  type ExtendedKey,
  encodePsbt,
  equalBytes,
  formatBase64,
  formatHex,
  formatWif,
  formatXprv,
  formatXpub,
  hash160,
  type KeyOrigin,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  type Psbt,
  parseHex,
  parsePath,
  toPsbtV2,
  verifyTransaction,
} from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const REGTEST = networks.regtest;
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const TXID = 'ab'.repeat(32);
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const PATH = '/48h/1h/0h/2h';
const masterOf = (byte: number): ExtendedKey => masterKey(new Uint8Array(32).fill(byte));
const accountKeyOf = (byte: number): ExtendedKey => derivePath(masterOf(byte), parsePath(`m${PATH}`));
const originOf = (byte: number): string => `[${formatHex(keyFingerprint(masterOf(byte)))}${PATH}]`;
const xpub = (byte: number): string => `${originOf(byte)}${formatXpub(neuter(accountKeyOf(byte)), REGTEST)}/<0;1>/*`;
const QUORUM = `wsh(sortedmulti(2,${xpub(1)},${xpub(2)},${xpub(3)}))`;
const watching = accountFromDescriptors(QUORUM, { network });

const spendOf = (from: ReturnType<typeof watching.receive>, change?: typeof from): Psbt =>
  buildPsbt({
    inputs: [{ txid: TXID, vout: 1, value: 100_000n, from }],
    outputs: { [PAYEE]: 60_000n },
    ...(change && { change }),
    feeRate: 3,
  });

function expectValid(hex: string | undefined, scriptPubKey: Uint8Array): void {
  const tx = decodeTransaction(parseHex(hex ?? ''));
  expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey }])).toMatchObject({ isValid: true });
}

describe('an account of seed words', () => {
  test.each([49, 84, 86] as const)('signs for its own addresses, and verifies its change, by BIP%i', (purpose) => {
    const me = accountFromWords(WORDS, { network, purpose });
    const psbt = spendOf(me.receive(7), me.change(2));
    const { review, isComplete, hex } = signWith(me, psbt);
    expect(isComplete).toBe(true);
    expectValid(hex, me.receive(7).scriptPubKey);
    expect(review.outputs[1]).toMatchObject({
      owner: { kind: 'account', root: 'key', place: { number: 0, chain: 1, index: 2 } },
      role: 'change',
      stays: true,
    });
    expect(review.findings).toEqual([]);
  });

  test('signs what a PSBT takes from another of its accounts, and verifies its change', () => {
    const other = accountFromWords(WORDS, { network, purpose: 86, account: 5 });
    const psbt = spendOf(other.receive(0), other.change(0));
    const { review, hex } = signWith(accountFromWords(WORDS, { network, purpose: 84 }), psbt);
    expectValid(hex, other.receive(0).scriptPubKey);
    expect(review.outputs[1]).toMatchObject({ owner: { place: { number: 5 } }, role: 'change', stays: true });
    expect(review.findings).toEqual([]);
  });

  test('signs as a cosigner of a multisig, as master keys and account keys do', () => {
    const from = watching.receive(3);
    const psbt = spendOf(from, watching.change(0));
    const cosigner = accountFromKey(formatXprv(masterOf(1), REGTEST), { network, purpose: 48 });
    const second = accountFromKey(formatXprv(accountKeyOf(2), REGTEST), { network, purpose: 48 });
    const half = signWith(cosigner, psbt);
    expect(half.isComplete).toBe(false);
    expect(half.inputs).toMatchObject([{ added: 1, quorums: [{ have: 1, required: 2 }] }]);
    expectValid(signWith(second, half.psbt).hex, from.scriptPubKey);
    const apart = combinePsbts([half.psbt, signWith(second, psbt).psbt]).psbt;
    expectValid(signWith(watching, apart).hex, from.scriptPubKey);
    expectRefusal(() => cosigner.receive(0), 'account/no-addresses', {});
  });

  test('signs nothing where a PSBT falsely claims its fingerprint', () => {
    const thief = accountFromWords(WORDS, { network, passphrase: 'another wallet' });
    const mine = accountFromWords(WORDS, { network });
    const psbt = spendOf(thief.receive(0), thief.change(0));
    const fingerprint = parseHex('73c5da0a');
    const claimed: Psbt = {
      ...psbt,
      inputs: psbt.inputs.map((input) => ({
        ...input,
        bip32Derivations: (input.bip32Derivations ?? []).map((record) => ({ ...record, fingerprint })),
      })),
    };
    const unsigned =
      /^The account could not sign the PSBT: input 0: not signed: none of the keys that it still needs is available/;
    expect(() => signWith(mine, psbt)).toThrow(unsigned);
    expect(() => signWith(mine, claimed)).toThrow(/^The review refuses the PSBT \(.*key-contradicted/);
    const policy = { 'key-contradicted': 'allow', 'change-refuted': 'allow' } as const;
    expect(() => signWith(mine, claimed, { policy })).toThrow(unsigned);
  });
});

describe('the origins of a watching wallet', () => {
  const master = masterKey(seedOfWords(WORDS));
  const [account, masterPrv] = [derivePath(master, parsePath('m/84h/1h/0h')), formatXprv(master, REGTEST)];
  const [accountPrv, named] = [formatXprv(account, REGTEST), formatHex(keyFingerprint(master))];
  const from = accountFromWords(WORDS, { network }).receive(7);
  const psbt = spendOf(from, from);
  /** Replaces the origins of the keys of inputs, or those of one master, by another or none, and leaves those of outputs out. */
  const withOrigin = (given: Psbt, fingerprint?: string, path = '/0/7', of?: Uint8Array): Psbt => ({
    ...given,
    outputs: given.outputs.map(({ bip32Derivations: _, ...output }) => output),
    inputs: given.inputs.map(({ bip32Derivations = [], ...input }) => {
      if (fingerprint === undefined) return input;
      const origin = { fingerprint: parseHex(fingerprint), path: parsePath(`m${path}`) };
      const isOf = (record: KeyOrigin): boolean => !of || equalBytes(record.fingerprint, of);
      return {
        ...input,
        bip32Derivations: bip32Derivations.map((record) => (isOf(record) ? { ...record, ...origin } : record)),
      };
    }),
  });
  const COSIGNER = keyFingerprint(masterOf(1));
  const ORIGINS = {
    whole: withOrigin(psbt, named, '/84h/1h/0h/0/7'),
    'without a fingerprint': withOrigin(psbt, '00000000', '/84h/1h/0h/0/7'),
    'of another master key': withOrigin(psbt, '0badf00d', '/84h/1h/0h/0/7'),
    'of the account': withOrigin(psbt, formatHex(keyFingerprint(account))),
    'of an account that is not named': withOrigin(psbt, '00000000'),
    none: withOrigin(psbt),
  };
  const SIGNERS = {
    'seed words': accountFromWords(WORDS, { network }),
    'the account key': accountFromKey(accountPrv, { network, purpose: 84 }),
    'a bare descriptor': accountFromDescriptors(`wpkh(${accountPrv}/<0;1>/*)`, { network }),
    'a descriptor with its origin': accountFromDescriptors(`wpkh([${named}/84h/1h/0h]${accountPrv}/<0;1>/*)`, {
      network,
    }),
    'a descriptor of the master key': accountFromDescriptors(`wpkh(${masterPrv}/84h/1h/0h/<0;1>/*)`, { network }),
  };

  test.each(Object.entries(ORIGINS))('%s: every form of the same key signs', (_, given) => {
    for (const [name, signer] of Object.entries(SIGNERS)) {
      expect([name, reviewWith(signer, given).inputs[0]?.canSign]).toEqual([name, true]);
      expectValid(signWith(signer, given).hex, from.scriptPubKey);
    }
  });

  test.each([
    ['that is not named', '00000000', '/0/3'],
    ['by its fingerprint', formatHex(keyFingerprint(accountKeyOf(1))), '/0/3'],
    ['below a master key that is not named', '00000000', `${PATH}/0/3`],
  ])('of a cosigner: %s', (_, fingerprint, path) => {
    const bare = withOrigin(spendOf(watching.receive(3), watching.change(0)), fingerprint, path, COSIGNER);
    const cosigner = accountFromKey(formatXprv(accountKeyOf(1), REGTEST), { network, purpose: 48 });
    expect(signWith(cosigner, bare).inputs).toMatchObject([{ added: 1 }]);
  });

  test('of a cosigner, below a master key that is not named: its master key signs', () => {
    const bare = withOrigin(spendOf(watching.receive(3), watching.change(0)), '00000000', `${PATH}/0/3`, COSIGNER);
    const cosigner = accountFromKey(formatXprv(masterOf(1), REGTEST), { network, purpose: 48 });
    expect(signWith(cosigner, bare).inputs).toMatchObject([{ added: 1 }]);
  });
});

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Replaces what the outputs of a PSBT claim and pay to. */
const withOutput = (psbt: Psbt, index: number, output: Partial<Psbt['outputs'][number]>): Psbt => ({
  ...psbt,
  outputs: psbt.outputs.map((held, i) => (i === index ? { ...held, ...output } : held)),
});

describe('a hostile PSBT', () => {
  const master = masterKey(seedOfWords(WORDS));
  const me = accountFromWords(WORDS, { network });

  test.each([
    ['m/84h/1h/0h/1234567891/5', 'path-unusual'],
    ['m/84h/1h/0h/1/5h', 'path-unusual'],
    ['m/84h/1h/1999999999h/1/7', 'path-far'],
    ['m/77/3/99h/8/9/5', 'path-unusual'],
  ] as const)('cannot have change verified at a place of its own choice: %s', (path, check) => {
    const key = derivePath(master, parsePath(path));
    const script = Uint8Array.of(0, 20, ...hash160(key.publicKey));
    const claim = { pubkey: key.publicKey, fingerprint: keyFingerprint(master), path: parsePath(path) };
    const ransom = withOutput(toPsbtV2(spendOf(me.receive(0), me.change(0))), 1, {
      script,
      bip32Derivations: [claim],
    });
    const review = reviewWith(me, ransom);
    expect(review.outputs[1]).toMatchObject({ role: 'own', stays: false });
    expect(review.leaves).toBe(100_000n);
    expect(review.findings.map((finding) => finding.check)).toEqual([check]);
    expect(() => signWith(me, ransom, { policy: { 'path-far': 'refuse' } })).toThrow(check);
  });

  test('makes no more work than its inputs and outputs, however many keys it claims', () => {
    let multiplications = 0;
    const publicKey: Ecc['publicKey'] = (...args) => {
      multiplications += 1;
      return nobleEcc.publicKey(...args);
    };
    const counting = accountFromWords(WORDS, { network, ecc: { ...nobleEcc, publicKey } });
    const psbt = spendOf(me.receive(0), me.change(0));
    const fingerprint = keyFingerprint(master);
    const pubkeys = times(1000, (i) => Uint8Array.of(2, i >>> 8, i & 0xff, ...new Uint8Array(30)));
    const costOf = (count: number): number => {
      const claims = pubkeys.slice(0, count).map((pubkey, i) => ({ pubkey, fingerprint, path: [84, i, i % 7, i, i] }));
      multiplications = 0;
      reviewWith(counting, withOutput(psbt, 0, { bip32Derivations: claims }));
      return multiplications;
    };
    const most = costOf(1000);
    expect(most).toBeLessThan(300);
    expect(costOf(500)).toBe(most);
    expect(costOf(10)).toBeLessThan(most);
  });
});

describe('an account', () => {
  const me = accountFromWords(WORDS, { network });

  test('takes a PSBT as data, base64, hex, bytes, or the bytes of a text file', () => {
    const psbt = spendOf(me.receive(0), me.change(0));
    const bytes = encodePsbt(psbt);
    const text = formatBase64(bytes);
    const wrapped = new TextEncoder().encode(`${text.replace(/(.{64})/g, '$1\r\n')}\n`);
    const marked = new TextEncoder().encode(`\ufeff${text}`);
    const results = [psbt, bytes, text, marked, formatHex(bytes), formatHex(bytes).toUpperCase(), wrapped].map(
      (given) => signWith(me, given).hex,
    );
    expect(new Set(results).size).toBe(1);
    expectRefusal(() => signWith(me, 'nonsense'), 'psbt/unrecognized', {});
  });

  test('finds its own addresses, and no others', () => {
    expect(me.find(me.change(42).address)).toMatchObject({ chain: 'change', index: 42 });
    expect(me.find(me.receive(7).scriptPubKey)).toMatchObject({ chain: 'receive', index: 7 });
    expect(me.find(PAYEE, 20)).toBeUndefined();
    expect(me.find(me.receive(30).address, 30)).toBeUndefined();
    expect(me.find(me.receive(30).address, 31)).toMatchObject({ index: 30 });
    expect(me.find(me.receive(30).address, 30)).toBeUndefined();
  });

  test('refuses what its policy refuses, and says so', () => {
    const psbt = buildPsbt({
      inputs: [{ txid: TXID, vout: 0, value: 1_000_000n, from: me.receive(0) }],
      outputs: { [PAYEE]: 10_000n },
      fee: 990_000n,
    });
    expect(() => signWith(me, psbt)).toThrow(/^The review refuses the PSBT \(fee-/);
    expect(signWith(me, psbt, { policy: { 'fee-absurd': 'warn', 'fee-high': 'warn' } }).isComplete).toBe(true);
  });

  test('makes inputs final, although another wallet still has to sign', () => {
    const from = watching.receive(0);
    const psbt = buildPsbt({
      inputs: [
        { txid: TXID, vout: 0, value: 60_000n, from },
        { txid: TXID, vout: 1, value: 60_000n, from: accountFromWords(WORDS, { network, passphrase: 'x' }).receive(0) },
      ],
      outputs: { [PAYEE]: 110_000n },
      fee: 10_000n,
    });
    const policy = { 'fee-high': 'allow', 'fee-absurd': 'allow' } as const;
    const signed = [1, 2].map(
      (byte) =>
        signWith(accountFromKey(formatXprv(masterOf(byte), REGTEST), { network, purpose: 48 }), psbt, { policy }).psbt,
    );
    const { isComplete, inputs } = signWith(watching, combinePsbts(signed).psbt, { policy });
    expect(isComplete).toBe(false);
    expect(inputs).toMatchObject([
      { added: 0, isComplete: true, isFinalized: true },
      { added: 0, isComplete: false, isFinalized: false },
    ]);
    const final = signWith(watching, combinePsbts(signed).psbt, { policy }).psbt;
    expect(refusalOf(() => signWith(watching, final, { policy })).code).toBe('account/nothing-signed');
  });

  test('leaves inputs without final fields where the caller asks for it', () => {
    const psbt = spendOf(me.receive(0), me.change(0));
    const { isComplete, hex, openReason, inputs, psbt: left } = signWith(me, psbt, { finalize: false });
    expect([isComplete, hex, openReason]).toEqual([false, undefined, undefined]);
    expect(inputs).toMatchObject([{ added: 1, isComplete: true, isFinalized: false, isUnfinalized: true }]);
    expect(left.inputs[0]).toMatchObject({ partialSigs: [{}], bip32Derivations: [{}] });
    expect(signWith(me, left).hex).toBe(signWith(me, psbt).hex);
  });

  test('sells with a signature that leaves the rest open, which the buyer completes', () => {
    const buyer = accountFromWords(WORDS, { network, passphrase: 'buyer' });
    const coins = [
      { txid: TXID, vout: 0, value: 1_000n, from: me.receive(0) },
      { txid: TXID, vout: 1, value: 80_000n, from: buyer.receive(0) },
    ];
    const offer = buildPsbt({
      inputs: coins,
      outputs: { [me.receive(1).address]: 60_000n, [buyer.receive(1).address]: 20_000n },
      fee: 1_000n,
    });
    const asked = {
      ...offer,
      inputs: offer.inputs.map((input, i) => (i === 0 ? { ...input, sighashType: 0x83 } : input)),
    };
    const sold = signWith(me, asked, { sighashType: 0x83 });
    expect(sold.inputs[0]).toMatchObject({ isComplete: true, isFinalized: false });
    expect(sold.psbt.inputs[0]).toMatchObject({ sighashType: 0x83, partialSigs: [{}] });
    // The buyer makes no signature of the seller's type, so nothing has to be named.
    const bought = signWith(buyer, sold.psbt);
    expect(bought.review.findings.map(({ check, action }) => `${check} ${action}`)).toContain('sighash-unusual warn');
    expect([bought.isComplete, bought.openReason]).toEqual([true, undefined]);
    const early = signWith(me, asked, { sighashType: 0x83, finalize: true }).psbt.inputs[0];
    expect(early?.finalScriptWitness).toHaveLength(2);
  });

  test.each([null, undefined, 5, {}, { inputs: 3 }])('refuses %s as a PSBT', (given) => {
    // @ts-expect-error: what plain JavaScript may pass
    expectRefusal(() => signWith(me, given), 'psbt/unrecognized', {});
  });

  test('updates a PSBT without signing it', () => {
    const psbt = spendOf(me.receive(0), me.change(0));
    const bare: Psbt = { ...psbt, inputs: [{ ...psbt.inputs[0], bip32Derivations: [] }] };
    const updated = updateWith(me, bare);
    expect(updated.inputs[0]?.bip32Derivations).toHaveLength(1);
    expect(updated.inputs[0]?.partialSigs).toBeUndefined();
  });

  test('never shows its keys when it is printed', () => {
    const wif = formatWif({ secretKey: new Uint8Array(32).fill(7), isCompressed: true }, REGTEST);
    const accounts = [me, accountFromKey(wif, { network }), accountFromDescriptors(`wpkh(${wif})`, { network })];
    for (const account of accounts) {
      const shown = JSON.stringify(account, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      expect(shown).not.toMatch(/secret|07070707|tprv/);
      expect(JSON.stringify(account.receive(0).derived)).not.toMatch(/secret/);
    }
  });
});

test('every purpose, account and index is found again, and spends its own coin', () => {
  const purpose = fc.constantFrom<Purpose>(49, 84, 86);
  const place = fc.record({ purpose, account: fc.nat(3), index: fc.nat(500), passphrase: fc.string({ maxLength: 8 }) });
  fc.assert(
    fc.property(place, ({ index, ...options }) => {
      const me = accountFromWords(WORDS, { network, ...options });
      const from = me.receive(index);
      expectValid(signWith(me, spendOf(from, me.change(index))).hex, from.scriptPubKey);
      expect(me.find(from.address, index + 1)).toMatchObject({ chain: 'receive', index });
    }),
    { numRuns: 6 },
  );
});
