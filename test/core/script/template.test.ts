import { describe, expect, test } from 'vitest';
import {
  CURRENT_TEMPLATES,
  classifyScript,
  hasPubkeyShape,
  isPayToScriptHash,
  parseHex,
  parseWitnessProgram,
  type TemplateRules,
} from '../../support/library.ts';

const MODERN = CURRENT_TEMPLATES;
const LEGACY: TemplateRules = { maxMultisigKeys: 16, anchor: false, mweb: false };
const LITECOIN: TemplateRules = { ...LEGACY, mweb: true };
const typeOf = (hex: string, rules: TemplateRules = MODERN): string => classifyScript(parseHex(hex), rules).type;

/** Not a point on the curve: `classifyScript` checks only the size and first byte of keys. */
const KEY = `02${'05'.repeat(32)}`;
const LONG = `04${'05'.repeat(64)}`;
const HASH_20 = '11'.repeat(20);
const HASH_32 = '22'.repeat(32);

describe('scripts without a witness program or multisig', () => {
  test.each([
    ['scripthash', `a914${HASH_20}87`],
    ['nonstandard', `a914${HASH_20}88`],
    ['nonstandard', `a915${HASH_20}0087`],
    ['nonstandard', `a94c14${HASH_20}87`],
    ['nonstandard', `a914${HASH_20}8761`],
    ['nonstandard', `a914${HASH_20}`],
    ['pubkeyhash', `76a914${HASH_20}88ac`],
    ['nonstandard', `76a914${HASH_20}88`],
    ['nonstandard', `76a914${HASH_20}88ad`],
    ['nonstandard', `76a914${HASH_20}88ac61`],
    ['nonstandard', `76a84c14${HASH_20}88ac`],
    ['pubkey', `21${KEY}ac`],
    ['pubkey', `41${LONG}ac`],
    ['pubkey', `41${LONG.replace('04', '06')}ac`],
    ['pubkey', `41${LONG.replace('04', '07')}ac`],
    ['nonstandard', `21${KEY.replace('02', '04')}ac`],
    ['nonstandard', `21${KEY.replace('02', '00')}ac`],
    ['nonstandard', `41${LONG.replace('04', '02')}ac`],
    ['nonstandard', `41${LONG.replace('04', '05')}ac`],
    ['nonstandard', `4c21${KEY}ac`],
    ['nonstandard', `21${KEY}ad`],
    ['nonstandard', `21${KEY}acac`],
    ['nulldata', '6a'],
    ['nulldata', '6a00'],
    ['nulldata', '6a50'],
    ['nulldata', '6a0151604f4c00'],
    ['nulldata', `6a4d0004${'00'.repeat(1024)}`],
    ['nonstandard', '6a61'],
    ['nonstandard', '6a6a'],
    ['nonstandard', '6a02aa'],
    ['nonstandard', '6a4c'],
    ['nonstandard', '516a'],
    ['nonstandard', ''],
    ['nonstandard', '00'],
    ['nonstandard', '51'],
  ])('are %s: %s', (type, hex) => {
    expect(typeOf(hex)).toBe(type);
    expect(typeOf(hex, LEGACY)).toBe(type);
    expect(typeOf(hex, LITECOIN)).toBe(type);
  });

  test('are recognized as P2SH', () => {
    expect(isPayToScriptHash(parseHex(`a914${HASH_20}87`))).toBe(true);
    expect(isPayToScriptHash(parseHex(`a914${HASH_20}86`))).toBe(false);
  });

  test('are not aliased by their template', () => {
    const script = parseHex(`76a914${HASH_20}88ac`);
    const template = classifyScript(script);
    script.fill(0);
    expect(template).toEqual({ type: 'pubkeyhash', hash: parseHex(HASH_20) });
  });
});

