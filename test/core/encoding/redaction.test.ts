import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBase58Check } from '../../../src/core/encoding/base58check.ts';
import { mayBeKeyInHex } from '../../../src/core/encoding/publicForms.ts';
import { seedWordsAdvice, shownPath, withoutSecrets } from '../../../src/core/encoding/redaction.ts';
import { silentPaymentPrefix } from '../../../src/core/silentPayments/address.ts';
import { rounds } from '../../support/campaign.ts';
import { run } from '../../support/io.ts';
import { createRpc, networks } from '../../support/library.ts';
import { rpcErrorOf } from '../../support/refusal.ts';
import { expectHidden, pasted } from '../../support/secrets.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();

const KINDS = [undefined, 'address', 'hash', 'script', 'path', 'name'] as const;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const u32 = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

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
    expect(withoutSecrets(`${address}1`, 'address')).toBe('...');
    expect(withoutSecrets(address.replace('tcN', 'tcM'), 'address')).toBe(address.replace('tcN', 'tcM'));
    expect(withoutSecrets(address.replace('tcN', 'tcM'))).toBe('...');
    expect(withoutSecrets(`L${address}`, 'address')).toBe('...');
    expect(withoutSecrets('BCRT1PFEESNYR2TX')).toBe('BCRT1PFEESNYR2TX');
    expect(withoutSecrets('BCRT1PFEESNYR2TZ')).toBe('BCRT1PFEESNYR2TZ');
    expect(withoutSecrets('PCRT1PFEESNYR2TX')).toBe('...');
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

