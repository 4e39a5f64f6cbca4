import { assertText } from '../bytes/assertText.ts';
import { utf8Size } from '../bytes/utf8.ts';
import { BECH32_CHARACTERS } from '../encoding/bech32Characters.ts';
import type { BtcError } from '../errors.ts';
import { descriptorError } from './refuse.ts';

/** The low five bits of an index are the position in a group, the bits above them the group. */
const INPUT_CHARSET =
  "0123456789()[],'/*abcdefgh@:$%{}" + 'IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~' + 'ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_SIZE = 8;

const GENERATOR: readonly (readonly [upper: number, lower: number])[] = [
  [0xf5, 0xdee51989],
  [0xa9, 0xfdca3312],
  [0x1b, 0xab10e32d],
  [0x37, 0x06b1677a],
  [0x64, 0x4d626ffd],
];

const combine = (top: number, half: 0 | 1): number =>
  GENERATOR.reduce((folded, row, bit) => folded ^ (((top >>> bit) & 1) === 1 ? row[half] : 0), 0);
const FOLD_UPPER: Int32Array = Int32Array.from({ length: 32 }, (_, top) => combine(top, 0));
const FOLD_LOWER: Int32Array = Int32Array.from({ length: 32 }, (_, top) => combine(top, 1));

const UNKNOWN = 0xff;
const VALUES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = INPUT_CHARSET.indexOf(String.fromCharCode(code));
  return value < 0 ? UNKNOWN : value;
});

/** Returns the checksum, or `undefined` for a character that descriptors cannot contain. @see BIP380 "Checksum" */
export function descriptorChecksum(body: string): string | undefined {
  assertText('descriptor', body);
  const remainder = computeRemainder(body);
  if (!remainder) return undefined;
  const { upper } = remainder;
  const lower = remainder.lower ^ 1;
  let checksum = '';
  for (let bits = 5 * (CHECKSUM_SIZE - 1); bits >= 0; bits -= 5) {
    // The group at bit 30 straddles both halves.
    const group = bits >= 32 ? upper >>> (bits - 32) : (lower >>> bits) | (bits === 30 ? upper << 2 : 0);
    checksum += BECH32_CHARACTERS.charAt(group & 31);
  }
  return checksum;
}

interface Remainder {
  upper: number;
  lower: number;
}

/** Multiplies by x, adds a symbol and reduces by the generator, in place. */
function addSymbol(remainder: Remainder, symbol: number): void {
  const { upper, lower } = remainder;
  const top = upper >>> 3;
  remainder.upper = (((upper & 7) << 5) | (lower >>> 27)) ^ (FOLD_UPPER[top] ?? 0);
  remainder.lower = (lower << 5) ^ symbol ^ (FOLD_LOWER[top] ?? 0);
}

/**
 * Divides five-bit symbols by the generator: positions, after every third one the three groups, then zeros for the
 * checksum.
 */
function computeRemainder(body: string): Remainder | undefined {
  const remainder = { upper: 0, lower: 1 };
  let groups = 0;
  for (let i = 0; i < body.length; i += 1) {
    const value = VALUES[body.charCodeAt(i)] ?? UNKNOWN;
    if (value === UNKNOWN) return undefined;
    addSymbol(remainder, value & 31);
    groups = groups * 3 + (value >> 5);
    if (i % 3 === 2 || i === body.length - 1) {
      addSymbol(remainder, groups);
      groups = 0;
    }
  }
  for (let i = 0; i < CHECKSUM_SIZE; i += 1) addSymbol(remainder, 0);
  return remainder;
}

/**
 * Checks the checksum, or computes it if there is none.
 * @throws `descriptor/checksum`, with a hint at a mistyped character
 * @see Bitcoin Core `CheckChecksum`
 */
