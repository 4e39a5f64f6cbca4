import { describe, expect, test } from 'vitest';
import { isMinimalNumber, readScriptNumber } from '../../../src/core/script/number.ts';
import {
  formatAsm,
  hasValidOps,
  isOpSuccess,
  isPushOnly,
  isStrictDer,
  isStrictSignature,
  isUnspendable,
  opcodeName,
  parseHex,
  sighashName,
} from '../../support/library.ts';

const asm = (hex: string): string => formatAsm(parseHex(hex));
const scriptSigAsm = (hex: string): string => formatAsm(parseHex(hex), { decodeSighash: true });

describe('script numbers in asm', () => {
  test.each([
    ['00', '0'],
    ['0100', '0'],
    ['0180', '0'],
    ['020080', '0'],
    ['0400000080', '0'],
    ['0101', '1'],
    ['0181', '-1'],
    ['017f', '127'],
    ['01ff', '-127'],
    ['02ff00', '255'],
    ['02ff80', '-255'],
    ['020001', '256'],
    ['021111', '4369'],
    ['024e73', '29518'],
    ['03ffff7f', '8388607'],
    ['03ffffff', '-8388607'],
    ['04ffffff7f', '2147483647'],
    ['04ffffffff', '-2147483647'],
    ['0400000000', '0'],
    ['0401000080', '-1'],
    ['0401000000', '1'],
    ['050000000000', '0000000000'],
    ['0501000000ff', '01000000ff'],
    ['4c00', '0'],
    ['4c0181', '-1'],
    ['4d000081', '0 OP_RIGHT'],
    ['4d010081', '-1'],
    ['4e0100000081', '-1'],
    ['4c05aabbccddee', 'aabbccddee'],
  ])('are shown for the push %s as %s', (hex, text) => {
    expect(asm(hex)).toBe(text);
    expect(scriptSigAsm(hex)).toBe(text);
  });

  test('never show as minus zero', () => {
    expect(Object.is(readScriptNumber(parseHex('80')), 0)).toBe(true);
    expect(Object.is(readScriptNumber(parseHex('0080')), 0)).toBe(true);
    expect(readScriptNumber(parseHex('ff8101ff'), 1, 2)).toBe(-1);
    expect(readScriptNumber(parseHex(''))).toBe(0);
  });

  test.each([
    ['', true],
    ['01', true],
    ['81', true],
    ['00', false],
    ['80', false],
    ['0100', false],
    ['0180', false],
    ['7f00', false],
    ['8000', true],
    ['8080', true],
    ['ff00', true],
    ['000100', false],
    ['008000', true],
  ])('isMinimalNumber of %j is %s', (hex, isMinimal) => {
    expect(isMinimalNumber(parseHex(hex))).toBe(isMinimal);
  });
});

describe('asm', () => {
  test.each([
    ['', ''],
    ['51', '1'],
    ['60', '16'],
    ['4f', '-1'],
    ['50', 'OP_RESERVED'],
    ['5150', '1 OP_RESERVED'],
    ['0051', '0 1'],
    ['61', 'OP_NOP'],
    ['b0', 'OP_NOP1'],
    ['b1b2', 'OP_CHECKLOCKTIMEVERIFY OP_CHECKSEQUENCEVERIFY'],
    ['b3b9', 'OP_NOP4 OP_NOP10'],
    ['ba', 'OP_CHECKSIGADD'],
    ['bbfe', 'OP_UNKNOWN OP_UNKNOWN'],
    ['ff', 'OP_INVALIDOPCODE'],
    ['7e7f8081', 'OP_CAT OP_SUBSTR OP_LEFT OP_RIGHT'],
    ['8d8e95969798', 'OP_2MUL OP_2DIV OP_MUL OP_DIV OP_MOD OP_LSHIFT'],
    ['60021111', '16 4369'],
    ['51024e73', '1 29518'],
    ['6a00', 'OP_RETURN 0'],
  ])('of %j is %j', (hex, text) => {
    expect(asm(hex)).toBe(text);
  });

  test.each([
    ['01', '[error]'],
    ['4b', '[error]'],
    ['02aa', '[error]'],
    ['4c', '[error]'],
    ['4c01', '[error]'],
    ['4d01', '[error]'],
    ['4d0100', '[error]'],
    ['4e010000', '[error]'],
    ['4effffffff', '[error]'],
    ['4effffff7f00', '[error]'],
    ['5102aa', '1 [error]'],
    ['510151024c', '1 81 [error]'],
  ])('of %s, which ends within a push, is %s', (hex, text) => {
    expect(asm(hex)).toBe(text);
    expect(scriptSigAsm(hex)).toBe(text);
  });

  test('names all opcodes', () => {
    const names = Array.from({ length: 256 - 0x4f }, (_, i) => opcodeName(0x4f + i));
    expect(names.filter((name) => name === 'OP_UNKNOWN')).toHaveLength(0xfe - 0xbb + 1);
    expect(new Set(names).size).toBe(names.length - (0xfe - 0xbb));
    expect([0x6a, 0x87, 0xac, 0xae, 0xa5].map(opcodeName)).toEqual([
      'OP_RETURN',
      'OP_EQUAL',
      'OP_CHECKSIG',
      'OP_CHECKMULTISIG',
      'OP_WITHIN',
    ]);
  });
});

