import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBeKeyInHex, seedWordsAdvice, shownPath, withoutSecrets } from '../../../src/core/encoding/redaction.ts';
import { run } from '../../support/io.ts';
import { createRpc } from '../../support/library.ts';
import { rpcErrorOf } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();

const PHRASE = 'abandon ability able about above absent absorb abstract absurd abuse access accident';
const TXID = 'e3d4817477edf75b343708038c6cf300f43ea2a22973c227a47378a9a60e7883';
const XPUB =
  'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB';
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('withoutSecrets', () => {
  test.each([
    'wallet one',
    'my-file-name.json',
    'and_v(v:pk(A),older(10))',
    'sh(wsh(andor(multi(2,A,B),older(10),thresh(1,pkh(C)',
    'wpkh(wpkh(wpkh(wpkh(wpkh(',
    'abandon/ability',
    'thresh(2,older(1),after(2),older(3))',
    "[d34db33f/44'/0'/0'/2147483647']",
    `tr(musig(${XPUB}/2147483647h,[73c5da0a/86h]${XPUB}`,
    'ADDR(BCRT1PFEESNYR2TX)',
    'ALL|ANYONECANPAY|NONE',
    '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
    '-1.8060344549159101e-40',
    '[0.12345678901234567, 20999999.9769]',
    `pkh(${PUBLIC_KEY})`,
    `pkh(${PUBLIC_KEY}00)`,
    `pk(${'0'.repeat(130)})`,
  ])('leaves %s unchanged', (text) => expect(withoutSecrets(text)).toBe(text));

  test('shows a txid, address or script only where that kind of text was expected', () => {
    const address = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
    const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(withoutSecrets(TXID)).toBe('...');
    expect(withoutSecrets(TXID, 'hash')).toBe(TXID);
    expect(withoutSecrets('z'.repeat(64), 'hash')).toBe('z'.repeat(64));
    expect(withoutSecrets(` ${TXID}`, 'hash')).toBe(` ${TXID}`);
    expect(withoutSecrets(`wpkh(${TXID})`, 'hash')).toBe('...');
    expect(withoutSecrets(`${TXID},${TXID}`, 'hash')).toBe('...,...');
    expect(withoutSecrets('1f'.repeat(32))).toBe('...');
    expect(withoutSecrets(TXID, 'script')).toBe('...');
    expect(withoutSecrets(TXID, 'address')).toBe('...');
    expect(withoutSecrets(address)).toBe(address);
    expect(withoutSecrets(`${address}1`)).toBe('...');
    expect(withoutSecrets(address, 'address')).toBe(address);
    expect(withoutSecrets(segwit, 'address')).toBe(segwit);
    expect(withoutSecrets(`${address}1`, 'address')).toBe(`${address}1`);
    expect(withoutSecrets(`L${address}`, 'address')).toBe('...');
    expect(withoutSecrets('BCRT1PFEESNYR2TX')).toBe('BCRT1PFEESNYR2TX');
    expect(withoutSecrets('BCRT1PFEESNYR2TZ')).toBe('...');
    for (const text of [`tr(${TXID})`, `wallet/${TXID}`, PHRASE, 'correct-horse-battery-staple']) {
      expect(withoutSecrets(text, 'hash')).toBe('...');
    }
    const codex32 = 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw';
    expect(withoutSecrets(codex32, 'address')).toBe('...');
    expect(withoutSecrets(`21${PUBLIC_KEY}a`, 'script')).toBe(`21${PUBLIC_KEY}a`);
    expect(withoutSecrets(`6a${TXID.slice(3)}`, 'script')).toBe('...');
  });

  test.each([
    ['abandon ability able', '...'],
    ['1. abandon 2. ability 3. able', '...'],
    ['1abandon 2ability 3able', '...'],
    ['12abandon ability able', '...'],
    ['1:abandon 2:ability 3:able', '...'],
    ['aband0n abilty able above', '...'],
    ['ABANDON\u00a0ABILITY\u3000ABLE', '...'],
    ['aban\u200bdon abil\u00adity able', '...'],
    ['abandon\\nability\\nable', '...'],
    ['{"0":"abandon","1":"ability","2":"able"}', '{"..."}'],
    ['的一是在不了有和人这中大', '...'],
    ['m/abandon/ability/able', '...'],
    ['abandon/ability/able/about/above/absent', '...'],
    ['abandon(ability(able(about(', '...('],
    ['wsh(abandon)(ability)(able)', '...)'],
    [PHRASE.replaceAll(' ', '-'), '...'],
    [PHRASE.replaceAll(' ', '/'), '...'],
    ['L4rK 1yDt CWek vXuE 4oXD 9jCY fQNV 2cWR', '...'],
    ['12, 34, 56, 78, 90, 11, 22, 33, 44', '...'],
    [`wpkh(${PHRASE})`, 'wpkh(...)'],
  ])('masks the secret in %s', (text, shown) => expect(withoutSecrets(text)).toBe(shown));
});

