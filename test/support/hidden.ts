import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect } from 'vitest';
import { formatWif, networks } from './library.ts';

// Checks that logs, files and messages to workers do not show the private keys of the objects that hold them.

/** Generates private keys whose bytes do not occur elsewhere by chance. */
export const secret: fc.Arbitrary<Uint8Array> = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => (bytes[0] ?? 0) < 0xff && new Set(bytes).size > 20);

/** Lists the forms in which a log or a file could contain a key. */
function formsOf(key: Uint8Array): readonly string[] {
  const buffer = Buffer.from(key);
  const indexed = JSON.stringify(Uint8Array.from(key)).slice(1, -1);
  const spaced = buffer.toString('hex').replace(/..(?=.)/g, '$& ');
  const wif = formatWif({ secretKey: key, isCompressed: true }, networks.regtest);
  return [
    buffer.toString('hex'),
    spaced,
    [...key].join(),
    [...key].join(', '),
    indexed,
    buffer.toString('base64'),
    wif,
  ];
}

const json = (value: unknown): string => {
  const seen = new Set<object>();
  const text: string | undefined = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}`;
    if (typeof member !== 'object' || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member instanceof Map ? [...member] : member instanceof Set ? [...member] : member;
  });
  // JSON.stringify returns undefined for functions.
  return text ?? '';
};

const all = { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY } as const;
/** Prints and serializes a value in several ways. */
export const texts = (value: unknown): readonly string[] => [
  inspect(value, all),
  inspect(value, { ...all, compact: false }),
  inspect(value, { ...all, showHidden: true }),
  json(value),
];

/** Clones a value; if it holds functions, which cannot be cloned, clones its members one at a time. */
function clonesOf(value: unknown, seen: Set<unknown> = new Set()): readonly Buffer[] {
  if (typeof value === 'function' || seen.has(value)) return [];
  seen.add(value);
  try {
    return [serialize(value), serialize(structuredClone(value))];
  } catch (error) {
    expect(String(error)).toContain('could not be cloned');
    const members = value instanceof Map ? [...value.values()] : Object.values(value as object);
    return members.flatMap((member) => clonesOf(member, seen));
  }
}

/** Expects that no way to print, serialize or clone a value shows one of the keys. */
export function expectHidden(value: unknown, ...keys: readonly Uint8Array[]): void {
  const shown = texts(value).map((text) => text.replace(/\s+/g, ' '));
  const clones = clonesOf(value);
  for (const key of keys) {
    for (const form of formsOf(key)) for (const text of shown) expect(text.includes(form)).toBe(false);
    for (const clone of clones) expect(clone.includes(Buffer.from(key))).toBe(false);
  }
}
