import { formatBase64 } from '../../bytes/base64.ts';
import { formatHex } from '../../bytes/hex.ts';
import {
  createWriter,
  type Writer,
  writeBytes,
  writeCompactSize,
  writeU8,
  writeVarBytes,
  written,
} from '../../bytes/writer.ts';
import { BtcError, type PsbtMapKind } from '../../errors.ts';
import { assertAllowed, assertGlobalRules, assertRequired, type MapData, type MapPlace } from './fieldRules.ts';
import { encodePart, MAP_ROWS, type NamedRow, psbtVersion } from './fields.ts';
import { type AnyPsbt, readPsbt } from './parsePsbt.ts';
import { PSBT_MAGIC } from './psbtBytes.ts';
import { assertMapCounts } from './version.ts';

const SEPARATOR = 0x00;

/**
 * Encodes a PSBT with its records in Core's order, unknown ones last in each map. Does not check keys and values again.
 * @throws `psbt/field-required`, `psbt/field-not-allowed`, `psbt/version-undefined`, `psbt/version-unsupported`,
 * `psbt/map-count`, `bytes/out-of-range`
 *
 * @example
 * ```ts
 * import { encodePsbt, formatHex, parsePsbt } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * formatHex(encodePsbt(psbt).slice(0, 5)); // 70736274ff
 * ```
 */
export function encodePsbt(given: AnyPsbt): Uint8Array {
  const psbt = readPsbt(given);
  const { global, inputs, outputs } = psbt;
  assertMapCounts(psbt);
  const counts = psbtVersion({ global }) === 0 ? {} : { inputCount: inputs.length, outputCount: outputs.length };
  const header = { ...global, ...counts } as MapData;
  const version = assertGlobalRules(header, 'bips');
  const writer = createWriter(1024);
  writeBytes(writer, PSBT_MAGIC);
  writeMap(writer, 'global', header);
  for (const [index, input] of inputs.entries()) {
    writeChecked(writer, { map: 'input', index, version }, input as MapData);
  }
  for (const [index, output] of outputs.entries()) {
    writeChecked(writer, { map: 'output', index, version }, output as MapData);
  }
  return written(writer);
}

function writeChecked(writer: Writer, place: MapPlace, map: MapData): void {
  assertRequired(place, map, 'bips');
  for (const row of MAP_ROWS[place.map].rows) if (map[row.name] !== undefined) assertAllowed(place, row);
  writeMap(writer, place.map, map);
}

function writeMap(writer: Writer, kind: PsbtMapKind, map: MapData): void {
  for (const row of MAP_ROWS[kind].rows) {
    const value = map[row.name];
    if (value === undefined) continue;
    if (!row.key) writeRecord(writer, row, value);
    else for (const entry of value as readonly unknown[]) writeRecord(writer, row, entry);
  }
  for (const { key, value } of map.unknown ?? []) {
    if (key.length === 0) {
      const message = 'An unknown record has an empty key, which would end its map: give the key at least its type';
      throw new BtcError('bytes/out-of-range', { what: 'size of a key', value: '0' }, message);
    }
    writeVarBytes(writer, key);
    writeVarBytes(writer, value);
  }
  writeU8(writer, SEPARATOR);
}

function writeRecord(writer: Writer, row: NamedRow, entry: unknown): void {
  const key = createWriter(128);
  writeCompactSize(key, row.type);
  row.key?.write(key, entry as never);
  writeVarBytes(writer, written(key));
  writeVarBytes(writer, encodePart(row.value, entry));
}

/**
 * Formats a PSBT as base64 or hex.
 *
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * formatPsbt(psbt, 'hex').slice(0, 10); // 70736274ff
 * ```
 */
export function formatPsbt(psbt: AnyPsbt, encoding: 'base64' | 'hex' = 'base64'): string {
  return (encoding === 'hex' ? formatHex : formatBase64)(encodePsbt(psbt));
}
