import { assertText } from '../bytes/assertText.ts';
import { assertShape } from '../bytes/knownOptions.ts';
import { concealed } from '../crypto/concealed.ts';
import { BECH32_CHARACTERS } from '../encoding/bech32Characters.ts';
import { BtcError, type ErrorData } from '../errors.ts';

/** A seed from codex32 strings. */
export interface Codex32Seed {
  /** 16 to 64 bytes, for `masterKey`. Logs show `[secret]`. */
  readonly seed: Uint8Array;
  /** Four characters in lower case, which tell seeds apart and are not secret. */
  readonly identifier: string;
}

const PREFIX = 'ms1';
/** Threshold, identifier and index. */
const HEADER_SIZE = 6;
const IDENTIFIER_SIZE = 4;
const SECRET_INDEX = BECH32_CHARACTERS.indexOf('s');

interface Checksum {
  readonly letters: number;
  readonly target: bigint;
  readonly generator: readonly bigint[];
}

/** @see BIP93 "Checksum" */
const SHORT: Checksum = {
  letters: 13,
  target: 0x10ce0795c2fd1e62an,
  generator: [
    0x19dc500ce73fde210n,
    0x1bfae00def77fe529n,
    0x1fbd920fffe7bee52n,
    0x1739640bdeee3fdadn,
    0x07729a039cfc75f5an,
  ],
};

/** @see BIP93 "Long codex32" */
const LONG: Checksum = {
  letters: 15,
  target: 0x43381e570bf4798ab26n,
  generator: [
    0x3d59d273535ea62d897n,
    0x7a9becb6361c6c51507n,
    0x543f9b7e6c38d8a2a0en,
    0x0c577eaeccf1990d13cn,
    0x1887f74f8dc71b10651n,
  ],
};

const INITIAL_RESIDUE = 0x23181b3n;
/** Letters behind the prefix, with the checksum. */
const SIZES = { least: 45, mostShort: 93, leastLong: 96, most: 124 } as const;

/** A string whose checksum is right. */
interface Share {
  /** 2 to 9, or 0. */
  readonly threshold: number;
  readonly identifier: string;
  readonly index: number;
  /** The values of all letters behind the prefix, but for the checksum. */
  readonly values: readonly number[];
}

/**
 * Reads a master seed from its codex32 string, or from exactly as many shares as it takes, in any order: the strings one by one,
 * or all in one text. White space, commas and hyphens between letters do not count. Corrects no errors; an error names
 * the string by its position, from 1, and never shows it.
 * @throws `codex32/invalid` for one string; `codex32/shares` for strings that do not belong together, too few or too many;
 * `argument/invalid`
 * @see BIP93
 *
 * @example
 * ```ts
 * import { masterKey, parseCodex32 } from 'countersign/keys';
 *
 * // The worthless shares of BIP93's second example.
 * const shares = ['MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM', 'MS12NAMECACDEFGHJKLMNPQRSTUVWXYZ023FTR2GDZMPY6PN'];
 * const { seed, identifier } = parseCodex32(shares);
 * identifier; // name
 * masterKey(seed).depth; // 0
 * ```
 */
export function parseCodex32(text: string | readonly string[]): Codex32Seed {
  const shares = splitStrings(text).map((string, i) => parseShare(string, i + 1));
  const [first] = shares;
  if (!first) throw invalid(1, 'form', 'there is none, give a text that begins with ms1');
  const secretAt = shares.findIndex(({ index }) => index === SECRET_INDEX);
  if (secretAt !== -1) {
    if (shares.length > 1) {
      throw apart('secret', secretAt + 1, 'is the whole secret, not a share: give it alone, or only shares');
    }
    return seedOf(first);
  }
  assertTogether(shares);
  return seedOf({ ...first, values: recoverSecret(shares) });
}

/** Only the prefix holds a 1, so that it tells strings apart, however they are grouped. */
function splitStrings(text: string | readonly string[]): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(text) ? text : [text];
  return texts.flatMap((part) => {
    assertText('codex32 string', part);
    assertShape('codex32 string', String(part).length <= LONGEST, `at most ${LONGEST} characters long`);
    return String(part)
      .replace(/[\s,;-]+/g, '')
      .split(/(?=ms1)/i);
  });
}

/** Holds the nine longest strings, written in groups. */
const LONGEST = 3000;

function parseShare(text: string, position: number): Share {
  const lower = text.toLowerCase();
  if (!lower.startsWith(PREFIX)) throw invalid(position, 'form', 'it does not begin with ms1');
  if (text !== lower && text !== text.toUpperCase()) {
    throw invalid(position, 'case', 'it mixes upper and lower case, write it in one of them');
  }
  const letters = lower.slice(PREFIX.length);
  const values = Array.from(letters, (letter) => BECH32_CHARACTERS.indexOf(letter));
  const wrongAt = values.indexOf(-1);
  if (wrongAt !== -1) {
    const place = PREFIX.length + wrongAt + 1;
    throw invalid(position, 'character', `character ${place} is not one of codex32, which has no b, i, o or 1`);
  }
  const checksum = checksumFor(values.length);
  if (!checksum || !isWhole(values.length, checksum)) {
    throw invalid(position, 'length', 'it has a wrong length: characters are missing, or there are too many');
  }
  if (residueOf(values, checksum) !== checksum.target) {
    throw invalid(position, 'checksum', 'its checksum does not match, so a character is wrong: check each one');
  }
  return readHeader(letters, values.slice(0, -checksum.letters), position);
}

