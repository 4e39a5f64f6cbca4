import { formatHex } from '../bytes/hex.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { hmacSha512 } from '../crypto/hash.ts';

/** Kinds of seeds since Electrum 2.0. Those with `2fa` hold two of the three keys of a wallet with TrustedCoin. */
export type ElectrumSeedType = 'standard' | 'segwit' | '2fa' | '2fa-segwit';

/** @see Electrum `version.py` */
const VERSIONS: readonly (readonly [prefix: string, ElectrumSeedType])[] = [
  ['01', 'standard'],
  ['100', 'segwit'],
  ['101', '2fa'],
  ['102', '2fa-segwit'],
];

/** Electrum makes no shorter ones. */
const LEAST_WORDS = 12;
/** Seeds of before Electrum 2.7, with two wallets in one phrase, have at least so many words. */
const LEAST_LONG_WORDS = 20;

/** Tells the kind of a seed by the hash of its words, which one of 200 other phrases has, too. @see Electrum "Seed Version System" */
export function electrumTypeOf(words: readonly string[]): ElectrumSeedType | undefined {
  const count = words.length;
  if (count < LEAST_WORDS) return undefined;
  const hash = formatHex(hmacSha512(encodeUtf8('Seed version'), encodeUtf8(normalizeElectrum(words.join(' ')))));
  const type = VERSIONS.find(([prefix]) => hash.startsWith(prefix))?.[1];
  return type === '2fa' && count !== LEAST_WORDS && count < LEAST_LONG_WORDS ? undefined : type;
}

const SPACES = /[\p{White_Space}\u001c-\u001f]+/gu;

/** The blocks of Chinese, Japanese, Korean and their neighbors, between whose characters no space counts. */
const CJK =
  '\\u1100-\\u11ff\\u2e80-\\u2fdf\\u2ff0-\\u2fff\\u3040-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4ff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\uff00-\\uffef\\u{16f00}-\\u{16f9f}\\u{1b000}-\\u{1b0ff}\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2b81f}\\u{2f800}-\\u{2fa1d}\\u{e0100}-\\u{e01ef}';
const SPACE_IN_CJK = /* @__PURE__ */ new RegExp(`(?<=[${CJK}]) (?=[${CJK}])`, 'gu');

/** Normalizes a seed or passphrase. @see Electrum `normalize_text` */
export function normalizeElectrum(text: string): string {
  const letters = [...text.normalize('NFKD').toLowerCase()].filter((letter) => !isCombining(letter)).join('');
  return letters.replace(SPACES, ' ').replace(/^ | $/g, '').replace(SPACE_IN_CJK, '');
}

/** Of the lowest and the highest class of combining characters. */
const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];

/** Tells a character with a combining class: normalization puts it in the order of classes. @see Unicode, "Canonical Ordering Algorithm" */
const isCombining = (letter: string): boolean => isReordered(HIGHEST + letter) || isReordered(letter + LOWEST);
const isReordered = (pair: string): boolean => pair.normalize('NFD') !== pair;
