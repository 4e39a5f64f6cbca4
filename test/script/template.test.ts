import { describe, expect, test } from 'vitest';
import {
  CURRENT_TEMPLATES,
  classifyScript,
  hasPubkeyShape,
  isPayToScriptHash,
  parseHex,
  type TemplateRules,
  witnessProgramOf,
} from '../support/library.ts';

const MODERN = CURRENT_TEMPLATES;
const LEGACY: TemplateRules = { maxMultisigKeys: 16, anchor: false, mweb: false };
const LITECOIN: TemplateRules = { ...LEGACY, mweb: true };
const typeOf = (hex: string, rules: TemplateRules = MODERN): string => classifyScript(parseHex(hex), rules).type;

/** No point of the curve: keys are told by their shape alone. */
const KEY = `02${'05'.repeat(32)}`;
const LONG = `04${'05'.repeat(64)}`;
const HASH_20 = '11'.repeat(20);
const HASH_32 = '22'.repeat(32);

describe('single templates', () => {
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
  ])('%s: %s', (type, hex) => {
    expect(typeOf(hex)).toBe(type);
    expect(typeOf(hex, LEGACY)).toBe(type);
    expect(typeOf(hex, LITECOIN)).toBe(type);
  });

  test('a P2SH script is told before anything else', () => {
    expect(isPayToScriptHash(parseHex(`a914${HASH_20}87`))).toBe(true);
    expect(isPayToScriptHash(parseHex(`a914${HASH_20}86`))).toBe(false);
  });

  test('what a template holds is a copy', () => {
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
  ])('%s: %s', (type, hex) => {
    expect(typeOf(hex)).toBe(type);
    expect(typeOf(hex, LEGACY)).toBe(type);
  });

  test('pay-to-anchor is a type of its own to newer nodes', () => {
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
  ])('%s is %s on Litecoin', (hex, type) => {
    expect(typeOf(hex, LITECOIN)).toBe(type);
    expect(typeOf(hex)).toBe('witness_unknown');
  });

  test('have a version and a program', () => {
    expect(witnessProgramOf(parseHex('6002abcd'))).toEqual({ version: 16, program: parseHex('abcd') });
    expect(witnessProgramOf(parseHex('0002abcd'))).toEqual({ version: 0, program: parseHex('abcd') });
    expect(witnessProgramOf(parseHex('6a02abcd'))).toBeUndefined();
    expect(witnessProgramOf(parseHex(''))).toBeUndefined();
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
    ['1 of 1 with a key behind OP_PUSHDATA1', `514c21${KEY}51ae`],
    ['1 of 1 with a key behind OP_PUSHDATA2', `514d2100${KEY}51ae`],
    ['1 of 1 with a key behind OP_PUSHDATA4', `514e21000000${KEY}51ae`],
  ])('%s is one for all', (_, hex) => {
    expect(typeOf(hex)).toBe('multisig');
    expect(typeOf(hex, LEGACY)).toBe('multisig');
  });

  test.each([
    ['1 of 17', multisig('51', 17, '0111')],
    ['1 of 20', multisig('51', 20, '0114')],
    ['16 of 17', multisig('60', 17, '0111')],
    ['17 of 17', multisig('0111', 17, '0111')],
    ['20 of 20', multisig('0114', 20, '0114')],
  ])('%s is one for newer nodes', (_, hex) => {
    expect(typeOf(hex)).toBe('multisig');
    expect(typeOf(hex, LEGACY)).toBe('nonstandard');
  });

  test.each([
    ['0 of 1', multisig('00', 1, '51')],
    ['0 of 0', multisig('00', 0, '00')],
    ['1 of 0', multisig('51', 0, '00')],
    ['2 of 1', multisig('52', 1, '51')],
    ['1 of 1 that says 2', multisig('51', 1, '52')],
    ['1 of 2 that says 1', multisig('51', 2, '51')],
    ['1 of 21', multisig('51', 21, '0115')],
    ['1 of 17 that is an opcode', multisig('51', 17, '61')],
    ['-1 of 1', multisig('4f', 1, '51')],
    ['m pushed that has an opcode', multisig('0101', 1, '51')],
    ['n pushed that has an opcode', multisig('51', 1, '0101')],
    ['m of 16 pushed', multisig('0110', 16, '60')],
    ['n behind OP_PUSHDATA1', multisig('51', 17, '4c0111')],
    ['n behind OP_PUSHDATA2', multisig('51', 17, '4d010011')],
    ['n in two bytes', multisig('51', 17, '021100')],
    ['n in five bytes', multisig('51', 17, '051100000000')],
    ['n negative', multisig('51', 17, '0191')],
    ['n as an empty push', multisig('51', 17, '4c00')],
    ['m as an empty push', multisig('4c00', 1, '51')],
    ['m as OP_RESERVED', multisig('50', 1, '51')],
    ['a key of 32 bytes', `5120${KEY.slice(2)}51ae`],
    ['a key of another header', `5121${KEY.replace('02', '05')}51ae`],
    ['a key cut off', `51${keys(1)}21${KEY.slice(2)}ae`],
    ['no n', `51${keys(1)}ae`],
    ['no m', `${keys(1)}51ae`],
    ['only OP_CHECKMULTISIG', 'ae'],
    ['only m', '51ae'],
    ['m and n', '5151ae'],
    ['OP_CHECKMULTISIGVERIFY', `51${keys(1)}51af`],
    ['an opcode after it', `51${keys(1)}51ae61`],
    ['an opcode before it', `51${keys(1)}5161ae`],
    ['two of them', `51${keys(1)}51aeae`],
    ['a key between', `51${keys(1)}51${keys(1)}ae`],
    ['a last key that ends like it', `51${keys(1)}21${KEY.slice(0, -2)}ae`],
    ['n that ends like it', `51${keys(1)}01ae`],
  ])('%s is none', (_, hex) => {
    expect(typeOf(hex)).toBe('nonstandard');
    expect(typeOf(hex, LEGACY)).toBe('nonstandard');
  });

  test('keeps the keys in their order', () => {
    const template = classifyScript(parseHex(`5241${LONG}21${KEY}52ae`));
    expect(template).toEqual({ type: 'multisig', required: 2, pubkeys: [parseHex(LONG), parseHex(KEY)] });
  });

  test('looks at the shape of keys only', () => {
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
