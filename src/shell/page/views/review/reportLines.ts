import type { ReportLineJson } from '../../../../core/report/reviewJson.ts';

/** An output or an input with the notes about it. */
export interface Entry {
  readonly head: ReportLineJson;
  readonly notes: readonly ReportLineJson[];
}

/** Collects the outputs or inputs of a report, each with its notes. */
export function entriesOf(report: readonly ReportLineJson[], role: 'output' | 'input'): readonly Entry[] {
  const entries: { head: ReportLineJson; notes: ReportLineJson[] }[] = [];
  let open = false;
  for (const line of report) {
    if (line.role === role) entries.push({ head: line, notes: [] });
    open = line.role === role || (open && line.role === 'note');
    if (open && line.role === 'note') entries.at(-1)?.notes.push(line);
  }
  return entries;
}

const SUMS: ReadonlySet<string> = new Set(['leaves', 'comes', 'pays', 'fee', 'signs', 'moves']);

/** Tells what a person must see at once: the sums, data that is published, and what keeps the transaction from being mined. */
export function isInSummary({ role, data }: ReportLineJson): boolean {
  if (role === 'output') return data['role'] === 'data';
  if (role !== 'mined') return SUMS.has(role);
  const { kind } = (data['lock'] ?? {}) as { readonly kind?: string };
  return kind !== 'none' || data['isNever'] === true || data['isWaiting'] === true;
}

/** Of an output or a coin, or a sum: satoshi, if they are known. */
export function satsOf({ data }: ReportLineJson): bigint | undefined {
  const sats = data['value'] ?? data['amount'] ?? data['fee'];
  return typeof sats === 'string' ? BigInt(sats) : undefined;
}

/** The address that an output pays, or a coin has. */
export function addressOf({ data }: ReportLineJson): string | undefined {
  const { address } = (data['payee'] ?? {}) as { readonly address?: string };
  return address;
}

/** Tells whether the words of an output have a proven name in the place of the address, which a note then shows. */
export const isNamed = ({ data }: ReportLineJson): boolean =>
  ((data['payee'] ?? {}) as { readonly name?: string }).name !== undefined;

/** A finding of a check, with what it says of each place. */
export interface CheckFindings {
  readonly first: ReportLineJson;
  readonly texts: readonly string[];
}

/** Collects findings by check, in their order: the worst first. */
export function findingsOf(report: readonly ReportLineJson[]): readonly CheckFindings[] {
  const groups = new Map<string, { first: ReportLineJson; texts: string[] }>();
  for (const line of report.filter(({ role }) => role === 'finding')) {
    const name = `${line.key} ${line.tone}`;
    const group = groups.get(name) ?? { first: line, texts: [] };
    group.texts.push(line.also === undefined ? line.text : `${line.text} (${line.also})`);
    groups.set(name, group);
  }
  return [...groups.values()];
}
