import { describe, expect, test } from 'vitest';
import { GERMAN } from '../../../examples/german/words.ts';
import { FINDING_ROWS } from '../../support/findingRows.ts';
import { holderOf, quorumOf, registered, single, spend } from '../../support/holderPsbts.ts';
import {
  ENGLISH,
  type FindingPlace,
  formatQuestion,
  formatReview,
  networks,
  type PsbtReview,
  type ReportWords,
  reportReview,
  reviewPsbt,
  wordLine,
} from '../../support/library.ts';
import { parse, payment, review, sign, WALLETS } from '../../support/psbts.ts';
import { FINDING_SAMPLES, LINE_SAMPLES } from '../../support/reportSamples.ts';

/** Tells whether a line is the same in each language: a place, an address or a script, or an amount alone. */
const isData = (key: string, text: string): boolean =>
  ['outpoint', 'output', 'input'].includes(key) || /^[\d.]+ BTC$/.test(text);

/** English words that no German text has. */
const ENGLISH_WORDS =
  /\b(?:the|is|are|of|to|and|or|not|by|for|with|your|you|it|its|that|which|only|once|after|before|from|others?|proven|claimed|unknown|amount|fee|change|input|output|inputs|outputs|blocks?|key|keys|script|leaf|yours)\b/;

/** What a text quotes, or names as options, fields and opcodes have it. */
const QUOTED = /"[^"]*"|\[[^\]]*\]|\([a-z -]+\)|--[\w-]+/g;

const place = (at: Partial<FindingPlace>): FindingPlace => ({
  network: networks.main,
  coins: (sats) => `${sats}`,
  money: (sats) => `${sats} BTC`,
  ...at,
});
const PLACES = [place({}), place({ inputIndex: 1 }), place({ outputIndex: 2 })];

type Word = (data: unknown, place: FindingPlace) => string;

/** All samples of a key in both languages. */
function inBoth(samples: readonly unknown[], words: unknown, english: unknown): readonly (readonly [string, string])[] {
  return samples.flatMap((data) =>
    PLACES.map((at) => [(words as Word)(data, at), (english as Word)(data, at)] as const),
  );
}

