import { beforeAll, describe, expect, test } from 'vitest';
import {
  accountFromWords,
  buildPsbt,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../../src/kit/account/index.ts';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { type RunInput, run, runForFiles } from '../../../support/io.ts';
import { decodeTransaction, formatHex, parseHex, parsePsbt, unsignedTransaction } from '../../../support/library.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const OTHER_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const me = accountFromWords(WORDS, { network: 'regtest' });
const other = accountFromWords(OTHER_WORDS, { network: 'regtest' });
const silent = silentPaymentsFromWords(WORDS, { network: 'regtest' });
const PAYEE = other.receive(0).address;
/** The account of the words, which the whole world knows, as a watching wallet has it. */
const WATCHING =
  'wpkh([73c5da0a/84h/1h/0h]tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M/<0;1>/*)';

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly scriptPubKey: string;
  readonly amount: number;
  readonly height: number;
}

const chain = startRegtest();
let scanned: { readonly unspents: readonly Unspent[] } = { unspents: [] };
let transactions: readonly string[] = [];

/** What a node prints. */
function scan(...addresses: readonly string[]): typeof scanned {
  const found = chain.rpc.call('scantxoutset', ['start', addresses.map((address) => `addr(${address})`)]);
  return JSON.parse(JSON.stringify(found));
}

const hexOf = ({ txid, height }: Unspent): string =>
  String(chain.rpc.call('getrawtransaction', [txid, false, chain.rpc.call('getblockhash', [height])]));

beforeAll(() => {
  chain.mine(1);
  for (const [index, value] of [30_000n, 90_000n, 150_000n].entries()) chain.fund(me.receive(index).address, value);
  chain.mine(6);
  scanned = scan(...[0, 1, 2].map((index) => me.receive(index).address));
  transactions = scanned.unspents.map(hexOf);
});

const pay = (args: readonly string[], files: RunInput['files'] = {}) =>
  run(['pay', '--network', 'regtest', ...args], {
    files: { words: WORDS, wallet: WATCHING, coins: JSON.stringify(scanned), ...files },
  });
const FROM = ['wallet', '--coins-file', 'coins', '--fee-rate', '2'];
const addressOf = (script: string): string =>
  [0, 1, 2].map((index) => me.receive(index)).find(({ scriptPubKey }) => formatHex(scriptPubKey) === script)?.address ??
  '';
const sats = (amount: number): number => Math.round(amount * 1e8);

