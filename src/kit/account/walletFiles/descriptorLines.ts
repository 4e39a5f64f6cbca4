import { type DescriptorText, type Line, linesOf, type WalletDraft } from './walletFile.ts';

/** Tells whether a text has a line that is a descriptor, or begins like one. */
export function isDescriptorLines(text: string): boolean {
  return unlabelledLines(text).some((line) => /^[a-z_]{2,12}\(/.test(line.text));
}

/** Tells whether a text has the comments that Sparrow writes above its descriptors. */
export function isSparrow(text: string): boolean {
  return /^# (?:Receive and change|Receive|Change) descriptor(?: \((?:BIP389|Bitcoin Core)\))?:/m.test(text);
}

/** A label that some wallets write before a descriptor, or in the line above it. */
const LABEL = /^[^()[\]:#]{1,60}:(?:[ \t]+|$)/;

/** The label of a descriptor for change addresses. */
const CHANGE = /^(?:change|internal)\b/i;

/** Lists the lines of a text without their labels, which may stand in the line above. */
function unlabelledLines(text: string): readonly DescriptorText[] {
  let isNextChange = false;
  return linesOf(text).flatMap((line) => {
    const [label] = LABEL.exec(line.text) ?? [];
    const isChange = label === undefined ? isNextChange : CHANGE.test(label);
    const rest = line.text.slice(label?.length ?? 0);
    isNextChange = rest === '' && isChange;
    return rest === '' ? [] : [{ ...line, text: rest, ...(isChange && { isChange }) }];
  });
}

/**
 * Reads a text with one descriptor per line, with or without labels (`Receive: `) and checksums; lines that begin with `#`
 * are comments.
 * @see BIP380, BIP389
 */
export function parseDescriptorLines(text: string): WalletDraft {
  return { descriptors: unlabelledLines(text) };
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
