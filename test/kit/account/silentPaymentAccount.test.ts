import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  type BuildOptions,
  buildPsbt,
  reviewWith,
  type SilentPaymentCoin,
  signWith,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { startRegtest } from '../../../src/shell/regtest/index.ts';
import {
  createReceiver,
  decodeTransaction,
  derivePath,
  formatHex,
  formatPsbt,
  formatReview,
  formatSilentPaymentAddress,
  formatTxid,
  formatWif,
  formatXprv,
  formatXpub,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  type Psbt,
  parseHex,
  parsePath,
  parsePsbt,
  tweakData,
  txid,
  verifySilentPayments,
} from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = networks.regtest;
const SENDER = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const WORDS = `${'zoo '.repeat(11)}wrong`;
const ME = silentPaymentsFromWords(WORDS, { network: 'regtest', labels: [4] });
const OTHER = silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });

/** Coins of the given addresses, found in a transaction that pays them. */
function coinsAt(...addresses: readonly string[]): readonly SilentPaymentCoin[] {
  const coin = { txid: '11'.repeat(32), vout: 0, value: 1_000_000n, from: SENDER.receive(0) };
  const outputs = addresses.map((to) => ({ to, value: 60_000n }));
  const sameReceiver = [ME.address(), ME.address(4)];
  const psbt = buildPsbt({ inputs: [coin], outputs, change: SENDER.change(0), feeRate: 2, sameReceiver });
  const { hex = '' } = signWith(SENDER, psbt, { sameReceiver });
  return ME.findCoins(decodeTransaction(parseHex(hex)), [{ scriptPubKey: SENDER.receive(0).scriptPubKey }]);
}

const COINS = coinsAt(ME.address(4), SENDER.receive(3).address, ME.address());
const spend = (to: string): Psbt =>
  buildPsbt({ inputs: COINS, outputs: [{ to, value: 50_000n }], change: SENDER.change(1), feeRate: 2 });

