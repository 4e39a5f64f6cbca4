import { concatBytes } from '../../core/bytes/compare.ts';
import { createReader, readCompactSize } from '../../core/bytes/reader.ts';
import { createWriter, writeBytes, writeCompactSize, written } from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { packSipMessages, readSipKey, type SipMessages, sipHash } from '../../core/crypto/siphash.ts';
import { BtcError } from '../../core/errors.ts';
import { scriptKey } from '../../core/script/scriptKey.ts';
import type { Block } from './block.ts';

/** Parameter P of BIP158 "Block Filters". */
const REMAINDER_BITS = 19;
/** Parameter M of BIP158 "Block Filters". */
const INVERSE_RATE = 784931;
const QUOTIENT_UNIT = 2 ** REMAINDER_BITS;
/** Up to here, `scaled` is exact. No block has that many. */
const MAX_ELEMENTS = Math.floor(2 ** 37 / INVERSE_RATE);
/** For about one value each. */
const CELL_WIDTH = 2 ** 20;

/** @see BIP158 "Golomb-Coded Sets"; Bitcoin Core `GCSFilter` */
export interface BlockFilter {
  /** Ascending, from 0 to 784931 times their number. */
  readonly values: Float64Array;
  /** Index of the first value at or above each multiple of 2^20. */
  readonly firsts: Uint32Array;
}

export type FilterScripts = SipMessages;

/** Leaves out empty scripts, which no filter contains. */
export function prepareFilterScripts(scripts: Iterable<Uint8Array>): FilterScripts {
  return packSipMessages([...scripts].filter(({ length }) => length > 0));
}

/**
 * Decodes a basic filter, ignoring the padding bits of its last byte, as Core does.
 * @throws `bytes/*`, `filter/invalid`
 */
export function decodeBlockFilter(bytes: Uint8Array): BlockFilter {
  const reader = createReader(bytes);
  const count = readCompactSize(reader);
  const end = 8 * bytes.length;
  let at = 8 * reader.offset;
  if (count > MAX_ELEMENTS) throw invalidFilter('count', `it states ${count} elements, more than a block can have`);
  // Before memory is allocated for that many.
  if (count * (REMAINDER_BITS + 1) > end - at) throw truncated();
  const values = new Float64Array(count);
  let value = 0;
  for (let i = 0; i < count; i += 1) {
    const quotientEnd = endOfOnes(bytes, at);
    if (quotientEnd + 1 + REMAINDER_BITS > end) throw truncated();
    value += (quotientEnd - at) * QUOTIENT_UNIT + bitsAt(bytes, quotientEnd + 1);
    values[i] = value;
    at = quotientEnd + 1 + REMAINDER_BITS;
  }
  if (count > 0 && value >= count * INVERSE_RATE) throw invalidFilter('range', 'a value is too large for their number');
  const extra = bytes.length - Math.ceil(at / 8);
  if (extra > 0) throw invalidFilter('trailing', `${extra} bytes follow its last element`);
  return { values, firsts: indexCells(values) };
}

function invalidFilter(reason: 'count' | 'truncated' | 'range' | 'trailing', detail: string): BtcError {
  return new BtcError('filter/invalid', { reason }, `The block filter is damaged, ${detail}: fetch it again`);
}

const truncated = (): BtcError => invalidFilter('truncated', 'it ends within an element');

function endOfOnes(bytes: Uint8Array, at: number): number {
  let position = at;
  while (((bytes[position >>> 3] ?? 0) & (0x80 >>> (position & 7))) !== 0) position += 1;
  return position;
}

function bitsAt(bytes: Uint8Array, position: number): number {
  const byte = position >>> 3;
  const word =
    ((bytes[byte] ?? 0) << 24) |
    ((bytes[byte + 1] ?? 0) << 16) |
    ((bytes[byte + 2] ?? 0) << 8) |
    (bytes[byte + 3] ?? 0);
  return (word << (position & 7)) >>> (32 - REMAINDER_BITS);
}

function indexCells(values: Float64Array): Uint32Array {
  const cells = Math.floor((values.length * INVERSE_RATE) / CELL_WIDTH) + 1;
  const firsts = new Uint32Array(cells + 1).fill(values.length);
  for (let i = values.length - 1; i >= 0; i -= 1) firsts[Math.floor((values[i] ?? 0) / CELL_WIDTH)] = i;
  for (let cell = cells - 1; cell >= 0; cell -= 1) {
    firsts[cell] = Math.min(firsts[cell] ?? 0, firsts[cell + 1] ?? 0);
  }
  return firsts;
}