describe('what an error shows', () => {
  test.each([
    'reserveChangeKey',
    'disablePrivateKeys',
    'subtractFeeFromOutputs',
    'syncwithvalidationinterfacequeue',
    'signrawtransactionwithkey',
    'descriptorprocesspsbt',
    'walletUTXOsByAge',
    'p2shSegwitAddress',
    'vRPCConvertParams',
    'taproot_script_path_signatures_of_12',
    'ripemd160_preimages',
    'disable_wallet_privatekeys_by_default_24',
  ])('the name %s, of any kind of text', (name) => {
    for (const kind of KINDS) expect(withoutSecrets(name, kind)).toBe(name);
    expect(withoutSecrets(`foo(${name})`)).toBe(`foo(${name})`);
  });

  test('hex of fewer than 16 bytes, if no other piece of a key stands beside it', () => {
    for (const kind of KINDS) expect(withoutSecrets('01234567890a0b0c0d0e0f', kind)).toBe('01234567890a0b0c0d0e0f');
    expect(withoutSecrets('d3'.repeat(15))).toBe('d3'.repeat(15));
    expect(withoutSecrets('d3a5'.repeat(8))).toBe('...');
    expect(withoutSecrets(`${'d3a5b'.repeat(6)}, foo(${'d3a5b'.repeat(6)})`)).not.toMatch(/[d3a5b]{8}/);
    expect(withoutSecrets(`${'d3a5b'.repeat(6)} d3a5b`)).toBe('...');
  });

  test('every form of address of every network, mistyped, too', () => {
    const hash = new Uint8Array(20).map((_, i) => 7 * i);
    for (const network of Object.values(networks)) {
      const base58 = [network.pubKeyHash, network.scriptHash, ...network.scriptHashAccepted].map((version) =>
        formatBase58Check(Uint8Array.of(version, ...hash)),
      );
      const words = bech32.toWords(Uint8Array.of(...hash, ...hash.slice(0, 12)));
      const keys = Uint8Array.of(2, ...hash, ...hash.slice(0, 12), 3, ...hash, ...hash.slice(0, 12));
      const long = [network.mwebHrp, silentPaymentPrefix(network)].flatMap((prefix) => prefix ?? []);
      const segwit = [
        bech32.encode(network.hrp, [0, ...bech32.toWords(hash)]),
        bech32m.encode(network.hrp, [1, ...words]),
        bech32m.encode(network.hrp, [16, ...bech32m.toWords(new Uint8Array(40))]),
        ...long.map((prefix) => bech32m.encode(prefix, [0, ...bech32m.toWords(keys)], false)),
      ];
      const upper = segwit.map((text) => text.toUpperCase());
      for (const address of [...base58, ...segwit, ...upper]) {
        expect(withoutSecrets(`foo(${address})`)).toBe(`foo(${address})`);
        const swapped = address.slice(0, -8) + [...address.slice(-8)].reverse().join('');
        expect(withoutSecrets(swapped, 'address')).toBe(swapped);
      }
    }
    for (const [symbols, shown] of [
      [113, true],
      [114, false],
    ] as const) {
      const text = `rltc1${'q'.repeat(symbols)}`;
      expect(withoutSecrets(text, 'address')).toBe(shown ? text : '...');
    }
    const short = bech32m.encode('sp', bech32m.toWords(new Uint8Array(60).fill(0xa5)), 200);
    expect(withoutSecrets(short, 'address')).toBe('...');
  });

  test('extended public keys of every prefix, and no private one', () => {
    const payload = (version: number, key: number): string =>
      formatBase58Check(
        Uint8Array.of(...u32(version), ...new Uint8Array(41).fill(9), key, ...new Uint8Array(32).fill(8)),
      );
    for (const version of [
      0x0488b21e, 0x049d7cb2, 0x04b24746, 0x043587cf, 0x02575483, 0x019da462, 0x01b26ef6, 0x0436f6e1,
    ]) {
      expect(withoutSecrets(payload(version, 2))).toBe(payload(version, 2));
    }
    for (const version of [0x0488ade4, 0x04b2430c, 0x04358394, 0x019d9cfe, 0x0436ef7d]) {
      for (const kind of KINDS) expect(withoutSecrets(payload(version, 0), kind)).toBe('...');
    }
  });

  test('no private key of sp() that lost its first letters, and no text with another prefix', () => {
    const key = bech32m.encode('spspend', [0, ...bech32m.toWords(new Uint8Array(64).fill(0xa5))], 200);
    for (let cut = 0; cut < 60; cut += 1) expect(withoutSecrets(key.slice(cut), 'address')).toBe('...');
    for (const prefix of ['mt', 'nsee', 'codex', 'pend']) {
      const text = bech32.encode(prefix, bech32.toWords(new Uint8Array(32).fill(0xa5)));
      expect(withoutSecrets(text, 'address')).toBe('...');
    }
    const fault = rpcErrorOf(() => createRpc().call('createrawtransaction', [[], { [key.slice(3)]: 1 }]));
    expect(fault?.message).toBe('Invalid Bitcoin address: ...');
  });

  test('no SeedQR, also cut, with a wrong, doubled or missing digit, or in the place of a hash', () => {
    const places = fc.array(fc.nat(2047), { minLength: 12, maxLength: 24 });
    const qr = places.map((all) => all.map((place) => String(place).padStart(4, '0')).join(''));
    fc.assert(
      fc.property(qr, fc.nat(), fc.constantFrom('', '7', '77'), fc.constantFrom(0, 1), (text, where, put, skipped) => {
        const at = where % text.length;
        const changed = text.slice(0, at) + put + text.slice(at + skipped);
        fc.pre(new Set(text.slice(2)).size > 2);
        for (const kind of [undefined, 'hash', 'address', 'name'] as const) {
          expect(withoutSecrets(changed, kind)).toBe('...');
          expect(withoutSecrets(text.slice(at % 4, 40), kind)).toBe('...');
        }
      }),
      { numRuns: rounds(400) },
    );
  });

  test('nearly no piece of a key that looks like a name, and none of 40 characters', () => {
    const pieces = (alphabet: string, length: number): number =>
      fc
        .sample(fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }), {
          numRuns: 2000,
          seed: 49,
        })
        .filter((letters) => withoutSecrets(letters.join('')) !== '...').length;
    for (const alphabet of [BASE58, BECH32]) {
      expect(pieces(alphabet, 20)).toBeLessThan(100);
      expect(pieces(alphabet, 24)).toBeLessThan(40);
      expect(pieces(alphabet, 32)).toBeLessThan(6);
      expect(pieces(alphabet, 40)).toBe(0);
    }
  });

  test.each(KINDS)('of a secret, however it is mistyped, cut or broken, where a text is of kind %s', (kind) => {
    fc.assert(
      fc.property(pasted, (secret) => {
        // A whole hash is shown where one is asked.
        if (kind === 'hash' && secret.kind === 'hex') return;
        // The script of the key is what is shown there.
        if (kind === 'script' && (secret.kind === 'hex' || secret.kind === 'digits')) return;
        expectHidden(withoutSecrets(secret.text, kind), secret, kind);
      }),
      { numRuns: rounds(2000) },
    );
  });
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
    ['names', 'reserveChangeKey'],
    ['short hex', 'd3a5b0c1d2e3f4a5b6c7 '],
    ['seed numbers', '0001-'],
    ['quotes', '"'],
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
