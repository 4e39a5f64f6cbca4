import { describe, expect, test } from 'vitest';
import { codePng, codesInTerminal } from '../../support/codePictures.ts';
import { type RunInput, run, runForFiles } from '../../support/io.ts';
import {
  createFrameReader,
  encodeAccountUr,
  encodeBbqr,
  encodePsbt,
  encodeUr,
  formatBase64,
  formatHex,
  formatWif,
  networks,
  parseHex,
} from '../../support/library.ts';
import { noisePng, pngOf, withHeader } from '../../support/pngs.ts';
import { ALICE, make, PAYEE, payment, WALLETS } from '../../support/psbts.ts';

const PSBT = encodePsbt(payment(['wpkh']));
const BASE64 = formatBase64(PSBT);
/** Ten inputs, so that the result takes several codes. */
const LARGE = encodePsbt(payment(Array(10).fill('wpkh')));
const KEYS = Array.from({ length: 10 }, (_, i) =>
  formatWif({ secretKey: ALICE.secretAt(`m/84h/1h/0h/0/${i}`), isCompressed: true }, networks.regtest),
).join('\n');

const FRAMES = encodeBbqr(LARGE, { frameSize: 300 });
const PARTS = encodeUr(PSBT, { fragmentSize: 90 });
const PART_TEXTS = Array.from({ length: 3 * PARTS.count }, (_, i) => PARTS.frame(i + 1));

type Files = NonNullable<RunInput['files']>;

const regtest = (argv: readonly string[], files: Files, more: RunInput = {}) =>
  runForFiles([...argv, '--network', 'regtest'], { files, ...more });

/** Reviews a PSBT in files. */
const review = (names: readonly string[], files: Files) => regtest(['review', ...names, '--json'], files);

