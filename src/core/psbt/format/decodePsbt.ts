import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { formatHexRange } from '../../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import {
  createReader,
  mapText,
  placeText,
  readBytes,
  readCompactSize,
  readVarBytes,
  remaining,
  take,
} from '../../bytes/reader.ts';
import { BtcError, type PsbtMapKind } from '../../errors.ts';
import { NEWEST } from '../../generations.ts';
import type { Transaction } from '../../tx/types.ts';
import { assertAllowed, assertGlobalRules, assertRequired, type MapData, type MapPlace } from './fieldRules.ts';
import { MAP_ROWS, type MapCounts, type NamedRow } from './fields.ts';
import { PSBT_MAGIC } from './psbtBytes.ts';
import { type PsbtFormatRules, psbtFormatRules } from './psbtFormatRules.ts';
import { assertKeySize, type RecordReader, readerOfPart } from './record.ts';
import type { Psbt, PsbtGeneration, PsbtGlobal, PsbtInput, PsbtOutput } from './types.ts';

/** Options for decoding a PSBT. */
export interface PsbtDecodeOptions {
  /** The generation whose records and checks apply. Default `bips`: all that is supported. */
  readonly generation?: PsbtGeneration;
  /** Accepts Litecoin's MWEB flag in previous transactions. Default false. */
  readonly mweb?: boolean;
}

const DECODE_OPTIONS: OptionNames<PsbtDecodeOptions> = { generation: true, mweb: true };

/**
 * Decodes a PSBT of version 0 or 2 with every record in its order. Verifies neither signatures nor script hashes. Does
 * not alias `bytes`.
 * @throws `psbt/*`, `bytes/*`, `tx/*` with the map, record and offset
 * @see BIP174, BIP370
 */
export function decodePsbtBytes(bytes: Uint8Array, options: PsbtDecodeOptions = {}): Psbt {
  assertKnownOptions(options, DECODE_OPTIONS);
  const { generation = 'bips', mweb = false } = options;
  const reader: RecordReader = {
    ...createReader(bytes),
    place: { map: 'global', index: 0, record: 0, field: 'unknown' },
    session: { generation, rules: formatRules(generation), mweb, knownKeys: new Set(), txids: new Map() },
  };
  if (!equalBytes(readBytes(reader, PSBT_MAGIC.length), PSBT_MAGIC)) {
    throw new BtcError('psbt/magic', { offset: 0 }, 'The bytes are not a PSBT: they do not begin with "psbt" and 0xff');
  }
  const header = readMap(reader, { map: 'global', index: 0, version: 0 });
  const version = assertGlobalRules(header, generation);
  const { inputCount = 0, outputCount = 0, ...global } = header as PsbtGlobal & MapCounts;
  const { unsignedTx } = global;
  const inputs: PsbtInput[] = [];
  const outputs: PsbtOutput[] = [];
  for (const map of readMaps(reader, unsignedTx?.inputs.length ?? inputCount, { map: 'input', version })) {
    assertUtxoFits(reader, map, { inputIndex: inputs.length, unsignedTx });
    inputs.push(map);
  }
  for (const map of readMaps(reader, unsignedTx?.outputs.length ?? outputCount, { map: 'output', version })) {
    outputs.push(map);
  }
  const extra = remaining(reader);
  if (extra > 0) {
    const { offset } = reader;
    const message = `The PSBT should end at offset ${offset}, not at offset ${offset + extra}: remove the rest`;
    throw new BtcError('psbt/trailing', { offset, extra }, message);
  }
  return { global, inputs, outputs };
}

const formatRules = (generation: PsbtGeneration): PsbtFormatRules =>
  psbtFormatRules[generation === 'bips' ? NEWEST : generation];

/** Tells whether a PSBT decoded for `bips` decodes alike for this generation. */
export function isAlikeFor(generation: PsbtGeneration, { global, inputs, outputs }: Psbt): boolean {
  if (formatRules(generation) !== formatRules('bips')) return false;
  const isKnown = (kind: PsbtMapKind, maps: readonly object[]): boolean => {
    const names = new Set(['unknown', ...[...MAP_ROWS[kind].supported[generation].values()].map(({ name }) => name)]);
    return maps.every((map) => Object.keys(map).every((name) => names.has(name)));
  };
  return isKnown('global', [global]) && isKnown('input', inputs) && isKnown('output', outputs);
}

function* readMaps(
  reader: RecordReader,
  expected: number,
  { map: kind, version }: { readonly map: 'input' | 'output'; readonly version: number },
): Generator<MapData> {
  let count = 0;
  for (; count < expected && remaining(reader) > 0; count += 1) {
    const place = { map: kind, index: count, version };
    const map = readMap(reader, place);
    assertRequired(place, map, reader.session.generation);
    yield map;
  }
  if (count === expected) return;
  throw new BtcError(
    'psbt/map-count',
    { offset: reader.offset, map: kind, expected, found: count },
    `The PSBT ends after ${count} of ${expected} ${kind} maps: copy all of it`,
  );
}

