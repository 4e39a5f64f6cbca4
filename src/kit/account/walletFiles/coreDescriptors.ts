import { type DescriptorText, isRecord, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'core';

/** Accepts a result of `listdescriptors`, one of its entries, and the argument of `importdescriptors`. */
export function isCoreDescriptors(value: unknown): boolean {
  return findEntries(value)?.some((entry) => isRecord(entry) && 'desc' in entry) ?? false;
}

function findEntries(value: unknown): readonly unknown[] | undefined {
  if (isRecord(value) && 'desc' in value) return [value];
  const entries = isRecord(value) ? value['descriptors'] : value;
  return Array.isArray(entries) ? entries : undefined;
}

const COMMAND = /\bimport(?:descriptors|multi)[ \t]+(?:requests=)?(?=['"]\[)/;
/** In a shell's single quotes, `'\''` and `'"'"'` stand for one quote. */
const QUOTED = /^(?:'((?:[^']|'\\''|'"'"')*)'|"((?:[^"\\]|\\.)*)")/s;

export function isImportCommand(text: string): boolean {
  return COMMAND.test(text);
}

/** Reads the commands that Coldcard writes for Core. */
export function parseImportCommands(text: string): WalletDraft {
  const [, ...parts] = text.split(COMMAND);
  const entries = parts.flatMap((part) => {
    const [, single, double] = QUOTED.exec(part) ?? [];
    const json = single?.replace(/'(?:\\'|"'")'/g, "'") ?? double?.replace(/\\(.)/gs, '$1') ?? '';
    return (
      valuesIn(json) ?? refuseFile(FORMAT, 'its command has no JSON array in quotes: copy the command again, whole')
    );
  });
  return parseCoreDescriptors(entries);
}

function valuesIn(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Most usual first. */
const KINDS = ['wpkh(', 'tr(', 'wsh(', 'sh(w', 'pkh('] as const;

interface Entry extends DescriptorText {
  readonly isActive: boolean;
  readonly isInternal: boolean;
}

/**
 * Reads the active descriptors, or all if none is active; each internal one follows the receive descriptor of its kind.
 * @see Bitcoin Core `listdescriptors`
 */
export function parseCoreDescriptors(value: JsonRecord | readonly unknown[]): WalletDraft {
  const entries = (findEntries(value) ?? []).map(parseDescriptorEntry);
  const active = entries.filter(({ isActive }) => isActive);
  const used = active.length > 0 ? active : entries;
  const name = isRecord(value) ? textIn(value, 'wallet_name') : undefined;
  const ranked = used.map((entry) => ({ ...entry, rank: rankEntry(entry) })).sort((a, b) => a.rank - b.rank);
  if (active.length > 0) assertOneOfEach(ranked);
  return {
    ...(name && { name }),
    descriptors: ranked.map(({ text, place, isInternal }) => ({ text, place, isChange: isInternal })),
  };
}

function rankEntry({ text, isInternal }: Entry): number {
  const kind = KINDS.findIndex((start) => text.startsWith(start));
  return (kind < 0 ? KINDS.length : kind) * 2 + (isInternal ? 1 : 0);
}

/** Core keeps at most one active descriptor of each kind. */
function assertOneOfEach(ranked: readonly (Entry & { readonly rank: number })[]): void {
  for (const [index, { rank, place }] of ranked.entries()) {
    const before = ranked[index - 1];
    if (before?.rank === rank)
      refuseFile(FORMAT, `${before.place} and ${place} are both active for the same addresses`);
  }
}

function parseDescriptorEntry(entry: unknown, index: number): Entry {
  const place = `descriptor ${index + 1}`;
  const text = isRecord(entry) ? textIn(entry, 'desc') : undefined;
  if (!isRecord(entry) || text === undefined) return refuseFile(FORMAT, `${place} has no "desc"`);
  return { text, place, isActive: entry['active'] === true, isInternal: entry['internal'] === true };
}
