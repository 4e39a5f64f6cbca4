import { isHex } from '../../bytes/hex.ts';
import { type Line, splitLines } from '../lines.ts';
import { decodeUtf8 } from '../utf8.ts';
import { SyncFault } from './fault.ts';

/** A block or transaction out of a file in hex, or the txid of one that was dropped; and where it stands, for errors. */
export interface Entry {
  readonly kind: 'block' | 'tx' | 'drop';
  readonly hex: string;
  readonly at: string;
}

/** The longest line: what a node takes as a request. */
const MAX_LINE = 0x02000000;
const ENTRY = /^(?<kind>block|tx|drop)[ \t]+(?<hex>[^ \t\r]+)[ \t]*\r?$/;
const TXID_LENGTH = 64;
const NOTHING = /^[ \t]*(?:#.*)?\r?$/;

/**
 * Reads blocks and transactions, one a line: `block HEX`, `tx HEX`, and `drop TXID` for a transaction that was dropped.
 * Empty lines, and those that begin with `#`, say nothing.
 *
 * - `name`: the file's, for errors
 *
 * @throws SyncFault naming the line that is something else; those before it were handed out
 */
export async function* readTextFile(name: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let number = 0;
  for await (const lines of splitLines(input, MAX_LINE)) {
    for (const line of lines) {
      number += 1;
      const entry = entryOf(line, `${name} line ${number}`);
      if (entry) yield entry;
    }
  }
}

function entryOf(line: Line, at: string): Entry | undefined {
  if (!line) throw new SyncFault(`${at} is longer than ${MAX_LINE} bytes`);
  const text = decodeUtf8(line);
  if (text !== undefined && NOTHING.test(text)) return undefined;
  const { kind, hex } = ENTRY.exec(text ?? '')?.groups ?? {};
  if ((kind !== 'block' && kind !== 'tx' && kind !== 'drop') || hex === undefined) {
    throw new SyncFault(`${at} is none of "block HEX", "tx HEX" and "drop TXID"`);
  }
  if (hex.length % 2 !== 0) throw new SyncFault(`${at}: an odd number of hex digits; is it cut off?`);
  if (!isHex(hex)) throw new SyncFault(`${at}: what follows "${kind}" is not hex`);
  if (kind === 'drop' && hex.length !== TXID_LENGTH) throw new SyncFault(`${at}: what follows "drop" is no txid`);
  return { kind, hex, at };
}
