/** Opcodes that this library names in code. @see Bitcoin Core `script.h` */
export const OP = {
  PUSHDATA1: 0x4c,
  PUSHDATA2: 0x4d,
  PUSHDATA4: 0x4e,
  '1NEGATE': 0x4f,
  RESERVED: 0x50,
  '1': 0x51,
  '16': 0x60,
  RETURN: 0x6a,
  DUP: 0x76,
  EQUAL: 0x87,
  EQUALVERIFY: 0x88,
  HASH160: 0xa9,
  CHECKSIG: 0xac,
  CHECKMULTISIG: 0xae,
  NOP10: 0xb9,
  CHECKSIGADD: 0xba,
} as const;

/** Names from 0x61 (OP_NOP) on, in order. */
const NAMES_FROM_NOP =
  'NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP ' +
  'IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY ' +
  'RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR ' +
  'NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 ' +
  'SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 ' +
  'CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10 CHECKSIGADD';

const OP_NAMES: readonly string[] = NAMES_FROM_NOP.split(' ').map((name) => `OP_${name}`);

/** The name that a node prints for an opcode that is no data push. @see Bitcoin Core `GetOpName` */
export function opcodeName(opcode: number): string {
  if (opcode === OP['1NEGATE']) return '-1';
  if (opcode === OP.RESERVED) return 'OP_RESERVED';
  if (opcode >= OP['1'] && opcode <= OP['16']) return String(opcode - OP.RESERVED);
  if (opcode === 0xff) return 'OP_INVALIDOPCODE';
  return OP_NAMES[opcode - 0x61] ?? 'OP_UNKNOWN';
}

/** Whether tapscript succeeds at once on meeting this opcode. @see BIP342 "Rationale", OP_SUCCESSx */
export function isOpSuccess(opcode: number): boolean {
  return (
    opcode === 80 ||
    opcode === 98 ||
    (opcode >= 126 && opcode <= 129) ||
    (opcode >= 131 && opcode <= 134) ||
    (opcode >= 137 && opcode <= 138) ||
    (opcode >= 141 && opcode <= 142) ||
    (opcode >= 149 && opcode <= 153) ||
    (opcode >= 187 && opcode <= 254)
  );
}
