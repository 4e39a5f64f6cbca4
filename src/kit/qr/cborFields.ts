import type { Cbor } from './cbor.ts';
import { refuse } from './qrOptions.ts';

export type Fields = ReadonlyMap<number, Cbor>;

/** Reads a map whose keys are small numbers. @throws `qr/invalid` for another value or a repeated key */
export function fieldsOf(value: Cbor | undefined): Fields {
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

/** Reads an optional member, as do the functions below. @throws `qr/invalid` for a member of another type */
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

/** @throws `qr/invalid` */
export function refuseShape(): never {
  refuse('content', 'is damaged, or not of the stated kind');
}
