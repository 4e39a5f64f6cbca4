import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawReview, type PictureWords } from '../../../src/kit/picture/index.ts';
import { WORDS } from '../../../src/kit/picture/words.ts';
import { psbtV0, psbtV2 } from '../../support/arbitraries.ts';
import { campaign } from '../../support/campaign.ts';
import { STRANGER, spend } from '../../support/holderPsbts.ts';
import { type Finding, type OutputReview, type PsbtReview, reviewPsbt } from '../../support/library.ts';
import { dataOf, fakeChange, honest, many, PICTURED, reviewOf } from '../../support/picturedReviews.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';
import { elementsIn, parseXml, textOf } from '../../support/strictXml.ts';

const WIDTHS = [760, 280] as const;

const linesOf = (svg: string): readonly string[] =>
  elementsIn(parseXml(svg))
    .filter(({ name }) => name === 'text')
    .map(textOf);

/** The thickness of each ribbon at its outer end, coins first, as drawn. */
const thicknesses = (svg: string): readonly number[] =>
  Array.from(svg.matchAll(/ d="M(\S+) (\S+)C\S+ \S+ \S+ \S+ \S+ (\S+)V(\S+)C/g), ([, , , top, bottom]) => {
    return Number(bottom) - Number(top);
  });

const base = reviewOf(honest);
const [payment, change] = base.outputs as readonly [OutputReview, OutputReview];

const withOutputs = (values: readonly bigint[], rest: Partial<PsbtReview> = {}): PsbtReview => ({
  ...base,
  outputs: values.map((value, outputIndex) => ({ ...payment, outputIndex, value })),
  ...rest,
});