function readHeader(letters: string, values: readonly number[], position: number): Share {
  const mark = letters.charAt(0);
  const index = values[HEADER_SIZE - 1] ?? 0;
  if (!/[02-9]/.test(mark)) throw invalid(position, 'threshold', 'its threshold, after ms1, is not 0 or 2 to 9');
  if (mark === '0' && index !== SECRET_INDEX) {
    throw invalid(position, 'threshold', 'its threshold is 0, but it is a share: only a whole secret may have 0');
  }
  return { threshold: Number(mark), identifier: letters.slice(1, 1 + IDENTIFIER_SIZE), index, values };
}

function checksumFor(size: number): Checksum | undefined {
  if (size >= SIZES.least && size <= SIZES.mostShort) return SHORT;
  return size >= SIZES.leastLong && size <= SIZES.most ? LONG : undefined;
}

/** Leaves at most four bits over. @see BIP93 "Unshared Secret" */
const isWhole = (size: number, { letters }: Checksum): boolean => ((size - HEADER_SIZE - letters) * 5) % 8 <= 4;

function residueOf(values: readonly number[], { letters, generator }: Checksum): bigint {
  const shift = BigInt(5 * (letters - 1));
  const mask = (1n << shift) - 1n;
  let residue = INITIAL_RESIDUE;
  for (const value of values) {
    const top = residue >> shift;
    residue = ((residue & mask) << 5n) ^ BigInt(value);
    for (const [bit, term] of generator.entries()) if (((top >> BigInt(bit)) & 1n) === 1n) residue ^= term;
  }
  return residue;
}

function seedOf({ identifier, values }: Pick<Share, 'identifier' | 'values'>): Codex32Seed {
  const payload = values.slice(HEADER_SIZE);
  const seed = new Uint8Array(Math.floor((payload.length * 5) / 8));
  for (const at of seed.keys()) {
    for (let bit = 8 * at; bit < 8 * at + 8; bit += 1) {
      const value = payload[Math.floor(bit / 5)] ?? 0;
      seed[at] = ((seed[at] ?? 0) << 1) | ((value >> (4 - (bit % 5))) & 1);
    }
  }
  return { seed: concealed(seed), identifier };
}

/** @see BIP93 "Recovering Secret" */
function assertTogether(shares: readonly Share[]): void {
  const [first, ...others] = shares;
  if (!first) return;
  for (const [i, share] of others.entries()) {
    const position = i + 2;
    if (share.identifier !== first.identifier) {
      throw apart('identifier', position, 'has another identifier than string 1: the shares are of different seeds');
    }
    if (share.threshold !== first.threshold) throw apart('threshold', position, 'has another threshold than string 1');
    if (share.values.length !== first.values.length)
      throw apart('length', position, 'has another length than string 1');
    const same = shares.findIndex(({ index }) => index === share.index);
    if (same < position - 1) {
      throw apart('index', position, `has the index of string ${same + 1}: give each share once`);
    }
  }
  const [given, needed] = [shares.length, first.threshold];
  if (given === needed) return;
  const advice = given < needed ? 'give more of them' : 'leave some out';
  const message = `The seed takes exactly ${needed} codex32 shares, not ${given}: ${advice}`;
  throw new BtcError('codex32/shares', { reason: 'count', needed, given }, message);
}

/** Interpolates each letter at the index of the secret. */
function recoverSecret(shares: readonly Share[]): readonly number[] {
  const weights = shares.map(({ index }) => weightOf(index, shares));
  return (shares[0]?.values ?? []).map((_, at) =>
    shares.reduce((sum, { values }, i) => sum ^ multiply(weights[i] ?? 0, values[at] ?? 0), 0),
  );
}

/** Lagrange's basis polynomial of a share at the index of the secret; a difference in GF(32) is an exclusive or. */
function weightOf(index: number, shares: readonly Share[]): number {
  return shares.reduce(
    (product, other) =>
      other.index === index
        ? product
        : multiply(product, multiply(SECRET_INDEX ^ other.index, invert(index ^ other.index))),
    1,
  );
}

/** Multiplies in GF(32), whose modulus is x⁵ + x³ + 1. @see BIP173 */
function multiply(a: number, b: number): number {
  let [product, term] = [0, a];
  for (let bit = 0; bit < 5; bit += 1) {
    if ((b >> bit) & 1) product ^= term;
    term <<= 1;
    if (term & 0x20) term ^= 0x29;
  }
  return product;
}

/** Raises to the power 30, as a³¹ = 1. */
function invert(a: number): number {
  let power = 1;
  for (let i = 0; i < 30; i += 1) power = multiply(power, a);
  return power;
}

function invalid(position: number, reason: ErrorData['codex32/invalid']['reason'], text: string): BtcError {
  return new BtcError('codex32/invalid', { position, reason }, `Codex32 string ${position} is not valid: ${text}`);
}

function apart(
  reason: 'secret' | 'identifier' | 'threshold' | 'length' | 'index',
  position: number,
  text: string,
): BtcError {
  return new BtcError('codex32/shares', { reason, position }, `Codex32 string ${position} ${text}`);
}