describe('a wallet of silent payments', () => {
  test('derives the keys of BIP352 from seed words', () => {
    const master = masterKey(parseHex(SEED));
    const [scan, key] = ["m/352'/1'/0'/1'/0", "m/352'/1'/0'/0'/0"].map((path) => derivePath(master, parsePath(path)));
    const receiver = createReceiver({
      scanSecretKey: scan?.secretKey ?? new Uint8Array(0),
      spendKey: key?.publicKey ?? new Uint8Array(0),
    });
    expect(OTHER.address()).toBe(formatSilentPaymentAddress(receiver.address(), network));
    expect(OTHER.address(1)).not.toBe(OTHER.address());
    expect(silentPaymentsFromWords(WORDS).address()).toMatch(/^sp1q/);
    expect(silentPaymentsFromWords(WORDS, { network: 'regtest', account: 1 }).address()).not.toBe(ME.address());
  });

  test('finds its coins, with their labels', () => {
    expect(COINS.map(({ vout, value, from }) => ({ vout, value, label: from.label }))).toEqual([
      { vout: 0, value: 60_000n, label: 4 },
      { vout: 2, value: 60_000n, label: undefined },
    ]);
  });

  test('finds the same with the tweak data of a light client', () => {
    const { receive } = SENDER;
    const coin = { txid: '11'.repeat(32), vout: 0, value: 1_000_000n, from: receive(0) };
    const outputs = [{ to: ME.address(4), value: 60_000n }];
    const { hex = '' } = signWith(SENDER, buildPsbt({ inputs: [coin], outputs, change: SENDER.change(0), feeRate: 2 }));
    const [tx, spent] = [decodeTransaction(parseHex(hex)), [receive(0)]];
    const data = tweakData(tx, spent) ?? new Uint8Array(0);
    const paid = { txid: formatTxid(txid(tx)), outputs: tx.outputs };
    expect(ME.findByTweakData(data, paid)).toEqual(ME.findCoins(tx, spent));
    expect(OTHER.findByTweakData(data, paid)).toEqual([]);
    expect(refusalOf(() => ME.findByTweakData(new Uint8Array(33), paid)).code).toBe('ecc/point');
  });

  test('signs them with seed words, and with its private descriptor', () => {
    const psbt = spend(SENDER.receive(5).address);
    expect(psbt.global.version).toBe(2);
    const spending = silentPaymentsFromDescriptor(ME.descriptor({ isPrivate: true }), { network: 'regtest' });
    const results = [ME, spending, accountFromWords(WORDS, { network: 'regtest' })].map((who) =>
      signWith(who, formatPsbt(psbt)),
    );
    expect(new Set(results.map(({ txid }) => txid)).size).toBe(1);
    for (const {
      isComplete,
      psbt: { inputs },
    } of results) {
      expect(isComplete).toBe(true);
      expect(inputs.some(({ spTweak, spSpendBip32Derivations }) => spTweak ?? spSpendBip32Derivations)).toBe(false);
    }
  });

  test('pays another such wallet from them', () => {
    const { hex = '', review } = signWith(ME, spend(OTHER.address()));
    expect(review.outputs[0]?.silentPayment).toEqual({ address: OTHER.address(), status: 'proven' });
    const found = OTHER.findCoins(
      decodeTransaction(parseHex(hex)),
      COINS.map(({ from }) => from),
    );
    expect(found).toMatchObject([{ vout: 0, value: 50_000n }]);
  });

  test('signs nothing without the private spend key', () => {
    const watching = silentPaymentsFromDescriptor(ME.descriptor(), { network: 'regtest', labels: [4] });
    expect(watching.address(4)).toBe(ME.address(4));
    expect(refusalOf(() => signWith(watching, spend(SENDER.receive(5).address))).code).toBe('account/nothing-signed');
    expect(refusalOf(() => watching.descriptor({ isPrivate: true })).code).toBe('descriptor/invalid');
  });

  test('refuses a coin whose tweak is another', () => {
    const psbt = spend(SENDER.receive(5).address);
    const [first = {}, ...others] = psbt.inputs;
    const changed = { ...psbt, inputs: [{ ...first, spTweak: new Uint8Array(32).fill(1) }, ...others] };
    expect(reviewWith(ME, changed).findings).toContainEqual(
      expect.objectContaining({ check: 'taproot-mismatch', action: 'refuse', inputIndex: 0 }),
    );
  });

  test('keeps the records of its coins in a PSBT', () => {
    const psbt = parsePsbt(formatPsbt(spend(OTHER.address())));
    expect(psbt.inputs.map(({ spTweak }) => spTweak)).toEqual(COINS.map(({ from }) => from.tweak));
    expect(verifySilentPayments(psbt)).toMatchObject([{ status: 'open', fault: { reason: 'share', inputIndex: 0 } }]);
  });
});

