import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { isHex } from '../../core/bytes/hex.ts';
import { assertList, assertShape, isObject } from '../../core/bytes/knownOptions.ts';
import { decodeUtf8WithoutMark } from '../../core/bytes/utf8.ts';
import { hasKeyForm } from '../../core/encoding/writtenSecrets.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';

/**
 * One record of a label file: what is labelled, and how. Members that the BIP does not name are kept as they are.
 *
 * @see BIP329 "Specification", "Additional Fields"
 */
export interface LabelRecord {
  /** `tx`, `addr`, `pubkey`, `input`, `output`, `xpub`, `spscan`, or one that a later BIP may add. */
  readonly type: string;
  /** A txid, an address, a key in hex, `txid:index`, an extended public key, or a scan key expression. */
  readonly ref: string;
  readonly label?: string;
  /** The wallet, as `labelOrigin` writes it. */
  readonly origin?: string;
  /** False for an output that the wallet must not spend. */
  readonly spendable?: boolean;
  readonly [member: string]: unknown;
}

type Fault = ErrorData['labels/invalid'];

/** In bytes. */
const LARGEST = 64_000_000;
const MOST_RECORDS = 200_000;
/** In characters. */
const LONGEST_LINE = 100_000;

const refuse = (line: Fault['line'], reason: string): never => {
  throw new BtcError('labels/invalid', { line, reason }, `Line ${line} of the label file ${reason}`);
};

const tooLarge = (what: string): never => {
  throw new BtcError('labels/size', {}, `The label file has more than ${what}: split it`);
};

/**
 * Parses a label file: JSON lines, of which empty ones do not count. Refuses the whole file for one bad line.
 *
 * @throws `labels/invalid` with the line, `labels/size`; neither quotes the file
 * @see BIP329 "Specification"
 *
 * @example
 * ```ts
 * import { parseLabels } from 'countersign/labels';
 *
 * const [record] = parseLabels('{"type":"addr","ref":"bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c","label":"Rent"}\n');
 * record?.label; // Rent
 * ```
 */
export function parseLabels(file: string | Uint8Array): readonly LabelRecord[] {
  if (!isBytes(file)) assertText('label file', file);
  if (file.length > LARGEST) tooLarge(`${LARGEST / 1_000_000} MB`);
  const text = typeof file === 'string' ? file.replace(/^\ufeff/, '') : decodeUtf8WithoutMark(file);
  if (text === undefined) throw new BtcError('labels/invalid', { line: 1, reason: 'is not UTF-8' }, NO_TEXT);
  const records: LabelRecord[] = [];
  let line = 0;
  for (const row of eachLine(text)) {
    line += 1;
    if (row.trim() === '') continue;
    if (records.length === MOST_RECORDS) tooLarge(`${MOST_RECORDS} records`);
    records.push(parseRecord(row, line));
  }
  return records;
}

const NO_TEXT = 'The label file is not UTF-8: export it again as JSON lines (BIP329)';

/** Yields lines without a list of all of them. */
function* eachLine(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length + 1 : end + 1;
  }
}

function parseRecord(row: string, line: number): LabelRecord {
  if (row.length > LONGEST_LINE) refuse(line, `has more than ${LONGEST_LINE} characters`);
  const record = parseMembers(row, line);
  const fault = recordFault(record);
  return fault === undefined ? (record as LabelRecord) : refuse(line, fault);
}

type Members = Readonly<Record<string, unknown>>;