test('words joined by slashes are shown only where the name of a file was expected', () => {
  const path = '/home/user/projects/bitcoin/wallets/main/seed.txt';
  expect(withoutSecrets(path, 'path')).toBe(path);
  expect(withoutSecrets(path)).toBe('/....txt');
  expect(withoutSecrets(PHRASE.replaceAll(' ', '/'), 'path')).toBe('...');
});

test('the name of a file is shown on one line, without escapes for the terminal', () => {
  expect(shownPath('a\u001b[31m\nerror: b\u202e.psbt')).toBe('a?[31m?error: b?.psbt');
  expect(shownPath(PHRASE)).toBe('...');
});

test('short names of files are shown as a search for secrets leaves them', () => {
  const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,11}$/);
  const joint = fc.constantFrom('/', '/', '.', '-', '_', '--', ' ', '1');
  const path = fc.array(fc.tuple(fc.oneof(name, fc.constantFrom('abandon', 'KwDiBf89QgGbjEh', '')), joint), {
    minLength: 1,
    maxLength: 14,
  });
  fc.assert(
    fc.property(fc.constantFrom('', '/'), path, name, (root, parts, last) => {
      const text = root + parts.map((part) => part.join('')).join('') + last;
      expect(shownPath(text)).toBe(withoutSecrets(text, 'path'));
    }),
    { numRuns: 1000 },
  );
});

describe('the pieces of a key that is broken', () => {
  const KEY = 'cMahea7zqjxrtgbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
  const around = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `wpkh(${text})`,
    (text) => `wsh(multi(1,[d34db33f/84h/0h/0h]${text},${PUBLIC_KEY}))`,
    (text) => `p2wpkh:${text}#abcdefgh`,
    (text) => `{"key":"${text}"}`,
  );
  const breaks = fc.uniqueArray(fc.tuple(fc.nat(KEY.length), fc.constantFrom(' ', '-', '.', '\n', ', ', '_')), {
    minLength: 1,
    maxLength: 3,
    selector: ([at]) => at,
  });

  test.each([
    [`wsh(multi(1,[d34db33f/84h/0h/0h]${KEY},[d34db33f]${PUBLIC_KEY}))#abcdefgh`, KEY],
    [`and_v(v:hash160(${KEY}),pk(02aa))`, KEY],
    [`p2wpkh:${KEY}`, KEY],
    ['cMahea7zqjxrtg bB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA', 'cMahea7zqjxrtg bB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'],
  ])('are all that is masked in %s', (text, secret) => {
    expect(withoutSecrets(text).replace('... ...', '...')).toBe(text.replace(secret, '...'));
  });

  test('are masked with it', () => {
    fc.assert(
      fc.property(around, breaks, (wrap, places) => {
        let text = KEY;
        for (const [at, gap] of [...places].sort(([a], [b]) => b - a)) text = text.slice(0, at) + gap + text.slice(at);
        const shown = withoutSecrets(wrap(text));
        for (let at = 0; at + 9 <= KEY.length; at += 1) expect(shown).not.toContain(KEY.slice(at, at + 9));
      }),
      { numRuns: 2000 },
    );
  });
});

test('a passphrase in place of the name of a parameter or method is not shown', () => {
  const passphrase = 'correct-horse-battery-staple-77Xq';
  expect(withoutSecrets(passphrase, 'name')).toBe('...');
  expect(withoutSecrets('dump_wallet2', 'name')).toBe('dump_wallet2');
  const fault = rpcErrorOf(() => createRpc().call('decodescript' as string, { [passphrase]: '51' }));
  expect(fault?.message).toContain('Unknown named parameter ...');
});