describe('change', () => {
  const payment = { to: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', value: 50_000n };
  type Change = NonNullable<BuildOptions['change']>;
  const changeTo = (change: Change): Psbt => buildPsbt({ inputs: COINS, outputs: [payment], change, feeRate: 2 });
  const sentTo = (change: Change): Psbt => {
    const coin = { txid: '11'.repeat(32), vout: 0, value: 1_000_000n, from: SENDER.receive(0) };
    return buildPsbt({ inputs: [coin], outputs: [payment], change, feeRate: 2 });
  };

  test('is verified for the wallet, and for the seed words of one', () => {
    for (const [me, psbt] of [
      [ME, changeTo(ME.change())],
      [ME, changeTo(ME.address(4))],
      [SENDER, sentTo(OTHER.change())],
    ] as const) {
      const { review, isComplete } = signWith(me, psbt);
      expect(review.outputs[1]).toMatchObject({
        ...{ silentPayment: { status: 'proven' }, owner: { kind: 'silent' }, role: 'change', stays: true },
      });
      expect(review.leaves).toBe(payment.value + (review.fee ?? 0n));
      expect(review.findings).toEqual([]);
      expect(formatReview(review)).toContain('change, verified (silent payments)');
      expect(isComplete).toBe(true);
    }
  });

  test('is verified by a wallet that cannot spend its coins', () => {
    const watching = silentPaymentsFromDescriptor(ME.descriptor(), { network: 'regtest' });
    const { psbt } = signWith(ME, changeTo(ME.change()), { finalize: false });
    const review = reviewWith(watching, psbt);
    expect(review.inputs.map(({ canSign, owner }) => [canSign, owner.kind])).toEqual([
      [false, 'silent'],
      [false, 'silent'],
    ]);
    expect(review.outputs[1]).toMatchObject({ owner: { kind: 'silent' }, role: 'change', stays: true });
    expect(review.leaves).toBe(payment.value + (review.fee ?? 0n));
    expect(formatReview(review)).toContain('yours (silent payments)');
    expect(reviewWith(OTHER, psbt).outputs[1]).toMatchObject({
      owner: { kind: 'none' },
      role: 'payment',
      stays: false,
    });
  });

  test('names its keys and its label, for other signers', () => {
    const [scan, key] = ['1', '0'].map((branch) => parsePath(`m/352h/1h/0h/${branch}h/0`));
    expect(changeTo(ME.change()).outputs[1]).toMatchObject({
      spV0Label: 0,
      bip32Derivations: [{ path: scan }, { path: key }],
    });
  });

  test.each([
    ['of another wallet', OTHER.address(), []],
    [
      'with a label that is not in use, which is refused',
      silentPaymentsFromWords(WORDS, { network: 'regtest', labels: [5] }).address(5),
      ['silent-foreign'],
    ],
  ])('is a payment to an address %s', (_, address, checks) => {
    expect(reviewWith(ME, changeTo(address)).findings.map(({ check }) => check)).toEqual(checks);
    const { review } = signWith(ME, changeTo(address), { policy: { 'silent-foreign': 'allow' } });
    expect(review.outputs[1]?.silentPayment).toEqual({ address, status: 'proven' });
    expect(review.outputs[1]).toMatchObject({ owner: { kind: 'none' }, role: 'payment', stays: false });
  });

  const { records } = OTHER.change();
  const [stranger, own] = [ME.change().records, records.spV0Info];
  const findingsFor = (changed: Partial<typeof records>) =>
    reviewWith(SENDER, sentTo({ ...OTHER.change(), records: { ...records, ...changed } })).findings;
  const refuted = expect.objectContaining({ check: 'change-refuted', action: 'refuse', outputIndex: 1 });

  test('of a stranger is refuted, whatever origins it claims', () => {
    const [scanClaim, spendClaim] = records.bip32Derivations ?? [];
    const { spV0Info } = stranger;
    if (!scanClaim || !spendClaim) throw new Error('no claims');
    expect(findingsFor({ spV0Info })).toContainEqual(refuted);
    const claims = [{ ...scanClaim, pubkey: spV0Info.scanKey }, spendClaim];
    expect(findingsFor({ spV0Info, bip32Derivations: claims })).toContainEqual(refuted);
    expect(findingsFor({ spV0Info: { ...own, spendKey: spV0Info.spendKey } })).toContainEqual(
      expect.objectContaining({ check: 'silent-foreign', action: 'refuse', outputIndex: 1 }),
    );
  });

  test('is a payment beside one to the same scan key and the spend key of a stranger', () => {
    const hidden = formatSilentPaymentAddress({ ...own, spendKey: stranger.spV0Info.spendKey }, network);
    const coin = { txid: '11'.repeat(32), vout: 0, value: 1_000_000n, from: SENDER.receive(0) };
    const outputs = [{ to: hidden, value: 50_000n }];
    const options = { inputs: [coin], outputs, change: OTHER.change(), feeRate: 2 };
    expect(refusalOf(() => buildPsbt(options))).toMatchObject({ data: { member: 'sameReceiver' } });
    // The payer says so, falsely.
    const sameReceiver = [hidden, OTHER.address(0)];
    const built = buildPsbt({ ...options, sameReceiver });
    expect(reviewWith(SENDER, built).findings).toContainEqual(
      expect.objectContaining({ check: 'silent-foreign', action: 'refuse', outputIndex: 0 }),
    );
    const policy = { 'silent-foreign': 'allow' } as const;
    const { review, psbt } = signWith(SENDER, built, { policy, sameReceiver, finalize: false });
    expect(review.outputs.map(({ stays }) => stays)).toEqual([false, false]);
    const { outputs: paid, findings } = reviewWith(SENDER, psbt);
    expect(paid.map(({ silentPayment }) => silentPayment?.status)).toEqual(['conditional', 'conditional']);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'silent-payment-conditional' }));
  });

  test('that would be dust is left out', () => {
    const value = COINS.reduce((sum, coin) => sum + coin.value, 0n) - 600n;
    const psbt = buildPsbt({ inputs: COINS, outputs: [{ ...payment, value }], change: ME.change(), feeRate: 2 });
    expect(psbt.outputs).toHaveLength(1);
  });
});

