import { type Network, networks, parseHex } from '../support/library.ts';

/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A case that is not in the documented form, apart from cases that a target refuses. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

export type Members = Readonly<Record<string, Json>>;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Reads an input that must be an object. */
export function membersOf(input: Json): Members {
  if (typeof input === 'object' && input !== null && !isList(input)) return input;
  throw new FormError('the input must be an object');
}

export function listOf(value: Json | undefined, name: string): readonly Json[] {
  if (value !== undefined && value !== null && typeof value === 'object' && isList(value)) return value;
  throw new FormError(`${name} must be a list`);
}

export function textOf(value: Json | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new FormError(`${name} must be a string`);
}

/** Reads a whole number; `otherwise`: what an absent one means. */
export function numberOf(value: Json | undefined, name: string, otherwise?: number): number {
  const given = value ?? otherwise;
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  throw new FormError(`${name} must be a whole number`);
}

/** Reads an amount in satoshi, as a number or, beyond 2^53, as a string. */
export function amountOf(value: Json | undefined, name: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  throw new FormError(`${name} must be an amount in satoshi`);
}

export function bytesOf(value: Json | undefined, name: string): Uint8Array {
  const hex = textOf(value, name);
  if (/^(?:[0-9a-fA-F]{2})*$/.test(hex)) return parseHex(hex);
  throw new FormError(`${name} must be hex`);
}

/** Reads the name of a network; by default `main`. */
export function networkOf(value: Json | undefined): Network {
  const name = value === undefined ? 'main' : textOf(value, 'network');
  const network = Object.entries(networks).find(([known]) => known === name)?.[1];
  if (network) return network;
  throw new FormError(`network must be one of ${Object.keys(networks).join(', ')}`);
}
