const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CONSTANTS = { bech32: 1, bech32m: 0x2bc830a3 } as const;
const CHECKSUM_LENGTH = 6;
const MAX_LENGTH = 90;

/** Faults of a text that is not bech32, or whose checksum is wrong. */
export type Bech32Fault = 'length' | 'character' | 'no-separator' | 'separator' | 'base32' | 'checksum';

/**
 * Finds the fault of a text that should be bech32 or bech32m. `likely` is the encoding whose checksum holds after
 * changing at most two characters.
 * @see BIP173 "Checksum design"; Bitcoin Core `bech32::LocateErrors`
 */
export function bech32Fault(text: string): { fault: Bech32Fault; likely?: 'bech32' | 'bech32m' } {
  if (text.length > MAX_LENGTH) return { fault: 'length' };
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (isMixed || /[^\x21-\x7e]/.test(text)) return { fault: 'character' };
  const separator = text.lastIndexOf('1');
  if (separator < 0) return { fault: 'no-separator' };
  if (separator === 0 || separator + CHECKSUM_LENGTH >= text.length) return { fault: 'separator' };
  const letters = text.toLowerCase();
  const words = [...letters.slice(separator + 1)].map((letter) => CHARSET.indexOf(letter));
  if (words.includes(-1)) return { fault: 'base32' };
  const state = words.reduce(step, expandPrefix(letters.slice(0, separator)));
  const [likely] = (['bech32', 'bech32m'] as const)
    .map((name) => ({ name, errors: fewestErrors(state ^ CONSTANTS[name], words.length) }))
    .filter(({ errors }) => errors < MANY)
    .sort((a, b) => a.errors - b.errors);
  return { fault: 'checksum', ...(likely && { likely: likely.name }) };
}

/** Feeds one letter into the checksum, which is linear in its letters. */
function step(state: number, word: number): number {
  const top = state >>> 25;
  let next = ((state & 0x1ffffff) << 5) ^ word;
  for (const [bit, value] of GENERATOR.entries()) if (((top >>> bit) & 1) === 1) next ^= value;
  return next >>> 0;
}

function expandPrefix(prefix: string): number {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)].reduce(step, 1);
}

const MANY = 3;

/** Returns how many letters must change for a residue to vanish: 1, 2 or, for anything beyond that, `MANY`. */
function fewestErrors(residue: number, length: number): number {
  const places = new Map<number, number>();
  for (let value = 1; value < 32; value += 1) {
    let effect = value;
    for (let place = 0; place < length; place += 1) {
      places.set(effect >>> 0, place);
      effect = step(effect, 0);
    }
  }
  const wanted = residue >>> 0;
  if (places.has(wanted)) return 1;
  for (const [effect, place] of places) {
    const other = places.get((wanted ^ effect) >>> 0);
    if (other !== undefined && other !== place) return 2;
  }
  return MANY;
}
