import type { Annotations } from '../../../core/descriptors/annotations.ts';
import { singlePaths } from '../../../core/descriptors/derive.ts';
import { comparedText, joinPaths, textWithoutChains } from '../../../core/descriptors/joinPaths.ts';
import { findContestedPlace } from '../../../core/descriptors/keyPlaces.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { type DescriptorText, refuseFile, type WalletFileFormat } from './walletFile.ts';

export interface ParsedText extends DescriptorText {
  readonly descriptor: Descriptor;
  readonly annotations: Annotations;
}

/**
 * Joins receive and change descriptors, and drops those that others include. Whoever can change the file must not be
 * able to add change addresses: each change descriptor must have the keys of a receive descriptor, and two descriptors
 * alone must be receive and change. Further ones are other wallets.
 */
export function joinChains(
  format: WalletFileFormat,
  parsed: readonly ParsedText[],
  repeats: readonly ParsedText[],
): readonly Descriptor[] {
  assertRepeats(format, parsed, repeats);
  assertPlaces(format, parsed);
  assertChange(format, parsed);
  const joined = joinAll(parsed);
  const isPair = joined.length === 2 && joined.every((descriptor) => singlePaths(descriptor).length === 1);
  // Core's list marks change descriptors, and may have one descriptor of each kind.
  if (isPair && format !== 'core') {
    refuseFile(
      format,
      'its two descriptors differ in more than one step of their paths: give each wallet a file of its own, or write /<0;1>/* for both chains',
    );
  }
  return joined;
}

function assertPlaces(format: WalletFileFormat, parsed: readonly ParsedText[]): void {
  const contested = findContestedPlace(parsed.map(({ descriptor }) => descriptor));
  if (!contested) return;
  const { index, fingerprint } = contested;
  refuseFile(
    format,
    `${parsed[index]?.place}: two keys claim the same path below the master key ${fingerprint}; export the wallet again`,
  );
}

function assertChange(format: WalletFileFormat, parsed: readonly ParsedText[]): void {
  const change = parsed.filter(({ isChange }) => isChange);
  if (change.length === 0) return;
  const own = new Set(
    parsed.filter(({ isChange }) => !isChange).map(({ descriptor }) => textWithoutChains(descriptor)),
  );
  const foreign = change.find(({ descriptor }) => !own.has(textWithoutChains(descriptor)));
  if (!foreign) return;
  refuseFile(
    format,
    `${foreign.place} is for change, but no receive descriptor has the same form and keys: export the wallet again`,
  );
}

/** Lists the texts of a descriptor and of its paths. */
function spokenBy(descriptor: Descriptor): readonly string[] {
  const paths = singlePaths(descriptor);
  return [comparedText(descriptor), ...(paths.length > 1 ? paths.map(comparedText) : [])];
}

function joinAll(parsed: readonly ParsedText[]): readonly Descriptor[] {
  const included = new Set(parsed.flatMap(({ descriptor }) => spokenBy(descriptor).slice(1)));
  const seen = new Set<string>();
  const joined: Descriptor[] = [];
  let last: ParsedText | undefined;
  for (const one of parsed) {
    const { descriptor } = one;
    const text = comparedText(descriptor);
    if (seen.has(text) || included.has(text)) continue;
    seen.add(text);
    // Change descriptors come second, wherever the file lists them.
    const isSwapped = last?.isChange === true && !one.isChange;
    const both = last && (isSwapped ? joinPaths(descriptor, last.descriptor) : joinPaths(last.descriptor, descriptor));
    if (both) joined[joined.length - 1] = both;
    else joined.push(descriptor);
    last = both ? undefined : one;
  }
  return joined;
}

function assertRepeats(format: WalletFileFormat, parsed: readonly ParsedText[], repeats: readonly ParsedText[]): void {
  const spoken = new Set(parsed.flatMap(({ descriptor }) => spokenBy(descriptor)));
  const foreign = repeats.find(({ descriptor }) => !spoken.has(comparedText(descriptor)));
  if (foreign)
    refuseFile(format, `${foreign.place} describes different addresses from ${parsed[0]?.place}: the file was changed`);
}
