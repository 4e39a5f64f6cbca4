import { describe, expect, test } from 'vitest';
import { joinPaths, textWithoutChains } from '../../../src/core/descriptors/joinPaths.ts';
import { type Descriptor, formatDescriptor, networks, parseDescriptor, singlePaths } from '../../support/library.ts';

const A =
  'xpub6FC1fXFP1GXQpyRFfSE1vzzySqs3Vg63bzimYLeqtNUYbzA87kMNTcuy9ubr7MmavGRjW2FRYHP4WGKjwutbf1ghgkUW9H7e3ceaPLRcVwa';
const B =
  'xpub6EYajCJHe2CK53RLVXrN14uWoEttZgrRSaRztujsXg7yRhGtHmLBt9ot9Pd5ugfwWEu6eWyJYKSshyvZFKDXiNbBcoK42KRZbxwjRQpm5Js';
const FIXED = '026d15412460ba0d881c21837bb999233896085a9ed4e5445bd637c10e579768ba';

const parse = (text: string): Descriptor => parseDescriptor(text, networks.main);

describe('joinPaths', () => {
  test.each([
    `wpkh(${A}/<0;1>/*)`,
    `wpkh([6738736c/84'/0'/0']${A}/<0;1>/*)`,
    `sh(wsh(sortedmulti(2,${A}/<0;1>/*,${B}/5/<2;3>/*)))`,
    `wsh(multi(1,${FIXED},${A}/<0;1>/*))`,
    `wsh(and_v(v:pk(${A}/<0;1>/*),or_d(pk(${B}/<0;1>/*),older(144))))`,
    `tr(${A}/<0;1>/*,{pk(${B}/<0;1>/*),pk(${A}/<2;3>/*)})`,
    `tr(musig(${A},${B})/<0;1>/*)`,
    `tr(musig(${A}/<0;1>/*,${B}/<0;1>/*))`,
    `wpkh(${A}/<7;2147483647>)`,
  ])('undoes singlePaths: %s', (text) => {
    const [first, second] = singlePaths(parse(text));
    const joined = first && second && joinPaths(first, second);
    expect(joined && formatDescriptor(joined, networks.main)).toBe(formatDescriptor(parse(text), networks.main));
  });

  test.each([
    [`wpkh(${A}/0/*)`, `wpkh(${A}/0/*)`],
    [`wpkh(${A}/0/*)`, `wpkh(${B}/1/*)`],
    [`wpkh(${A}/0/*)`, `pkh(${A}/1/*)`],
    [`wpkh(${A}/0/*)`, `wpkh(${A}/1)`],
    [`wpkh(${A}/0/0/*)`, `wpkh(${A}/1/1/*)`],
    [`wpkh(${A}/0/*)`, `wpkh(${A}/0/1/*)`],
    [`wsh(multi(1,${A}/0/*,${B}/0/*))`, `wsh(multi(2,${A}/1/*,${B}/1/*))`],
    [`wsh(multi(1,${A}/0/*,${B}/0/*))`, `wsh(multi(1,${A}/1/*))`],
    [`wpkh(${A}/0/*)`, `wpkh(${FIXED})`],
    [`tr(musig(${A},${B})/0/*)`, `tr(${A}/1/*)`],
    [`tr(${A}/0/*)`, `tr(musig(${A},${B})/1/*)`],
  ])('leaves %s and %s apart', (first, second) => {
    expect(joinPaths(parse(first), parse(second))).toBeUndefined();
  });
});

test.each([
  [true, `wpkh(${A}/0/*)`, `wpkh(${A}/1/*)`],
  [true, `wpkh([6738736c/84h/0h/0h]${A}/0/*)`, `wpkh([6738736c/84'/0'/0']${A}/<0;1>/*)`],
  [true, `tr(musig(${A}/0/*,${B}/0/*))`, `tr(musig(${A}/1/*,${B}/1/*))`],
  [false, `wpkh(${A}/0/*)`, `wpkh(${A}/7/8/*)`],
  [false, `wpkh([6738736c/84h/0h/0h]${A}/0/*)`, `wpkh([6738736c/84h/0h/0h]${B}/1/*)`],
  [false, `wpkh(${A}/0/*)`, `tr(${A}/1/*)`],
  [false, `wpkh(${A}/0/*)`, `wpkh(${A}/1/*h)`],
  [false, `pkh(${FIXED})`, `pkh(${A}/0)`],
  [false, 'raw(51)', 'raw(52)'],
  [false, `wsh(multi(1,${A}/0/*))`, `wsh(multi(1,${A}/1/*,${B}/1/*))`],
])('textWithoutChains: equal is %s for %s and %s', (expected, first, second) => {
  expect(textWithoutChains(parse(first)) === textWithoutChains(parse(second))).toBe(expected);
});
