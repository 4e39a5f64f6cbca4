import { inspect } from 'node:util';
import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { expect } from 'vitest';
import { encodeUtf8 } from '../../src/core/bytes/utf8.ts';
import { sha256 } from '../../src/core/crypto/hash.ts';
import { formatBase58Check } from '../../src/core/encoding/base58check.ts';
import { bytes } from './arbitraries.ts';
import { formatHex } from './library.ts';

/** A secret in a form in which a user may paste it. */
export interface Pasted {
  readonly kind: 'key' | 'hex' | 'digits' | 'words';
  readonly text: string;
  /** True if the text is only a part of a key. */
  readonly isCut: boolean;
  /** Tells whether a text leaks the secret: three consecutive words of the phrase, or 8 characters of the key. */
  readonly isIn: (shown: string) => boolean;
}

/** Some words of the BIP39 word lists; the Chinese ones are single characters. */
const LISTS: readonly string[] = [
  'abandon ability able about above absent absorb abstract absurd abuse access accident account cat dog sun zoo zebra fox ice',
  'ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar academia acceso acción aceite',
  'abaisser abandon abdiquer abeille abolir aborder aboutir aboyer abrasif abreuver abriter abroger académie acajou',
  'あいこくしん あいさつ あいだ あおぞら あかちゃん あきる あけがた あける あこがれる あさい あさひ あしあと',
  '가격 가끔 가난 가능 가득 가르침 가뭄 가방 가상 가슴 가운데 가을 가이드 가입 각각 각오',
  '的 一 是 在 不 了 有 和 人 这 中 大 为 上 个 国 我 以 要 他 时 来 用 们 生',
];
const SEPARATORS = [
  ...[' ', '  ', '\n', '\r\n', '\n\n', '\t', ' \t ', '\u00a0', '\u3000', '\\n', '\\r\\n', '%20', '+%20'],
  ...[', ', ',', ' , ', '; ', ' - ', ' / ', '","', '" "', "', '", "' '", '`, `', '\u201d \u201c'],
] as const;
/** Numbers of a list before its words. */
const NUMBERS: readonly ((i: number) => string)[] = [
  (i) => `${i}. `,
  (i) => `${i}) `,
  (i) => `${i}: `,
  (i) => `#${i} `,
  (i) => `${String(i).padStart(2, '0')} `,
  (i) => `word ${i}: `,
];
/** Separators that are recognised only between the words of whole phrases. */
const SIGNS = ['-', '_', '.', '+', '|', ':'] as const;

const lettersOnly = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .toLowerCase()
    .normalize('NFKD');

function phrase(words: readonly string[], text: string): Pasted {
  const given = words.map((word) => lettersOnly(word).trim());
  const pieces = given.slice(2).map((last, i) => ` ${given[i]} ${given[i + 1]} ${last} `);
  const isIn = (shown: string): boolean => {
    const letters = ` ${lettersOnly(shown)} `;
    return pieces.some((piece) => letters.includes(piece));
  };
  return { kind: 'words', text, isCut: false, isIn };
}

const mistyped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at + 1] ?? ''}${text[at] ?? ''}${text.slice(at + 2)}`;

const words: fc.Arbitrary<Pasted> = fc
  .record({
    list: fc.constantFrom(...LISTS),
    count: fc.constantFrom(3, 12, 15, 18, 21, 24),
    separator: fc.constantFrom(...SEPARATORS),
    sign: fc.option(fc.constantFrom(...SIGNS)),
    number: fc.option(fc.constantFrom(...NUMBERS)),
    dress: fc.constantFrom(
      (word: string) => word,
      (word: string) => word.toUpperCase(),
      (word: string) => word.normalize('NFKD'),
      (word: string) => [...word].map((letter, i) => (i % 2 === 0 ? letter : letter.toUpperCase())).join(''),
      (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`,
      (word: string) => (word.length > 3 ? mistyped(word, 1) : word),
    ),
    places: fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
  })
  .map(({ list, count, separator, sign, number, dress, places }) => {
    const known = list.split(' ');
    const isSigned = sign !== null && count >= 12 && /^[a-z]/.test(list);
    const chosen = places.slice(0, count).map((place) => dress(known[place % known.length] ?? ''));
    const isNumbered = number && !isSigned && /\s/.test(separator);
    const shown = isNumbered ? chosen.map((word, i) => `${number(i + 1)}${word}`) : chosen;
    return phrase(chosen, shown.join(isSigned ? sign : separator));
  });