describe('a PSBT in pictures of QR codes', () => {
  test('is reviewed as from a file: one code, several pictures, texts', async () => {
    const [small, large] = [await review([BASE64], {}), await review([formatBase64(LARGE)], {})];
    const [single = ''] = encodeBbqr(PSBT, { frameSize: 4000 });
    const pngs = Object.fromEntries(FRAMES.map((frame, i) => [`${i}.png`, codePng(frame)]));
    const names = Object.keys(pngs).reverse();
    expect(FRAMES.length).toBeGreaterThan(3);
    expect(await review(['a.png'], { 'a.png': codePng(single) })).toEqual(small);
    expect(await review(names, pngs)).toEqual(large);
    expect(await review(['a.txt'], { 'a.txt': [...FRAMES, ...FRAMES.slice(0, 2)].join('\n') })).toEqual(large);
    expect(await review(['a.txt'], { 'a.txt': PART_TEXTS.filter((_, i) => i % 3 !== 1).join('\n') })).toEqual(small);
    expect(await review(['a.txt'], { 'a.txt': PART_TEXTS.join('\n') })).toEqual(small);
    expect(await review(['a.png'], { 'a.png': codePng(BASE64.slice(0, 2000)) })).toEqual(small);
    const piped = await run(['review', '-', '--json', '--network', 'regtest'], { stdin: codePng(single) });
    expect(piped.out).toBe(small.out);
  });

  test('is read despite noise, blur and little contrast', async () => {
    const shots = [
      { noise: 60 },
      { dark: 90, light: 190, noise: 20 },
      { scale: 6, blur: 2, noise: 15 },
      { scale: 1 },
      { dark: 255, light: 0 },
    ];
    const expected = (await review([formatBase64(LARGE)], {})).out;
    for (const shot of shots) {
      const files = Object.fromEntries(FRAMES.map((frame, i) => [`${i}.png`, codePng(frame, shot)]));
      expect([shot, (await review(Object.keys(files), files)).out]).toEqual([shot, expected]);
    }
  });

  test('is signed, and the result lies beside the first picture', async () => {
    const files = { ...Object.fromEntries(FRAMES.map((frame, i) => [`${i}.png`, codePng(frame)])), keys: KEYS };
    const names = Object.keys(files).filter((name) => name.endsWith('.png'));
    const args = ['sign', ...names, '--keys-file', 'keys', '--yes'];
    const signed = await regtest(args, files, { isTerminal: true });
    expect([signed.code, Object.keys(signed.files)]).toEqual([0, ['0-final.txn']]);
  });

  test('stands for one file each where several are combined', async () => {
    const files = { 'a.png': codePng(BASE64), 'b.psbt': PSBT };
    expect((await regtest(['combine', 'a.png', 'b.psbt'], files)).out.trim()).toBe(BASE64);
    const both = { '1.png': codePng(FRAMES[0] ?? ''), '2.txt': FRAMES.slice(1).join('\n') };
    expect((await regtest(['combine', '1.png', '2.txt'], both)).error).toBe(
      'error: combine takes at least two PSBTs, and these files hold 1\n',
    );
  });

  test('is decoded, inspected and finalized, too', async () => {
    const files = { 'a.png': codePng(BASE64) };
    const decoded = await regtest(['decodepsbt', '--file', 'a.png'], files);
    expect(decoded).toEqual(await regtest(['decodepsbt', BASE64], {}));
    expect((await regtest(['inspect', 'a.png', '--json'], files)).out).toBe(decoded.out);
    expect((await regtest(['finalize', 'a.png'], files)).code).toBe(2);
  });

  test('of which codes are missing says which', async () => {
    const half = FRAMES.filter((_, i) => i % 2 === 0).join('\n');
    const count = FRAMES.length;
    const [read, missing] = [
      Math.ceil(count / 2),
      Array.from({ length: count }, (_, i) => i + 1).filter((n) => n % 2 === 0),
    ];
    expect((await review(['a.txt'], { 'a.txt': half })).error).toBe(
      `error: a.txt: ${read} of ${count} codes were read; still missing: ${missing.join(', ')}\n`,
    );
  });

  test.each([
    ['no code', pngOf(60, 60, new Uint8Array(4 * 60 * 60).fill(255)), 'a.png: no QR code was found in it'],
    ['noise', noisePng({ width: 300, height: 300, depth: 8, colours: 2 }), 'a.png: no QR code was found in it'],
    ['a picture cut off', codePng(BASE64).slice(0, 400), 'a.png: the picture is damaged'],
    [
      'too many pixels',
      withHeader(codePng('A'), 0, [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]),
      'a.png: the picture has more than 16777216 pixels: make it smaller, or crop it to the code',
    ],
    [
      'a GIF, whatever its name',
      new TextEncoder().encode('GIF89a'),
      'a.png: GIF pictures cannot be read: save it as PNG, an animation as one PNG per code',
    ],
    [
      'another text',
      codePng('HELLO'),
      'a.png is not a PSBT: it is neither binary, nor base64, nor hex, nor JSON with a "psbt"',
    ],
    [
      'a damaged frame',
      new TextEncoder().encode('UR:CRYPTO-PSBT/AAAA'),
      'a.png: a code in it cannot be read: it may be cut off; scan it again',
    ],
    [
      'codes of two contents',
      new TextEncoder().encode([...FRAMES.slice(0, 2), ...PART_TEXTS].join('\n')),
      'a.png: it contains a code from a different file than the others in it',
    ],
  ])('is refused: %s', async (_title, picture, reason) => {
    const { code, out, error } = await review(['a.png'], { 'a.png': picture });
    expect([code, out, error]).toEqual([1, '', `error: ${reason}\n`]);
  });

  test('that would need two answers is refused', async () => {
    const other = encodeBbqr(
      encodePsbt(make({ inputs: [{ of: WALLETS.pkh }], outputs: [{ to: PAYEE, value: 1000n }] })),
    );
    const files = { '1.png': codePng(BASE64), '2.txt': other.join('\n') };
    expect((await review(['1.png', '2.txt.png'], { ...files, '2.txt.png': files['2.txt'] })).error).toBe(
      'error: review takes one PSBT, and these files hold 2\n',
    );
  });
});

const XPUB =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
const DESCRIPTOR = `wpkh([73c5da0a/84h/0h/0h]${XPUB}/<0;1>/*)`;

describe('a wallet in QR codes', () => {
  const { count, frame } = encodeAccountUr([DESCRIPTOR], { fragmentSize: 60 });
  const texts = Array.from({ length: count }, (_, i) => frame(i + 1));

  test('is read wherever a wallet file is', async () => {
    const expected = (await run(['addresses', DESCRIPTOR, '--count', '2'])).out;
    const files = { 'w.txt': texts.join('\n'), psbt: PSBT };
    expect((await run(['addresses', 'w.txt', '--count', '2'], { files })).out).toBe(expected);
    expect((await run(['review', 'psbt', '--descriptors-file', 'w.txt'], { files })).error).not.toContain('error');
  });

  test('of another network is refused', async () => {
    const { error } = await run(['addresses', 'w.txt', '--network', 'litecoin'], {
      files: { 'w.txt': texts.join('\n') },
    });
    expect(error).toBe('error: w.txt is for main, not for litecoin: name it with --network\n');
  });
});

