import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenedKey, openKeys } from '../../../src/kit/open/openKeys.ts';
import { campaign } from '../../support/campaign.ts';
import { BtcError } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import { everythingOf, expectHidden, pasted } from '../../support/secrets.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const XPRV =
  'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu';
const BIP38 = '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg';
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const OTHER_WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU74NMTptX4';
const MINIKEY = 'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy';
const CODEX32 = 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw';
/** Shares of BIP93's second vector, of which any two are its seed. */
const [A, C, D] = [
  'MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM',
  'MS12NAMECACDEFGHJKLMNPQRSTUVWXYZ023FTR2GDZMPY6PN',
  'MS12NAMEDLL4F8JLH4E5VDVULDLFXU2JHDNLSM97XVENRXEG',
] as const;
const SEED_QR = '073318950739065415961602009907670428187212261116';
/** The same seed. @see SeedSigner "SeedQR Format Specification" */
const COMPACT = Uint8Array.from(Buffer.from('5bbd9d71a8ec7990831aff359d426545', 'hex'));
const QR_WORDS = 'forum undo fragile fade shy sign arrest garment culture tube off merit';

const kindOf = (key: OpenedKey): string =>
  [key.kind, ...('form' in key ? [key.form] : []), ...('type' in key ? [key.type] : [])].join(' ');
const opened = (...args: Parameters<typeof openKeys>): readonly string[] => openKeys(...args).map(kindOf);
const refused = (...args: Parameters<typeof openKeys>): readonly [string, string] => {
  const { code, message } = refusalOf(() => openKeys(...args));
  return [code, message];
};