/** Version bytes of extended private keys: SLIP132, and Litecoin's Ltpv. */
const XPRV_VERSIONS = [
  0x0488ade4, 0x049d7878, 0x04b2430c, 0x0295b005, 0x02aa7a99, 0x04358394, 0x044a4e28, 0x045f18bc, 0x024285b5,
  0x02575048, 0x019d9cfe,
];
const WIF_PREFIXES = [0x80, 0xef, 0xb0];
const u32 = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const extended = fc
  .tuple(fc.constantFrom(...XPRV_VERSIONS), bytes(41), bytes(32))
  .map(([version, head, key]) => formatBase58Check(Uint8Array.of(...u32(version), ...head, 0, ...key)));
const wif = fc
  .tuple(fc.constantFrom(...WIF_PREFIXES), bytes(32), fc.boolean())
  .map(([prefix, key, isCompressed]) => formatBase58Check(Uint8Array.of(prefix, ...key, ...(isCompressed ? [1] : []))));
const bip38 = bytes(36).map((rest) => formatBase58Check(Uint8Array.of(1, 0x42, 0xe0, ...rest)));
/** Its checksum: the SHA256 of it and a question mark begins with a zero byte. */
const mini = fc.array(fc.constantFrom(...BASE58), { minLength: 27, maxLength: 27 }).map((rest) => {
  const pairs = [...BASE58].flatMap((one) => [...BASE58].map((other) => `S${rest.join('')}${one}${other}`));
  return pairs.find((text) => sha256(encodeUtf8(`${text}?`))[0] === 0) ?? '';
});
// Keys shrunk to zeros are in help texts, and zeros are shown.
const hex = fc
  .tuple(fc.constantFrom(32, 64), fc.boolean())
  .chain(([size, isUpper]) =>
    fc.noShrink(bytes(size)).map((raw) => (isUpper ? formatHex(raw).toUpperCase() : formatHex(raw))),
  );

/** Private keys of `sp()`. @see BIP392 */
const silent = fc
  .tuple(fc.constantFrom('spscan', 'spspend', 'tspscan', 'tspspend'), bytes(32), bytes(33))
  .map(([prefix, scan, spend]) =>
    bech32m.encode(
      prefix,
      [0, ...bech32m.toWords(Uint8Array.of(...scan, ...spend.slice(prefix.endsWith('scan') ? 0 : 1)))],
      200,
    ),
  );
/** In the form of BIP93, and of keys of nostr. */
const otherBech32 = fc
  .tuple(fc.constantFrom('ms', 'cl', 'nsec'), bytes(32), fc.boolean())
  .map(([prefix, key, isUpper]) => {
    const text = bech32.encode(prefix, bech32.toWords(key));
    return isUpper ? text.toUpperCase() : text;
  });

/** The characters in a row that show a secret; fewer are in any text. */
const PIECE = 8;
/** A path has numbers of ten. */
const DIGITS = 11;
const piecesOf = (text: string, size = PIECE): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - size + 1) }, (_, i) => text.slice(i, i + size));

const HOWS = ['whole', 'whole', 'mistyped', 'changed', 'cut', 'longer', 'prefixed', 'cased', 'broken'] as const;
const BREAKS = [' ', '  ', '-', '"', "'", ', ', '\n', '_', '.', ':'];

interface Change {
  readonly how: (typeof HOWS)[number];
  readonly at: number;
  readonly length: number;
  readonly places: readonly (readonly [where: number, gap: string])[];
  readonly wrap: (text: string) => string;
}