/**
 * Tells whether a filter contains any of the scripts, with one false positive in 784931 per script.
 * @see Bitcoin Core `GCSFilter::MatchAny`
 */
export function matchesAny(filter: BlockFilter, blockHash: Uint8Array, scripts: FilterScripts): boolean {
  const { values, firsts } = filter;
  if (values.length === 0) return false;
  const key = readSipKey(blockHash);
  const range = values.length * INVERSE_RATE;
  const hash = new Int32Array(2);
  for (let index = scripts.starts.length - 2; index >= 0; index -= 1) {
    sipHash(key, scripts, index, hash);
    const value = scaled(hash[0] ?? 0, hash[1] ?? 0, range);
    const cell = Math.floor(value / CELL_WIDTH);
    const end = firsts[cell + 1] ?? 0;
    for (let at = firsts[cell] ?? 0; at < end; at += 1) if (values[at] === value) return true;
  }
  return false;
}

/**
 * Returns the upper 64 bits of the product of a 64-bit hash and `range`, which is at most 2^37. Multiplies 16 bits at a
 * time, so that no product exceeds 53 bits.
 * @see BIP158 "Hashing Data Objects"
 */
function scaled(low: number, high: number, range: number): number {
  const first = Math.floor(((low & 0xffff) * range) / 0x1_0000);
  const second = Math.floor(((low >>> 16) * range + first) / 0x1_0000);
  const third = Math.floor(((high & 0xffff) * range + second) / 0x1_0000);
  return Math.floor(((high >>> 16) * range + third) / 0x1_0000);
}

const OP_RETURN = 0x6a;

/**
 * `spentScripts` are those of all coins that the block spends. @see BIP158 "Contents"; Bitcoin Core
 * `BasicFilterElements`
 */
export function filterElements(
  { txs }: Pick<Block, 'txs'>,
  spentScripts: readonly Uint8Array[],
): readonly Uint8Array[] {
  const created = txs.flatMap(({ outputs }) => outputs.map(({ scriptPubKey }) => scriptPubKey));
  const scripts = [...created.filter(([opcode]) => opcode !== OP_RETURN), ...spentScripts];
  const elements = scripts.filter(({ length }) => length > 0);
  return [...new Map(elements.map((script) => [scriptKey(script), script])).values()];
}

/** `elements` come from {@link filterElements}. */
export function encodeBlockFilter(elements: readonly Uint8Array[], blockHash: Uint8Array): Uint8Array {
  const messages = packSipMessages(elements);
  const key = readSipKey(blockHash);
  const hash = new Int32Array(2);
  const values = Float64Array.from(elements, (_, index) => {
    sipHash(key, messages, index, hash);
    return scaled(hash[0] ?? 0, hash[1] ?? 0, elements.length * INVERSE_RATE);
  }).sort();
  const writer = createWriter();
  writeCompactSize(writer, elements.length);
  writeBytes(writer, golombRiceCoded(values));
  return written(writer);
}

function golombRiceCoded(values: Float64Array): Uint8Array {
  const quotients = values.map((value, i) => Math.floor((value - (values[i - 1] ?? 0)) / QUOTIENT_UNIT));
  const size = quotients.reduce((sum, quotient) => sum + quotient + 1 + REMAINDER_BITS, 0);
  const bytes = new Uint8Array(Math.ceil(size / 8));
  let at = 0;
  const put = (bit: number): void => {
    bytes[at >>> 3] = (bytes[at >>> 3] ?? 0) | (bit << (7 - (at & 7)));
    at += 1;
  };
  for (const [i, value] of values.entries()) {
    const difference = value - (values[i - 1] ?? 0);
    for (let ones = quotients[i] ?? 0; ones > 0; ones -= 1) put(1);
    put(0);
    for (let bit = REMAINDER_BITS - 1; bit >= 0; bit -= 1) put(Math.floor(difference / 2 ** bit) & 1);
  }
  return bytes;
}

/**
 * `previous` is 32 zero bytes before the genesis block.
 * @see BIP157 "Filter Headers"; Bitcoin Core `BlockFilter::ComputeHeader`
 */
export function filterHeader(filter: Uint8Array, previous: Uint8Array): Uint8Array {
  return sha256d(concatBytes(sha256d(filter), previous));
}