describe('coinsIn', () => {
  const chain = startRegtest();
  const blocksFrom = (first: number) =>
    Array.from({ length: chain.rpc.call('getblockcount') + 1 - first }, (_, i) =>
      chain.rpc.call('getblock', [chain.rpc.call('getblockhash', [first + i]), 3]),
    );
  const mine = (hex: string | undefined): number => {
    chain.rpc.call('sendrawtransaction', [hex ?? '']);
    chain.mine();
    return chain.rpc.call('getblockcount');
  };
  const funding = chain.fund(SENDER.receive(0).address, 200_000n);
  const coin = { ...funding, value: 200_000n, from: SENDER.receive(0) };
  const sameReceiver = [ME.address(), ME.address(4)];
  const outputs = sameReceiver.map((to, i) => ({ to, value: 50_000n + BigInt(i) }));
  const payment = buildPsbt({ inputs: [coin], outputs, change: SENDER.change(0), feeRate: 2, sameReceiver });
  const paid = mine(signWith(SENDER, payment, { sameReceiver }).hex);
  const placesOf = (coins: readonly SilentPaymentCoin[]) =>
    coins.map(({ value, from: { label, height } }) => ({ value, label, height }));

  test('finds the unspent coins of a chain, which another wallet does not', () => {
    const [first, second] = [
      { value: 50_000n, label: undefined, height: paid },
      { value: 50_001n, label: 4, height: paid },
    ];
    const coins = ME.coinsIn(blocksFrom(0));
    expect(placesOf(coins)).toEqual(expect.arrayContaining([first, second]));
    expect(coins).toHaveLength(2);
    const watching = silentPaymentsFromDescriptor(ME.descriptor(), { network: 'regtest', labels: [4] });
    expect(placesOf(watching.coinsIn(blocksFrom(paid)))).toEqual(placesOf(coins));
    expect(OTHER.coinsIn(blocksFrom(0))).toEqual([]);

    const labeled = coins.filter(({ from }) => from.label === 4);
    const spend = buildPsbt({ inputs: labeled, outputs: {}, change: OTHER.address(), feeRate: 2 });
    const spent = mine(signWith(ME, spend).hex);
    expect(placesOf(ME.coinsIn(blocksFrom(0)))).toEqual([first]);
    expect(placesOf(OTHER.coinsIn(blocksFrom(0)))).toMatchObject([{ height: spent }]);
  });

  test.each([
    [0, 'one has no transactions'],
    [1, 'has ids of transactions only'],
    [2, 'lacks coins that it spends'],
  ])('refuses blocks with verbosity %i', (verbosity, fault) => {
    const block = chain.rpc.call('getblock', [chain.rpc.call('getblockhash', [paid]), verbosity]);
    const { code, message } = refusalOf(() => ME.coinsIn([block]));
    expect(code).toBe('argument/invalid');
    expect(message).toContain(fault);
  });
});