function parseMembers(row: string, line: number): Members {
  let value: unknown;
  let isExact = true;
  try {
    value = JSON.parse(row, (_, member: unknown) => {
      if (typeof member === 'number' && !Number.isFinite(member)) isExact = false;
      return member;
    });
    // What is nested too deep could not be written again.
    isExact &&= longDigits(row) === longDigits(JSON.stringify(value));
  } catch {
    // The engine's error quotes the text.
    return refuse(line, 'is not JSON, or is nested too deeply');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(line, 'is not a JSON object');
  if (!isExact) refuse(line, 'has a member twice, or a number with more digits than programs keep');
  return value as Members;
}

/** Digits of numbers that a double cannot hold; those in texts stay as they are. */
const longDigits = (json: string): string => (json.match(/\d{16,}/g) ?? []).join();

const isTxid = (text: string): boolean => text.length === 64 && isHex(text);
const isPlace = (text: string): boolean => /^[0-9a-fA-F]{64}:\d{1,10}$/.test(text);

const REFERENCES: Readonly<Record<string, readonly [isReference: (ref: string) => boolean, form: string]>> = {
  tx: [isTxid, 'a txid'],
  addr: [(ref) => /^[0-9a-zA-Z]{1,200}$/.test(ref), 'an address'],
  pubkey: [(ref) => [64, 66, 130].includes(ref.length) && isHex(ref), 'a public key of 32, 33 or 65 bytes in hex'],
  input: [isPlace, 'a txid and an index, such as txid:0'],
  output: [isPlace, 'a txid and an index, such as txid:0'],
  xpub: [(ref) => /^[a-zA-Z]pub[0-9a-zA-Z]{100,115}$/.test(ref), 'an extended public key'],
  spscan: [(ref) => /^t?spscan1[0-9a-z]{50,200}$/i.test(ref), 'a scan key expression (spscan1...)'],
};

/** Continues "Line 3 of the label file". */
function recordFault(record: Members): string | undefined {
  const { type, ref, label, origin, spendable } = record;
  if (typeof type !== 'string' || typeof ref !== 'string') return 'lacks "type" or "ref" as text';
  // The BIP has no type for private keys but this one.
  if (type !== 'spscan' && hasKeyForm(ref)) return 'refers to a private key: delete it from the file';
  const [isReference, form] = Object.hasOwn(REFERENCES, type) ? (REFERENCES[type] ?? []) : [];
  if (isReference && !isReference(ref)) return `has a "ref" that is not ${form}`;
  if (label !== undefined && typeof label !== 'string') return 'has a "label" that is not text';
  if (origin !== undefined && typeof origin !== 'string') return 'has an "origin" that is not text';
  if (spendable !== undefined && typeof spendable !== 'boolean') return 'has a "spendable" other than true and false';
  return undefined;
}

/**
 * Formats a label file, one record in each line.
 *
 * @throws `labels/invalid` for a record that `parseLabels` would refuse, with its place as the line
 * @see BIP329 "Specification"
 */
export function formatLabels(records: readonly LabelRecord[]): string {
  assertList('records', records);
  return records.map((record, index) => `${formatRecord(record, index + 1)}\n`).join('');
}

function formatRecord(record: LabelRecord, line: number): string {
  const fault = recordFault(record);
  return fault === undefined ? JSON.stringify(record) : refuse(line, fault);
}

/** Two records of the same thing that say different things. */
export interface LabelConflict {
  readonly member: 'label' | 'spendable';
  /** The record that was kept. */
  readonly kept: LabelRecord;
  readonly other: LabelRecord;
}

/** The records of two lists as one, and where they disagree. */
export interface MergedLabels {
  readonly records: readonly LabelRecord[];
  readonly conflicts: readonly LabelConflict[];
}

/**
 * Joins label files. Of records for the same thing, in the same wallet, it keeps the first, adds members that only a later
 * one has, and reports where they disagree on the label or on what may be spent.
 *
 * @example
 * ```ts
 * import { mergeLabels } from 'countersign/labels';
 *
 * const own = [{ type: 'tx', ref: 'f9'.repeat(32), label: 'Rent' }];
 * const { records, conflicts } = mergeLabels(own, [{ type: 'tx', ref: 'f9'.repeat(32), label: 'Flat', height: 900_000 }]);
 * records[0]?.label; // Rent
 * records[0]?.['height']; // 900000
 * conflicts.length; // 1
 * ```
 */
export function mergeLabels(...lists: readonly (readonly LabelRecord[])[]): MergedLabels {
  for (const list of lists) {
    assertList('records', list);
    for (const record of list) assertShape('records', isObject(record), 'a list of records, as parseLabels returns it');
  }
  const merged = new Map<string, LabelRecord>();
  const conflicts: LabelConflict[] = [];
  for (const other of lists.flat()) {
    const key = labelKey(other);
    const kept = merged.get(key);
    if (kept) conflicts.push(...conflictsOf(kept, other));
    merged.set(key, kept ? { ...other, ...kept } : other);
  }
  return { records: [...merged.values()], conflicts };
}

const labelKey = ({ type, ref, origin = '' }: LabelRecord): string =>
  JSON.stringify([type, normalReference(type, ref), withoutMarks(origin)]);

/** Hex and bech32 may be in capitals; base58 may not. */
const normalReference = (type: string, ref: string): string =>
  ['tx', 'pubkey', 'input', 'output'].includes(type) || /^[a-z]+1[0-9a-z]+$/i.test(ref) ? ref.toLowerCase() : ref;

/** Writes hardened steps as BIP329's examples do. */
export const withoutMarks = (origin: string): string => origin.replace(/(\d)h/g, "$1'");

function conflictsOf(kept: LabelRecord, other: LabelRecord): readonly LabelConflict[] {
  return (['label', 'spendable'] as const)
    .filter((member) => kept[member] !== undefined && other[member] !== undefined && kept[member] !== other[member])
    .map((member) => ({ member, kept, other }));
}
