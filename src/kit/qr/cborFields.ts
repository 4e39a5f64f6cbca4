import type { Cbor } from './cbor.ts';
import { refuse } from './qrOptions.ts';

/** Members of a map by their small numbers. The functions below throw `qr/invalid` for values of another type. */
export type Fields = ReadonlyMap<number, Cbor>;

export function readFields(value: Cbor | undefined): Fields {
  if (value?.type !== 'map') return refuseShape();
  const fields = new Map<number, Cbor>();
  for (const [key, member] of value.entries) {
    if (key.type !== 'uint' || fields.has(key.value)) return refuseShape();
    fields.set(key.value, member);
  }
  return fields;
}

export const untagged = (value: Cbor | undefined, tags: readonly number[]): Cbor | undefined =>
  value?.type === 'tag' && tags.includes(value.tag) ? value.content : undefined;

export function uintIn(fields: Fields, key: number, most: number): number | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'uint' && value.value <= most ? value.value : refuseShape();
}

export function flagIn(fields: Fields, key: number): boolean {
  const value = fields.get(key);
  if (value === undefined) return false;
  return value.type === 'boolean' ? value.value : refuseShape();
}

export function bytesIn(fields: Fields, key: number): Uint8Array | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'bytes' ? value.value : refuseShape();
}

export function textIn(fields: Fields, key: number): string | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'text' ? value.value : refuseShape();
}

export function refuseShape(): never {
  refuse('content', 'is damaged, or not of the stated kind');
}