/** Reads codes until they give a content. */
function contentOf(codes: readonly string[]): { readonly type: string; readonly content: Uint8Array } {
  const reader = createFrameReader();
  for (const code of codes) {
    const state = reader.add(code);
    if (state.status === 'complete') return state.scanned;
  }
  throw new Error('codes are missing');
}

const sign = (args: readonly string[], world: RunInput = {}) =>
  regtest(['sign', 'spend.psbt', '--keys-file', 'keys', '--yes', ...args], { 'spend.psbt': LARGE, keys: KEYS }, world);

const WIDE = { columns: 120, rows: 50 } as const;
const USUAL = { columns: 80, rows: 24 } as const;

describe('--qr', () => {
  test('shows the result in place of its text if there is no terminal', async () => {
    const { out: text } = await sign([]);
    const { code, out, files } = await sign(['--qr']);
    const codes = codesInTerminal(out);
    expect([code, Object.keys(files)]).toEqual([0, []]);
    expect(codes.length).toBeGreaterThan(3);
    expect(out).not.toContain('\u001b');
    expect(out).toContain(`code ${codes.length} of ${codes.length}\n`);
    const { type, content } = contentOf(codes);
    expect([type, formatHex(content)]).toEqual(['transaction', text.trim()]);
  });

  test('ur shows a UR, of the PSBT also if it is complete', async () => {
    const { out } = await sign(['--qr', 'ur']);
    const { type, content } = contentOf(codesInTerminal(out));
    const final = await regtest(['finalizepsbt', formatBase64(content)], {});
    expect([type, JSON.parse(final.out).complete]).toEqual(['crypto-psbt', true]);
  });

  test('in a terminal writes the file as well, and shows codes in turn until a key is pressed', async () => {
    const world = { isTerminal: true, terminalSize: WIDE, keyAfter: 20 };
    const { code, out, error, files } = await sign(['--qr'], world);
    expect([code, Object.keys(files)]).toEqual([0, ['spend-final.txn']]);
    const codes = codesInTerminal(out);
    expect(codes).toHaveLength(20);
    expect(formatHex(contentOf(codes).content)).toBe(new TextDecoder().decode(files['spend-final.txn']).trim());
    const count = new Set(codes).size;
    expect(out).toContain(`code ${count} of ${count} · any key ends`);
    expect(out.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
    expect(out.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    expect(error).not.toContain('codes; in a terminal');
  });

  test('ends with a signal, also without a keyboard', async () => {
    const { io, written, requestStop } = (await import('../../support/io.ts')).fakeWorld({
      files: { 'spend.psbt': LARGE },
      terminalSize: WIDE,
      isTerminal: true,
    });
    let shown = 0;
    const watched = {
      ...io,
      writeOut: async (content: string | Uint8Array) => {
        shown += 1;
        if (shown === 5) requestStop();
        await io.writeOut(content);
      },
    };
    const { runCommand } = await import('../../../src/shell/cli/command.ts');
    expect(await runCommand(['qr', 'spend.psbt', '--network', 'regtest'], '', watched)).toBe(0);
    expect(written.out).toContain('Ctrl-C ends');
    expect(codesInTerminal(written.out)).toHaveLength(4);
  });

  test('shows smaller codes in a smaller terminal, which all fit, and says what a larger one would need', async () => {
    for (const [format, least] of [
      ['bbqr', { columns: 33, rows: 18 }],
      ['ur', { columns: 41, rows: 22 }],
    ] as const) {
      for (const size of [{ columns: 42, rows: 60 }, least]) {
        const { out, error } = await sign(['--qr', format], { isTerminal: true, terminalSize: size, keyAfter: 300 });
        const screens = out.split('\u001b[H').slice(1);
        const lines = screens.map((screen) => screen.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '').split('\n'));
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(size.rows);
        expect(Math.max(...lines.flat().map(({ length }) => length))).toBeLessThanOrEqual(size.columns);
        expect(error).toMatch(/\d+ codes; in a terminal of 65 columns and 34 lines: \d+\n/);
        expect(contentOf(codesInTerminal(out)).content.length).toBeGreaterThan(1000);
      }
    }
  });

  test('in a terminal that is too small refuses before it signs', async () => {
    const { code, error, files } = await sign(['--qr'], { isTerminal: true, terminalSize: { columns: 30, rows: 10 } });
    expect([code, files]).toEqual([1, {}]);
    expect(error).toBe(
      'error: the terminal has 30 columns and 10 lines, and QR codes need 33 columns and 18 lines: enlarge it\n',
    );
  });

  test.each([
    [['--qr', '--json'], '--format and --json do not apply to QR codes: name a file with --out'],
    [['--qr', '--out', '-'], '--qr shows codes on standard output: pass a file name to --out'],
    [['--qr=gif'], '--qr: the formats are bbqr and ur'],
  ])('with other options is refused: %j', async (args, reason) => {
    expect((await sign(args)).error).toBe(`error: ${reason}\n`);
  });

  test('shows what combine and finalize give', async () => {
    const files = { a: PSBT, b: PSBT };
    const combined = await regtest(['combine', 'a', 'b', '--qr'], files);
    expect(contentOf(codesInTerminal(combined.out))).toMatchObject({ type: 'psbt', content: PSBT });
    const { out } = await sign(['--format', 'hex']);
    const { files: made } = await sign(['--out', 'final.psbt', '--qr']);
    expect(new TextDecoder().decode(made['final.psbt']).trim()).toBe(out.trim());
  });
});

describe('countersign addresses --qr', () => {
  test('shows a code for each address', async () => {
    const plain = (await run(['addresses', DESCRIPTOR, '--count', '3'])).out;
    const addresses = plain
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1]);
    for (const terminalSize of [undefined, USUAL]) {
      const { out } = await run(['addresses', DESCRIPTOR, '--count', '3', '--qr'], {
        ...(terminalSize && { terminalSize, isTerminal: true }),
      });
      expect(codesInTerminal(out)).toEqual(addresses);
    }
  });

  test.each([
    [['--qr', '--json'], '--qr contradicts --json'],
    [['--qr', 'ur'], '--qr takes no format here: each address is one code'],
  ])('is refused with other options: %j', async (args, reason) => {
    expect((await run(['addresses', DESCRIPTOR, ...args])).error).toBe(`error: ${reason}\n`);
  });
});

