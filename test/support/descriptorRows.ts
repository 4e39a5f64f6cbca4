import { expect } from 'vitest';
import { withKeys } from './descriptorKeys.ts';
import {
  createDeriver,
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
  providerOfDescriptors,
  withChecksum,
} from './library.ts';
import { expectRefusal } from './refusal.ts';

const { main } = networks;
/** Reads a descriptor of the main network. */
export const parse = (text: string): Descriptor => parseDescriptor(text, main);
/** Writes a descriptor without its checksum. */
export const bodyOf = (descriptor: Descriptor, isPrivate = false): string =>
  formatDescriptor(descriptor, main, { isPrivate }).split('#')[0] ?? '';
/** The scriptPubKeys at one index in hex, joined by `+`. */
export const scriptsAt = (derived: Derived): string => derived.scriptPubKeys.map(formatHex).join('+');

/** Keys that are derived with a hardened step can be derived from private keys only. */
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
/** Where keys come from, by their x. */
const originsOf = (...derived: readonly Derived[]): readonly string[] =>
  sorted(
    derived
      .flatMap(({ keys }) => keys)
      .map((key) => [xOf(key), formatHex(key.origin.fingerprint), ...key.origin.path].join('/')),
  );

/**
 * Expects what is inferred of the scripts at an index to stand for them, and to know where every key comes from. An
 * aggregate key's participants are not in the script.
 */
export function expectInferred(descriptor: Descriptor, index: number): void {
  const derived = createDeriver(descriptor)(index);
  const provider = providerOfDescriptors([derived]);
  const inferred = derived.scriptPubKeys.map((script) => inferDescriptor(script, provider));
  for (const one of inferred) {
    expect(isSolvable(one)).toBe(isSolvable(descriptor));
    const again = formatDescriptor(one, main);
    expect(formatDescriptor(parse(again), main)).toBe(again);
  }
  const derivedAgain = inferred.map((one) => createDeriver(one)(0));
  expect(derivedAgain.map(scriptsAt)).toEqual(derived.scriptPubKeys.map(formatHex));
  // Of two keys with one x, either is as good.
  expect(originsOf(derived)).toEqual(expect.arrayContaining([...originsOf(...derivedAgain)]));
  if (derived.aggregates.length === 0) expect(keysOf(...derivedAgain)).toEqual(keysOf(derived));
}

/**
 * Expects a descriptor with keys by name to be read and written in both forms, and to stand for these scripts: those of
 * index 0, 1 and 2 where there is a wildcard.
 */
export function expectRow(text: string, scripts: readonly string[]): void {
  const [secret, shown] = [withKeys(text, 'private'), withKeys(text, 'public')];
  const [own, known] = [parse(secret), parse(withChecksum(shown))];
  expect(bodyOf(own, true)).toBe(secret);
  for (const one of [own, known]) {
    expect(formatDescriptor(one, main)).toBe(withChecksum(shown));
    expect([isRanged(one), isSolvable(one)]).toEqual([text.includes('*'), true]);
  }
  expect(bodyOf(known, true)).toBe(shown);
  expect([hasPrivateKeys(own), hasPrivateKeys(known)]).toEqual([secret !== shown, false]);
  expectScripts(own, scripts);
  if (isHardened(text)) expectRefusal(() => createDeriver(known)(0), 'descriptor/underivable', {});
  else expectScripts(known, scripts);
  expectInferred(own, 1);
}
