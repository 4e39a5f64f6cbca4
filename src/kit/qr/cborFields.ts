import type { Cbor } from './cbor.ts';
import { refuse } from './qrOptions.ts';

/** The members of a map whose keys are small numbers, as URs use them. */
export type Fields = ReadonlyMap<number, Cbor>;

/** Returns the members of a map by their numbers. @throws `qr/invalid` for another value, and for a key that repeats */
export function fieldsOf(value: Cbor | undefined): Fields {
  if (value?.type !== 'map') return refuseShape();
  const fields = new Map<number, Cbor>();
  for (const [key, member] of value.entries) {
    if (key.type !== 'uint' || fields.has(key.value)) return refuseShape();
    fields.set(key.value, member);
  }
  return fields;
}

/** Returns what a tag encloses if it is one of `tags`. */
export const untagged = (value: Cbor | undefined, tags: readonly number[]): Cbor | undefined =>
  value?.type === 'tag' && tags.includes(value.tag) ? value.content : undefined;

/** Returns a number that may be absent. @throws `qr/invalid` */
export function uintIn(fields: Fields, key: number, most: number): number | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'uint' && value.value <= most ? value.value : refuseShape();
}

/** Returns whether a member is present and true. @throws `qr/invalid` */
export function flagIn(fields: Fields, key: number): boolean {
  const value = fields.get(key);
  if (value === undefined) return false;
  return value.type === 'boolean' ? value.value : refuseShape();
}

/** Returns bytes that may be absent. @throws `qr/invalid` */
export function bytesIn(fields: Fields, key: number): Uint8Array | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'bytes' ? value.value : refuseShape();
}

/** Returns a text that may be absent. @throws `qr/invalid` */
export function textIn(fields: Fields, key: number): string | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  return value.type === 'text' ? value.value : refuseShape();
}

/** Refuses a value that its specification does not allow. @throws `qr/invalid` */
export function refuseShape(): never {
  refuse('content', 'is damaged, or not of the stated kind');
}
