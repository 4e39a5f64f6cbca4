import { bech32, bech32m } from '@scure/base';
import { BtcError } from '../errors.ts';

/** A witness program as an address carries it. */
export interface WitnessProgram {
  /** 0 to 16. */
  readonly version: number;
  /** 2 to 40 bytes; 20 or 32 for version 0. */
  readonly program: Uint8Array;
}

/** Version 0 keeps the BIP173 checksum; all later ones have BIP350's. */
const checksumOf = (version: number): typeof bech32 => (version === 0 ? bech32 : bech32m);

/** @see BIP173 "Bech32" */
const MAX_LENGTH = 90;

/** Formats a witness program as an address. @throws `address/invalid` if the prefix leaves no room @see BIP173, BIP350 */
export function formatSegwitAddress(hrp: string, { version, program }: WitnessProgram): string {
  const words = bech32.toWords(program);
  words.unshift(version);
  // Prefix, separator, words, six characters of checksum.
  if (hrp.length + 1 + words.length + 6 > MAX_LENGTH) throw new BtcError('address/invalid', { reason: 'length' });
  return checksumOf(version).encode(hrp, words).toLowerCase();
}

/**
 * Parses the address of a witness program. All lower or all upper case.
 * @throws `bech32/invalid` (not bech32 at all), `address/invalid` (well-formed, but no address of this prefix)
 * @see BIP173 "Decoding", BIP350
 */
export function parseSegwitAddress(hrp: string, text: string): WitnessProgram {
  const decoded = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text);
  if (!decoded) throw new BtcError('bech32/invalid', { reason: 'encoding' });
  if (decoded.prefix !== hrp) throw new BtcError('address/invalid', { reason: 'prefix' });
  const [version, ...words] = decoded.words;
  if (version === undefined || version > 16) throw new BtcError('address/invalid', { reason: 'version' });
  if (!checksumOf(version).decodeUnsafe(text)) throw new BtcError('address/invalid', { reason: 'checksum' });
  const program = bech32.fromWordsUnsafe(words);
  if (!program) throw new BtcError('address/invalid', { reason: 'padding' });
  const fits =
    version === 0 ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40;
  if (!fits) throw new BtcError('address/invalid', { reason: 'length' });
  return { version, program };
}

/** What a bech32 or bech32m text holds, whether it is an address or not. */
export interface Bech32Text {
  readonly prefix: string;
  /** The first letter's number; absent where there is no letter. */
  readonly version: number | undefined;
  /** Absent where the letters are no whole number of bytes. */
  readonly program: Uint8Array | undefined;
  readonly isBech32m: boolean;
}

/** Decodes a text with a right checksum of either kind. */
export function decodeBech32(text: string): Bech32Text | undefined {
  const plain = bech32.decodeUnsafe(text);
  const decoded = plain ?? bech32m.decodeUnsafe(text);
  if (!decoded) return undefined;
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words) || undefined;
  return { prefix: decoded.prefix, version, program, isBech32m: !plain };
}