describe('countersign pay', () => {
  test('makes a PSBT that sign completes and a node accepts', async () => {
    const built = await pay([...FROM, '--pays', `${PAYEE}=0.001`]);
    expect([built.code, built.error]).toEqual([
      0,
      expect.stringMatching(
        /^spends [123] of 3 coins, fee 0\.\d+ BTC\. Next: review it, then sign it \(countersign sign FILE\)\n$/,
      ),
    ]);
    const review = reviewWith(me, built.out);
    const roles = review.outputs.map(({ role, value }) => (role === 'change' ? role : value));
    expect(new Set(roles)).toEqual(new Set(['change', 100_000n]));
    expect(Number(review.fee) / (review.vsize ?? 0)).toBeCloseTo(2, 1);
    const signed = await run(['sign', '-', '--network', 'regtest', '--seed-file', 'words', '--yes', '--pays', PAYEE], {
      files: { words: WORDS },
      stdin: built.out,
    });
    expect(signed.code).toBe(0);
    const [{ allowed }] = JSON.parse(JSON.stringify(chain.rpc.call('testmempoolaccept', [[signed.out.trim()]]))) as [
      { allowed: boolean },
    ];
    expect(allowed).toBe(true);
  });

  test('reads the coins of each program, and takes the unit from the name of the amount', async () => {
    const list = scanned.unspents.map(({ txid, vout, scriptPubKey, amount }) => ({
      node: { txid, vout, address: addressOf(scriptPubKey), amount: amount.toFixed(8), confirmations: 7, safe: true },
      explorer: { txid, vout, address: addressOf(scriptPubKey), value: sats(amount), status: { confirmed: true } },
      server: { tx_hash: txid, tx_pos: vout, scriptPubKey, value: sats(amount), height: 2 },
      electrum: { prevout_hash: txid, prevout_n: vout, address: addressOf(scriptPubKey), value: amount.toFixed(8) },
      small: { txid, vout, scriptPubKey, amount: `${sats(amount)}e-8` },
    }));
    const args = [...FROM, '--pays', `${PAYEE}=0.001`];
    const { out } = await pay(args);
    expect(out).not.toBe('');
    for (const kind of ['node', 'explorer', 'server', 'electrum', 'small'] as const) {
      const coins = JSON.stringify(list.map((coin) => coin[kind]));
      expect(await pay(args, { coins }), kind).toMatchObject({ code: 0, out });
      expect(await pay(args, { coins: `{"result":${coins},"error":null,"id":1}` }), kind).toMatchObject({ out });
    }
  });

  test('proves amounts with the transactions that paid the coins, which may also be the coins', async () => {
    const args = ['--fee-rate', '2', '--pays', `${PAYEE}=0.001`];
    const files = { transactions: transactions.join('\n') };
    const proven = await pay(['wallet', '--coins-file', 'coins', '--tx-file', 'transactions', ...args], files);
    const { inputs } = parsePsbt(proven.out);
    expect(inputs.length).toBeGreaterThan(0);
    expect(inputs.every(({ nonWitnessUtxo }) => nonWitnessUtxo)).toBe(true);
    const alone = await pay(['wallet', '--tx-file', 'transactions', ...args], files);
    expect(alone.error).toMatch(/^spends \d of 3 coins/);
    // Electrum's servers and Esplora do not say which address a coin has.
    const coins = JSON.stringify(
      scanned.unspents.map(({ txid, vout, amount }) => ({ txid, vout, value: sats(amount) })),
    );
    const found = await pay(['wallet', '--coins-file', 'coins', '--tx-file', 'transactions', ...args], {
      ...files,
      coins,
    });
    expect(found.out).toBe(proven.out);
  });

  test('does not count outputs that another of the transactions spends', async () => {
    const [first = ''] = transactions;
    const tx = decodeTransaction(parseHex(first));
    const vout = tx.outputs.findIndex(({ scriptPubKey }) => me.find(scriptPubKey));
    const value = tx.outputs[vout]?.value ?? 0n;
    const from = me.find(tx.outputs[vout]?.scriptPubKey ?? new Uint8Array()) ?? me.receive(0);
    const coin = { txid: scanned.unspents[0]?.txid ?? '', vout, value, from };
    const { hex = '' } = signWith(
      me,
      buildPsbt({ inputs: [coin], outputs: [], change: other.receive(1).address, feeRate: 2 }),
    );
    const { code, error } = await pay(
      ['wallet', '--tx-file', 'first', '--tx-file', 'next', '--fee-rate', '2', '--pays', `${PAYEE}=0.0001`],
      { first, next: hex },
    );
    expect([code, error]).toEqual([1, expect.stringContaining('is of this wallet')]);
  });

  test('pays payment URIs and silent payments, also at once, and takes seed words in place of a file', async () => {
    const built = await pay([
      ...['--seed-file', 'words', '--coins-file', 'coins', '--fee-rate', '2.5'],
      ...['--pays', `bitcoin:${PAYEE}?amount=0.0002`, '--pays', `${silent.address()}=0.0003`],
    ]);
    expect(built.error).toContain('master key: fingerprint 73c5da0a\nspends ');
    const psbt = parsePsbt(built.out);
    expect(psbt.global.version).toBe(2);
    expect(psbt.outputs.map(({ amount }) => amount)).toEqual(expect.arrayContaining([20_000n, 30_000n]));
    const { hex } = signWith(me, psbt);
    expect(hex).toBeDefined();
  });

  test('takes the change address after those of the coins, or a given one', async () => {
    const change = me.change(4);
    const coins = JSON.stringify([{ txid: '11'.repeat(32), vout: 0, address: change.address, amount: 1 }]);
    const outputsOf = (text: string) =>
      unsignedTransaction(parsePsbt(text)).outputs.map(({ scriptPubKey }) => formatHex(scriptPubKey));
    const args = [...FROM, '--pays', `${PAYEE}=0.5`];
    expect(outputsOf((await pay(args, { coins })).out)).toContain(formatHex(me.change(5).scriptPubKey));
    const given = me.receive(8);
    const { out } = await pay([...args, '--change-to', given.address], { coins });
    expect(outputsOf(out)).toContain(formatHex(given.scriptPubKey));
    expect(parsePsbt(out).outputs.filter(({ bip32Derivations }) => bip32Derivations)).toHaveLength(1);
    const foreign = await pay([...args, '--change-to', other.change(0).address], { coins });
    expect(outputsOf(foreign.out)).toContain(formatHex(other.change(0).scriptPubKey));
  });

  test('sends all coins that are worth it', async () => {
    const dust = { txid: '22'.repeat(32), vout: 0, address: me.receive(3).address, value: 100 };
    const coins = JSON.stringify([...scanned.unspents, dust]);
    const built = await pay([...FROM, '--all', '--pays', PAYEE], { coins });
    expect(built.error).toMatch(
      /^left out 1 coin: at this rate, spending costs more than it is worth\nspends 3 of 4 coins, fee 0\.\d+ BTC/,
    );
    const { outputs, fee } = reviewWith(me, built.out);
    expect(outputs.map(({ value }) => value)).toEqual([270_000n - (fee ?? 0n)]);
    const shared = await pay([...FROM, '--all', '--pays', PAYEE, '--pays', `${other.receive(2).address}=0.001`]);
    expect(reviewWith(me, shared.out).outputs.map(({ value }) => value)).toContain(100_000n);
  });

  test('writes a file', async () => {
    const { files, error } = await runForFiles(
      ['pay', '--network', 'regtest', ...FROM, '--pays', `${PAYEE}=0.001`, '--out', 'new.psbt', '--format', 'binary'],
      { files: { wallet: WATCHING, coins: JSON.stringify(scanned) } },
    );
    expect(error).toContain('countersign sign new.psbt');
    expect(parsePsbt(files['new.psbt'] ?? '').inputs.length).toBeGreaterThan(0);
  });

  test('says how many satoshi are missing', async () => {
    const { code, error } = await pay([...FROM, '--pays', `${PAYEE}=0.0027`]);
    const [, needed = '', missing = ''] = /take (\d+) sat: (\d+) sat are missing\n$/.exec(error) ?? [];
    expect([code, error]).toEqual([1, expect.stringMatching(/^error: the coins hold 270000 sat, and /)]);
    expect(Number(needed) - 270_000).toBe(Number(missing));
    const least = 270_000 - Number(missing);
    const enough = await pay([...FROM, '--pays', `${PAYEE}=0.00${least}`]);
    expect(enough.code).toBe(0);
    expect((await pay([...FROM, '--pays', `${PAYEE}=0.00${least + 1}`])).code).toBe(1);
  });

  test('does not spend unconfirmed coins of others, and says so', async () => {
    const list = (safe: boolean) =>
      JSON.stringify(scanned.unspents.map((coin) => ({ ...coin, height: undefined, confirmations: 0, safe })));
    const args = [...FROM, '--pays', `${PAYEE}=0.001`];
    expect(await pay(args, { coins: list(false) })).toMatchObject({
      code: 1,
      error: 'error: all coins are unconfirmed payments of others, which are not spent: wait for a block\n',
    });
    expect((await pay(args, { coins: list(true) })).code).toBe(0);
    const one = JSON.stringify(
      scanned.unspents.map((coin, i) => ({ ...coin, confirmations: undefined, height: i === 0 ? 2 : 0 })),
    );
    expect((await pay(args, { coins: one })).error).toMatch(
      /hold \d+ sat, not counting 2 unconfirmed coins from others, and the payments and the fee take/,
    );
  });
});