describe('countersign qr', () => {
  const qr = (args: readonly string[], files: Files) => regtest(['qr', ...args], files);

  test('shows a PSBT, and a transaction', async () => {
    const hex = (await sign([])).out.trim();
    for (const [format, type] of [
      ['bbqr', 'transaction'],
      ['ur', 'bytes'],
    ] as const) {
      const { out } = await qr(['tx', '--qr', format], { tx: hex });
      expect(contentOf(codesInTerminal(out))).toMatchObject({ type, content: parseHex(hex) });
    }
    expect(contentOf(codesInTerminal((await qr(['p'], { p: BASE64 })).out))).toMatchObject({
      type: 'psbt',
      content: PSBT,
    });
  });

  test('shows the public descriptors of a wallet, and no private key', async () => {
    const [secret] = WALLETS.wpkh.match(/tprv\w+/) ?? [];
    const files = { w: WALLETS.wpkh };
    const { type, content } = contentOf(codesInTerminal((await qr(['w'], files)).out));
    const text = new TextDecoder().decode(content);
    expect([type, text.startsWith('wpkh([58be68cb/84h/1h/0h]tpub')]).toEqual(['text', true]);
    expect(text).not.toContain(secret ?? 'tprv');
    const ur = contentOf(codesInTerminal((await qr(['w', '--qr', 'ur'], files)).out));
    expect(ur.type).toBe('crypto-output');
    const shown = await regtest(['addresses', 'w.txt', '--count', '1'], {
      'w.txt': codesInTerminal((await qr(['w', '--qr', 'ur'], files)).out).join('\n'),
    });
    const plain = await regtest(['addresses', 'w', '--count', '1'], files);
    expect([shown.error, shown.out]).toEqual(['', plain.out]);
  });

  test('refuses seed words, keys and anything else', async () => {
    const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
    const [wif = ''] = KEYS.split('\n');
    for (const text of [words, wif, 'hello']) {
      const { code, out, error } = await qr(['x'], { x: text });
      expect([code, out]).toEqual([1, '']);
      expect(error).not.toContain(text);
    }
  });
});

describe('a SeedQR in a picture', () => {
  const entropy = Uint8Array.from({ length: 16 }, () => 0);
  const digits = `${'0000'.repeat(11)}0003`;
  const pictures = { compact: codePng(entropy), standard: codePng(digits), 'pay.psbt': BASE64 };

  test.each(['compact', 'standard'])('opens the words for which it stands, and shows none: %s', async (name) => {
    const { code, out, error } = await run(['addresses', '--seed-file', name, '--count', '1'], { files: pictures });
    expect([code, out]).toEqual([0, '0  bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu\n']);
    expect(error).toBe('master key: fingerprint 73c5da0a\n');
    const shown = await run(['inspect', name], { files: pictures });
    expect([shown.code, shown.out]).toEqual([1, '']);
    expect(shown.error).toMatch(/^error: \w+ is (?:seed words|a SeedQR)/);
    expect(shown.error).not.toMatch(/abandon|0000/);
  });
});