const change: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom(...HOWS),
  at: fc.nat(),
  length: fc.nat(),
  places: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...BREAKS)), { minLength: 1, maxLength: 4 }),
  wrap: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text,
    (text) => `wpkh(${text})`,
    (text) => `sp(${text})`,
    (text) => `wsh(multi(1,${text},${text}))`,
    (text) => `[d34db33f/84h/0h/0h]${text}/0/*`,
    (text) => `${text},`,
    (text) => ` ${text} `,
    (text) => `key: ${text}`,
    (text) => `key=${text}`,
    (text) => `WIF=${text}`,
    (text) => `seed:${text}`,
    (text) => `"${text}"`,
    (text) => `'${text}'`,
    (text) => `{"key":"${text}"}`,
    (text) => JSON.stringify({ wallet: { keystore: [{ seed: text }] } }, null, 2),
    (text) => JSON.stringify(JSON.stringify([text])),
    (text) => `x${text}x`,
    (text) => `${text}=refuse`,
    (text) => `${text}.json`,
    (text) => `0x${text}`,
    (text) => `${text}#abcdefgh`,
    (text) => `raw(${text}`,
    (text) => `bitcoin:${text}?amount=1`,
    (text) => `bitcoin:?sp=${text}`,
    (text) => `bitcoin:bcrt1pfeesnyr2tx?label=${text}`,
    (text) => JSON.stringify({ type: 'addr', ref: text, label: text }),
    (text) => JSON.stringify({ hex: text }),
  ),
});

const HEX = /^[0-9a-fA-F]+$/;
const changed = (text: string, at: number, letter: string): string => text.slice(0, at) + letter + text.slice(at + 1);

/** The fewest characters that stay of a key that is cut: fewer bytes than a key has are shown. */
const shortest = (whole: string): number => (HEX.test(whole) ? 32 : 24);

/** Pieces of a key without more digits than a name has: a few can be said like one. */
const isNameSized = (text: string): boolean => text.length <= 40 && text.replace(/\D/g, '').length <= 2;

/** A piece that can be a word, such as a prefix, or a number: other pieces of the key cannot. */
const isWord = (piece: string): boolean => /^(?:[a-z]+1?\d{0,3}|\d+)$/i.test(piece);

/** Accepts what redaction can tell from a name: neither short pieces nor the pieces of a minikey. */
const isTold = (whole: string, text: string, how: string): boolean =>
  how === 'whole' || (!isNameSized(text) && !(how === 'broken' && whole.length < 40));

/** Writes a key in another way: with errors, cut, in pieces. */
function rewritten(whole: string, { how, at, length, places }: Omit<Change, 'wrap'>): string {
  const place = at % (whole.length - 1);
  const least = shortest(whole);
  const size = least + (length % (whole.length - least + 1));
  switch (how) {
    case 'whole':
      return whole;
    case 'mistyped':
      return mistyped(whole, place);
    case 'changed':
      return changed(whole, place, BASE58[length % BASE58.length] ?? '');
    case 'cut': {
      const cut = [
        whole.slice(0, size),
        whole.slice(-size),
        whole.slice(at % (whole.length - size + 1)).slice(0, size),
      ];
      return cut[length % cut.length] ?? '';
    }
    case 'longer':
      return `${whole.slice(0, place)}${whole[place]}${whole.slice(place)}`;
    case 'prefixed':
      return `xpub${whole}`;
    case 'cased':
      return [whole.toLowerCase(), whole.toUpperCase()][length % 2] ?? '';
    case 'broken':
      return places.reduce((text, [where, gap]) => {
        const split = where % (text.length + 1);
        return text.slice(0, split) + gap + text.slice(split);
      }, whole);
  }
  return how satisfies never;
}

