import { mapText } from '../../bytes/reader.ts';
import { BtcError, type ErrorData } from '../../errors.ts';
import { MAP_ROWS, type NamedRow, psbtVersion } from './fields.ts';
import type { PsbtGeneration, PsbtGlobal, UnknownRecord } from './types.ts';
import { unsupportedVersion } from './values.ts';

export interface MapData {
  [name: string]: unknown;
  unknown?: UnknownRecord[];
}

/** A map of a PSBT, whose version decides what it holds. */
export type MapPlace = Omit<ErrorData['psbt/field-required'], 'field'>;

export function assertAllowed(place: MapPlace, { name: field, versions }: NamedRow): void {
  const { map, index, version } = place;
  const isAllowed = versions === 'both' || (versions === 'v0-required') === (version === 0);
  if (isAllowed) return;
  const message = `PSBT version ${version} does not allow ${field} in ${mapText(map, index)}`;
  throw new BtcError('psbt/field-not-allowed', { map, index, field, version }, message);
}

export function missingField(at: ErrorData['psbt/field-required']): BtcError {
  const message = `PSBT version ${at.version} requires ${at.field} in ${mapText(at.map, at.index)}`;
  return new BtcError('psbt/field-required', at, message);
}

/** With BIP375, a silent payment output may still lack its script, and a label needs its address. */
export function assertRequired(place: MapPlace, data: MapData, generation: PsbtGeneration): void {
  for (const row of MAP_ROWS[place.map].rows) {
    const isRequired = row.versions === (place.version === 0 ? 'v0-required' : 'v2-required');
    if (!isRequired || row.name in data) continue;
    if (row.name === 'script' && generation === 'bips' && 'spV0Info' in data) continue;
    throw missingField({ ...place, field: row.name });
  }
  if (generation === 'bips' && 'spV0Label' in data && !('spV0Info' in data)) {
    throw missingField({ ...place, field: 'spV0Info' });
  }
}

/** Returns the version. @see BIP370 "Specification" */
export function assertGlobalRules(global: MapData & PsbtGlobal, generation: PsbtGeneration): number {
  const version = psbtVersion({ global });
  if (version === 1)
    throw new BtcError('psbt/version-undefined', { version }, 'There is no PSBT version 1: use 0 or 2');
  if (version !== 0 && version !== 2) throw unsupportedVersion({ version }, 2);
  const place = { map: 'global', index: 0, version } as const;
  assertRequired(place, global, generation);
  for (const row of MAP_ROWS.global.rows) if (row.name in global) assertAllowed(place, row);
  return version;
}