describe.each(Object.entries(PICTURED))('the picture of %s', (_, make) => {
  const review = make();

  test.each(WIDTHS)('is a whole SVG without scripts and references, %d pixels wide', (width) => {
    const svg = drawReview(review, { width });
    const root = parseXml(svg);
    const elements = elementsIn(root);
    expect(root).toMatchObject({
      name: 'svg',
      attributes: { xmlns: 'http://www.w3.org/2000/svg', width: `${width}`, role: 'img' },
    });
    const known = ['svg', 'title', 'desc', 'style', 'defs', 'pattern', 'rect', 'circle', 'path', 'polygon', 'text'];
    expect(elements.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    const attributes = elements.flatMap((element) => Object.entries(element.attributes));
    expect(attributes.filter(([name]) => /^on|href|style/.test(name))).toEqual([]);
    for (const [name, value] of attributes) {
      expect(value).not.toMatch(/NaN|Infinity|undefined|e[+-]\d/);
      if (value.includes('url')) expect([name, value]).toEqual(['fill', expect.stringMatching(/^url\(#cs-\w+\)$/)]);
    }
    const [style] = elements.filter(({ name }) => name === 'style').map(textOf);
    expect(style).toContain('prefers-color-scheme:dark');
    expect(style).not.toMatch(/url|import/);
  });

  test.each(WIDTHS)('keeps its texts in their column, %d pixels wide', (width) => {
    const most = width === 760 ? 33 : 14;
    const svg = drawReview(review, { width });
    const lines = elementsIn(parseXml(svg)).filter(({ attributes }) =>
      /^cs-(?:name|word-)/.test(attributes['class'] ?? ''),
    );
    expect(lines.map(textOf).filter((text) => [...text].length > most)).toEqual([]);
  });

  test('says all for screen readers', () => {
    const [title, desc] = elementsIn(parseXml(drawReview(review))).filter(({ name }) => /^(?:title|desc)$/.test(name));
    expect(title && textOf(title)).toBe('Where the money goes');
    for (const { value } of review.outputs.slice(0, 2)) {
      expect(desc && textOf(desc)).toContain(`${Number(value) / 1e8}`.slice(0, 6));
    }
  });
});

describe('a picture', () => {
  test('tells what is whose, in words and shapes', () => {
    const svg = drawReview(base);
    expect(linesOf(svg)).toEqual([
      ...['2 coins', '2 outputs'],
      ...['your coin', '0.60000000 BTC', '"Family savings" 3100acb9, 0/3'],
      ...['your coin', '0.03500000 BTC', '"Family savings" 3100acb9, 0/7'],
      ...['payment', '0.25000000 BTC', 'bc1qzyg3zyg3zyg3…g3zyg3zyg3h8ffkz'],
      ...['your change', '0.38450000 BTC', '"Family savings" 3100acb9, 1/4'],
      ...['fee', '0.00050000 BTC'],
    ]);
    expect(svg.match(/url\(#cs-own\)/g)).toHaveLength(3);
    expect(svg).not.toContain('polygon');
  });

  test('marks a fake change, and says that the review refuses', () => {
    const svg = drawReview(reviewOf(fakeChange));
    const lines = linesOf(svg);
    expect(lines[0]).toBe('Refused: 1 reason not to sign');
    expect(lines.indexOf('REFUSED: not your change')).toBe(lines.indexOf('payment') - 3);
    expect(lines).not.toContain('your change');
    expect(svg.match(/url\(#cs-refused\)/g)).toHaveLength(1);
    expect(svg.match(/<polygon/g)).toHaveLength(2);
  });

  test('marks a fake change that the policy only warns of', () => {
    const { findings, ...review } = reviewOf(fakeChange);
    const warned = drawReview({
      ...review,
      findings: findings.map((finding) => ({ ...finding, action: 'warn' as const })),
    });
    expect(linesOf(warned)).toContain('not your change');
    expect(warned.match(/<polygon/g)).toHaveLength(1);
    expect(warned).not.toContain('REFUSED');
  });

  test('marks coins and a fee that are refused', () => {
    const refusal = { action: 'refuse' as const };
    const rate = { by: 'rate', fee: 1n, isLeast: false, rate: 1, limit: 1, isMost: false } as const;
    const findings: readonly Finding[] = [
      { ...refusal, check: 'amount-unproven', data: {}, inputIndex: 1 },
      { ...refusal, check: 'fee-absurd', data: rate },
    ];
    const lines = linesOf(drawReview({ ...base, findings }));
    expect(lines.slice(0, 6)).toEqual([
      ...['Refused: 2 reasons not to sign', '2 coins', '2 outputs'],
      ...['REFUSED: your coin', '0.03500000 BTC', '"Family savings" 3100acb9, 0/7'],
    ]);
    expect(lines).toContain('REFUSED: fee');
    const repeated: readonly Finding[] = [
      ...findings,
      { ...refusal, check: 'amount-unproven', data: {}, inputIndex: 0 },
    ];
    expect(linesOf(drawReview({ ...base, findings: repeated }))[0]).toBe('Refused: 2 reasons not to sign');
  });

  test.each([
    [1, ['payment', 'payment', 'your change']],
    [2, ['payment, others can change it', 'payment, others can change it', 'your change, others can change it']],
    [3, ['payment', 'payment, others can change it', 'your change, others can change it']],
    [0x81, ['payment', 'payment', 'your change, counted as paid']],
  ])('tells what a signature of type %d leaves open', (sighashType, words) => {
    const psbt = many(1, 2);
    const asking = { ...psbt, inputs: psbt.inputs.map((input) => ({ ...input, sighashType })) };
    const lines = linesOf(drawReview(reviewOf(asking)));
    expect(lines.filter((line) => /^(?:payment|your change)/.test(line)).sort()).toEqual([...words].sort());
  });

  test('names data, wallets whose coins are not spent, and what no key proves', () => {
    const lines = linesOf(drawReview(PICTURED['a text and a long name']?.() as PsbtReview));
    expect(lines).toContainEqual(expect.stringMatching(/^"<img src=x .*….* long enough"$/));
    expect(lines).toContain('yours, counted as paid');
    const listed = { ...change, owner: { ...change.owner, root: 'listed' } } as OutputReview;
    expect(linesOf(drawReview({ ...base, outputs: [payment, listed] }))).toContain('your change, not proven');
    const unregistered = { ...change, owner: { ...change.owner, root: 'none' } } as OutputReview;
    expect(linesOf(drawReview({ ...base, outputs: [unregistered] }))).toContain('your change, not registered');
  });

  test('names the silent payment address that an output is proven to pay, and no other', () => {
    const address = `sp1${'q'.repeat(100)}vertraue`;
    const named = (status: 'proven' | 'claimed'): readonly string[] =>
      linesOf(drawReview({ ...base, outputs: [{ ...payment, silentPayment: { address, status } }] }));
    expect(named('proven').join()).toContain('sp1qqq');
    expect(named('claimed').join()).not.toContain('sp1');
  });

  test('takes all coins for those of others without a holder', () => {
    expect(linesOf(drawReview(reviewPsbt(honest))).filter((line) => line === 'not known to be yours')).toHaveLength(2);
  });

  test('says of a message what it signs', () => {
    const purpose = { kind: 'message', scriptPubKey: STRANGER, text: 'I & <you>' } as const;
    expect(linesOf(drawReview({ ...base, purpose }))).toEqual(['Signs a message', '"I & <you>"', 'Moves nothing']);
    const proof = { ...reviewOf(fakeChange), purpose: { kind: 'proof-of-reserves' } } as const;
    expect(linesOf(drawReview(proof, { width: 280 }))).toEqual([
      ...['Refused: 1 reason not to sign', 'Proves reserves', 'Moves nothing'],
    ]);
  });

  test('refuses what is not a review, a width that holds no text, and half a table of words', () => {
    expect(refusalOf(() => drawReview('x' as never)).code).toBe('argument/invalid');
    for (const width of [0, 239, 5000, Number.NaN, '760' as never]) {
      expect(refusalOf(() => drawReview(base, { width })).code).toBe('argument/invalid');
    }
    const { fee: _, ...words } = WORDS;
    expect(refusalOf(() => drawReview(base, { words: words as PictureWords })).message).toContain(
      'words.fee is missing',
    );
  });
});

describe('the thickness of a flow', () => {
  test('is its share of the larger side', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 7 }), (values) => {
        const total = values.reduce((sum, value) => sum + value, 0n);
        const [coin] = base.inputs;
        const inputs = coin ? [{ ...coin, coin: { value: total, scriptPubKey: STRANGER } }] : [];
        const [whole, ...parts] = thicknesses(drawReview(withOutputs(values, { inputs, fee: 0n })));
        expect(whole).toBeCloseTo(150, 0);
        const shares = [...values]
          .sort((a, b) => (a < b ? 1 : -1))
          .map((value) => (150 * Number(value)) / Number(total));
        for (const [i, share] of [...shares, 0].entries()) {
          expect(Math.abs((parts[i] ?? -1) - Math.max(2, share))).toBeLessThan(0.25);
        }
      }),
      campaign(200),
    );
  });

  test('is a number for any amounts', () => {
    const amount = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(0n, -1n, 2_100_000_000_000_001n));
    fc.assert(
      fc.property(
        fc.array(fc.option(amount, { nil: undefined }), { maxLength: 9 }),
        fc.array(amount, { maxLength: 9 }),
        fc.option(amount, { nil: undefined }),
        fc.constantFrom(...WIDTHS),
        (coins, outputs, fee, width) => {
          const [first] = base.inputs;
          const inputs = coins.flatMap((value, inputIndex) =>
            first
              ? [{ ...first, inputIndex, coin: value === undefined ? undefined : { value, scriptPubKey: STRANGER } }]
              : [],
          );
          const svg = drawReview(withOutputs(outputs, { inputs, fee }), { width });
          parseXml(svg);
          expect(svg).not.toMatch(/NaN|Infinity|\de[+-]\d/);
          expect(thicknesses(svg).filter((thickness) => thickness < 1.8 || thickness > 150.2)).toEqual([]);
        },
      ),
      campaign(300),
    );
  });
});

describe('many outputs', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => BigInt(1000 + i));

  test('are summed up, and none is lost', () => {
    const svg = drawReview(withOutputs(values, { fee: 0n }));
    expect(svg.length).toBeLessThan(12_000);
    const lines = linesOf(svg);
    expect(lines).toContain('10000 outputs');
    expect(lines.filter((line) => line === 'payment')).toHaveLength(7);
    expect(lines).toContain('9994 more');
    const paid = lines.slice(lines.indexOf('payment')).filter((line) => line.endsWith(' BTC'));
    const sum = paid.reduce((total, line) => total + BigInt(line.replace(/\D/g, '')), 0n);
    expect(sum).toBe(values.reduce((total, value) => total + value, 0n));
  });

  test('hide no refused one', () => {
    const findings = [{ check: 'dust', action: 'refuse', outputIndex: 0, data: { value: 0n } }] as const;
    expect(linesOf(drawReview(withOutputs(values, { findings })))).toContain('REFUSED: payment');
    const all = values.map((_, outputIndex) => ({ ...findings[0], outputIndex }));
    const svg = drawReview(withOutputs(values, { findings: all }));
    expect(svg.length).toBeLessThan(12_000);
    expect(linesOf(svg).filter((line) => line === 'REFUSED: payment')).toHaveLength(7);
  });
});

test('is drawn of any PSBT that a review reads', () => {
  fc.assert(
    fc.property(fc.oneof(psbtV0, psbtV2), fc.constantFrom(...WIDTHS), (psbt, width) => {
      fc.pre(refusalIfAny(() => reviewPsbt(psbt)) === undefined);
      const svg = drawReview(reviewPsbt(psbt), { width });
      parseXml(svg);
      expect(svg).not.toMatch(/NaN|Infinity/);
    }),
    campaign(200),
  );
});

test('texts of strangers neither add to a picture nor reorder it', () => {
  const nasty = fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    "'",
    ']]>',
    '<script>',
    '\u202e',
    '\u0000',
    '\ud800',
    '\ufffe',
    '\u0301',
  );
  const text = fc
    .array(fc.oneof(nasty, fc.string({ unit: 'binary' })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const elementNames = (svg: string): readonly string[] => elementsIn(parseXml(svg)).map(({ name }) => name);
  fc.assert(
    fc.property(text, text, fc.constantFrom(...WIDTHS), (title, data, width) => {
      const named = (name: string): OutputReview =>
        ({
          ...change,
          owner: { ...change.owner, wallet: { ...Object(Reflect.get(change.owner, 'wallet')), title: name } },
        }) as OutputReview;
      const said: OutputReview = { ...payment, role: 'data', scriptPubKey: dataOf(data.slice(0, 60)) };
      const network = { ...base.network, ticker: title.slice(0, 5) };
      const svg = drawReview({ ...base, network, outputs: [said, named(title)] }, { width });
      expect(svg).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}](?!$)/u);
      expect(svg).not.toMatch(/\p{M}{3}/u);
      const harmless = drawReview(
        { ...base, outputs: [{ ...said, scriptPubKey: dataOf('x') }, named('x')] },
        { width },
      );
      const dataLines = data === '' ? 1 : 0;
      expect(elementNames(svg).length + dataLines).toBe(elementNames(harmless).length);
    }),
    campaign(300),
  );
});

const GERMAN: PictureWords = {
  title: 'Wohin das Geld geht',
  coins: (count) => `${count} Münzen`,
  outputs: (count) => `${count} Ausgänge`,
  verdict: (count) => `Abgelehnt: ${count} Gründe`,
  coin: 'deine Münze',
  yours: 'dein',
  change: 'dein Wechselgeld',
  notProven: 'unbewiesen',
  notRegistered: 'unregistriert',
  foreign: 'nicht als deine bekannt',
  payment: 'Zahlung',
  countedAsPaid: 'gilt als bezahlt',
  open: 'änderbar',
  data: 'Daten',
  anchor: 'Anker',
  fee: 'Gebühr',
  unknownAmount: 'Betrag unbekannt',
  refused: 'ABGELEHNT',
  notYours: 'nicht dein Wechselgeld',
  more: (count) => `${count} weitere`,
  script: 'Skript',
  message: 'Signiert eine Nachricht',
  proof: 'Beweist Guthaben',
  movesNothing: 'Bewegt nichts',
};

test('every word can be another', () => {
  const reviews = [
    ...Object.values(PICTURED).map((make) => make()),
    ...(['message', 'proof-of-reserves'] as const).map((kind) => ({
      ...base,
      purpose: { kind, scriptPubKey: STRANGER },
    })),
    reviewOf(spend({ coins: [{ of: `pkh(${'02'.repeat(33)})` }], outputs: [{ script: Uint8Array.of(0x51) }] })),
  ];
  const english = Object.values(WORDS).map((word) => (typeof word === 'string' ? word : word(2).replace(/^2 /, '')));
  const used = new Set<string>();
  for (const review of reviews) {
    const root = parseXml(drawReview(review, { words: GERMAN }));
    const said = elementsIn(root)
      .filter(({ name }) => name === 'title' || name === 'desc' || name === 'text')
      .map(textOf)
      .join('\n');
    for (const [name, word] of Object.entries(GERMAN))
      if (typeof word === 'string' && said.includes(word)) used.add(name);
    expect(english.filter((word) => new RegExp(`\\b${word}\\b`).test(said))).toEqual([]);
  }
  expect(used).toContain('script');
  expect(used.size).toBeGreaterThan(14);
});

describe('pictures as they are', () => {
  test('one coin, narrow', () => {
    const svg = drawReview(PICTURED['one coin and one output']?.() as PsbtReview, { width: 280 });
    expect(svg.replace(/<style>.*<\/style>/, '').replace(/></g, '>\n<')).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" width="280" height="243" viewBox="0 0 280 243" font-size="11" role="img">
      <title>Where the money goes</title>
      <desc>1 coin: your coin, 0.01000000 BTC, 84h/0h/0h/0/0. 1 output: payment, 0.00995000 BTC, bc1qzyg3zyg3zyg3zyg3…3zyg3zyg3zyg3h8ffkz; fee, 0.00005000 BTC.</desc>
      <defs>
      <pattern id="cs-own" width="8" height="8" patternUnits="userSpaceOnUse">
      <rect class="cs-own" width="8" height="8"/>
      <path class="cs-own-mark" d="M-1 7L7 -1M3 11L11 3"/>
      </pattern>
      <pattern id="cs-foreign" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect class="cs-foreign" width="6" height="6"/>
      <circle class="cs-foreign-mark" cx="3" cy="3" r="1.2"/>
      </pattern>
      <pattern id="cs-refused" width="8" height="8" patternUnits="userSpaceOnUse">
      <rect class="cs-refused" width="8" height="8"/>
      <path class="cs-refused-mark" d="M0 0L8 8M8 0L0 8"/>
      </pattern>
      </defs>
      <rect class="cs-back" x="0.5" y="0.5" width="279" height="242" rx="10"/>
      <rect class="cs-edge" x="0.5" y="0.5" width="279" height="242" rx="10"/>
      <text class="cs-muted" x="97" y="17" text-anchor="end">1 coin</text>
      <text class="cs-muted" x="183" y="17">1 output</text>
      <path fill="url(#cs-own)" d="M113 57.6C126.5 57.6 126.5 57.6 140 57.6V207.6C126.5 207.6 126.5 207.6 113 207.6ZM113 57.6A9 75 0 0 0 113 207.6Z"/>
      <path class="cs-payment" d="M140 57C153.5 57 153.5 37 167 37V186.3C153.5 186.3 153.5 206.3 140 206.3ZM167 34L179 111.6L167 189.3Z"/>
      <path class="cs-fee" d="M140 206.3C153.5 206.3 153.5 212.3 167 212.3V214.3C153.5 214.3 153.5 208.3 140 208.3ZM165 213.3L172 206.3L179 213.3L172 220.3Z"/>
      <rect class="cs-node" x="137" y="54" width="6" height="157.3" rx="3"/>
      <svg x="4" y="31" width="93" height="203.3" overflow="hidden">
      <text class="cs-word cs-word-own" x="93" y="90.8" text-anchor="end">your coin</text>
      <text class="cs-amount" x="93" y="105.8" text-anchor="end">0.01000000 BTC</text>
      <text class="cs-name" x="93" y="120.8" text-anchor="end">84h/0h/0h/0/0</text>
      </svg>
      <svg x="183" y="31" width="93" height="203.3" overflow="hidden">
      <text class="cs-word cs-word-payment" x="0" y="69.8">payment</text>
      <text class="cs-amount" x="0" y="84.8">0.00995000 BTC</text>
      <text class="cs-name" x="0" y="99.8">bc1qzyg…h8ffkz</text>
      <text class="cs-word cs-word-fee" x="0" y="179">fee</text>
      <text class="cs-amount" x="0" y="194">0.00005000 BTC</text>
      </svg>
      </svg>
      "
    `);
  });

  test('the refused fake change of README.md', () => {
    const file = new URL('../../../docs/images/refused-change.svg', import.meta.url);
    const made = drawReview(reviewOf(fakeChange));
    // COUNTERSIGN_WRITE=1 writes it.
    if (process.env['COUNTERSIGN_WRITE']) writeFileSync(file, made);
    expect(readFileSync(file, 'utf8')).toBe(made);
  });
});
