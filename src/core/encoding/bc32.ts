import { bech32 } from '@scure/base';
import { BECH32_CHARACTERS } from './bech32Characters.ts';

const CHECKSUM_SIZE = 6;
const BC32_CONSTANT = 0x3fff_ffff;

/** Decodes Bech32 without a prefix. Returns `undefined` if a character is wrong. @see BCR-2020-004 */
export function parseBc32(text: string): Uint8Array | undefined {
  const values = [...text].map((character) => BECH32_CHARACTERS.indexOf(character));
  if (values.includes(-1) || polymod([0, ...values]) !== BC32_CONSTANT) return undefined;
  return bech32.fromWordsUnsafe(values.slice(0, -CHECKSUM_SIZE)) || undefined;
}

const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;

/** @see BIP173 "Checksum" */
function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ff_ffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> bit) & 1) sum ^= generator;
  }
  return sum;
}