describe('countersign pay, of silent payments,', () => {
  test('spends what "countersign coins --json" lists, and pays change to the wallet', async () => {
    const coin = { txid: '11'.repeat(32), vout: 0, value: 200_000n, from: other.receive(0) };
    const payment = buildPsbt({
      inputs: [coin],
      outputs: { [silent.address(1)]: 150_000n },
      change: PAYEE,
      feeRate: 2,
    });
    const { hex = '' } = signWith(other, payment);
    const found = silent.findCoins(decodeTransaction(parseHex(hex)), [other.receive(0)]);
    const coins = JSON.stringify(
      found.map(({ txid, vout, value, from }) => ({
        ...{ txid, vout, value: String(value) },
        ...{ scriptPubKey: formatHex(from.scriptPubKey), tweak: formatHex(from.tweak) },
      })),
    );
    const args = (wallet: string) => [wallet, '--coins-file', 'coins', '--fee-rate', '2', '--pays', `${PAYEE}=0.001`];
    const built = await pay(args('watching'), { coins, watching: silent.descriptor() });
    expect(built).toMatchObject({ code: 0, error: expect.stringMatching(/^spends 1 of 1 coin, fee/) });
    const signed = await run(['sign', '-', '--network', 'regtest', '--seed-file', 'words', '--yes'], {
      files: { words: WORDS },
      stdin: built.out,
    });
    expect(signed.code).toBe(0);
    const change = silent.findCoins(
      decodeTransaction(parseHex(signed.out.trim())),
      found.map(({ from }) => from),
    );
    expect(change.map(({ from }) => from.label)).toEqual([0]);
    const swept = await pay(['watching', '--coins-file', 'coins', '--fee-rate', '2', '--all', '--pays', PAYEE], {
      coins,
      watching: silent.descriptor(),
    });
    expect(reviewWith(silent, swept.out).outputs).toHaveLength(1);

    const foreign = silentPaymentsFromWords(OTHER_WORDS, { network: 'regtest' }).descriptor();
    expect((await pay(args('foreign'), { coins, foreign })).error).toContain('none of the 1 coin is of this wallet');
    const bare = JSON.stringify(found.map(({ txid, vout }) => ({ txid, vout, address: PAYEE, value: 1000 })));
    expect((await pay(args('watching'), { coins: bare, watching: silent.descriptor() })).error).toContain(
      'has no "tweak"',
    );
  });
});

