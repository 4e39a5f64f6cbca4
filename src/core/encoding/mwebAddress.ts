import { bech32 } from '@scure/base';
import { isValidPublicKey } from '../crypto/publicKey.ts';

const KEY_SIZE = 33;

/**
 * Parses a stealth address of Litecoin's extension block: bech32 of any length, with two public keys after the first
 * symbol.
 * @see Litecoin Core `DecodeDestination`
 */
export function parseMwebAddress(hrp: string, text: string): Uint8Array | undefined {
  const decoded = bech32.decodeUnsafe(text, false);
  if (decoded?.prefix !== hrp) return undefined;
  const keys = bech32.fromWordsUnsafe(decoded.words.slice(1));
  if (keys?.length !== 2 * KEY_SIZE) return undefined;
  return [keys.slice(0, KEY_SIZE), keys.slice(KEY_SIZE)].every(isValidPublicKey) ? keys : undefined;
}

/** Recognizes keys by their size: the script of any other address is shorter. */
export const isMwebKeys = ({ length }: Uint8Array): boolean => length === 2 * KEY_SIZE;

export function formatMwebAddress(hrp: string, keys: Uint8Array): string {
  return bech32.encode(hrp, [0, ...bech32.toWords(keys)], false);
}
