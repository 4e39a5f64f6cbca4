import { type DescriptorText, isRecord, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'core';

/**
 * Tells whether a JSON value is an answer of `listdescriptors`, one entry of it, or a list of descriptors as
 * `importdescriptors` takes.
 */
export function isCoreDescriptors(value: unknown): boolean {
  return entriesOf(value)?.some((entry) => isRecord(entry) && 'desc' in entry) ?? false;
}

function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (isRecord(value) && 'desc' in value) return [value];
  const entries = isRecord(value) ? value['descriptors'] : value;
  return Array.isArray(entries) ? entries : undefined;
}

const COMMAND = /\bimport(?:descriptors|multi)[ \t]+(?:requests=)?(?=['"]\[)/;
/** An argument in quotes as a shell reads it: between single ones, `'\''` and `'"'"'` stand for one of them. */
const QUOTED = /^(?:'((?:[^']|'\\''|'"'"')*)'|"((?:[^"\\]|\\.)*)")/s;

/** Tells whether a text has a command that imports descriptors into Core. */
export function isImportCommand(text: string): boolean {
  return COMMAND.test(text);
}

/**
 * Reads the descriptors of the `importdescriptors` commands in a text, as Coldcard writes it for Core.
 * @throws `walletfile/invalid`
 */
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

/** The kinds of scripts, most usual first. */
const KINDS = ['wpkh(', 'tr(', 'wsh(', 'sh(w', 'pkh('] as const;

interface Entry extends DescriptorText {
  readonly isActive: boolean;
  readonly isInternal: boolean;
}

/**
 * Reads an answer of Core's `listdescriptors`: the active descriptors, or all if none is active. Those for change, which
 * Core calls internal, follow the receive descriptors of the same kind.
 * @throws `walletfile/invalid`
 * @see Bitcoin Core `listdescriptors`
 */
export function parseCoreDescriptors(value: JsonRecord | readonly unknown[]): WalletDraft {
  const entries = (entriesOf(value) ?? []).map(entryOf);
  const active = entries.filter(({ isActive }) => isActive);
  const used = active.length > 0 ? active : entries;
  const name = isRecord(value) ? textIn(value, 'wallet_name') : undefined;
  const ranked = used.map((entry) => ({ ...entry, rank: rankOf(entry) })).sort((a, b) => a.rank - b.rank);
  if (active.length > 0) assertOneOfEach(ranked);
  return {
    ...(name && { name }),
    descriptors: ranked.map(({ text, place, isInternal }) => ({ text, place, isChange: isInternal })),
  };
}

/** Orders descriptors by kind, and change after receive. */
function rankOf({ text, isInternal }: Entry): number {
  const kind = KINDS.findIndex((start) => text.startsWith(start));
  return (kind < 0 ? KINDS.length : kind) * 2 + (isInternal ? 1 : 0);
}

/** Refuses two active descriptors for the same addresses: Core keeps one of each kind. @throws `walletfile/invalid` */
function assertOneOfEach(ranked: readonly (Entry & { readonly rank: number })[]): void {
  for (const [index, { rank, place }] of ranked.entries()) {
    const before = ranked[index - 1];
    if (before?.rank === rank)
      refuseFile(FORMAT, `${before.place} and ${place} are both active for the same addresses`);
  }
}

function entryOf(entry: unknown, index: number): Entry {
  const place = `descriptor ${index + 1}`;
  const text = isRecord(entry) ? textIn(entry, 'desc') : undefined;
  if (!isRecord(entry) || text === undefined) return refuseFile(FORMAT, `${place} has no "desc"`);
  return { text, place, isActive: entry['active'] === true, isInternal: entry['internal'] === true };
}
