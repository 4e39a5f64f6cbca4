import { type Line, linesOf, type WalletDraft } from './walletFile.ts';

/** Tells whether a text has a line that is a descriptor, or begins like one. */
export function isDescriptorLines(text: string): boolean {
  return linesOf(text).some((line) => /^[a-z_]{2,12}\(/.test(line.text));
}

/** Tells whether a text has the comments that Sparrow writes above its descriptors. */
export function isSparrow(text: string): boolean {
  return /^# (?:Receive and change descriptor \(BIP389\)|(?:Receive|Change) descriptor \(Bitcoin Core\)):/m.test(text);
}

/**
 * Reads a text with one descriptor per line, with or without checksums; lines that begin with `#` are comments.
 * @see BIP380, BIP389
 */
export function parseDescriptorLines(text: string): WalletDraft {
  return { descriptors: linesOf(text) };
}

/** Reads what Sparrow writes: a multipath descriptor, and the same once more as one descriptor for each chain. */
export function parseSparrow(text: string): WalletDraft {
  const [first, ...others] = linesOf(text);
  if (!first?.text.includes('<')) return parseDescriptorLines(text);
  return { descriptors: [first], repeats: others };
}

/** Takes the descriptors of a JSON array of texts. */
export function parseDescriptorList(texts: readonly string[]): WalletDraft {
  return { descriptors: texts.map((text, index): Line => ({ text: text.trim(), place: `descriptor ${index + 1}` })) };
}