describe('signatures in asm', () => {
  const BODY = '3006020101020101';
  const push = (hex: string): string => (hex.length / 2).toString(16).padStart(2, '0') + hex;

  test.each([
    ['01', '[ALL]'],
    ['02', '[NONE]'],
    ['03', '[SINGLE]'],
    ['81', '[ALL|ANYONECANPAY]'],
    ['82', '[NONE|ANYONECANPAY]'],
    ['83', '[SINGLE|ANYONECANPAY]'],
  ])('of hash type %s are shown as %s', (type, name) => {
    expect(scriptSigAsm(push(BODY + type))).toBe(BODY + name);
    expect(asm(push(BODY + type))).toBe(BODY + type);
    expect(scriptSigAsm(`4c${push(BODY + type)}51`)).toBe(`${BODY}${name} 1`);
  });

  test.each(['00', '04', '41', '80', '84', 'ff'])('of hash type %s show no name', (type) => {
    expect(scriptSigAsm(push(BODY + type))).toBe(BODY + type);
    expect(isStrictDer(parseHex(BODY + type))).toBe(true);
    expect(isStrictSignature(parseHex(BODY + type))).toBe(false);
  });

  test('show no hash type in scripts that start with OP_RETURN or exceed 10000 bytes', () => {
    const signature = push(`${BODY}01`);
    expect(scriptSigAsm(`6a${signature}`)).toBe(`OP_RETURN ${BODY}01`);
    expect(scriptSigAsm(`516a${signature}`)).toBe(`1 OP_RETURN ${BODY}[ALL]`);
    const atLimit = signature + '61'.repeat(10_000 - signature.length / 2);
    expect(scriptSigAsm(atLimit).startsWith(`${BODY}[ALL] OP_NOP`)).toBe(true);
    expect(scriptSigAsm(`${atLimit}61`).startsWith(`${BODY}01 OP_NOP`)).toBe(true);
  });

  const r33 = `00${'ff'.repeat(32)}`;
  test.each([
    ['the shortest', '300602010102010101', true],
    ['the longest', `30460221${r33}0221${r33}01`, true],
    ['high s', `302602010102217f${'ff'.repeat(32)}01`, true],
    ['r with a necessary zero byte', '30070202008002010101', true],
    ['an empty one', '', false],
    ['eight bytes', '3005020101020001', false],
    ['74 bytes', `30470222${r33}00022100${'ff'.repeat(32)}01`, false],
    ['another tag', '310602010102010101', false],
    ['a length too small', '300502010102010101', false],
    ['a length too large', '300702010102010101', false],
    ['a long form length', '308106020101020101', false],
    ['another tag for r', '300603010102010101', false],
    ['another tag for s', '300602010103010101', false],
    ['no r', '300602000202010101', false],
    ['no s', '300602020101020001', false],
    ['a negative r', '300602018002010101', false],
    ['a negative s', '300602010102018001', false],
    ['a padded r', '30070202000102010101', false],
    ['a padded s', '30070201010202000101', false],
    ['r that is zero', '300602010002010001', true],
    ['r that runs past s', '300602050102010101', false],
    ['r that runs past the end', '3006027f0102010101', false],
    ['r that leaves no room for s', '300602040102010101', false],
    ['s that is a byte short of the end', '30070201010201010001', false],
    ['s that runs past the end', '300602010102020101', false],
    ['no hash type', '3006020101020101', false],
  ])('with %s are strict DER (%s): %s', (_, hex, isStrict) => {
    expect(isStrictDer(parseHex(hex))).toBe(isStrict);
  });

  test.each([
    [0, ''],
    [1, 'ALL'],
    [0x41, ''],
    [0x101, 'ALL'],
    [0x80000001, 'ALL'],
    [0x80, ''],
    [0x83, 'SINGLE|ANYONECANPAY'],
    [0xffffffff, ''],
  ])('of hash type %i in a PSBT are named %j', (type, name) => {
    expect(sighashName(type)).toBe(name);
  });
});

describe('a script', () => {
  test.each([
    ['', true],
    ['00', true],
    ['50', true],
    ['60', true],
    ['61', false],
    ['01aa4c01bb', true],
    ['02aa', false],
    ['4d', false],
  ])('of %j is push-only: %s', (hex, expected) => {
    expect(isPushOnly(parseHex(hex))).toBe(expected);
    expect(isPushOnly(parseHex(`6a${hex}`), 1)).toBe(expected);
    expect(isPushOnly(parseHex(`6a${hex}`))).toBe(false);
  });

  test.each([
    ['', true],
    ['b9', true],
    ['ba', false],
    ['ff', false],
    ['6a', true],
    ['02aa', false],
    ['4c', false],
    [`4d0802${'00'.repeat(520)}`, true],
    [`4d0902${'00'.repeat(521)}`, false],
    [`4e08020000${'00'.repeat(520)}`, true],
    ['50', true],
    ['65', true],
  ])('of %s has only valid opcodes: %s', (hex, expected) => {
    expect(hasValidOps(parseHex(hex))).toBe(expected);
  });

  test('is unspendable if it starts with OP_RETURN or exceeds 10000 bytes', () => {
    expect([[], [0x6a], [0x51, 0x6a]].map((bytes) => isUnspendable(Uint8Array.from(bytes)))).toEqual([
      false,
      true,
      false,
    ]);
    expect(isUnspendable(new Uint8Array(10_000))).toBe(false);
    expect(isUnspendable(new Uint8Array(10_001))).toBe(true);
  });

  test('has the OP_SUCCESSx opcodes of BIP342', () => {
    const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode).filter(isOpSuccess);
    const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const listed = [80, 98, ...range(126, 129), ...range(131, 134), ...range(137, 138), ...range(141, 142)];
    expect(opcodes).toEqual([...listed, ...range(149, 153), ...range(187, 254)]);
  });
});
