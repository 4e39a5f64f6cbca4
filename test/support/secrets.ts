import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { formatBase58Check } from '../../src/core/encoding/base58check.ts';
import { bytes } from './arbitraries.ts';
import { formatHex } from './library.ts';

/** A secret in a form in which a user may paste it. */
export interface Pasted {
  readonly kind: 'key' | 'hex' | 'words';
  readonly text: string;
  /** True if the text is only a part of a key. */
  readonly isCut: boolean;
  /** Tells whether a text leaks the secret: three consecutive words of the phrase, or 16 characters of the key. */
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
    seed: fc.infiniteStream(fc.nat()),
  })
  .map(({ list, count, separator, sign, number, dress, seed }) => {
    const known = list.split(' ');
    const isSigned = sign !== null && count >= 12 && /^[a-z]/.test(list);
    const chosen = Array.from({ length: count }, () => dress(known[seed.next().value % known.length] ?? ''));
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
const mini = fc.array(fc.constantFrom(...BASE58), { minLength: 29, maxLength: 29 }).map((rest) => `S${rest.join('')}`);
// Keys shrunk to zeros are in help texts, and zeros are shown.
const hex = fc
  .tuple(fc.constantFrom(32, 64), fc.boolean())
  .chain(([size, isUpper]) =>
    fc.noShrink(bytes(size)).map((raw) => (isUpper ? formatHex(raw).toUpperCase() : formatHex(raw))),
  );

const PIECE = 16;
const piecesOf = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, i) => text.slice(i, i + PIECE));

const change = fc.record({
  how: fc.constantFrom('whole', 'whole', 'mistyped', 'cut', 'longer', 'prefixed'),
  at: fc.nat(),
  length: fc.nat(),
  wrap: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text,
    (text) => `wpkh(${text})`,
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
  ),
});

const key: fc.Arbitrary<Pasted> = fc
  .tuple(fc.oneof(extended, wif, bip38, mini, hex), change)
  .map(([whole, { how, at, length, wrap }]) => {
    const size = PIECE + (length % (whole.length - PIECE + 1));
    const place = at % (whole.length - 1);
    const cut = whole.slice(at % (whole.length - size + 1)).slice(0, size);
    const longer = `${whole.slice(0, place)}${whole[place]}${whole.slice(place)}`;
    const text = { whole, mistyped: mistyped(whole, place), cut, longer, prefixed: `xpub${whole}` }[how];
    const pieces = piecesOf(text);
    const isIn = (shown: string): boolean => pieces.some((piece) => shown.includes(piece));
    return { kind: /^[0-9a-fA-F]+$/.test(whole) ? 'hex' : 'key', text: wrap(text), isCut: how === 'cut', isIn };
  });

const wrappedWords = fc.tuple(words, change).map(([pasted, { wrap }]) => ({ ...pasted, text: wrap(pasted.text) }));

/** Generates secrets of all kinds: whole, mistyped, cut, listed, numbered, and wrapped in other text. */
export const pasted: fc.Arbitrary<Pasted> = fc.oneof(words, wrappedWords, key, key);

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
