import { utf8Size } from '../bytes/utf8.ts';
import { BtcError } from '../errors.ts';

/** The characters of a descriptor by value: the low five bits are coded directly, the rest in groups of three. */
const INPUT_CHARSET =
  "0123456789()[],'/*abcdefgh@:$%{}" + 'IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~' + 'ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_SIZE = 8;

/** The generator's 40-bit coefficients, split into the upper 8 and the lower 32 bits. */
const GENERATOR: readonly (readonly [upper: number, lower: number])[] = [
  [0xf5, 0xdee51989],
  [0xa9, 0xfdca3312],
  [0x1b, 0xab10e32d],
  [0x37, 0x06b1677a],
  [0x64, 0x4d626ffd],
];

/** What the five bits that leave the remainder fold back into it, for each of their 32 values. */
const combine = (top: number, half: 0 | 1): number =>
  GENERATOR.reduce((folded, row, bit) => folded ^ (((top >>> bit) & 1) === 1 ? row[half] : 0), 0);
const FOLD_UPPER: Int32Array = Int32Array.from({ length: 32 }, (_, top) => combine(top, 0));
const FOLD_LOWER: Int32Array = Int32Array.from({ length: 32 }, (_, top) => combine(top, 1));

const UNKNOWN = 0xff;
const VALUES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = INPUT_CHARSET.indexOf(String.fromCharCode(code));
  return value < 0 ? UNKNOWN : value;
});

/**
 * The eight-character checksum of a descriptor without one, or `undefined` if it holds a character that descriptors
 * cannot have.
 * @see BIP380 "Checksum"
 */
export function descriptorChecksum(body: string): string | undefined {
  const symbols = checksumSymbols(body);
  if (!symbols) return undefined;
  let upper = 0;
  let lower = 1;
  for (const symbol of symbols) {
    // Multiplies the 40-bit remainder by x, adds the symbol and reduces by the generator.
    const top = upper >>> 3;
    upper = (((upper & 7) << 5) | (lower >>> 27)) ^ (FOLD_UPPER[top] ?? 0);
    lower = (lower << 5) ^ symbol ^ (FOLD_LOWER[top] ?? 0);
  }
  lower ^= 1;
  let checksum = '';
  for (let bits = 5 * (CHECKSUM_SIZE - 1); bits >= 0; bits -= 5) {
    // The eight groups of five bits, the topmost first; the one from bit 30 on lies in both halves.
    const group = bits >= 32 ? upper >>> (bits - 32) : (lower >>> bits) | (bits === 30 ? upper << 2 : 0);
    checksum += CHECKSUM_CHARSET.charAt(group & 31);
  }
  return checksum;
}

/** A descriptor as five-bit symbols: each character's low bits, after every third the three rests, then room for the checksum. */
function checksumSymbols(body: string): Uint8Array | undefined {
  const symbols = new Uint8Array(body.length + Math.ceil(body.length / 3) + CHECKSUM_SIZE);
  let next = 0;
  let rests = 0;
  for (let i = 0; i < body.length; i += 1) {
    const value = VALUES[body.charCodeAt(i)] ?? UNKNOWN;
    if (value === UNKNOWN) return undefined;
    symbols[next] = value & 31;
    next += 1;
    rests = rests * 3 + (value >> 5);
    if (i % 3 === 2 || i === body.length - 1) {
      symbols[next] = rests;
      next += 1;
      rests = 0;
    }
  }
  return symbols;
}

/**
 * Takes the checksum off a descriptor and checks it.
 * @throws `descriptor/checksum`, with the one character that looks wrong where there is just one such
 * @see Bitcoin Core `CheckChecksum`
 */
export function splitChecksum(text: string, isRequired: boolean): { body: string; checksum: string } {
  const [body = '', given, ...more] = text.split('#');
  if (more.length > 0) throw new BtcError('descriptor/checksum', { reason: "Multiple '#' symbols" });
  if (given === undefined && isRequired) throw new BtcError('descriptor/checksum', { reason: 'Missing checksum' });
  const size = given === undefined ? CHECKSUM_SIZE : utf8Size(given);
  if (size !== CHECKSUM_SIZE) {
    const reason = `Expected ${CHECKSUM_SIZE} character checksum, not ${size} characters`;
    throw new BtcError('descriptor/checksum', { reason });
  }
  const checksum = descriptorChecksum(body);
  if (checksum === undefined) {
    throw new BtcError('descriptor/checksum', { reason: 'Invalid characters in payload' });
  }
  if (given !== undefined && given !== checksum) {
    const reason = `Provided checksum '${given}' does not match computed checksum '${checksum}'`;
    const hint = mistypedCharacter(body, given, checksum);
    throw new BtcError('descriptor/checksum', { reason, ...(hint !== undefined && { hint }) });
  }
  return { body, checksum };
}