export function splitChecksum(text: string, isRequired: boolean): { body: string; checksum: string } {
  const [body = '', provided, ...more] = text.split('#');
  if (more.length > 0) throw refused("Multiple '#' symbols");
  if (provided === undefined && isRequired) throw refused('Missing checksum');
  const size = provided === undefined ? CHECKSUM_SIZE : utf8Size(provided);
  if (size !== CHECKSUM_SIZE) {
    throw refused(`Expected ${CHECKSUM_SIZE} character checksum, not ${size} characters`);
  }
  const checksum = descriptorChecksum(body);
  if (checksum === undefined) {
    throw refused('Invalid characters in payload');
  }
  if (provided !== undefined && provided !== checksum) {
    const reason = `Provided checksum '${provided}' does not match computed checksum '${checksum}'`;
    throw refused(reason, mistypedCharacter(body, provided, checksum));
  }
  return { body, checksum };
}

const refused = (reason: string, hint?: string): BtcError => descriptorError('descriptor/checksum', reason, hint);

/** Undoes `addSymbol` of zero, in place. */
function divideByX(remainder: Remainder): void {
  // The low five bits of `FOLD_LOWER` differ for each of the 32 overflows.
  const top = FOLD_LOWER.findIndex((folded) => ((folded ^ remainder.lower) & 31) === 0);
  const upper = remainder.upper ^ (FOLD_UPPER[top] ?? 0);
  remainder.lower = ((remainder.lower ^ (FOLD_LOWER[top] ?? 0)) >>> 5) | (upper << 27);
  remainder.upper = (upper >>> 5) | (top << 3);
}

function difference(a: string, b: string): Remainder | undefined {
  const result = { upper: 0, lower: 0 };
  for (let i = 0; i < CHECKSUM_SIZE; i += 1) {
    const [fromA, fromB] = [BECH32_CHARACTERS.indexOf(a.charAt(i)), BECH32_CHARACTERS.indexOf(b.charAt(i))];
    if (fromA < 0 || fromB < 0) return undefined;
    result.upper = (result.upper << 5) | (result.lower >>> 27);
    result.lower = (result.lower << 5) | (fromA ^ fromB);
  }
  return result;
}

/**
 * Finds the only position where another character would make the checksum right.
 *
 * The checksum is linear: the difference of two checksums is that of their symbols, times x to the power of the
 * distance from the end. One character changes its own symbol and, at most three symbols later, that of its group. So
 * this divides by x until a group of three characters has two such symbols that account for the whole difference.
 */
function mistypedCharacter(body: string, provided: string, computed: string): string | undefined {
  const remainder = difference(provided, computed);
  if (!remainder) return undefined;
  for (let step = 0; step < CHECKSUM_SIZE; step += 1) divideByX(remainder);
  const places: number[] = [];
  for (let end = body.length; end > 0; ) {
    const start = 3 * Math.floor((end - 1) / 3);
    if (remainder.upper === 0 && remainder.lower >>> 20 === 0)
      places.push(...placesIn(body.slice(start, end), start, remainder.lower));
    for (let step = start; step <= end; step += 1) divideByX(remainder);
    end = start;
  }
  const [place] = places;
  return places.length === 1 ? `character ${(place ?? 0) + 1} looks wrong` : undefined;
}

function placesIn(group: string, start: number, symbols: number): readonly number[] {
  const values = Array.from(group, (letter) => VALUES[letter.charCodeAt(0)] ?? UNKNOWN);
  return values.flatMap((value, i) => {
    const distance = 5 * (values.length - i);
    const own = (symbols >>> distance) & 31;
    if ((symbols & 31) + own * 2 ** distance !== symbols) return [];
    const weight = 3 ** (values.length - 1 - i);
    const groups = values.reduce((sum, each) => sum * 3 + (each >> 5), 0);
    const canExplain = [0, 1, 2].some(
      (other) =>
        other * 32 + ((value & 31) ^ own) < INPUT_CHARSET.length &&
        (groups ^ (groups + (other - (value >> 5)) * weight)) === (symbols & 31),
    );
    return canExplain ? [start + i] : [];
  });
}

/** Appends `#` and the checksum to a descriptor. */
export function withChecksum(body: string): string {
  return `${body}#${descriptorChecksum(body) ?? ''}`;
}
