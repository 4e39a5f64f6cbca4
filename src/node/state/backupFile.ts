import { formatBase64, parseBase64 } from '../../core/bytes/base64.ts';
import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { joinBytes } from '../../core/bytes/joinBytes.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../../core/bytes/utf8.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { quoted } from '../../core/encoding/redaction.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { Owner } from './owner.ts';

/**
 * Begins a backup. The NUL keeps most interpreters from reading the file as a program or settings. Shells skip it in
 * startup files, so all lines are comments, and texts, which a caller may have chosen, are in base64.
 */
const MAGIC = encodeUtf8('\0# countersign wallet backup\n');
const COMMENT = '# ';
const VERSION = '2';
const START = new Uint8Array(32);
const SUM_LENGTH = 16;
const NEWLINE = 0x0a;

/** Why a file is refused, as the end of a sentence. */
export interface RefusedBackup {
  readonly kind: 'refused';
  readonly reason: string;
  /** It was not written for such a node. */
  readonly isOther?: true;
}

export type ReadBackup = { readonly kind: 'entries'; readonly entries: readonly string[] } | RefusedBackup;

/**
 * Writes the magic, then a line each for the heading, the entries and an empty text. A line is a comment: the base64 of
 * its text after a sum of itself and all lines before it, the first 8 bytes of a chain of SHA256.
 */
export function encodeBackup(owner: Owner, entries: Iterable<string>): Uint8Array {
  const parts: Uint8Array[] = [MAGIC];
  let sum: Uint8Array = START;
  const add = (text: string): void => {
    const line = encodeUtf8(formatBase64(encodeUtf8(text)));
    sum = sha256(concatBytes(sum, line));
    parts.push(encodeUtf8(formatBeginning(sum)), line, Uint8Array.of(NEWLINE));
  };
  add(formatHeading(owner));
  for (const entry of entries) add(entry);
  add('');
  return joinBytes(parts);
}

const formatBeginning = (sum: Uint8Array): string => `${COMMENT}${formatHex(sum).slice(0, SUM_LENGTH)} `;
const BEGINNING = formatBeginning(START).length;

/** Notices every byte that is changed, missing or too many. */
export function decodeBackup(bytes: Uint8Array, owner: Owner): ReadBackup {
  if (!equalBytes(bytes.subarray(0, MAGIC.length), MAGIC))
    return other("is not a backup of countersign's backupwallet");
  const texts: string[] = [];
  for (const { text, end } of readLines(bytes)) {
    if (text === undefined) return refused(`is damaged in line ${texts.length + 2}`);
    if (text !== '') {
      texts.push(text);
      continue;
    }
    return end === bytes.length ? checked(texts, owner) : refused(`has ${bytes.length - end} bytes after its end`);
  }
  return refused(`ends after line ${texts.length + 1}, before its last line`);
}

/** Verifies the sums. A damaged line has no text, and is the last. */
function* readLines(bytes: Uint8Array): Generator<{ readonly text: string | undefined; readonly end: number }> {
  let sum: Uint8Array = START;
  for (let start = MAGIC.length; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const line = bytes.subarray(start, newline < 0 ? bytes.length : newline);
    const content = line.subarray(BEGINNING);
    sum = sha256(concatBytes(sum, content));
    const beginning = decodeUtf8WithoutMark(line.subarray(0, BEGINNING));
    const isWhole = newline >= 0 && beginning === formatBeginning(sum);
    start = newline + 1;
    const text = isWhole ? decodeText(content) : undefined;
    yield { text, end: start };
    if (text === undefined) return;
  }
}

function decodeText(line: Uint8Array): string | undefined {
  const base64 = decodeUtf8WithoutMark(line);
  const bytes = base64 === undefined ? undefined : unlessRefused(() => parseBase64(base64));
  return bytes && decodeUtf8WithoutMark(bytes);
}

const refused = (reason: string): ReadBackup => ({ kind: 'refused', reason });
const other = (reason: string): ReadBackup => ({ kind: 'refused', reason, isOther: true });

function checked([heading = '', ...entries]: readonly string[], owner: Owner): ReadBackup {
  const [version = ''] = heading.split(' ', 1);
  if (version !== VERSION)
    return refused(`has version ${quoted(version)}, and this countersign reads version ${VERSION}`);
  if (heading === formatHeading(owner)) return { kind: 'entries', entries };
  const [theirs, ours] = [heading, formatHeading(owner)].map((text) => quoted(text.slice(VERSION.length + 1)));
  return other(`belongs to ${theirs}, not to ${ours}`);
}

const formatHeading = ({ network, rules }: Owner): string => `${VERSION} ${network} ${rules}`;
