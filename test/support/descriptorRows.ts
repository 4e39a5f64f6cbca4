import { expect } from 'vitest';
import { withKeys } from './descriptorKeys.ts';
import {
  createDeriver,
  createDescriptorProvider,
  type Derived,
  type DerivedKey,
  type Descriptor,
  formatDescriptor,
  formatHex,
  hasPrivateKeys,
  inferDescriptor,
  isRanged,
  isSolvable,
  networks,
  parseDescriptor,
  withChecksum,
} from './library.ts';
import { expectRefusal } from './refusal.ts';

const { main } = networks;
/** Parses a descriptor of mainnet. */
export const parse = (text: string): Descriptor => parseDescriptor(text, main);
/** Formats a descriptor without its checksum. */
export const bodyOf = (descriptor: Descriptor, isPrivate = false): string =>
  formatDescriptor(descriptor, main, { isPrivate }).split('#')[0] ?? '';
/** Returns the scriptPubKeys at an index in hex, joined by `+`. */
export const scriptsAt = (derived: Derived): string => derived.scriptPubKeys.map(formatHex).join('+');

/** Tells whether any key of a text needs a private key to be derived. */
const isHardened = (text: string): boolean => /\$[a-zA-Z]+[^,)]*[0-9*]['h]/.test(text);

function expectScripts(descriptor: Descriptor, scripts: readonly string[]): void {
  const derive = createDeriver(descriptor);
  const expected = scripts.length === 1 ? [scripts[0], scripts[0], scripts[0]] : scripts;
  for (const [index, script] of expected.entries()) expect(scriptsAt(derive(index))).toBe(script);
}

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();
const xOf = ({ publicKey }: DerivedKey): string => formatHex(publicKey.slice(1, 33));
const keysOf = (...derived: readonly Derived[]): readonly string[] =>
  sorted(derived.flatMap(({ keys }) => keys).map(xOf));
/** Lists x-only keys with their origins as text. */
const originsOf = (...derived: readonly Derived[]): readonly string[] =>
  sorted(
    derived
      .flatMap(({ keys }) => keys)
      .map((key) => [xOf(key), formatHex(key.origin.fingerprint), ...key.origin.path].join('/')),
  );

/**
 * Expects the descriptors inferred from the scripts at an index to derive the same scripts, with the origins of all keys.
 * The participants of an aggregate key cannot be inferred.
 */
export function expectInferred(descriptor: Descriptor, index: number): void {
  const derived = createDeriver(descriptor)(index);
  const provider = createDescriptorProvider([derived]);
  const inferred = derived.scriptPubKeys.map((script) => inferDescriptor(script, provider));
  for (const result of inferred) {
    expect(isSolvable(result)).toBe(isSolvable(descriptor));
    const text = formatDescriptor(result, main);
    expect(formatDescriptor(parse(text), main)).toBe(text);
  }
  const derivedAgain = inferred.map((result) => createDeriver(result)(0));
  expect(derivedAgain.map(scriptsAt)).toEqual(derived.scriptPubKeys.map(formatHex));
  // Two keys with the same x-only key are interchangeable, so there may be more origins than inferred.
  expect(originsOf(derived)).toEqual(expect.arrayContaining([...originsOf(...derivedAgain)]));
  if (derived.aggregates.length === 0) expect(keysOf(...derivedAgain)).toEqual(keysOf(derived));
}

/**
 * Expects a descriptor with named keys to survive parsing and printing in both forms, and to derive these scripts: with a
 * wildcard, those of index 0, 1 and 2.
 */
export function expectRow(text: string, scripts: readonly string[]): void {
  const [secret, shown] = [withKeys(text, 'private'), withKeys(text, 'public')];
  const [own, known] = [parse(secret), parse(withChecksum(shown))];
  expect(bodyOf(own, true)).toBe(secret);
  for (const descriptor of [own, known]) {
    expect(formatDescriptor(descriptor, main)).toBe(withChecksum(shown));
    expect([isRanged(descriptor), isSolvable(descriptor)]).toEqual([text.includes('*'), true]);
  }
  expect(bodyOf(known, true)).toBe(shown);
  expect([hasPrivateKeys(own), hasPrivateKeys(known)]).toEqual([secret !== shown, false]);
  expectScripts(own, scripts);
  if (isHardened(text)) expectRefusal(() => createDeriver(known)(0), 'descriptor/underivable', {});
  else expectScripts(known, scripts);
  expectInferred(own, 1);
}
