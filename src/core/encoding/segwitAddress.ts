import { bech32, bech32m } from '@scure/base';
import { BtcError, type ErrorData } from '../errors.ts';

export interface WitnessProgram {
  /** 0 to 16. */
  readonly version: number;
  /** 2 to 40 bytes; 20 or 32 for version 0. */
  readonly program: Uint8Array;
}

/** Selects the checksum: BIP173's for version 0, BIP350's for later ones. */
const bech32Variant = (version: number): typeof bech32 => (version === 0 ? bech32 : bech32m);

/** In characters. @see BIP173 */
export const BECH32_SIZES = { most: 90, checksum: 6 } as const;

/**
 * Formats a witness program as an address.
 * @throws `address/invalid` if the prefix leaves no room
 * @see BIP173, BIP350
 */
export function formatSegwitAddress(hrp: string, { version, program }: WitnessProgram): string {
  const words = [version, ...bech32.toWords(program)];
  if (hrp.length + 1 + words.length + BECH32_SIZES.checksum > BECH32_SIZES.most) {
    throw invalidAddress(
      'length',
      `The network's bech32 prefix is too long: this address would exceed ${BECH32_SIZES.most} characters`,
    );
  }
  return bech32Variant(version).encode(hrp.toLowerCase(), words);
}

export function invalidAddress(reason: ErrorData['address/invalid']['reason'], message: string): BtcError {
  return new BtcError('address/invalid', { reason }, message);
}

/**
 * Parses a segwit address, in all lower or all upper case.
 * @throws `bech32/invalid` (not bech32 at all), `address/invalid` (bech32, but not a valid address with this prefix)
 */
export function parseSegwitAddress(hrp: string, text: string): WitnessProgram {
  const decoded = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text);
  if (!decoded) {
    throw new BtcError(
      'bech32/invalid',
      { reason: 'encoding' },
      'The bech32 checksum does not match: a character is wrong or missing, or upper and lower case are mixed',
    );
  }
  if (decoded.prefix !== hrp) throw invalidAddress('prefix', `The address does not begin with ${hrp}1`);
  const [version, ...words] = decoded.words;
  if (version === undefined || version > 16) {
    throw invalidAddress('version', 'The witness version of the address is not from 0 to 16');
  }
  if (!bech32Variant(version).decodeUnsafe(text)) {
    throw invalidAddress(
      'checksum',
      'The checksum of the address is not of its version: 0 takes bech32, others take bech32m',
    );
  }
  const program = bech32.fromWordsUnsafe(words);
  if (!program) throw invalidAddress('padding', 'The address ends in unused bits that are not zero');
  const fits =
    version === 0 ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40;
  if (!fits) throw invalidAddress('length', `An address of witness version ${version} cannot have this length`);
  return { version, program };
}

export interface Bech32Text {
  readonly prefix: string;
  readonly version: number | undefined;
  /** `undefined` unless the letters after the first make up whole bytes. */
  readonly program: Uint8Array | undefined;
  readonly isBech32m: boolean;
}

export function decodeBech32(text: string): Bech32Text | undefined {
  const plain = bech32.decodeUnsafe(text);
  const decoded = plain ?? bech32m.decodeUnsafe(text);
  if (!decoded) return undefined;
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words) || undefined;
  return { prefix: decoded.prefix, version, program, isBech32m: !plain };
}
