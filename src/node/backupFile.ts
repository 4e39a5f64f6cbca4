import { concatBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { joinBytes } from '../bytes/joinBytes.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../bytes/utf8.ts';
import { sha256 } from '../crypto/hash.ts';
import { quoted } from '../encoding/redaction.ts';
import type { Owner } from './journal.ts';

/** The first line of a backup. */
interface Heading extends Owner {
  readonly format: typeof FORMAT;
  readonly version: number;
}

const FORMAT = 'countersign wallet backup';
const VERSION = 1;
const START = new Uint8Array(32);
const SUM_LENGTH = 16;
const NEWLINE = 0x0a;

/** A backup as read: the entries of a wallet's history, or why it is refused, as the end of a sentence. */
export type ReadBackup =
  | { readonly kind: 'entries'; readonly entries: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string; readonly isOther?: true };

/**
 * Writes a backup: a line of JSON for the heading and each entry, and an empty one at the end. A line begins with a sum of
 * itself and all lines before it, the first 8 bytes of a chain of SHA256.
 */
export function encodeBackup(owner: Owner, entries: Iterable<string>): Uint8Array {
  const heading: Heading = { format: FORMAT, version: VERSION, network: owner.network, rules: owner.rules };
  const parts: Uint8Array[] = [];
  let sum: Uint8Array = START;
  const add = (text: string): void => {
    const line = encodeUtf8(text);
    sum = sha256(concatBytes(sum, line));
    parts.push(encodeUtf8(`${shown(sum)} `), line, Uint8Array.of(NEWLINE));
  };
  add(JSON.stringify(heading));
  for (const entry of entries) add(entry);
  add('');
  return joinBytes(parts);
}

const shown = (sum: Uint8Array): string => formatHex(sum).slice(0, SUM_LENGTH);

/** Reads a backup. A byte that is changed, missing or too many is noticed. */
export function decodeBackup(bytes: Uint8Array, owner: Owner): ReadBackup {
  const texts: string[] = [];
  for (const { text, end } of linesOf(bytes)) {
    if (text === undefined) return damaged(texts.length, bytes);
    if (text !== '') {
      texts.push(text);
      continue;
    }
    return end === bytes.length ? checked(texts, owner) : refused(`has ${bytes.length - end} bytes after its end`);
  }
  return texts.length === 0 ? NO_BACKUP : refused(`ends after line ${texts.length}, before its last line`);
}

/** Reads lines and verifies their sums. A damaged line has no text, and is the last. */
function* linesOf(bytes: Uint8Array): Generator<{ readonly text: string | undefined; readonly end: number }> {
  let sum: Uint8Array = START;
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const line = bytes.subarray(start, newline < 0 ? bytes.length : newline);
    const content = line.subarray(SUM_LENGTH + 1);
    sum = sha256(concatBytes(sum, content));
    const given = decodeUtf8WithoutMark(line.subarray(0, SUM_LENGTH + 1));
    const isWhole = newline >= 0 && given === `${shown(sum)} `;
    start = newline + 1;
    const text = isWhole ? decodeUtf8WithoutMark(content) : undefined;
    yield { text, end: start };
    if (text === undefined) return;
  }
}

const NO_BACKUP: ReadBackup = { kind: 'refused', reason: 'is not a backup of backupwallet', isOther: true };

const refused = (reason: string): ReadBackup => ({ kind: 'refused', reason });

/** Returns the refusal of a file that is damaged after some whole lines. */
function damaged(lines: number, bytes: Uint8Array): ReadBackup {
  const start = decodeUtf8WithoutMark(bytes.subarray(0, HEADING_START.length + SUM_LENGTH + 1));
  if (lines === 0 && !start?.endsWith(HEADING_START)) return NO_BACKUP;
  return refused(`is damaged in line ${lines + 1}`);
}

const HEADING_START = `{"format":"${FORMAT}"`;

function checked([heading = '', ...entries]: readonly string[], owner: Owner): ReadBackup {
  if (!heading.startsWith(HEADING_START)) return NO_BACKUP;
  const { version, network, rules } = JSON.parse(heading) as Heading;
  if (version !== VERSION) return refused(`has version ${version}, which needs a newer countersign`);
  if (network === owner.network && rules === owner.rules) return { kind: 'entries', entries };
  const [theirs, ours] = [`${network} ${rules}`, `${owner.network} ${owner.rules}`];
  return refused(`belongs to ${quoted(theirs)}, not to ${quoted(ours)}`);
}
