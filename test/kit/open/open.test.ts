import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Opened, open } from '../../../src/kit/open/open.ts';
import { openedText } from '../../../src/kit/open/openedText.ts';
import { campaign } from '../../support/campaign.ts';
import { formatHex } from '../../support/library.ts';
import { everythingOf, expectHidden, pasted } from '../../support/secrets.ts';

const VECTORS = new URL('../../../vectors/', import.meta.url);
const FILES = ['open', 'wallets'].flatMap((folder) =>
  readdirSync(new URL(folder, VECTORS)).map(
    (name) => new Uint8Array(readFileSync(new URL(`${folder}/${name}`, VECTORS))),
  ),
);

const KINDS: readonly Opened['kind'][] = [
  'psbt',
  'transaction',
  'wallet',
  'signers',
  'secret',
  'address',
  'payment',
  'labels',
  'message',
  'code',
  'hex',
  'refused',
  'unknown',
];

/** Says what was opened, as people read it. */
const saidOf = (opened: Opened): string =>
  opened.kind === 'refused' ? opened.error.message : (openedText(opened) ?? opened.kind);

function expectVerdict(content: string | Uint8Array): void {
  const opened = open(content);
  expect(KINDS).toContain(opened.kind);
  expect(saidOf(opened)).not.toMatch(/\n|undefined|\[object/);
}

interface Change {
  readonly at: number;
  readonly length: number;
  readonly by: Uint8Array;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  length: fc.nat(40),
  by: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom('"', '{', '[', '\n', ' ', '(', '#', '%', '/', '\u2019', '\ufeff')
      .map((text) => new TextEncoder().encode(text)),
  ),
});

const changed = (file: Uint8Array, { at, length, by }: Change): Uint8Array => {
  const start = at % (file.length + 1);
  return Uint8Array.of(...file.subarray(0, start), ...by, ...file.subarray(start + length));
};

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

test.each([
  ADDRESS.replace('w508', 'w580'),
  ADDRESS.slice(0, -4).toUpperCase(),
  'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy',
  '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMI',
  'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUy',
])('%s looks like an address that is mistyped', (text) => {
  expect(openedText(open(text))).toMatch(/^what looks like an address, but mistyped or cut off/);
});

test.each(['hello', 'bc1', 'a sentence of words that begins with 1'])('%s looks like no address', (text) =>
  expect(openedText(open(text))).toBe(undefined),
);