/** BIP39's seed of "abandon ... about" without a passphrase. */
const SEED =
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4';

describe('sp()', () => {
  const key = masterKey(new Uint8Array(32).fill(7));
  const [xprv, xpub] = [formatXprv(key, network), formatXpub(neuter(key), network)];
  const wif = formatWif({ secretKey: new Uint8Array(32).fill(5), isCompressed: true }, network);
  const publicKeys = [6, 8].map((byte) => formatHex(nobleEcc.publicKey(new Uint8Array(32).fill(byte))));
  const parse = (text: string) => silentPaymentsFromDescriptor(text, { network: 'regtest' });

  test.each([
    ['a scan key with a public key', `sp(${wif},${publicKeys[0]})`, false],
    ['two private keys', `sp(${wif},${wif})`, true],
    ['extended keys', `sp(${xprv}/1h/0,${xprv}/0h/0)`, true],
    ['an extended public key', `sp([00000000/352h]${xprv}/1h/0,${xpub}/0)`, false],
    ['an aggregate key', `sp(${wif},musig(${publicKeys}))`, false],
  ])('takes %s', (_, text, isPrivate) => {
    const me = parse(text);
    expect(parse(me.descriptor()).address()).toBe(me.address());
    if (isPrivate) expect(parse(me.descriptor({ isPrivate })).address()).toBe(me.address());
    else expect(refusalOf(() => me.descriptor({ isPrivate: true })).code).toBe('descriptor/invalid');
  });

  test('has an origin, a checksum and the prefix of its network', () => {
    expect(ME.descriptor()).toMatch(/^sp\(\[[0-9a-f]{8}\/352h\/1h\/0h\]tspscan1q[a-z0-9]{105,}\)#[a-z0-9]{8}$/);
    expect(ME.descriptor({ isPrivate: true })).toMatch(/\]tspspend1q/);
    expect(silentPaymentsFromWords(WORDS).descriptor()).toMatch(/\]spscan1q/);
  });

  const scanning = ME.descriptor().replace(/#.*/, '');
  const encoded = scanning.slice(scanning.indexOf(']') + 1, -1);
  const uncompressed = formatWif({ secretKey: new Uint8Array(32).fill(5), isCompressed: false }, network);

  test.each([
    ['no key', 'sp()'],
    ['a public key alone', `sp(${xpub})`],
    ['a public scan key', `sp(${xpub},${xpub})`],
    ['two encoded keys', `sp(${encoded},${encoded})`],
    ['an uncompressed key', `sp(${uncompressed},${publicKeys[0]})`],
    ['a wrapper', `sh(sp(${encoded}))`],
    ['another wrapper', `wsh(sp(${encoded}))`],
    ['three keys', `sp(${wif},${wif},${wif})`],
    ['a wildcard', `sp(${xprv}/*,${xprv}/0)`],
    ['a choice', `sp(${xprv}/<0;1>,${xprv}/0)`],
    ['a mistyped key', `sp(${encoded.replace('q', 'p')})`],
    ['a key of another network', silentPaymentsFromWords(WORDS).descriptor()],
    ['a wrong checksum', `${scanning}#qqqqqqqq`],
    ['another descriptor', `tr(${xpub})`],
  ])('refuses %s, and shows no key', (_, text) => {
    const refusal = refusalOf(() => parse(text));
    expect(refusal.code).toMatch(/^descriptor\//);
    for (const secret of [encoded, xprv, wif, uncompressed]) {
      expect(`${refusal.message} ${JSON.stringify(refusal.data)}`).not.toContain(secret.slice(0, 24));
    }
  });
});
