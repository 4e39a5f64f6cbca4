import { describe, expect, test } from 'vitest';
import { withKeys } from '../support/descriptorKeys.ts';
import { parse } from '../support/descriptorRows.ts';
import { BtcError, createDeriver, formatDescriptor, networks, singlePaths, withChecksum } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

/** Work that grew with the square of such an input would be 10^12 steps, and end in the general time-out. */
const MEGABYTE = 1_000_000;
const X = withKeys('$short:x', 'public');
const XPUB = withKeys('$twoDeep', 'public');
/** Repeats a piece until it makes a megabyte. */
const megabyte = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length));

const DEEP_FAULT = 'A function is needed within P2WSH';
const rows: readonly (readonly [name: string, text: string, reason: string])[] = [
  ['nested sh()', `${megabyte('sh(')}${megabyte(')')}`, 'Can only have sh() at top level'],
  ['nested andor()', `wsh(${megabyte('andor(')})`, DEEP_FAULT],
  ['nested or_i()', `wsh(${megabyte(`or_i(pk(02${X}),`)}0${megabyte(')')})`, DEEP_FAULT],
  ['v: wrappers', `wsh(${megabyte('v')}:pk(02${X}))`, DEEP_FAULT],
  ['j: wrappers', `wsh(${megabyte('j')}:pk(02${X}))`, DEEP_FAULT],
  ['colons', `wsh(${megabyte('a:')})`, DEEP_FAULT],
  ['thresh() arguments', `wsh(thresh(1${megabyte(`,pk(02${X})`)}))`, DEEP_FAULT],
  ['braces', `tr(${X},${megabyte('{')})`, 'tr() supports at most 128 nesting levels'],
  ['nested leaves', `tr(${X},${megabyte(`{pk(${X}),`)})`, 'tr() supports at most 128 nesting levels'],
  [
    'multi() keys',
    `wsh(multi(1${megabyte(`,02${X}`)}))`,
    'Cannot have 14926 keys in multisig; must have between 1 and 20 keys, inclusive',
  ],
  [
    'extended keys',
    `wsh(multi(1${megabyte(`,${XPUB}/0/*`)}))`,
    'Cannot have 8621 keys in multisig; must have between 1 and 20 keys, inclusive',
  ],
  [
    'multi_a() keys',
    `tr(${X},multi_a(1${megabyte(`,02${X}`)}))`,
    'Cannot have 14926 keys in multi_a; must have between 1 and 999 keys, inclusive',
  ],
  ['commas', `multi(1${megabyte(',')})`, 'Multi: No key provided'],
  ['brackets', `pk(${megabyte(']')})`, "pk(): Multiple ']' characters found for a single pubkey"],
  ['address characters', `addr(${megabyte('1')})`, 'Address is not valid'],
  ['threshold digits', `multi(${megabyte('1')},02${X})`, "Multi threshold '...' is not valid"],
];

describe('inputs of a megabyte', () => {
  test.each(rows)('a megabyte of %s is refused', (_, text, reason) => {
    const refusal = refusalOf(() => parse(text));
    expect([refusal.code, refusal.data]).toEqual(['descriptor/invalid', { reason }]);
  });

  test.each([
    ['letters', megabyte('a')],
    ['unclosed braces', `tr(${X},${megabyte('{')}`],
    ['letters in a deep leaf', `tr(${X},${'{'.repeat(100)}${megabyte('a')})`],
    ['key characters', `pk(${megabyte('z')})`],
    ['hex digits', `pk(${megabyte('a')})`],
  ])('a megabyte of %s is refused', (_, text) => {
    expect(refusalOf(() => parse(text)).code).toBe('descriptor/invalid');
  });

  test.each(['#', 'Ü', '\u0000', 'a#'])('a megabyte of %j is refused', (piece) => {
    expect(refusalOf(() => parse(megabyte(piece))).code).toBe('descriptor/checksum');
  });

  test('a raw() script of half a megabyte is accepted', () => {
    const text = withChecksum(`raw(${megabyte('ab')})`);
    expect(createDeriver(parse(text))(0).scriptPubKeys[0]).toHaveLength(MEGABYTE / 2);
    expect(refusalOf(() => parse(`${text.slice(0, -8)}aaaaaaaa`)).data).toEqual({
      reason: `Provided checksum 'aaaaaaaa' does not match computed checksum '${text.slice(-8)}'`,
    });
  });
});

describe('long paths', () => {
  test('a path of half a million steps is refused: BIP32 allows a depth of 255', () => {
    const descriptor = parse(`pk(${XPUB}${'/0'.repeat(MEGABYTE / 2)})`);
    expect(refusalOf(() => createDeriver(descriptor)(0)).code).toBe('descriptor/underivable');
  });

  test('a key at depth 4 allows 251 more steps', () => {
    const at = (steps: number): number =>
      createDeriver(parse(`pk(${XPUB}${'/0'.repeat(steps)})`))(0).scriptPubKeys.length;
    expect(at(251)).toBe(1);
    expect(refusalOf(() => at(252)).code).toBe('descriptor/underivable');
  });

  test('a multipath specifier of 140000 paths is parsed', () => {
    const choices = Array.from({ length: 140_000 }, (_, i) => i).join(';');
    const descriptor = parse(`pk(${XPUB}/<${choices}>)`);
    expect(singlePaths(descriptor)).toHaveLength(140_000);
  });

  test('a multipath descriptor that expands to too much text is refused', () => {
    const choices = Array.from({ length: 10_000 }, (_, i) => i).join(';');
    const text = (steps: number): string => `pk([deadbeef${'/0'.repeat(steps)}]${XPUB}/<${choices}>)`;
    const expand = (steps: number): number =>
      singlePaths(parse(text(steps))).map((single) => formatDescriptor(single, networks.main)).length;
    expect(expand(1_000)).toBe(10_000);
    const refusal = refusalOf(() => expand(30_000));
    expect(refusal.data).toEqual({ reason: 'The multipath descriptor expands to more than 33554432 characters' });
  });

  test('the path of a key origin has no limit', () => {
    const descriptor = parse(`pk([deadbeef${'/0'.repeat(MEGABYTE / 2)}]02${X})`);
    expect(createDeriver(descriptor)(0).keys[0]?.origin.path).toHaveLength(MEGABYTE / 2);
  });
});

test.each(['wpkh($twoDeep/*)', 'wpkh($twoDeep/*h)', 'tr(musig($twoDeep,$three)/*)', 'wsh(pk($twoDeep/0/*))'])(
  '%s cannot be derived at an index outside 0 to 2^31 - 1',
  (text) => {
    const derive = createDeriver(parse(withKeys(text, 'private')));
    expect(derive(0x7fff_ffff).scriptPubKeys).toHaveLength(1);
    for (const index of [-1, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => derive(index)).toThrow(BtcError);
    }
  },
);