describe('open never throws', () => {
  test('for texts and bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.uint8Array()),
        expectVerdict,
      ),
      campaign(20_000),
    );
  });

  test('for JSON of any shape', () => {
    const names = [
      'psbt',
      'hex',
      'result',
      'descriptor',
      'xfp',
      'xpub',
      'path',
      'keystore',
      'wallet_type',
      'type',
      'ref',
    ];
    const json = fc.dictionary(fc.constantFrom(...names, 'p2wsh', 'bip84', 'quorum', '__proto__'), fc.jsonValue());
    fc.assert(
      fc.property(json, (value) => expectVerdict(JSON.stringify(value))),
      campaign(10_000),
    );
  });

  test('for files with changes, cut, joined or in another encoding', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FILES),
        fc.constantFrom(...FILES),
        fc.array(change, { maxLength: 3 }),
        (file, other, changes) => {
          const content = changes.reduce(changed, file);
          expectVerdict(content);
          expectVerdict(new TextDecoder().decode(content));
          expectVerdict(Uint8Array.of(...content.subarray(0, 300), ...other.subarray(0, 300)));
          expectVerdict(new Uint8Array(Buffer.from(new TextDecoder().decode(content), 'utf16le')));
        },
      ),
      campaign(3000),
    );
  });

  test.each([
    ['deep lists', '['.repeat(200_000)],
    ['deep objects', '{"a":'.repeat(200_000)],
    ['whole deep objects', `${'{"result":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['whole deep lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['deep descriptors', `wsh(${'and_v(v:'.repeat(20_000)}`],
    ['deep trees', `tr(x,${'{'.repeat(50_000)}`],
    ['a long line', `wpkh(${'x'.repeat(10_000_000)}`],
    ['a long word', 'a'.repeat(7_900_000)],
    ['long labels', `{"type":"tx","ref":"${'a'.repeat(900_000)}"}`],
  ])('for %s', (_, text) => {
    expectVerdict(text);
    expectVerdict(new TextEncoder().encode(text));
  });

  test('for 100 MB', () => {
    const form = 'larger than 32 MB, too large for a PSBT, transaction or wallet file';
    expect(open(new Uint8Array(100_000_000))).toEqual({ kind: 'unknown', form });
    expect(open('0'.repeat(100_000_000))).toEqual({ kind: 'unknown', form });
  });
});

/** Repeats a unit to a text of that many characters. */
const filled = (unit: string, size: number, [before, behind]: readonly [string, string] = ['', '']): string =>
  before + unit.repeat(Math.ceil(size / unit.length)) + behind;

const UNITS = [
  ' ',
  '[',
  '(',
  '/',
  '"',
  "'",
  '{',
  '" ',
  '} ',
  'p1of2 ',
  'ur:',
  '1',
  '1 ',
  'a\n',
  '\r',
  '#\n',
  'abc: ',
  ',',
  'f',
];
const FRAMES: readonly (readonly [string, string])[] = [
  ['', 'x'],
  ['[', ''],
  ['wpkh(', 'x'],
  ['bitcoin:?a=', ''],
  ['{"psbt":"', '"}'],
  ['-----BEGIN BITCOIN SIGNED MESSAGE-----\n', ''],
  ['# Receive and change descriptor (BIP389):\n', 'x'],
];

test('the time that open takes grows as the text does', () => {
  const timeFor = (unit: string, size: number, frame: readonly [string, string]): number => {
    const text = filled(unit, size, frame);
    const begun = performance.now();
    open(text);
    return performance.now() - begun;
  };
  for (const unit of UNITS) {
    for (const frame of FRAMES) {
      // A quadratic reader of 200,000 characters takes far longer than a linear one of any machine.
      expect(timeFor(unit, 200_000, frame), JSON.stringify([unit, frame])).toBeLessThan(5000);
    }
  }
}, 120_000);

describe('what open says', () => {
  test('holds no secret, in any writing', () => {
    fc.assert(
      fc.property(pasted, (secret) => {
        const opened = open(secret.text);
        const shown = opened.kind === 'refused' ? everythingOf(opened.error) : saidOf(opened);
        expectHidden(shown, secret, 'open');
        if (opened.kind === 'secret') expect(JSON.stringify(Object.keys(opened))).not.toContain('text');
      }),
      campaign(10_000),
    );
  });

  test('is the same for a text and for its bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          pasted.map(({ text }) => text),
          fc.string({ unit: 'grapheme', minLength: 40 }),
        ),
        (text) => {
          fc.pre(!/[\ud800-\udfff]/.test(text) && !text.includes('\0'));
          const bytes = new TextEncoder().encode(text);
          // So many bytes may be a SeedQR.
          fc.pre(bytes.length !== 16 && bytes.length !== 32);
          const [ofText, ofBytes] = [open(text), open(bytes)].map((opened) => `${opened.kind} ${saidOf(opened)}`);
          expect(ofBytes).toBe(ofText);
        },
      ),
      campaign(5000),
    );
  });

  test.each([
    'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ])('of the hex of a secret is that it is one: %#', (secret) => {
    const form = 'the hex of a text that is a secret: give the text';
    expect(open(formatHex(new TextEncoder().encode(secret)))).toEqual({ kind: 'unknown', form });
  });

  test.each(['abc', '', '{}', '[]', 'null', '""', '0'])('of %j is no more than it is', (text) => {
    expect(['unknown', 'hex']).toContain(open(text).kind);
  });
});
