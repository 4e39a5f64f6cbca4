import { type Instruction, instructionAt, isDataPush, isMinimalPush, pushedData } from '../../script/instructions.ts';
import { isMinimalNumber, readScriptNumber } from '../../script/number.ts';
import { OP } from '../../script/opcodes.ts';
import type { Fragment, HashName, Typed } from './fragment.ts';
import { typed } from './types.ts';

/** The largest witnessScript that is standard. @see Bitcoin Core `MAX_STANDARD_P2WSH_SCRIPT_SIZE` */
const MAX_SCRIPT_SIZE = 3600;
const MAX_LOCK = 2 ** 31 - 1;
const MAX_KEYS = 20;

/** An opcode, and what it pushes: OP_1 to OP_16 push a number of one byte. */
interface Op {
  readonly opcode: number;
  readonly data: Uint8Array;
}

/** The key of a hash, where one is known. */
export type KeyOfHash = (hash: Uint8Array) => Uint8Array | undefined;

/** The script from its end on. */
interface Cursor {
  readonly ops: readonly Op[];
  readonly keyOfHash: KeyOfHash;
  next: number;
}

/**
 * Decodes a witnessScript as miniscript. A hash of a key stands for the key, which must be known.
 * @returns `undefined` where it is none: it does not parse, or its parts do not fit together
 * @see BIP379; Bitcoin Core `miniscript::FromScript`, P2WSH
 */
export function decodeMiniscript(script: Uint8Array, keyOfHash: KeyOfHash): Typed | undefined {
  const ops = script.length > MAX_SCRIPT_SIZE ? undefined : decompose(script);
  if (!ops) return undefined;
  const cursor = { ops: ops.reverse(), keyOfHash, next: 0 };
  const root = parseExpression(cursor);
  return root?.type.base === 'B' && cursor.next === ops.length ? root : undefined;
}

const NOTHING = new Uint8Array(0);

/** Opcodes that verify what they find, as the two that they stand for. */
const SPLIT: ReadonlyMap<number, number> = /* @__PURE__ */ new Map<number, number>([
  [OP.CHECKSIGVERIFY, OP.CHECKSIG],
  [OP.CHECKMULTISIGVERIFY, OP.CHECKMULTISIG],
  [OP.EQUALVERIFY, OP.EQUAL],
  [OP.NUMEQUALVERIFY, OP.NUMEQUAL],
]);
const HAS_VERIFY_FORM: ReadonlySet<number> = /* @__PURE__ */ new Set(SPLIT.values());

/** Takes a script apart; `undefined` where something is not written in its shortest form. @see Core `DecomposeScript` */
function decompose(script: Uint8Array): Op[] | undefined {
  const ops: Op[] = [];
  for (let offset = 0; offset < script.length; ) {
    const instruction = instructionAt(script, offset);
    const parts = instruction && partsOf(script, instruction);
    if (!parts) return undefined;
    ops.push(...parts);
    offset = instruction.end;
  }
  return ops;
}

function partsOf(script: Uint8Array, instruction: Instruction): readonly Op[] | undefined {
  const { opcode, end } = instruction;
  if (isDataPush(instruction)) {
    return isMinimalPush(script, instruction) ? [{ opcode, data: pushedData(script, instruction) }] : undefined;
  }
  if (opcode >= OP['1'] && opcode <= OP['16']) return [{ opcode, data: Uint8Array.of(opcode - OP.RESERVED) }];
  const base = SPLIT.get(opcode);
  if (base !== undefined) return [base, OP.VERIFY].map((part) => ({ opcode: part, data: NOTHING }));
  return HAS_VERIFY_FORM.has(opcode) && script[end] === OP.VERIFY ? undefined : [{ opcode, data: NOTHING }];
}

const peek = ({ ops, next }: Cursor, ahead = 0): Op | undefined => ops[next + ahead];

/** Steps over these opcodes if they come next, in this order. */
function take(cursor: Cursor, ...opcodes: readonly number[]): boolean {
  if (!opcodes.every((opcode, i) => peek(cursor, i)?.opcode === opcode)) return false;
  cursor.next += opcodes.length;
  return true;
}

