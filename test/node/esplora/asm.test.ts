import { expect, test } from 'vitest';
import { esploraAsm } from '../../../src/node/esplora/asm.ts';
import { parseHex } from '../../support/library.ts';

test.each([
  ['', ''],
  ['00', 'OP_0'],
  ['4f50515260', 'OP_PUSHNUM_NEG1 OP_RESERVED OP_PUSHNUM_1 OP_PUSHNUM_2 OP_PUSHNUM_16'],
  ['61b0b1b2b3b9ba', 'OP_NOP OP_NOP1 OP_CLTV OP_CSV OP_NOP4 OP_NOP10 OP_CHECKSIGADD'],
  ['bbfeff', 'OP_RETURN_187 OP_RETURN_254 OP_INVALIDOPCODE'],
  ['4c02abcd', 'OP_PUSHDATA1 abcd'],
  ['4d02001234', 'OP_PUSHDATA2 1234'],
  ['4e020000005678', 'OP_PUSHDATA4 5678'],
  ['4c00', 'OP_PUSHDATA1'],
  ['51024e', 'OP_PUSHNUM_1 OP_PUSHBYTES_2 <push past end>'],
  ['4c024e', 'OP_PUSHDATA1 <push past end>'],
  ['514c', 'OP_PUSHNUM_1<unexpected end>'],
  ['4d01', '<unexpected end>'],
  // The coinbase of Bitcoin's block 00000000000000000007…09732, as blockstream.info shows it.
  [
    '0340600a0463f77f602f706f6f6c696e2e636f6d2ffabe6d6d4e4176dc3ab61820d9dde06fde2d60832bbfd022a3c3dd2fe59d88f95a0b08fa0100000000000000c5398f003bff87935185713123d0946c12904517cd0069396a0000000000',
    'OP_PUSHBYTES_3 40600a OP_PUSHBYTES_4 63f77f60 OP_PUSHBYTES_47 706f6f6c696e2e636f6d2ffabe6d6d4e4176dc3ab61820d9dde06fde2d60832bbfd022a3c3dd2fe59d88f95a0b08fa OP_PUSHBYTES_1 00 OP_0 OP_0 OP_0 OP_0 OP_0 OP_0 OP_RETURN_197 OP_PUSHBYTES_57 <push past end>',
  ],
])('%s', (hex, text) => {
  expect(esploraAsm(parseHex(hex))).toBe(text);
});