const key: fc.Arbitrary<Pasted> = fc
  .tuple(fc.oneof(extended, wif, bip38, mini, hex, silent, otherBech32), change)
  .map(([whole, { wrap, ...rest }]) => {
    const text = rewritten(whole, rest);
    const isCut = rest.how === 'cut';
    // A part that stands alone and can be a name, or short hex, is shown like one.
    const names =
      rest.how === 'broken'
        ? text.split(/[^0-9A-Za-z]+/).filter((part) => isNameSized(part) || (HEX.test(part) && part.length < 32))
        : [];
    const isName = (piece: string): boolean => names.some((name) => name.includes(piece));
    const pieces = piecesOf(rest.how === 'broken' ? whole : text).filter((piece) => !isWord(piece) && !isName(piece));
    const isIn = (shown: string): boolean => pieces.some((piece) => shown.includes(piece));
    return {
      kind: HEX.test(whole) ? 'hex' : 'key',
      text: wrap(text),
      isCut,
      isIn,
      isTold: isTold(whole, text, rest.how),
    } as const;
  })
  .filter(({ isTold }) => isTold);

/** Numbers of seed words, four digits for each. @see SeedSigner "SeedQR Format Specification" */
const seedDigits: fc.Arbitrary<Pasted> = fc
  .tuple(
    fc.constantFrom(12, 15, 18, 21, 24),
    fc.array(fc.nat(2047), { minLength: 24, maxLength: 24 }),
    fc.constantFrom('', ' ', '\n', ', ', '-'),
    change,
  )
  .map(([count, places, separator, { how, wrap, ...rest }]) => {
    const groups = places.slice(0, count).map((place) => String(place).padStart(4, '0'));
    const whole = groups.join('');
    const isWhole = separator !== '' || how === 'changed' || how === 'prefixed';
    const text = isWhole ? groups.join(separator) : rewritten(whole, { ...rest, how });
    const pieces = piecesOf(how === 'broken' ? whole : text, DIGITS).filter((piece) => !/^(.)\1*$/.test(piece));
    const isIn = (shown: string): boolean => pieces.some((piece) => shown.includes(piece));
    return { kind: 'digits', text: wrap(text), isCut: how === 'cut', isIn };
  });

const wrappedWords = fc.tuple(words, change).map(([pasted, { wrap }]) => ({ ...pasted, text: wrap(pasted.text) }));

/** Generates secrets of all kinds: whole, mistyped, cut, listed, numbered, and wrapped in other text. */
export const pasted: fc.Arbitrary<Pasted> = fc.oneof(
  { arbitrary: words, weight: 2 },
  { arbitrary: wrappedWords, weight: 2 },
  { arbitrary: key, weight: 5 },
  { arbitrary: seedDigits, weight: 1 },
);

/** The errors for a malformed or unknown hash, which repeat it as a node does: the reader has to see which one it was. */
const WANTED_HASH =
  /\w+ must be (of length 64|hexadecimal string) \(not [^\n]*|duplicated txid: \w{64}|Transaction \w{64} does not belong to this wallet/g;

/** Pieces of a key may look like a mistyped address, or like a script in hex. Whole keys do not. */
const LOOKALIKE =
  /(?<![0-9A-Za-z])(?:[123mnMQ][0-9A-Za-z]{31,35}|0[23][0-9a-fA-F]{64,72}|(?:0x)?(?:00(?:14|20)|51(?:20|21)|5[23]21|76a9|a914|6a|210[23]|4104)[0-9a-fA-F]*)(?![0-9A-Za-z])/g;

/** Expects that a text, which came from `where`, does not leak a secret. */
export function expectHidden(shown: string, { kind, isIn, isCut, text }: Pasted, where: unknown): void {
  const whole = isCut ? shown.replace(LOOKALIKE, '') : shown;
  const searched = kind === 'hex' ? whole.replace(WANTED_HASH, '') : whole;
  if (isIn(searched)) expect.fail(`${JSON.stringify(where)} shows ${JSON.stringify(text)}:\n${shown.slice(0, 2000)}`);
}

/** Returns the errors and warnings inside a result, apart from the data that the caller asked for. */
export function faultsIn(result: unknown): readonly unknown[] {
  if (typeof result !== 'object' || result === null) return [];
  return Object.entries(result).flatMap(([name, value]) =>
    /^(error|warning|errors|warnings)$/.test(name) ? [value] : faultsIn(value),
  );
}

/** Formats an error with its stack, data and causes. */
export const everythingOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}\n${error.stack}\n${inspect({ ...error }, { maxStringLength: null })}\n${everythingOf(error.cause)}`
    : String(error);