/** What cannot end an and_v: it belongs to the expression around. */
const ENDS_EXPRESSION: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP.IF,
  OP.ELSE,
  OP.NOTIF,
  OP.TOALTSTACK,
  OP.SWAP,
]);

/** One expression, or several that follow each other: and_v. */
function parseExpression(cursor: Cursor): Typed | undefined {
  const last = parseSingle(cursor);
  const before = peek(cursor);
  if (!last || !before || ENDS_EXPRESSION.has(before.opcode)) return last;
  const first = parseExpression(cursor);
  return first && typed({ kind: 'and_v', subs: [first, last] });
}

function parseSingle(cursor: Cursor): Typed | undefined {
  const leaf = parseLeaf(cursor);
  if (leaf !== undefined) return leaf === 'invalid' ? undefined : typed(leaf);
  if (take(cursor, OP.CHECKSIG)) return wrap('c', parseSingle(cursor));
  if (take(cursor, OP.VERIFY)) return wrap('v', parseSingle(cursor));
  if (take(cursor, OP['0NOTEQUAL'])) return wrap('n', parseSingle(cursor));
  const required = peek(cursor)?.opcode === OP.EQUAL ? numberOf(peek(cursor, 1)) : undefined;
  if (required !== undefined && required >= 1) {
    cursor.next += 2;
    return parseThresh(cursor, required);
  }
  if (take(cursor, OP.ENDIF)) return parseConditional(cursor);
  if (take(cursor, OP.BOOLAND)) return parseBoolean(cursor, 'and_b');
  return take(cursor, OP.BOOLOR) ? parseBoolean(cursor, 'or_b') : undefined;
}

function wrap(kind: 'a' | 's' | 'c' | 'd' | 'v' | 'j' | 'n', sub: Typed | undefined): Typed | undefined {
  return sub && typed({ kind, sub });
}

/** A fragment without parts; `invalid` where one begins that cannot be. */
function parseLeaf(cursor: Cursor): Fragment | 'invalid' | undefined {
  const first = peek(cursor);
  if (!first) return 'invalid';
  if (take(cursor, OP['1'])) return { kind: '1' };
  if (take(cursor, OP['0'])) return { kind: '0' };
  if (first.data.length === 33 || first.data.length === 32) {
    cursor.next += 1;
    return isKey(first.data) ? { kind: 'pk_k', key: first.data } : 'invalid';
  }
  return parseKeyHash(cursor) ?? parseLock(cursor) ?? parseHash(cursor) ?? parseMulti(cursor);
}

const isKey = (data: Uint8Array): boolean => data.length === 33 && (data[0] === 0x02 || data[0] === 0x03);

function parseKeyHash(cursor: Cursor): Fragment | 'invalid' | undefined {
  const hash = peek(cursor, 2)?.data;
  const isPattern = peek(cursor, 3)?.opcode === OP.HASH160 && peek(cursor, 4)?.opcode === OP.DUP;
  if (hash?.length !== 20 || !isPattern || !take(cursor, OP.VERIFY, OP.EQUAL)) return undefined;
  cursor.next += 3;
  const key = cursor.keyOfHash(hash);
  return key ? { kind: 'pk_h', hash, key } : 'invalid';
}

function parseLock(cursor: Cursor): Fragment | 'invalid' | undefined {
  const opcode = peek(cursor)?.opcode;
  const lock = numberOf(peek(cursor, 1));
  if ((opcode !== OP.CHECKSEQUENCEVERIFY && opcode !== OP.CHECKLOCKTIMEVERIFY) || lock === undefined) return undefined;
  cursor.next += 2;
  if (lock < 1 || lock > MAX_LOCK) return 'invalid';
  return { kind: opcode === OP.CHECKSEQUENCEVERIFY ? 'older' : 'after', lock };
}

const HASHES: ReadonlyMap<number, { name: HashName; size: number }> = /* @__PURE__ */ new Map<
  number,
  { name: HashName; size: number }
>([
  [OP.SHA256, { name: 'sha256', size: 32 }],
  [OP.HASH256, { name: 'hash256', size: 32 }],
  [OP.RIPEMD160, { name: 'ripemd160', size: 20 }],
  [OP.HASH160, { name: 'hash160', size: 20 }],
]);

