import { describe, expect, test } from 'vitest';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import {
  type Account,
  accountFromDescriptors,
  accountFromWords,
  buildPsbt,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { textsOf } from '../../support/findingTexts.ts';
import { runForFiles } from '../../support/io.ts';
import {
  createHolder,
  derivePath,
  encodePsbt,
  formatAddress,
  formatWif,
  formatXprv,
  formatXpub,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  parsePath,
  reviewPsbt,
  reviewToJson,
} from '../../support/library.ts';
import { PAYEE } from '../../support/psbts.ts';

const { regtest } = networks;
const OWN = `${'abandon '.repeat(11)}about`;
const STRANGER = `${'zoo '.repeat(11)}wrong`;

const keyAt = (words: string, path: string) => derivePath(masterKey(seedOfWords(words)), parsePath(`m/${path}`));
const xpubAt = (words: string, path: string): string => formatXpub(neuter(keyAt(words, path)), regtest);
const ORIGIN = '73c5da0a/84h/1h/0h';
const MINE = `[${ORIGIN}]${xpubAt(OWN, '84h/1h/0h')}/<0;1>/*`;
const ELSEWHERE = `[73c5da0a/48h/1h/0h/2h]${xpubAt(OWN, '48h/1h/0h/2h')}/<0;1>/*`;
const THEIRS = `[b4e3f5ed/84h/1h/0h]${xpubAt(STRANGER, '84h/1h/0h')}/<0;1>/*`;
const FORGED = `[${ORIGIN}]${xpubAt(STRANGER, '84h/1h/0h')}/<0;1>/*`;

const KEYS = {
  words: OWN,
  'account key': formatXprv(keyAt(OWN, '84h/1h/0h'), regtest),
  'key of the coin': formatWif(
    { secretKey: keyAt(OWN, '84h/1h/0h/0/3').secretKey ?? new Uint8Array(0), isCompressed: true },
    regtest,
  ),
};

/** Joins lines that were broken to fit a terminal. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

const accountOf = (words: string, account = 0): Account => accountFromWords(words, { network: 'regtest', account });

/** Signs a PSBT that spends a coin of the own account, or of another, with the change of an account. */
function signWith(
  keys: string,
  descriptors: readonly string[],
  { change, from = accountOf(OWN) }: { readonly change: Account; readonly from?: Account },
) {
  const psbt = buildPsbt({
    inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: from.receive(3) }],
    outputs: { [formatAddress(PAYEE, regtest) ?? '']: 60_000n },
    change: change.change(0),
    feeRate: 2,
  });
  const args = ['spend.psbt', '--network', 'regtest', '--yes', '--keys-file', 'keys', '--descriptors-file', 'wallet'];
  const files = { 'spend.psbt': encodePsbt(psbt), keys, wallet: descriptors.join('\n') };
  return runForFiles(['sign', ...args], { files });
}

describe.each(Object.entries(KEYS))('descriptors beside the %s', (_, keys) => {
  test.each([
    ['of a stranger', [`wpkh(${THEIRS})`], 1],
    ['of a stranger, with a forged fingerprint', [`wpkh(${FORGED})`], 1],
    ['of a stranger, beside the own one', [`wpkh(${MINE})`, `wpkh(${THEIRS})`], 2],
  ])('%s prove no change: nothing is signed', async (_name, descriptors, position) => {
    const { code, out, error } = await signWith(keys, descriptors, { change: accountOf(STRANGER) });
    expect([code, out]).toEqual([1, '']);
    expect(flat(error)).toContain(`Output 1 pays to descriptor ${position}, which has no key of yours`);
    if (_name.includes('forged') && keys === OWN) {
      expect(flat(error)).toMatch(/REFUSED: Descriptor 1 names another key than yours at .*\[key-contradicted\]/);
    }
    expect(error).not.toContain('change, verified');
  });

  test.each([
    ['of their account', [`wpkh(${MINE})`]],
    ['of their account without its origin', [`wpkh(${MINE.replace(/.*\]/, '')})`]],
    ['of their account, and of a wallet that has nothing to do with it', [`wpkh(${MINE})`, `wpkh(${THEIRS})`]],
  ])('%s prove change, if the keys derive theirs', async (_name, descriptors) => {
    const { code, error } = await signWith(keys, descriptors, { change: accountOf(OWN) });
    // The key of one coin cannot tell whose account that is.
    const isProven = keys !== KEYS['key of the coin'];
    expect([code, error.includes('  change, verified ('), error.includes('[wallet-foreign]')]).toEqual(
      isProven ? [0, true, false] : [1, false, true],
    );
  });
});

