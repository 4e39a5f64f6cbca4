import { bytesKey } from '../bytes/compare.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { BECH32_CHARACTERS } from './bech32Characters.ts';
import { BECH32_SIZES } from './segwitAddress.ts';

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CONSTANTS = { bech32: 1, bech32m: 0x2bc830a3 } as const;

export type Bech32Fault = 'length' | 'character' | 'no-separator' | 'separator' | 'base32' | 'checksum';

export interface LocatedFault {
  readonly fault: Bech32Fault;
  /** The encoding whose checksum holds after changing at most two characters. */
  readonly likely?: 'bech32' | 'bech32m';
  /** Offsets in UTF-8. */
  readonly locations: readonly number[];
}

/** Finds the characters that are probably wrong. @see BIP173 "Checksum design"; Core `bech32::LocateErrors` */
export function bech32Fault(address: string): LocatedFault {
  const text = bytesKey(encodeUtf8(address));
  const { most, checksum } = BECH32_SIZES;
  if (text.length > most) return { fault: 'length', locations: indexRange(most, text.length) };
  const wrong = wrongCharacters(text);
  if (wrong.length > 0) return { fault: 'character', locations: wrong };
  const separator = text.lastIndexOf('1');
  if (separator < 0) return { fault: 'no-separator', locations: [] };
  if (separator === 0 || separator + checksum >= text.length) {
    return { fault: 'separator', locations: [separator] };
  }
  const letters = text.toLowerCase();
  const words = [...letters.slice(separator + 1)].map((letter) => BECH32_CHARACTERS.indexOf(letter));
  const unknown = words.indexOf(-1);
  if (unknown >= 0) return { fault: 'base32', locations: [separator + 1 + unknown] };
  const state = words.reduce(step, expandPrefix(letters.slice(0, separator)));
  const [best] = (['bech32', 'bech32m'] as const)
    .flatMap((likely) => {
      const places = wrongPlaces(state ^ CONSTANTS[likely], words.length);
      return places ? [{ likely, locations: places.map((place) => text.length - 1 - place) }] : [];
    })
    .sort((a, b) => a.locations.length - b.locations.length);
  return { fault: 'checksum', ...(best ?? { locations: [] }) };
}

const indexRange = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

/** Finds characters that bech32 lacks, and letters whose case differs from that of the first letter. */
function wrongCharacters(text: string): readonly number[] {
  const isUpper = /^[^a-zA-Z]*[A-Z]/.test(text);
  const wrong = isUpper ? /[^\x21-\x7e]|[a-z]/ : /[^\x21-\x7e]|[A-Z]/;
  return indexRange(0, text.length).filter((at) => wrong.test(text.charAt(at)));
}

/** Feeds a letter into the checksum, which is linear in its letters. */
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

/** Returns the one or two places, from the end, where letters must change for a residue to vanish. */
function wrongPlaces(residue: number, length: number): readonly number[] | undefined {
  const places = new Map<number, number>();
  for (let value = 1; value < 32; value += 1) {
    let effect = value;
    for (let place = 0; place < length; place += 1) {
      places.set(effect >>> 0, place);
      effect = step(effect, 0);
    }
  }
  const target = residue >>> 0;
  const single = places.get(target);
  if (single !== undefined) return [single];
  for (const [effect, place] of places) {
    const other = places.get((target ^ effect) >>> 0);
    if (other !== undefined && other !== place) return [Math.max(place, other), Math.min(place, other)];
  }
  return undefined;
}