/** SIZE 32 EQUALVERIFY HASH hash EQUAL, from its end. */
function parseHash(cursor: Cursor): Fragment | undefined {
  const { name, size } = HASHES.get(peek(cursor, 2)?.opcode ?? -1) ?? {};
  const hash = peek(cursor, 1)?.data;
  const isPattern =
    peek(cursor)?.opcode === OP.EQUAL &&
    peek(cursor, 3)?.opcode === OP.VERIFY &&
    peek(cursor, 4)?.opcode === OP.EQUAL &&
    numberOf(peek(cursor, 5)) === 32 &&
    peek(cursor, 6)?.opcode === OP.SIZE;
  if (!isPattern || !name || !hash || hash.length !== size) return undefined;
  cursor.next += 7;
  return { kind: 'hash', name, hash };
}

function parseMulti(cursor: Cursor): Fragment | 'invalid' | undefined {
  if (!take(cursor, OP.CHECKMULTISIG)) return undefined;
  const count = numberOf(peek(cursor)) ?? 0;
  if (count < 1 || count > MAX_KEYS) return 'invalid';
  const keys = Array.from({ length: count }, (_, i) => peek(cursor, 1 + i)?.data ?? NOTHING).reverse();
  const required = numberOf(peek(cursor, 1 + count)) ?? 0;
  if (!keys.every(isKey) || required < 1 || required > count) return 'invalid';
  cursor.next += count + 2;
  return { kind: 'multi', required, keys };
}

/** The number that an opcode pushes, in its shortest form. */
function numberOf(op: Op | undefined): number | undefined {
  if (!op) return undefined;
  if (op.opcode === OP['0']) return 0;
  const { data } = op;
  return data.length > 0 && data.length <= 4 && isMinimalNumber(data) ? readScriptNumber(data) : undefined;
}

function parseThresh(cursor: Cursor, required: number): Typed | undefined {
  const subs: Typed[] = [];
  while (take(cursor, OP.ADD)) {
    const sub = parseWrapped(cursor);
    if (!sub) return undefined;
    subs.push(sub);
  }
  const first = parseSingle(cursor);
  if (!first || required > subs.length + 1) return undefined;
  return typed({ kind: 'thresh', required, subs: [first, ...subs.reverse()] });
}

function parseBoolean(cursor: Cursor, kind: 'and_b' | 'or_b'): Typed | undefined {
  const second = parseWrapped(cursor);
  const first = second && parseSingle(cursor);
  return first && typed({ kind, subs: [first, second] });
}

/** An expression that is kept apart from the top item: on the altstack, or below it. */
function parseWrapped(cursor: Cursor): Typed | undefined {
  const isAlt = take(cursor, OP.FROMALTSTACK);
  const sub = parseExpression(cursor);
  return take(cursor, isAlt ? OP.TOALTSTACK : OP.SWAP) ? wrap(isAlt ? 'a' : 's', sub) : undefined;
}

/** What stands before an ENDIF. */
function parseConditional(cursor: Cursor): Typed | undefined {
  const last = parseExpression(cursor);
  if (!last) return undefined;
  if (take(cursor, OP.ELSE)) return parseElse(cursor, last);
  if (take(cursor, OP.IF)) {
    if (take(cursor, OP.DUP)) return wrap('d', last);
    return take(cursor, OP['0NOTEQUAL'], OP.SIZE) ? wrap('j', last) : undefined;
  }
  if (!take(cursor, OP.NOTIF)) return undefined;
  const kind = take(cursor, OP.IFDUP) ? 'or_d' : 'or_c';
  const first = parseSingle(cursor);
  return first && typed({ kind, subs: [first, last] });
}

/** IF x ELSE last ENDIF, or condition NOTIF x ELSE last ENDIF. */
function parseElse(cursor: Cursor, last: Typed): Typed | undefined {
  const before = parseExpression(cursor);
  if (!before) return undefined;
  if (take(cursor, OP.IF)) return typed({ kind: 'or_i', subs: [before, last] });
  const condition = take(cursor, OP.NOTIF) ? parseSingle(cursor) : undefined;
  return condition && typed({ kind: 'andor', subs: [condition, last, before] });
}
