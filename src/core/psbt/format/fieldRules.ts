import { mapText } from '../../bytes/reader.ts';
import { BtcError, type ErrorData, type PsbtMapKind } from '../../errors.ts';
import { MAP_ROWS, type NamedRow, psbtVersion } from './fields.ts';
import type { PsbtGeneration, PsbtGlobal, UnknownRecord } from './types.ts';
import { unsupportedVersion } from './values.ts';

export interface MapData {
  [name: string]: unknown;
  unknown?: UnknownRecord[];
}

export function assertAllowed(map: PsbtMapKind, index: number, row: NamedRow, version: number): void {
  const isAllowed = row.versions === 'both' || (row.versions === 'v0-required') === (version === 0);
  if (isAllowed) return;
  const message = `PSBT version ${version} does not allow ${row.name} in ${mapText(map, index)}`;
  throw new BtcError('psbt/field-not-allowed', { map, index, field: row.name, version }, message);
}

export function missingField(at: ErrorData['psbt/field-required']): BtcError {
  const message = `PSBT version ${at.version} requires ${at.field} in ${mapText(at.map, at.index)}`;
  return new BtcError('psbt/field-required', at, message);
}

/** With BIP375, a silent payment output may still lack its script. */
export function assertRequired(
  map: PsbtMapKind,
  index: number,
  data: MapData,
  { version, generation }: { version: number; generation: PsbtGeneration },
): void {
  for (const row of MAP_ROWS[map].rows) {
    const isRequired = row.versions === (version === 0 ? 'v0-required' : 'v2-required');
    if (!isRequired || row.name in data) continue;
    if (row.name === 'script' && generation === 'bips' && 'spV0Info' in data) continue;
    throw missingField({ map, index, field: row.name, version });
  }
}

/** Returns the version. @see BIP370 "Specification" */
export function assertGlobalRules(global: MapData & PsbtGlobal, generation: PsbtGeneration): number {
  const version = psbtVersion({ global });
  if (version === 1)
    throw new BtcError('psbt/version-undefined', { version }, 'There is no PSBT version 1: use 0 or 2');
  if (version !== 0 && version !== 2) throw unsupportedVersion({ version });
  assertRequired('global', 0, global, { version, generation });
  for (const row of MAP_ROWS.global.rows) if (row.name in global) assertAllowed('global', 0, row, version);
  return version;
}