test('a passphrase in place of the name of a file or of another argument is not shown', async () => {
  const secret = 'battery-staple-77Xq';
  for (const argv of [
    ['serve', '--rpcuser', 'a', '--rpcpassword-file', secret],
    ['sign', 'p', '--seed-file', 's', '--passphrase-file', secret],
    ['walletpassphrase', '60', secret, '--wallet-dir', newPath()],
  ]) {
    const { code, error } = await run(argv, { files: { s: PHRASE, p: 'cHNidP8B' } });
    expect([argv, code !== 0, error.includes(secret)]).toEqual([argv, true, false]);
  }
});

describe('long texts', () => {
  const size = 12_000_000;

  test.each([
    ['letters', 'ab'],
    ['digits', '12'],
    ['words', `${PHRASE} `],
    ['escapes', '\\u0416'],
    ['public keys', `${PUBLIC_KEY} `],
  ])('of %s are cut, without a crash', (_, part) => {
    const text = part.repeat(size / part.length);
    const start = performance.now();
    const shown = withoutSecrets(text);
    seedWordsAdvice(text);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(shown.length).toBeLessThanOrEqual(1003);
    expect(shown.endsWith('...')).toBe(true);
    expect(shown).not.toContain('abandon');
  });

  test('lose the token at which they are cut, which might look public', () => {
    const before = ' '.repeat(1000 - PUBLIC_KEY.length);
    expect(withoutSecrets(`${before}${PUBLIC_KEY}`)).toContain(PUBLIC_KEY);
    expect(withoutSecrets(`${before}${PUBLIC_KEY}${'1'.repeat(64)}`).trim()).toBe('...');
  });
});

describe('mayBeKeyInHex', () => {
  const ofSize = (size: number, start = 'd3'): string => start.padEnd(2 * size, '5b');
  const keys = [16, 20, 24, 28, 32, 33, 64, 65].map((size) => ofSize(size));
  const scripts = [
    ofSize(15),
    ofSize(34),
    ofSize(63),
    ofSize(69),
    ofSize(22, '0014'),
    ofSize(23, 'a914'),
    ofSize(25, '76a914'),
    `4104${ofSize(64)}ac`,
    `6a1e${ofSize(30)}`,
  ];

  test.each(keys)('takes %s for a key', (hex) => expect(mayBeKeyInHex(hex)).toBe(true));
  test.each(scripts)('takes %s for a script', (hex) => expect(mayBeKeyInHex(hex)).toBe(false));
  test.each([ofSize(32, '6a'), ofSize(32, '0014'), ofSize(67, '4104')])(
    'takes %s for a key that begins like a script',
    (hex) => expect(mayBeKeyInHex(hex)).toBe(true),
  );
});

describe('seed words in place of a key or descriptor', () => {
  const advice = seedWordsAdvice(PHRASE);

  test('are recognized, but never shown', async () => {
    expect(advice).toMatch(/^these look like seed words, which are not taken here: /);
    const key = await run(['signrawtransactionwithkey', '00', '--keys-file', 'f'], { files: { f: PHRASE } });
    const descriptor = await run(['signpsbt', 'cHNidP8B', '--descriptors-file', 'f'], { files: { f: PHRASE } });
    const described = await run(['getdescriptorinfo', PHRASE, '--dialect', 'core-32']);
    expect(described.error).toContain(`'...' is not a valid descriptor function\n${advice}`);
    for (const { code, error } of [descriptor, described]) {
      expect([code === 0, error.includes('abandon')]).toEqual([false, false]);
    }
    expect(key.error).not.toContain('abandon');
  });

  test('are explained only in the documented dialect', () => {
    const messageIn = (dialect: 'core-32' | 'documented'): string | undefined =>
      rpcErrorOf(() => createRpc({ dialect }).call('getdescriptorinfo', [PHRASE]))?.message;
    expect(messageIn('core-32')).toBe("'...' is not a valid descriptor function");
    expect(messageIn('documented')).toBe(`'...' is not a valid descriptor function (${advice})`);
  });
});