describe('witness programs', () => {
  test.each([
    ['witness_v0_keyhash', `0014${HASH_20}`],
    ['witness_v0_scripthash', `0020${HASH_32}`],
    ['nonstandard', `0002${HASH_20.slice(0, 4)}`],
    ['nonstandard', `0013${HASH_20.slice(2)}`],
    ['nonstandard', `0015${HASH_20}11`],
    ['nonstandard', `001f${HASH_32.slice(2)}`],
    ['nonstandard', `0021${HASH_32}22`],
    ['nonstandard', `0028${'22'.repeat(40)}`],
    ['nonstandard', `0014${HASH_20}00`],
    ['nonstandard', `0014${HASH_20.slice(2)}`],
    ['nonstandard', `004c14${HASH_20}`],
    ['witness_v1_taproot', `5120${HASH_32}`],
    ['witness_v1_taproot', `5120${'00'.repeat(32)}`],
    ['witness_unknown', `511f${HASH_32.slice(2)}`],
    ['witness_unknown', `5121${HASH_32}22`],
    ['witness_unknown', `5220${HASH_32}`],
    ['witness_unknown', `6020${HASH_32}`],
    ['witness_unknown', '5102aaaa'],
    ['witness_unknown', `5128${'aa'.repeat(40)}`],
    ['nonstandard', `5129${'aa'.repeat(41)}`],
    ['nonstandard', '5101aa'],
    ['nonstandard', '5100'],
    ['nonstandard', `5020${HASH_32}`],
    ['nonstandard', `4f20${HASH_32}`],
    ['nonstandard', `6120${HASH_32}`],
    ['nonstandard', `0120${HASH_32}`],
    ['nonstandard', `512022${HASH_32}`],
    ['witness_unknown', '52024e73'],
    ['witness_unknown', '5102734e'],
    ['witness_unknown', '51034e7300'],
  ])('are %s: %s', (type, hex) => {
    expect(typeOf(hex)).toBe(type);
    expect(typeOf(hex, LEGACY)).toBe(type);
  });

  test('are of type anchor for pay-to-anchor, but only in newer nodes', () => {
    expect(typeOf('51024e73')).toBe('anchor');
    expect(typeOf('51024e73', LEGACY)).toBe('witness_unknown');
    expect(classifyScript(parseHex('51024e73'), LEGACY)).toEqual({
      type: 'witness_unknown',
      version: 1,
      program: parseHex('4e73'),
    });
  });

  test.each([
    [`5820${HASH_32}`, 'witness_mweb_hogaddr'],
    [`5920${HASH_32}`, 'witness_mweb_pegin'],
    [`5720${HASH_32}`, 'witness_unknown'],
    [`5a20${HASH_32}`, 'witness_unknown'],
    [`581f${HASH_32.slice(2)}`, 'witness_unknown'],
    [`5921${HASH_32}22`, 'witness_unknown'],
  ])('%s are %s on Litecoin', (hex, type) => {
    expect(typeOf(hex, LITECOIN)).toBe(type);
    expect(typeOf(hex)).toBe('witness_unknown');
  });

  test('are parsed to a version and a program', () => {
    expect(parseWitnessProgram(parseHex('6002abcd'))).toEqual({ version: 16, program: parseHex('abcd') });
    expect(parseWitnessProgram(parseHex('0002abcd'))).toEqual({ version: 0, program: parseHex('abcd') });
    expect(parseWitnessProgram(parseHex('6a02abcd'))).toBeUndefined();
    expect(parseWitnessProgram(parseHex(''))).toBeUndefined();
  });
});

