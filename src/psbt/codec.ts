import { compareBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { createReader, readBytes, readCompactSize, readVarBytes, remaining } from '../bytes/reader.ts';
import {
  createWriter,
  type Writer,
  writeBytes,
  writeCompactSize,
  writeU8,
  writeVarBytes,
  written,
} from '../bytes/writer.ts';
import { BtcError, type PsbtMapKind } from '../errors.ts';
import { txid } from '../tx/txid.ts';
import { MAP_ROWS, type MapCounts, type NamedRow, psbtVersion } from './fields.ts';
import type { RecordReader } from './record.ts';
import type { Psbt, PsbtGeneration, PsbtGlobal, PsbtInput, PsbtOutput, UnknownRecord } from './types.ts';

/** "psbt" and 0xff. @see BIP174 */
const MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
const SEPARATOR = 0x00;

export interface PsbtDecodeOptions {
  /** Whose records and checks apply. Default `bips`: all that this library knows. */
  readonly generation?: PsbtGeneration;
  /** Whether previous transactions may carry Litecoin's MWEB flag. Default false. */
  readonly mweb?: boolean;
}

/** What one map becomes: members by the names of its table. */
interface MapData {
  [name: string]: unknown;
  unknown?: UnknownRecord[];
}

/**
 * Decodes a PSBT of version 0 or 2. Every record is kept, in the order of its kind; nothing of the result aliases
 * `bytes`. Each public key is checked to be on the curve, once.
 *
 * Does not check signatures, nor that scripts fit what they unlock.
 * @throws `psbt/*`, `bytes/*`, `tx/*` with the map, record and offset
 * @see BIP174, BIP370
 */
export function decodePsbtBytes(
  bytes: Uint8Array,
  { generation = 'bips', mweb = false }: PsbtDecodeOptions = {},
): Psbt {
  const reader = createReader(bytes);
  if (compareBytes(readBytes(reader, MAGIC.length), MAGIC) !== 0) throw new BtcError('psbt/magic', { offset: 0 });
  const records: RecordReader = {
    ...reader,
    place: { map: 'global', index: 0, record: 0, field: 'unknown' },
    generation,
    mweb,
    knownKeys: new Set(),
  };
  const header = readMap(records, 'global', 0, 0);
  const version = assertGlobalRules(header, generation);
  const { inputCount = 0, outputCount = 0, ...global } = header as PsbtGlobal & MapCounts;
  const { unsignedTx } = global;
  const inputs = readMaps<PsbtInput>(
    records,
    'input',
    unsignedTx?.inputs.length ?? inputCount,
    version,
    (input, index) => assertUtxoFits(input, index, unsignedTx),
  );
  const outputs = readMaps<PsbtOutput>(records, 'output', unsignedTx?.outputs.length ?? outputCount, version);
  const extra = remaining(records);
  if (extra > 0) throw new BtcError('psbt/trailing', { offset: records.offset, extra });
  return { global, inputs, outputs };
}

/** Reads as many maps of one kind as are there, at most `expected`, and refuses fewer. */
function readMaps<M>(
  reader: RecordReader,
  kind: 'input' | 'output',
  expected: number,
  version: number,
  check?: (map: M, index: number) => void,
): readonly M[] {
  const maps: M[] = [];
  while (maps.length < expected && remaining(reader) > 0) {
    const index = maps.length;
    const data = readMap(reader, kind, index, version);
    assertRequired(kind, index, data, version, reader.generation);
    const map = data as M;
    check?.(map, index);
    maps.push(map);
  }
  if (maps.length < expected) {
    throw new BtcError('psbt/map-count', {
      offset: reader.offset,
      map: kind,
      expected,
      found: maps.length,
    });
  }
  return maps;
}

/** Reads the records of one map up to its separator. */
function readMap(reader: RecordReader, kind: PsbtMapKind, index: number, version: number): MapData {
  const known = MAP_ROWS[kind].known[reader.generation];
  const keys = new Set<string>();
  const map: MapData = {};
  for (let record = 0; remaining(reader) > 0; record += 1) {
    reader.place = { map: kind, index, record, field: 'unknown' };
    const keySize = readCompactSize(reader);
    if (keySize === 0) return map;
    const keyStart = reader.offset;
    const key = readBytes(reader, keySize);
    const keyReader: RecordReader = {
      ...reader,
      bytes: reader.bytes.subarray(0, keyStart + keySize),
      offset: keyStart,
    };
    const row = known.get(readKeyType(keyReader));
    if (row) {
      reader.place = { ...reader.place, field: row.name };
      keyReader.place = reader.place;
    }
    const name = formatHex(key);
    if (keys.has(name))
      throw new BtcError('psbt/duplicate-key', {
        ...reader.place,
        offset: keyStart,
        key: name,
      });
    keys.add(name);
    if (row) readKnownRecord(reader, keyReader, row, version, map);
    else append(map, 'unknown', { key, value: readVarBytes(reader) });
  }
  throw new BtcError('psbt/separator-missing', {
    offset: reader.offset,
    map: kind,
    index,
  });
}

/** The type of a record: Core 0.21 takes one byte, later nodes a CompactSize. */
function readKeyType(keyReader: RecordReader): number {
  return keyReader.generation === 'core-0.21' ? (readBytes(keyReader, 1)[0] ?? 0) : readCompactSize(keyReader);
}

/** Reads one record of a known type into its member, in the node's order of checks: key, version, value, size, rules. */
function readKnownRecord(
  reader: RecordReader,
  keyReader: RecordReader,
  row: NamedRow,
  version: number,
  map: MapData,
): void {
  const { place } = reader;
  const keySize = keyReader.bytes.length - keyReader.offset + 1;
  const key = row.key.read(keyReader, keySize);
  // Whether a global record is allowed is known only at the end of the global map.
  if (place.map !== 'global') assertAllowed(place.map, place.index, row, version);
  const stated = readCompactSize(reader);
  const start = reader.offset;
  const value = row.value.read(reader, stated);
  const used = reader.offset - start;
  if (used !== stated)
    throw new BtcError('psbt/value-size', {
      ...place,
      offset: start,
      stated,
      used,
    });
  row.value.check?.(reader, value as never);
  if (row.isList) append(map, row.name, { ...(key as object), ...(value as object) });
  else map[row.name] = value;
}

/** Adds an entry to a list of the map, which it begins if it is the first. */
function append(map: MapData, name: string, entry: unknown): void {
  const entries = map[name];
  if (Array.isArray(entries)) entries.push(entry);
  else map[name] = [entry];
}

function assertAllowed(map: PsbtMapKind, index: number, row: NamedRow, version: number): void {
  const isAllowed = row.versions === 'both' || (row.versions === 'v0-required') === (version === 0);
  if (!isAllowed)
    throw new BtcError('psbt/field-not-allowed', {
      map,
      index,
      field: row.name,
      version,
    });
}

/** Refuses a map without a record that its version demands. A silent payment output has no script yet (BIP375). */
function assertRequired(
  map: PsbtMapKind,
  index: number,
  data: MapData,
  version: number,
  generation: PsbtGeneration,
): void {
  for (const row of MAP_ROWS[map].rows) {
    const isRequired = row.versions === (version === 0 ? 'v0-required' : 'v2-required');
    if (!isRequired || row.name in data) continue;
    if (row.name === 'script' && generation === 'bips' && 'spV0Info' in data) continue;
    throw new BtcError('psbt/field-required', {
      map,
      index,
      field: row.name,
      version,
    });
  }
}

/** Checks the global map as a whole and returns the version. @see BIP370 "Specification" */
function assertGlobalRules(global: MapData, generation: PsbtGeneration): number {
  const version = psbtVersion({ global });
  if (version === 1) throw new BtcError('psbt/version-undefined', { version });
  assertRequired('global', 0, global, version, generation);
  for (const row of MAP_ROWS.global.rows) if (row.name in global) assertAllowed('global', 0, row, version);
  return version;
}

/** Refuses a previous transaction that is not the one spent, or lacks the output spent. */
function assertUtxoFits(input: PsbtInput, inputIndex: number, unsignedTx: PsbtGlobal['unsignedTx']): void {
  const previous = input.nonWitnessUtxo;
  if (!previous) return;
  const spent = unsignedTx?.inputs[inputIndex]?.outpoint ?? {
    txid: input.previousTxid,
    vout: input.outputIndex,
  };
  if (!spent.txid || spent.vout === undefined || compareBytes(txid(previous), spent.txid) !== 0) {
    throw new BtcError('psbt/utxo-txid-mismatch', { inputIndex });
  }
  if (spent.vout >= previous.outputs.length) {
    throw new BtcError('psbt/utxo-index', {
      inputIndex,
      vout: spent.vout,
      outputs: previous.outputs.length,
    });
  }
}

/**
 * Encodes a PSBT with its records in Bitcoin Core's order, unknown ones last in each map.
 *
 * Refuses maps that break the rules of their version; does not check keys and values again.
 * @throws `psbt/field-required`, `psbt/field-not-allowed`, `psbt/version-undefined`, `psbt/map-count`, `bytes/out-of-range`
 */
export function encodePsbt({ global, inputs, outputs }: Psbt): Uint8Array {
  const { unsignedTx } = global;
  assertCount('input', unsignedTx?.inputs.length, inputs.length);
  assertCount('output', unsignedTx?.outputs.length, outputs.length);
  const counts = psbtVersion({ global }) === 0 ? {} : { inputCount: inputs.length, outputCount: outputs.length };
  const header: MapData = { ...(global as MapData), ...counts };
  const version = assertGlobalRules(header, 'bips');
  const writer = createWriter(1024);
  writeBytes(writer, MAGIC);
  writeMap(writer, 'global', header);
  const writeMaps = (kind: 'input' | 'output', maps: readonly (PsbtInput | PsbtOutput)[]): void => {
    maps.forEach((map, index) => {
      const data = map as MapData;
      assertRequired(kind, index, data, version, 'bips');
      for (const row of MAP_ROWS[kind].rows) if (row.name in data) assertAllowed(kind, index, row, version);
      writeMap(writer, kind, data);
    });
  };
  writeMaps('input', inputs);
  writeMaps('output', outputs);
  return written(writer);
}

function assertCount(map: 'input' | 'output', expected: number | undefined, found: number): void {
  if (expected === undefined || expected === found) return;
  throw new BtcError('psbt/map-count', { offset: 0, map, expected, found });
}

function writeMap(writer: Writer, kind: PsbtMapKind, map: MapData): void {
  for (const row of MAP_ROWS[kind].rows) {
    const value = map[row.name];
    if (value === undefined) continue;
    for (const entry of row.isList ? (value as readonly unknown[]) : [value]) writeRecord(writer, row, entry);
  }
  for (const { key, value } of map.unknown ?? []) {
    writeVarBytes(writer, key);
    writeVarBytes(writer, value);
  }
  writeU8(writer, SEPARATOR);
}

function writeRecord(writer: Writer, row: NamedRow, entry: unknown): void {
  const key = createWriter(128);
  writeCompactSize(key, row.type);
  row.key.write(key, entry as never);
  writeVarBytes(writer, written(key));
  const value = createWriter();
  row.value.write(value, entry as never);
  writeVarBytes(writer, written(value));
}