describe('countersign pay refuses', () => {
  const TXID = '33'.repeat(32);
  const one = (members: object = {}) => ({
    txid: TXID,
    vout: 0,
    address: me.receive(0).address,
    value: 100_000,
    ...members,
  });
  const WIF = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';

  test.each<[string, unknown, string]>([
    ['JSON of another kind', { hello: 1 }, 'does not hold a JSON array of coins'],
    ['what is not JSON', 'hello', 'does not hold a JSON array of coins'],
    ['seed words in their place', WORDS, 'it is seed words; commands that sign take them with --seed-file'],
    ['a list of texts', ['a'], 'coin 1 is not a JSON object'],
    ['an empty list', [], 'lists no coins'],
    ['a coin without a name', [one({ txid: 'ab' })], 'coin 1 needs a "txid" of 64 hex digits and a "vout"'],
    ['a fractional output', [one({ vout: 0.5 })], 'needs a "txid" of 64 hex digits and a "vout"'],
    ['an output beyond 32 bits', [one({ vout: 2 ** 32 })], 'needs a "txid" of 64 hex digits and a "vout"'],
    ['a coin without an amount', [one({ value: undefined })], 'needs either "amount" in coins or "value" in satoshi'],
    ['a coin with two amounts', [one({ amount: 0.001 })], 'needs either "amount" in coins or "value" in satoshi'],
    ['a fraction of a satoshi', [one({ value: 1000.5 })], 'its "value" must be a whole number of satoshi'],
    ['coins in place of satoshi', [one({ value: 0.001 })], 'its "value" must be a whole number of satoshi'],
    [
      'more than 8 decimals',
      [one({ value: undefined, amount: 0.123456789 })],
      'its "amount" must be a number of BTC with at most 8 decimals',
    ],
    ['a negative amount', [one({ value: -5 })], 'not negative'],
    ['more than there is', [one({ value: 2.2e15 })], 'within the supply'],
    ['an amount of another type', [one({ value: null })], 'its "value" must be a whole number of satoshi'],
    ['a coin without an address', [one({ address: undefined })], 'has neither "address" nor "scriptPubKey"'],
    ['an address of another network', [one({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' })], 'of regtest'],
    ['a script that is not hex', [one({ scriptPubKey: 'xyz' })], 'its "scriptPubKey" must be in hex'],
    ['a coin twice', [one(), one()], `the coin ${TXID}:0 is listed twice`],
    ['coins of another wallet', [one({ address: PAYEE })], 'none of the 1 coin is of this wallet'],
  ])('%s', async (_, coins, reason) => {
    const text = typeof coins === 'string' ? coins : JSON.stringify(coins);
    const { code, out, error } = await pay([...FROM, '--pays', `${PAYEE}=0.0005`], { coins: text });
    expect([code, out, error]).toEqual([1, '', expect.stringMatching(/^error: [^\n]*\n$/)]);
    expect(error).toContain(reason);
    expect(error).not.toMatch(/abandon/);
  });

  test.each<[string, readonly string[], string]>([
    ['no payee', FROM, 'pay needs --pays'],
    ['a payee without an amount', [...FROM, '--pays', PAYEE], '--pays: the address has no amount'],
    ['a URI without one', [...FROM, '--pays', `bitcoin:${PAYEE}`], '--pays: the payment URI has no amount'],
    ['a wallet', [...FROM, '--pays', 'wallet:Family'], 'pay needs an address, not the name of a wallet'],
    ['nine decimals', [...FROM, '--pays', `${PAYEE}=0.123456789`], 'the amount after "=" is a number of BTC'],
    ['a negative payment', [...FROM, '--pays', `${PAYEE}=-1`], 'the amount after "=" is a number of BTC'],
    ['nothing', [...FROM, '--pays', `${PAYEE}=0`], 'the amount after "=" is a number of BTC'],
    ['a key as the payee', [...FROM, '--pays', `${WIF}=1`], '--pays: this is not an address of '],
    [
      'dust',
      [...FROM, '--pays', `${PAYEE}=0.00000100`],
      'Output 0 pays 100 sat, less than it costs to spend: pay at least 294',
    ],
    ['no rate', ['wallet', '--coins-file', 'coins', '--pays', `${PAYEE}=0.001`], 'pay needs --fee-rate'],
    ['no coins', ['wallet', '--fee-rate', '1', '--pays', `${PAYEE}=0.001`], 'pay needs the coins'],
    [
      'change of another network',
      [...FROM, '--pays', `${PAYEE}=0.001`, '--change-to', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
      '--change-to: the address is of main',
    ],
    [
      'a key as change',
      [...FROM, '--pays', `${PAYEE}=0.001`, '--change-to', WIF],
      '--change-to: this is not a valid address',
    ],
    [
      '--all with two open amounts',
      [...FROM, '--all', '--pays', PAYEE, '--pays', PAYEE],
      '--all needs exactly one --pays without an amount',
    ],
    [
      '--all without one',
      [...FROM, '--all', '--pays', `${PAYEE}=0.001`],
      '--all needs exactly one --pays without an amount',
    ],
    ['--all with change', [...FROM, '--all', '--pays', PAYEE, '--change-to', PAYEE], '--all contradicts --change-to'],
    [
      'standard input twice',
      ['-', '--coins-file', '-', '--fee-rate', '1', '--pays', `${PAYEE}=0.001`],
      'standard input can be read only once',
    ],
    [
      'a transaction that is none',
      ['wallet', '--tx-file', 'coins', '--fee-rate', '1', '--pays', `${PAYEE}=0.001`],
      'is not a transaction in hex',
    ],
  ])('%s', async (_, args, reason) => {
    const { code, out, error } = await pay(args);
    expect([code, out, error]).toEqual([1, '', expect.stringMatching(/^error: [^\n]*\n$/)]);
    expect(error).toContain(reason);
    expect(error).not.toContain(WIF);
  });

  test.each(['0', '-1', 'x', '10000', '1e3', '0x10', 'NaN', ''])('the rate %j', async (rate) => {
    const { code, error } = await pay([
      'wallet',
      '--coins-file',
      'coins',
      `--fee-rate=${rate}`,
      '--pays',
      `${PAYEE}=0.001`,
    ]);
    expect([code, error]).toEqual([
      1,
      'error: --fee-rate must be a number of satoshi per virtual byte, above 0 and up to 1000\n',
    ]);
  });

  test('a legacy coin whose amount nothing proves, and an amount that the transaction contradicts', async () => {
    const legacy = accountFromWords(WORDS, { network: 'regtest', purpose: 44 });
    const args = ['--seed-file', 'words', '--purpose', '44', '--coins-file', 'coins', '--fee-rate', '2'];
    const coins = JSON.stringify([one({ address: legacy.receive(0).address })]);
    expect((await pay([...args, '--pays', `${PAYEE}=0.0005`], { coins })).error).toContain(
      `the coin ${TXID}:0 is not of segwit, so that only the transaction that paid it proves its amount: give that with --tx-file`,
    );
    const lies = JSON.stringify(scanned.unspents.map((coin) => ({ ...coin, amount: 1 })));
    const { error } = await pay([...FROM, '--tx-file', 'paid', '--pays', `${PAYEE}=0.5`], {
      coins: lies,
      paid: transactions[0] ?? '',
    });
    expect(error).toContain('the transaction in --tx-file pays another amount, or to another address');
  });

  test('to name coins of others among those of the wallet', async () => {
    const coins = JSON.stringify([one(), one({ vout: 1, address: PAYEE })]);
    const { code, error } = await pay([...FROM, '--pays', `${PAYEE}=0.0005`], { coins });
    expect([code, error]).toEqual([
      0,
      expect.stringMatching(/^left out 1 coin: not of this wallet\nspends 1 of 1 coin,/),
    ]);
  });
});