describe('descriptors that keys imply are named by what they are', () => {
  const theirs = [`wpkh(${THEIRS})`];
  const change = accountOf(OWN);

  test.each([
    ['seed words', OWN, 'seed words, P2WPKH account 0, 84h/1h/0h/'],
    ['an account key', KEYS['account key'], 'extended private key, P2WPKH, '],
    [
      'several keys',
      `${KEYS['account key']}\n${formatXprv(keyAt(STRANGER, '84h'), regtest)}`,
      'extended private key e99b8628, P2WPKH, ',
    ],
  ])('of %s', async (_, keys, name) => {
    const { error } = await signWith(keys, theirs, { change });
    expect(flat(error)).toContain(`change, verified (${name}1/0)`);
    expect(flat(error)).toContain(`yours (${name}0/3)`);
  });

  test('in findings and JSON', () => {
    const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: change.receive(3) };
    const { address } = change.receive(1);
    const psbt = buildPsbt({ inputs: [coin], outputs: { [address]: 10_000n }, change: change.change(0), feeRate: 2 });
    const source = { name: 'seed words, P2WPKH account 0' };
    const holder = createHolder({
      network: regtest,
      ecc: nobleEcc,
      keys: createHolder(change.holds).keys,
      wallets: change.descriptors.map((descriptor) => ({ ...source, descriptor })),
    });
    const review = reviewPsbt(psbt, { holder });
    expect(reviewToJson(review).inputs[0]?.owner?.text).toBe('seed words, P2WPKH account 0, 84h/1h/0h/0/3');
    const [first, second] = psbt.outputs;
    const lie = {
      ...psbt,
      outputs: [
        { ...first, bip32Derivations: second?.bip32Derivations ?? [] },
        { ...second, amount: 1n, script: PAYEE },
      ],
    };
    const texts = textsOf(reviewPsbt(lie, { holder }));
    expect(texts.join(' ')).toContain('is false: your key at [73c5da0a/84h/1h/0h/1/0] is not in its script');
  });

  test('and where an output is of another of them', async () => {
    const { error } = await signWith(OWN, theirs, {
      change: accountFromWords(OWN, { network: 'regtest', purpose: 86 }),
    });
    expect(flat(error)).toContain('change, verified (seed words, P2TR account 0, 86h/1h/0h/1/0)');
  });
});

test('descriptors of any account of the seed words prove change', async () => {
  const wallet = `wpkh([73c5da0a/84h/1h/7h]${xpubAt(OWN, '84h/1h/7h')}/<0;1>/*)`;
  const own = accountOf(OWN, 7);
  const { code, error } = await signWith(OWN, [wallet], { change: own, from: own });
  expect(error).toContain('  change, verified (');
  expect(code).toBe(0);
});

describe('a multisig descriptor', () => {
  const other = `[b4e3f5ed/48h]${xpubAt(STRANGER, '48h')}/<0;1>/*`;
  const changeTo = (text: string) => ({ change: accountFromDescriptors(text, { network: 'regtest' }) });

  const multisig = `wsh(sortedmulti(2,${MINE},${other}))`;

  test('with one of the given keys has change of its own coins, unregistered', async () => {
    const { change } = changeTo(multisig);
    const { code, error } = await signWith(OWN, [multisig], { change, from: change });
    expect(error).toContain('change (descriptor 1, change 0, not registered)');
    expect(code).toBe(0);
  });

  test.each([
    ['with another account of the given keys', `wsh(sortedmulti(2,${ELSEWHERE},${other}))`, 'wallet-foreign', 1],
    ['with the account of the coins', multisig, 'wallet-foreign', 1],
    ['with a forged origin in place of a given key', `wsh(sortedmulti(2,${FORGED},${other}))`, 'wallet-foreign', 1],
  ])('%s proves no change of coins that take one key', async (_name, text, check, expected) => {
    const { code, error } = await signWith(OWN, [text], changeTo(text));
    expect(error).toContain(`[${check}]`);
    expect(error).not.toContain('change, verified');
    expect(code).toBe(expected);
  });
});

describe('the gap limit of a wallet file (BIP393)', () => {
  const bare = `wpkh(${MINE.replace(/.*\]/, '')})`;
  const silent = silentPaymentsFromWords(OWN, { network: 'regtest' }).descriptor();
  const account = accountOf(OWN);
  const built = buildPsbt({
    inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(1400) }],
    outputs: { [formatAddress(PAYEE, regtest) ?? '']: 60_000n },
    change: account.change(1400),
    feeRate: 2,
  });
  const records = (map: object) => ({ ...map, bip32Derivations: [] });
  const psbt = { ...built, inputs: built.inputs.map(records), outputs: built.outputs.map(records) };

  test.each([
    ['is searched', `${bare}?gl=1500`, true],
    ['is searched beside an sp() descriptor', `${bare}?gl=1500\n${silent}`, true],
    ['is not searched where none is given', bare, false],
  ])('%s', async (_, wallet, isFound) => {
    const files = { 'spend.psbt': encodePsbt(psbt), wallet };
    const { out } = await runForFiles(
      ['review', 'spend.psbt', '--network', 'regtest', '--descriptors-file', 'wallet'],
      {
        files,
      },
    );
    expect(flat(out).includes('descriptor 1, 1/1400')).toBe(isFound);
  });
});
