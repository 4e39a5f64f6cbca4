import { contentLines, type DescriptorText, type Line, type WalletDraft } from './walletFile.ts';

export function isDescriptorLines(text: string): boolean {
  return unlabelledLines(text).some((line) => /^[a-z_]{2,12}\(/.test(line.text));
}

export function isSparrow(text: string): boolean {
  return /^# (?:Receive and change|Receive|Change) descriptor(?: \((?:BIP389|Bitcoin Core)\))?:/m.test(text);
}

/** A label before a descriptor, or in the line above it. */
const LABEL = /^[^()[\]:#]{1,60}:(?:[ \t]+|$)/;

const CHANGE = /^(?:change|internal)\b/i;

/** Takes the labels off, such as `Receive: `. */
export function unlabelledLines(text: string): readonly DescriptorText[] {
  let isNextChange = false;
  return contentLines(text).flatMap((line) => {
    const [label] = LABEL.exec(line.text) ?? [];
    const isChange = label === undefined ? isNextChange : CHANGE.test(label);
    const rest = line.text.slice(label?.length ?? 0);
    isNextChange = rest === '' && isChange;
    return rest === '' ? [] : [{ ...line, text: rest, ...(isChange && { isChange }) }];
  });
}

/** Tells the descriptor of a wallet of silent payments. @see BIP392 */
const isSilent = ({ text }: DescriptorText): boolean => text.startsWith('sp(');

const draftOf = (all: readonly DescriptorText[]): WalletDraft => ({
  descriptors: all.filter((one) => !isSilent(one)),
  silent: all.filter(isSilent),
});

/** Reads one descriptor a line, with or without labels (`Receive: `) and checksums. */
export function parseDescriptorLines(text: string): WalletDraft {
  return draftOf(unlabelledLines(text));
}

/** Sparrow repeats a multipath descriptor as one for each chain. */
export function parseSparrow(text: string): WalletDraft {
  const [first, ...others] = contentLines(text);
  if (!first?.text.includes('<')) return parseDescriptorLines(text);
  return { descriptors: [first], repeats: others };
}

export function parseDescriptorList(texts: readonly string[]): WalletDraft {
  return draftOf(texts.map((text, index): Line => ({ text: text.trim(), place: `descriptor ${index + 1}` })));
}
