import { bech32m } from '@scure/base';

/** @see BIP352 "Address encoding" */
const MOST_CHARACTERS = 1023;

export interface VersionedText {
  readonly prefix: string;
  /** 0 to 31. */
  readonly version: number;
  readonly payload: Uint8Array;
}

/** Formats what silent payments write as bech32m, longer than an address of BIP350 may be. */
export const formatVersionedText = ({ prefix, version, payload }: VersionedText): string =>
  bech32m.encode(prefix, [version, ...bech32m.toWords(payload)], MOST_CHARACTERS);

/** Returns `undefined` if the checksum is wrong, the text too long, or no whole bytes follow the version. */
export function parseVersionedText(text: string): VersionedText | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const decoded = bech32m.decodeUnsafe(text, MOST_CHARACTERS);
  const [version, ...words] = decoded?.words ?? [];
  const payload = bech32m.fromWordsUnsafe(words);
  return decoded && version !== undefined && payload ? { prefix: decoded.prefix, version, payload } : undefined;
}