function expectGerman(text: string): void {
  expect(text).not.toBe('');
  expect(text).not.toMatch(/undefined|\[object|NaN|null/);
  expect(text.replace(QUOTED, '')).not.toMatch(ENGLISH_WORDS);
}

const keysOf = (table: object): readonly string[] => Object.keys(table).sort();

describe('a table of words in another language', () => {
  test('has the keys of the English one, and no others', () => {
    expect(keysOf(GERMAN)).toEqual(keysOf(ENGLISH));
    for (const part of ['checks', 'lines', 'labels', 'kinds'] as const)
      expect(keysOf(GERMAN[part])).toEqual(keysOf(ENGLISH[part]));
  });

  test('lacks no key, or does not compile', () => {
    const { burn: _, ...checks } = GERMAN.checks;
    const { clean: __, ...lines } = GERMAN.lines;
    // @ts-expect-error no words for `burn`
    const withoutCheck: ReportWords = { ...GERMAN, checks };
    // @ts-expect-error no words for `clean`
    const withoutLine: ReportWords = { ...GERMAN, lines };
    expect([withoutCheck, withoutLine]).not.toContain(GERMAN);
  });

  test('has short labels, and names of kinds', () => {
    const labels = Object.values(GERMAN.labels);
    for (const label of labels) expect(label).toMatch(/^.{1,8}$/);
    expect(new Set(labels).size).toBe(labels.length);
    for (const kind of Object.values(GERMAN.kinds)) expectGerman(kind);
    expect(new Set(Object.values(GERMAN.kinds)).size).toBe(Object.keys(ENGLISH.kinds).length);
  });

  test.each(Object.entries(FINDING_SAMPLES))('says of every finding of %s what it is', (key, samples) => {
    const check = key as keyof typeof FINDING_SAMPLES;
    const { title, what, risk, remedy } = GERMAN.checks[check];
    for (const [text, english] of [
      ...inBoth(samples, what, ENGLISH.checks[check].what),
      [title, ENGLISH.checks[check].title],
      [risk, ENGLISH.checks[check].risk],
      [remedy, ENGLISH.checks[check].remedy],
    ] as const) {
      expectGerman(text);
      expect(text).not.toBe(english);
    }
    expect(title).not.toMatch(/\.$/);
    for (const sentence of [risk, remedy]) expect(sentence).toMatch(/\.$/);
    for (const [text] of inBoth(samples, what, what)) expect(text).toMatch(/^\p{Lu}.*\.$/u);
  });

  test.each(Object.entries(LINE_SAMPLES))('says what every line of %s says', (key, samples) => {
    const name = key as keyof typeof LINE_SAMPLES;
    for (const [text, english] of inBoth(samples, GERMAN.lines[name], ENGLISH.lines[name])) {
      expectGerman(text);
      if (!isData(key, text)) expect(text).not.toBe(english);
    }
  });

  test('tells apart what English tells apart', () => {
    const distinct = (both: readonly (readonly [string, string])[], language: 0 | 1): number =>
      new Set(both.map((texts) => texts[language])).size;
    for (const [key, samples] of Object.entries(FINDING_SAMPLES)) {
      const check = key as keyof typeof FINDING_SAMPLES;
      const both = inBoth(samples, GERMAN.checks[check].what, ENGLISH.checks[check].what);
      expect([key, distinct(both, 0) >= distinct(both, 1)]).toEqual([key, true]);
    }
    for (const [key, samples] of Object.entries(LINE_SAMPLES)) {
      const name = key as keyof typeof LINE_SAMPLES;
      const both = inBoth(samples, GERMAN.lines[name], ENGLISH.lines[name]);
      expect([key, distinct(both, 0) >= distinct(both, 1)]).toEqual([key, true]);
    }
  });

  test('escapes what strangers wrote', () => {
    const [, , , , ...rest] = LINE_SAMPLES.signs;
    expect(rest).toEqual([]);
    const [message] = LINE_SAMPLES.signs;
    expect(GERMAN.lines.signs(message, place({}))).toContain('"Hallo\\u001b[31m"');
    const data = { value: 0n, role: 'data', payee: { kind: 'data', texts: ['\u202e\n'] } } as const;
    expect(GERMAN.lines.output(data, place({}))).toBe('Daten, keine Zahlung: "\\u202e\\n"');
  });

  test('says where else something was found, and asks', () => {
    expect(GERMAN.also({ inputs: [1, 2, 3, 7], outputs: [4], count: 5 })).toBe(
      'auch Eingänge 1 bis 3, 7 und Ausgang 4',
    );
    expect(GERMAN.also({ inputs: [], outputs: [], count: 2 })).toBe('auch 2 weitere');
    const payee = { kind: 'address', address: 'bcrt1qaaaa' } as const;
    const payments = [1n, 2n, 3n].map((value) => ({ value, payee }));
    const ask = (count: number, warnings: number): string =>
      GERMAN.question({ payments: payments.slice(0, count), fee: 4n, feeTrust: 'proven', warnings }, place({}));
    expect(ask(0, 0)).toBe('Zahlt nichts an andere, Gebühr 4. Signieren?');
    expect(ask(2, 1)).toBe(
      'Zahlt 1 BTC an bcrt 1qaa aa und 2 an 1 weiteren Ausgang, Gebühr 4, 1 Warnung (siehe oben). Signieren?',
    );
    expect(ask(3, 2)).toMatch(/ und 5 an 2 weitere Ausgänge, Gebühr 4, 2 Warnungen /);
    expect(GERMAN.question({ payments, feeTrust: 'unknown', warnings: 0 }, place({}))).toMatch(
      /Gebühr unbekannt\. Signieren\?$/,
    );
    expect(
      GERMAN.question({ signs: { kind: 'message', text: 'Hallo' }, feeTrust: 'proven', warnings: 0 }, place({})),
    ).toBe('Signiert eine Nachricht: "Hallo"; bewegt nichts. Signieren?');
  });
});

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const OTHER = quorumOf(2, ['alice', 'bob']);
const holder = holderOf(['alice'], [registered(FAMILY, 'Familie'), OTHER]);
const ofWallets = [single('alice'), FAMILY, OTHER].flatMap((coin, i, all) =>
  all.map((to): readonly [string, PsbtReview] => {
    const coins = [coin, ...(i === 0 ? [FAMILY] : [])].map((of) => ({ of, index: 3 }));
    const psbt = spend({ coins, outputs: [{ of: to, chain: 1, index: 9 }] });
    return [`coins of ${coin.slice(0, 4)} ${i}, change to ${all.indexOf(to)}`, reviewPsbt(psbt, { holder })];
  }),
);

const reviews: readonly (readonly [string, PsbtReview])[] = [
  ...FINDING_ROWS.flatMap(([about, rows]) =>
    rows.map(([what, psbt, , facts = {}]) => [`${about}: ${what}`, review(psbt, facts)] as const),
  ),
  ...ofWallets,
  ['signed quorums and leaves', review(sign(payment(['multi', 'tree'])).psbt)],
  ['several own coins', review(payment(['wpkh', 'wpkh', 'wpkh']), { descriptors: [parse(WALLETS.wpkh)] })],
];

test.each(reviews.map(([what, made]) => ({ what, made })))('a review is worded from its data: $what', ({ made }) => {
  const { network } = made;
  for (const line of reportReview(made, { listsInputs: true })) {
    const text = wordLine(line, GERMAN, network);
    expectGerman(text);
    if (!isData(line.key, text)) expect(text).not.toBe(wordLine(line, ENGLISH, network));
  }
  for (const listsInputs of [true, false]) {
    const text = formatReview(made, { words: GERMAN, listsInputs });
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
  expectGerman(formatQuestion(made, GERMAN));
});