function readMap(reader: RecordReader, place: MapPlace): MapData {
  const { map: kind, index } = place;
  const rows = MAP_ROWS[kind].supported[reader.session.generation];
  const keys = new Set<string>();
  const map: MapData = {};
  for (let record = 0; remaining(reader) > 0; record += 1) {
    reader.place = { map: kind, index, record, field: 'unknown' };
    const keySize = readCompactSize(reader);
    if (keySize === 0) return map;
    const start = take(reader, keySize);
    const typed = rows.get(keyTypeAt(reader, start));
    const row = typed && keySize > 1 && isUnknownWithData(typed) ? undefined : typed;
    if (row) reader.place.field = row.name;
    const name = bytesKey(reader.bytes, start, reader.offset);
    if (keys.has(name)) refuseDuplicate(reader, start);
    keys.add(name);
    if (!row) {
      const key = reader.bytes.slice(start, reader.offset);
      append(map, 'unknown', { key, value: readVarBytes(reader) });
    } else if (row.key) {
      const key = row.key.read(readerOfPart(reader, start + 1), keySize - 1);
      append(map, row.name, Object.assign({}, key, readValue(reader, row, place)));
    } else {
      assertKeySize(reader, keySize, 1);
      map[row.name] = readValue(reader, row, place);
    }
  }
  const end = { offset: reader.offset, map: kind, index };
  throw new BtcError('psbt/separator-missing', end, `The PSBT ends within ${mapText(kind, index)}: copy all of it`);
}

/**
 * Nodes lack the types that only BIPs define, and other software uses these with longer keys. Silent payment records
 * decide what is paid, so they are refused instead.
 */
const isUnknownWithData = ({ since, versions, key }: NamedRow): boolean =>
  since === 'bips' && versions === 'both' && !key;

function refuseDuplicate(reader: RecordReader, start: number): never {
  const key = formatHexRange(reader.bytes, start, reader.offset);
  const place = { ...reader.place, offset: start, key };
  const message = `The record ${placeText(place)} has the same key as an earlier record of its map`;
  throw new BtcError('psbt/duplicate-key', place, message);
}

/** Reads the type of a record: one byte in Core 0.21, a CompactSize in later nodes. */
function keyTypeAt(reader: RecordReader, start: number): number {
  const first = reader.bytes[start] ?? 0;
  const isOneByte = first < 0xfd || reader.session.rules.readsOneByteTypes;
  return isOneByte ? first : readCompactSize(readerOfPart(reader, start));
}

/** Checks a value in Core's order. */
function readValue(reader: RecordReader, row: NamedRow, place: MapPlace): unknown {
  // Global records are checked once the version is read.
  if (place.map !== 'global') assertAllowed(place, row);
  const stated = readCompactSize(reader);
  const start = reader.offset;
  const value = row.value.read(reader, stated);
  const used = reader.offset - start;
  if (used !== stated) {
    const data = { ...reader.place, offset: start, stated, used };
    throw new BtcError('psbt/value-size', data, `The value ${placeText(data)} states ${stated} bytes, but has ${used}`);
  }
  row.value.check?.(reader, value as never);
  return value;
}

function append(map: MapData, name: string, entry: unknown): void {
  const entries = map[name];
  if (Array.isArray(entries)) entries.push(entry);
  else map[name] = [entry];
}

function assertUtxoFits(
  { session }: RecordReader,
  { nonWitnessUtxo, previousTxid, outputIndex }: PsbtInput,
  { inputIndex, unsignedTx }: { readonly inputIndex: number; readonly unsignedTx: Transaction | undefined },
): void {
  const utxoTxid = nonWitnessUtxo && session.txids.get(nonWitnessUtxo);
  if (!utxoTxid) return;
  const { txid, vout = 0 } = unsignedTx?.inputs[inputIndex]?.outpoint ?? { txid: previousTxid, vout: outputIndex };
  if (!txid || !equalBytes(utxoTxid, txid)) {
    const message = `The nonWitnessUtxo of input ${inputIndex} is not the transaction that the input spends`;
    throw new BtcError('psbt/utxo-txid-mismatch', { inputIndex }, message);
  }
  const outputs = nonWitnessUtxo.outputs.length;
  if (vout >= outputs) {
    const message = `Input ${inputIndex} spends output ${vout}, which its nonWitnessUtxo does not have`;
    throw new BtcError('psbt/utxo-index', { inputIndex, vout, outputs }, message);
  }
}
