import { describe, expect, test } from 'vitest';
import {
  accountFromWords,
  buildPsbt,
  type SilentPaymentCoin,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import {
  createReceiver,
  decodeTransaction,
  derivePath,
  formatHex,
  formatPsbt,
  formatSilentPaymentAddress,
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
  const { hex = '' } = SENDER.sign(buildPsbt({ inputs: [coin], outputs, change: SENDER.change(0), feeRate: 2 }));
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

  test('signs them with seed words, and with its private descriptor', () => {
    const psbt = spend(SENDER.receive(5).address);
    expect(psbt.global.version).toBe(2);
    const spending = silentPaymentsFromDescriptor(ME.descriptor({ isPrivate: true }), { network: 'regtest' });
    const results = [ME, spending, accountFromWords(WORDS, { network: 'regtest' })].map((who) =>
      who.sign(formatPsbt(psbt)),
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
    const { hex = '', review } = ME.sign(spend(OTHER.address()));
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
    expect(refusalOf(() => watching.sign(spend(SENDER.receive(5).address))).code).toBe('account/nothing-signed');
    expect(refusalOf(() => watching.descriptor({ isPrivate: true })).code).toBe('descriptor/invalid');
  });

  test('refuses a coin whose tweak is another', () => {
    const psbt = spend(SENDER.receive(5).address);
    const [first = {}, ...others] = psbt.inputs;
    const changed = { ...psbt, inputs: [{ ...first, spTweak: new Uint8Array(32).fill(1) }, ...others] };
    expect(ME.review(changed).findings).toContainEqual(
      expect.objectContaining({ check: 'taproot-mismatch', action: 'refuse', inputIndex: 0 }),
    );
  });

  test('keeps the records of its coins in a PSBT', () => {
    const psbt = parsePsbt(formatPsbt(spend(OTHER.address())));
    expect(psbt.inputs.map(({ spTweak }) => spTweak)).toEqual(COINS.map(({ from }) => from.tweak));
    expect(verifySilentPayments(psbt)).toMatchObject([{ status: 'open', fault: { reason: 'share', inputIndex: 0 } }]);
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