describe('multisig', () => {
  const keys = (count: number): string => `21${KEY}`.repeat(count);
  const multisig = (m: string, count: number, n: string): string => `${m}${keys(count)}${n}ae`;

  test.each([
    ['1 of 1', multisig('51', 1, '51')],
    ['16 of 16', multisig('60', 16, '60')],
    ['1 of 2 with a long key', `51${keys(1)}41${LONG}52ae`],
    ['1 of 1 with a hybrid key', `5141${LONG.replace('04', '06')}51ae`],
    ['1 of 1 with a key pushed by OP_PUSHDATA1', `514c21${KEY}51ae`],
    ['1 of 1 with a key pushed by OP_PUSHDATA2', `514d2100${KEY}51ae`],
    ['1 of 1 with a key pushed by OP_PUSHDATA4', `514e21000000${KEY}51ae`],
  ])('%s is recognized by all nodes', (_, hex) => {
    expect(typeOf(hex)).toBe('multisig');
    expect(typeOf(hex, LEGACY)).toBe('multisig');
  });

  test.each([
    ['1 of 17', multisig('51', 17, '0111')],
    ['1 of 20', multisig('51', 20, '0114')],
    ['16 of 17', multisig('60', 17, '0111')],
    ['17 of 17', multisig('0111', 17, '0111')],
    ['20 of 20', multisig('0114', 20, '0114')],
  ])('%s is recognized only by newer nodes', (_, hex) => {
    expect(typeOf(hex)).toBe('multisig');
    expect(typeOf(hex, LEGACY)).toBe('nonstandard');
  });

  test.each([
    ['0 of 1', multisig('00', 1, '51')],
    ['0 of 0', multisig('00', 0, '00')],
    ['1 of 0', multisig('51', 0, '00')],
    ['2 of 1', multisig('52', 1, '51')],
    ['1 of 1 that states 2 keys', multisig('51', 1, '52')],
    ['1 of 2 that states 1 key', multisig('51', 2, '51')],
    ['1 of 21', multisig('51', 21, '0115')],
    ['1 of 17 with n as an opcode', multisig('51', 17, '61')],
    ['-1 of 1', multisig('4f', 1, '51')],
    ['m pushed although it has an opcode', multisig('0101', 1, '51')],
    ['n pushed although it has an opcode', multisig('51', 1, '0101')],
    ['m of 16 pushed', multisig('0110', 16, '60')],
    ['n pushed by OP_PUSHDATA1', multisig('51', 17, '4c0111')],
    ['n pushed by OP_PUSHDATA2', multisig('51', 17, '4d010011')],
    ['n in two bytes', multisig('51', 17, '021100')],
    ['n in five bytes', multisig('51', 17, '051100000000')],
    ['a negative n', multisig('51', 17, '0191')],
    ['n as an empty push', multisig('51', 17, '4c00')],
    ['m as an empty push', multisig('4c00', 1, '51')],
    ['m as OP_RESERVED', multisig('50', 1, '51')],
    ['a key of 32 bytes', `5120${KEY.slice(2)}51ae`],
    ['a key with another first byte', `5121${KEY.replace('02', '05')}51ae`],
    ['a truncated key', `51${keys(1)}21${KEY.slice(2)}ae`],
    ['no n', `51${keys(1)}ae`],
    ['no m', `${keys(1)}51ae`],
    ['only OP_CHECKMULTISIG', 'ae'],
    ['only m', '51ae'],
    ['m and n', '5151ae'],
    ['OP_CHECKMULTISIGVERIFY', `51${keys(1)}51af`],
    ['an opcode after OP_CHECKMULTISIG', `51${keys(1)}51ae61`],
    ['an opcode before OP_CHECKMULTISIG', `51${keys(1)}5161ae`],
    ['two OP_CHECKMULTISIG', `51${keys(1)}51aeae`],
    ['a key after n', `51${keys(1)}51${keys(1)}ae`],
    ['OP_CHECKMULTISIG as the last byte of a key', `51${keys(1)}21${KEY.slice(0, -2)}ae`],
    ['OP_CHECKMULTISIG as the data of n', `51${keys(1)}01ae`],
  ])('%s is not recognized', (_, hex) => {
    expect(typeOf(hex)).toBe('nonstandard');
    expect(typeOf(hex, LEGACY)).toBe('nonstandard');
  });

  test('keeps its keys in order', () => {
    const template = classifyScript(parseHex(`5241${LONG}21${KEY}52ae`));
    expect(template).toEqual({ type: 'multisig', required: 2, pubkeys: [parseHex(LONG), parseHex(KEY)] });
  });

  test('needs only keys of the right size and first byte', () => {
    expect(['', '02', KEY.slice(2), KEY, `${KEY}00`, LONG].map((hex) => hasPubkeyShape(parseHex(hex)))).toEqual([
      false,
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});
