import { assertText } from '../bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { pbkdf2Sha512 } from '../crypto/passwordHash.ts';
import { BtcError, unlessRefused } from '../errors.ts';
import { type ExtendedKey, masterKey } from './bip32.ts';
import { type ElectrumSeedType, electrumTypeOf, normalizeElectrum } from './electrumVersion.ts';
import { english, parseSeedWords, type SeedWordsOptions, splitWords, wholeWord } from './seedWords.ts';

/** A seed phrase of Electrum 2.0 or later. */
export interface ElectrumSeed {
  readonly words: readonly string[];
  readonly type: ElectrumSeedType;
}

/** Options for the master key of an Electrum seed. */
export interface ElectrumSeedOptions extends EccOption {
  /** Default none. Electrum calls it a seed extension. Another one opens another wallet, without an error. */
  readonly passphrase?: string;
}

const OPTIONS: OptionNames<ElectrumSeedOptions> = { passphrase: true, ecc: true };

const ONLY_HAN = /^\p{Script=Han}+$/u;

/**
 * Tells whether a text is a seed of Electrum, of at least 12 words in any language; of English words the first four letters
 * suffice. Seeds of before 2.0 cannot be told: they have neither a checksum nor a version, and their list of words is
 * not built in.
 * @returns `undefined` if it is none
 * @see Electrum "Seed Version System"
 */
export function parseElectrumSeed(text: string): ElectrumSeed | undefined {
  assertText('words', text);
  // Chinese words may stand without spaces.
  const typed = splitWords(text).flatMap((word) => (ONLY_HAN.test(word) ? [...word] : [word]));
  const whole = typed.map((word) => wholeWord(word, english));
  const words = whole.every((word) => english.includes(word)) ? whole : typed;
  const type = electrumTypeOf(words);
  return type && { words, type };
}

/**
 * Tells whether words are both a seed of Electrum and of BIP39, which give different wallets: ask which program made them.
 * Electrum itself takes them for its own unless the person chooses BIP39, and now makes none that are both; earlier
 * releases did.
 * @throws `argument/invalid`
 */
export function isElectrumAndBip39Seed(text: string, options: Pick<SeedWordsOptions, 'wordlist'> = {}): boolean {
  return parseElectrumSeed(text) !== undefined && unlessRefused(() => parseSeedWords(text, options)) !== undefined;
}

/**
 * Derives the master key of a seed of Electrum 2.0 or later. Electrum's addresses are, for the type `standard`, P2PKH at `m/0/i`
 * and change at `m/1/i`; for `segwit`, P2WPKH at `m/0h/0/i` and `m/0h/1/i`. `parseElectrumSeed` tells the type.
 * @throws `words/second-factor` for the types with `2fa`; `words/checksum` for other words; `argument/invalid`
 * @see Electrum `Mnemonic.mnemonic_to_seed`, `keystore.from_seed`
 *
 * @example
 * ```ts
 * import { formatXprv, masterOfElectrumSeed, parseElectrumSeed } from 'countersign/keys';
 *
 * // The worthless words of a test of Electrum.
 * const words = 'cycle rocket west magnet parrot shuffle foot correct salt library feed song';
 * parseElectrumSeed(words)?.type; // standard
 * formatXprv(masterOfElectrumSeed(words), 'main').slice(-6); // PQ8KL6
 * ```
 */
export function masterOfElectrumSeed(text: string, options: ElectrumSeedOptions = {}): ExtendedKey {
  const seed = parseElectrumSeed(text);
  assertKnownOptions(options, OPTIONS);
  const { passphrase = '' } = options;
  assertText('passphrase', passphrase);
  const ecc = chosenArithmetic({ ecc: options.ecc });
  if (!seed) {
    const message =
      'The words are not a seed of Electrum 2.0 or later: check each word and their order, or export the keys of an older one there';
    throw new BtcError('words/checksum', {}, message);
  }
  if (seed.type === '2fa' || seed.type === '2fa-segwit') {
    const message =
      'The words are a seed of Electrum with a second factor: restore them there with that factor disabled, and send the coins to another wallet';
    throw new BtcError('words/second-factor', {}, message);
  }
  const phrase = normalizeElectrum(seed.words.join(' '));
  const salt = `electrum${normalizeElectrum(passphrase)}`;
  return masterKey(pbkdf2Sha512(encodeUtf8(phrase), encodeUtf8(salt), 2048), { ecc });
}