describe('openKeys', () => {
  test.each<[string, string | Uint8Array, readonly string[]]>([
    ['seed words', WORDS, ['seed words']],
    [
      'numbered words',
      WORDS.split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join('\n'),
      ['seed words'],
    ],
    ['words in UTF-16', new Uint8Array([0xff, 0xfe, ...Buffer.from(WORDS, 'utf16le')]), ['seed words']],
    ['a SeedQR', SEED_QR, ['seed words']],
    ['a binary SeedQR', COMPACT, ['seed words']],
    [
      'a segwit seed of Electrum',
      'wild father tree among universe such mobile favorite target dynamic credit identify',
      ['electrum segwit'],
    ],
    ['an extended key', ` ${XPRV}\n`, ['extended']],
    ['a WIF key', WIF, ['single']],
    ['a minikey', MINIKEY, ['single']],
    ['an older minikey', 'S4b3N3oGqDqR5jNuxEvDwf', ['single']],
    ['codex32', CODEX32, ['seed codex32']],
    ['shares', `${A}\n${C}`, ['seed codex32']],
    ['shares between keys', `${WIF}, ${A}, ${XPRV}, ${C}`, ['single', 'seed codex32', 'extended']],
    ['a list of Electrum', JSON.stringify([`p2wpkh:${WIF}`, `p2pkh:${OTHER_WIF}`]), ['single', 'single']],
  ])('opens %s', (_, content, kinds) => {
    expect(opened(content)).toEqual(kinds);
  });

  test('opens the same seed from words and from both forms of a SeedQR', () => {
    const [words] = openKeys(QR_WORDS);
    for (const content of [SEED_QR, COMPACT, SEED_QR.replace(/(.{4})/g, '$1 ')])
      expect(openKeys(content)).toEqual([words]);
  });

  test('opens the same seed from any two shares', () => {
    const [seed] = openKeys('MS12NAMES6XQGUZTTXKEQNJSJZV4JV3NZ5K3KWGSPHUH6EVW');
    for (const shares of [
      [A, C],
      [C, A],
      [A, D],
      [D, C],
    ])
      expect(openKeys(shares.join(' '))).toEqual([seed]);
  });

  test('decrypts BIP38 with the passphrase only, which words take, too', () => {
    const passphrase = 'TestingOneTwoThree';
    expect(openKeys(BIP38, { passphrase })).toMatchObject([{ kind: 'single', key: { isCompressed: false } }]);
    expect(refused(BIP38, { passphrase: 'TestingOneTwo' })).toEqual([
      'bip38/passphrase',
      'The passphrase of the encrypted key is wrong: check each character, upper and lower case, and spaces',
    ]);
    expect(openKeys(WORDS, { passphrase: 'x' })).not.toEqual(openKeys(WORDS));
  });

  const PASSPHRASE = 'A passphrase needs seed words or an encrypted key, and these are other keys: leave it out';
  const NONE = /^The text is not a key: give seed words/;
  test.each<[string | Uint8Array, string | undefined, string, string | RegExp]>([
    [`${A} ${C} ${D}`, undefined, 'codex32/shares', /exactly 2 codex32 shares, not 3: leave some out$/],
    [A, undefined, 'codex32/shares', /exactly 2 codex32 shares, not 1: give more of them$/],
    [`${A} ${A}`, undefined, 'codex32/shares', /has the index of string 1: give each share once$/],
    [`${A} ${CODEX32}`, undefined, 'codex32/shares', /is the whole secret, not a share/],
    [`${A} ms13cashcacdefghjklmnpqrstuvwxyz023949xq35my48dr`, undefined, 'codex32/shares', /./],
    [`${A} ${C.replace('ACDE', 'ACDF')}`, undefined, 'codex32/invalid', /checksum does not match/],
    [WORDS.replace('about', 'abandon'), undefined, 'words/checksum', /^The checksum of the seed words does not match/],
    [WORDS.replace('about', 'abuot'), undefined, 'words/unknown', /^Word 12: not in the word list/],
    [WORDS.slice(8), undefined, 'words/count', /not 11$/],
    ['abandon abandon about', undefined, 'words/count', /not 3$/],
    ['abaisser '.repeat(12), undefined, 'words/unknown', /not in the English word list/],
    ['あいこくしん　'.repeat(12), undefined, 'words/unknown', /the only one built in$/],
    [SEED_QR.slice(1), undefined, 'argument/invalid', /perhaps of a damaged SeedQR: give the seed words$/],
    [`${SEED_QR}0001`, undefined, 'argument/invalid', /perhaps of a damaged SeedQR: give the seed words$/],
    [`${SEED_QR.slice(0, -1)}7`, undefined, 'words/checksum', /check each word and their order$/],
    [`${XPRV.slice(0, -1)}v`, undefined, 'base58/invalid', /^The base58 checksum does not match/],
    [`${WIF.slice(0, -1)}m`, undefined, 'base58/invalid', /^The base58 checksum does not match/],
    [`${MINIKEY.slice(0, -1)}z`, undefined, 'argument/invalid', /^The minikey has a typing error/],
    ['7f'.repeat(32), undefined, 'argument/invalid', /^It is 16 or 32 bytes in hex/],
    [WIF, 'x', 'argument/invalid', PASSPHRASE],
    [XPRV, 'x', 'argument/invalid', PASSPHRASE],
    [CODEX32, 'x', 'argument/invalid', PASSPHRASE],
    [`wpkh(${XPRV}/0/*)`, undefined, 'argument/invalid', NONE],
    [JSON.stringify({ seed: WORDS }), undefined, 'argument/invalid', NONE],
    [`${WORDS}\n${WIF}`, undefined, 'argument/invalid', NONE],
    ['', undefined, 'argument/invalid', NONE],
    [new Uint8Array(15), undefined, 'argument/invalid', NONE],
    [',;"[] '.repeat(10_000), undefined, 'argument/invalid', NONE],
    [`${A} `.repeat(2000), undefined, 'codex32/shares', /give each share once$/],
  ])('refuses with one line: %#', (content, passphrase, code, message) => {
    const [actual, text] = refused(content, { ...(passphrase !== undefined && { passphrase }) });
    expect(actual).toBe(code);
    expect(text).toMatch(message);
    expect(text).not.toContain('\n');
  });

  test('refuses keys of another network', () => {
    expect(refused(WIF, { network: 'regtest' })[0]).toBe('wif/network');
    expect(refused(`${WIF} ${XPRV.replace('xprv', 'yprv')}`, { network: 'main' })[0]).toBe('base58/invalid');
    expect(refused(XPRV, { network: 'testnet3' })[0]).toBe('xkey/network');
  });

  test('hides every secret that it refuses', () => {
    fc.assert(
      fc.property(pasted, (secret) => {
        try {
          openKeys(secret.text);
        } catch (error) {
          expect(error).toBeInstanceOf(BtcError);
          expectHidden(everythingOf(error), secret, 'openKeys');
        }
      }),
      campaign(3000),
    );
  });
});