/** The product of x and five bits that left the remainder has low bits that no others give: the way back. */
const UNFOLD: Int32Array = Int32Array.from({ length: 32 }, (_, low) =>
  FOLD_LOWER.findIndex((folded) => (folded & 31) === low),
);

/** A member of the code's field of polynomials, its 40 bits in two parts. */
interface Remainder {
  upper: number;
  lower: number;
}

/** Divides a remainder by x, in place: undoes a step of `descriptorChecksum` that added no symbol. */
function divideByX(of: Remainder): void {
  const top = UNFOLD[of.lower & 31] ?? 0;
  const upper = of.upper ^ (FOLD_UPPER[top] ?? 0);
  of.lower = ((of.lower ^ (FOLD_LOWER[top] ?? 0)) >>> 5) | (upper << 27);
  of.upper = (upper >>> 5) | (top << 3);
}

/** The difference of two checksums; `undefined` where a character cannot be in one. */
function difference(a: string, b: string): Remainder | undefined {
  const result = { upper: 0, lower: 0 };
  for (let i = 0; i < CHECKSUM_SIZE; i += 1) {
    const [one, other] = [CHECKSUM_CHARSET.indexOf(a.charAt(i)), CHECKSUM_CHARSET.indexOf(b.charAt(i))];
    if (one < 0 || other < 0) return undefined;
    result.upper = (result.upper << 5) | (result.lower >>> 27);
    result.lower = (result.lower << 5) | (one ^ other);
  }
  return result;
}

/**
 * Says where changing one character makes the checksum right, if that is one place only. Does not say what it should be.
 *
 * The checksum is linear: the difference of two is that of the symbols, times the power of x by which they stand before
 * the end. One character changes its own symbol and, up to three places later, that of its group. So the difference is
 * divided by x from group to group, and a place is found where two symbols are left that a character accounts for.
 */
function mistypedCharacter(body: string, given: string, computed: string): string | undefined {
  const left = difference(given, computed);
  if (!left) return undefined;
  for (let step = 0; step < CHECKSUM_SIZE; step += 1) divideByX(left);
  const places: number[] = [];
  for (let end = body.length; end > 0; ) {
    const start = 3 * Math.floor((end - 1) / 3);
    if (left.upper === 0 && left.lower >>> 20 === 0)
      places.push(...placesIn(body.slice(start, end), start, left.lower));
    for (let step = start; step <= end; step += 1) divideByX(left);
    end = start;
  }
  const [place] = places;
  return places.length === 1 ? `character ${(place ?? 0) + 1} looks wrong` : undefined;
}

/** The places of a group, one to three characters, where another character makes the given difference of its symbols. */
function placesIn(group: string, start: number, symbols: number): readonly number[] {
  const values = Array.from(group, (letter) => VALUES[letter.charCodeAt(0)] ?? UNKNOWN);
  return values.flatMap((value, i) => {
    const distance = 5 * (values.length - i);
    const own = (symbols >>> distance) & 31;
    if ((symbols & 31) + own * 2 ** distance !== symbols) return [];
    const weight = 3 ** (values.length - 1 - i);
    const rests = values.reduce((sum, each) => sum * 3 + (each >> 5), 0);
    const isMade = [0, 1, 2].some(
      (rest) =>
        rest * 32 + ((value & 31) ^ own) < INPUT_CHARSET.length &&
        (rests ^ (rests + (rest - (value >> 5)) * weight)) === (symbols & 31),
    );
    return isMade ? [start + i] : [];
  });
}

/** Adds `#` and the checksum to a descriptor of ours. */
export function withChecksum(body: string): string {
  return `${body}#${descriptorChecksum(body) ?? ''}`;
}
