import { isHex } from '../../core/bytes/hex.ts';
import { decodeUtf8, type Line, splitLines } from '../terminal/lines.ts';
import { SyncFault } from './sourceAndSink.ts';

/** The hex of a block or transaction, or a txid to drop. `at`: the place in the file, for errors. */
export interface Entry {
  readonly kind: 'block' | 'tx' | 'drop';
  readonly hex: string;
  readonly at: string;
}

/** In bytes: the largest request that a node accepts. */
const MAX_LINE = 0x02000000;
const ENTRY = /^(?<kind>block|tx|drop)[ \t]+(?<hex>[^ \t\r]+)[ \t]*\r?$/;
const TXID_LENGTH = 64;
const NOTHING = /^[ \t]*(?:#.*)?\r?$/;

/**
 * Reads lines `block HEX`, `tx HEX` and `drop TXID`. Skips empty lines and comments (`#`).
 * @throws SyncFault with `name` and the first malformed line, after yielding the entries before it
 */
export async function* readTextFile(name: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let number = 0;
  for await (const lines of splitLines(input, MAX_LINE)) {
    for (const line of lines) {
      number += 1;
      const entry = parseLine(line, `${name} line ${number}`);
      if (entry) yield entry;
    }
  }
}

function parseLine(line: Line, at: string): Entry | undefined {
  if (!line) throw new SyncFault(`${at} is longer than ${MAX_LINE} bytes`);
  const text = decodeUtf8(line);
  if (text !== undefined && NOTHING.test(text)) return undefined;
  const { kind, hex } = ENTRY.exec(text ?? '')?.groups ?? {};
  if ((kind !== 'block' && kind !== 'tx' && kind !== 'drop') || hex === undefined) {
    throw new SyncFault(`${at} is not "block HEX", "tx HEX" or "drop TXID"`);
  }
  if (hex.length % 2 !== 0) throw new SyncFault(`${at}: odd number of hex digits; is the line truncated?`);
  if (!isHex(hex)) throw new SyncFault(`${at}: "${kind}" must be followed by hex`);
  if (kind === 'drop' && hex.length !== TXID_LENGTH) throw new SyncFault(`${at}: "drop" must be followed by a txid`);
  return { kind, hex, at };
}
