import { describe, expect, test } from 'vitest';
import { type Context, decodeMiniscript } from '../../../../src/core/descriptors/miniscript/index.ts';
import { someOf } from '../../../support/corpus.ts';
import { formatHex, parseHex } from '../../../support/library.ts';
import { keyBytes } from '../../../support/miniscript.ts';

describe('scripts that are not miniscript', () => {
  const KEY = formatHex(keyBytes('A'));
  const X = formatHex(keyBytes('A').slice(1));

  test.each<[string, Context, string]>([
    ['a multi_a without keys', 'tapscript', 'ac519c'],
    ['a multi_a without a key before CHECKSIGADD', 'tapscript', `ba20${X}ba519c`],
    ['a multi_a without a key before CHECKSIG', 'tapscript', `ac20${X}ac20${X}ba519c`],
    ['a multi_a with fewer keys than its threshold', 'tapscript', `20${X}ac529c`],
    ['a multi_a', 'wsh', `20${X}ac519c`],
    ['a multi', 'tapscript', `5121${KEY}51ae`],
    ['an x-only key', 'wsh', `20${X}ac`],
    ['a compressed key', 'tapscript', `21${KEY}ac`],
    ['a hybrid key', 'wsh', `21${KEY.replace(/^0./, '06')}ac`],
    ['a push that is not minimal', 'wsh', `4c21${KEY}ac`],
    ['a VERIFY that could be merged', 'wsh', `21${KEY}ac6951`],
    ['the hash of an unknown key', 'wsh', `76a914${'11'.repeat(20)}88ac`],
    ['an empty script', 'wsh', ''],
    ['an expression of type V', 'wsh', `21${KEY}ad`],
    ['an expression of type K', 'wsh', `21${KEY}`],
    ['an unknown opcode', 'wsh', '51ff'],
    ['a truncated push', 'wsh', '5121'],
    ['a lock of zero', 'wsh', '00b2'],
    ['a lock of five bytes', 'wsh', '050000008000b2'],
    ['a threshold above the number of expressions', 'wsh', '005287'],
    ['an opcode before the expression', 'wsh', '5151'],
  ])('%s in %s', (_, context, hex) => {
    expect(decodeMiniscript(parseHex(hex), () => undefined, context)).toBeUndefined();
  });

  test.each([
    ['RIPEMD160 in place of HASH160', `76a614${'11'.repeat(20)}88ac`],
    ['a hash of 19 bytes', `76a913${'11'.repeat(19)}88ac`],
    ['a key hash without DUP', `a914${'11'.repeat(20)}88ac`],
    ['a preimage without SIZE', `012088a820${'11'.repeat(32)}87`],
    ['a preimage of 31 bytes', `82011f88a820${'11'.repeat(32)}87`],
    ['a hash of 20 bytes where 32 are due', `82012088a814${'11'.repeat(20)}87`],
    ['a multi of a hybrid key', `5121${KEY.replace(/^0./, '06')}51ae`],
    ['a multi of an x-only key', `5120${X}51ae`],
    ['a multi of none', `0021${KEY}51ae`],
    ['a multi of more than it has', `5221${KEY}51ae`],
    ['a multi without keys', '5100ae'],
  ])('%s, although all keys are known', (_, hex) => {
    expect(decodeMiniscript(parseHex(hex), () => keyBytes('A'), 'wsh')).toBeUndefined();
  });

  test('a multi_a of 1000 keys', () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, i) => `20${X}${i ? 'ba' : 'ac'}`).join('');
    const decoded = (count: number) => decodeMiniscript(parseHex(`${keys(count)}519c`), () => undefined, 'tapscript');
    expect(decoded(999)?.fragment).toMatchObject({ kind: 'multi_a', required: 1 });
    expect(decoded(1000)).toBeUndefined();
  });

  test.each(
    someOf([0x63, 0x64, 0x67, 0x68, 0x69, 0x6b, 0x6c, 0x7c, 0x87, 0x92, 0x93, 0x9a, 0x9b, 0x9c, 0xac, 0xae, 0xba]),
  )('a script of nothing but opcode %i', (opcode) => {
    for (const context of ['wsh', 'tapscript'] as const) {
      for (const size of [3600, 329_482, 400_000]) {
        expect(decodeMiniscript(new Uint8Array(size).fill(opcode), () => undefined, context)).toBeUndefined();
      }
    }
  });
});
