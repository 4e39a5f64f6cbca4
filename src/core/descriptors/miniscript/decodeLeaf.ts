import {
  OP_0,
  OP_1,
  OP_CHECKLOCKTIMEVERIFY,
  OP_CHECKMULTISIG,
  OP_CHECKSEQUENCEVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGADD,
  OP_DUP,
  OP_EQUAL,
  OP_HASH160,
  OP_HASH256,
  OP_NUMEQUAL,
  OP_RIPEMD160,
  OP_SHA256,
  OP_SIZE,
  OP_VERIFY,
} from '../../script/opcodes.ts';
import { MAX_KEYS, MAX_LOCK } from './bounds.ts';
import { type Cursor, peek, pushedNumber, take } from './decompose.ts';
import type { Context, Fragment, HashName } from './fragment.ts';

/** Returns 33 bytes, or 32 in a tapscript. */
export type KeyOfHash = (hash: Uint8Array) => Uint8Array | undefined;

export interface Surroundings {
  readonly context: Context;
  readonly keyOfHash: KeyOfHash;
}

/** `undefined` if no leaf ends here; `invalid` if no miniscript can. */
type Found = Fragment | 'invalid' | undefined;

/** @see BIP379 "Translation Table" */
export function decodeLeaf(cursor: Cursor, around: Surroundings): Found {
  const first = peek(cursor);
  if (!first) return 'invalid';
  if (take(cursor, OP_1)) return { kind: '1' };
  if (take(cursor, OP_0)) return { kind: '0' };
  if (first.data.length === 33 || first.data.length === 32) {
    cursor.next += 1;
    return isKey(first.data, around.context) ? { kind: 'pk_k', key: first.data } : 'invalid';
  }
  return decodeKeyHash(cursor, around) ?? decodeLock(cursor) ?? decodeHash(cursor) ?? decodeMulti(cursor, around);
}

/** Does not check that the key is on the curve. */
const isKey = (data: Uint8Array, context: Context): boolean =>
  context === 'wsh' ? data.length === 33 && (data[0] === 0x02 || data[0] === 0x03) : data.length === 32;

function decodeKeyHash(cursor: Cursor, { keyOfHash }: Surroundings): Found {
  const hash = peek(cursor, 2)?.data;
  const isPattern = peek(cursor, 3)?.opcode === OP_HASH160 && peek(cursor, 4)?.opcode === OP_DUP;
  if (hash?.length !== 20 || !isPattern || !take(cursor, OP_VERIFY, OP_EQUAL)) return undefined;
  cursor.next += 3;
  const key = keyOfHash(hash);
  return key ? { kind: 'pk_h', key } : 'invalid';
}

function decodeLock(cursor: Cursor): Found {
  const opcode = peek(cursor)?.opcode;
  const lock = pushedNumber(peek(cursor, 1));
  if ((opcode !== OP_CHECKSEQUENCEVERIFY && opcode !== OP_CHECKLOCKTIMEVERIFY) || lock === undefined) return undefined;
  cursor.next += 2;
  if (lock < 1 || lock > MAX_LOCK) return 'invalid';
  return { kind: opcode === OP_CHECKSEQUENCEVERIFY ? 'older' : 'after', lock };
}

const HASHES: ReadonlyMap<number, { name: HashName; size: number }> = /* @__PURE__ */ new Map<
  number,
  { name: HashName; size: number }
>([
  [OP_SHA256, { name: 'sha256', size: 32 }],
  [OP_HASH256, { name: 'hash256', size: 32 }],
  [OP_RIPEMD160, { name: 'ripemd160', size: 20 }],
  [OP_HASH160, { name: 'hash160', size: 20 }],
]);

/** Decodes `SIZE 32 EQUALVERIFY HASH hash EQUAL`. */
function decodeHash(cursor: Cursor): Found {
  const { name, size } = HASHES.get(peek(cursor, 2)?.opcode ?? -1) ?? {};
  const hash = peek(cursor, 1)?.data;
  const isPattern =
    peek(cursor)?.opcode === OP_EQUAL &&
    peek(cursor, 3)?.opcode === OP_VERIFY &&
    peek(cursor, 4)?.opcode === OP_EQUAL &&
    pushedNumber(peek(cursor, 5)) === 32 &&
    peek(cursor, 6)?.opcode === OP_SIZE;
  if (!isPattern || !name || !hash || hash.length !== size) return undefined;
  cursor.next += 7;
  return { kind: 'hash', name, hash };
}

function decodeMulti(cursor: Cursor, { context }: Surroundings): Found {
  const [opcode, read] = context === 'wsh' ? [OP_CHECKMULTISIG, decodeCheckMultisig] : [OP_NUMEQUAL, decodeCheckSigAdd];
  return take(cursor, opcode) ? read(cursor) : undefined;
}

/** Decodes `k key… n`. */
function decodeCheckMultisig(cursor: Cursor): Found {
  const count = pushedNumber(peek(cursor)) ?? 0;
  if (count < 1 || count > MAX_KEYS.multi) return 'invalid';
  const keys = Array.from({ length: count }, (_, i) => peek(cursor, 1 + i)?.data ?? NO_KEY).reverse();
  const required = pushedNumber(peek(cursor, 1 + count)) ?? 0;
  if (!keys.every((key) => isKey(key, 'wsh')) || required < 1 || required > count) return 'invalid';
  cursor.next += count + 2;
  return { kind: 'multi', required, keys };
}

const NO_KEY = new Uint8Array(0);

/** Decodes `key CHECKSIG (key CHECKSIGADD)… k`. */
function decodeCheckSigAdd(cursor: Cursor): Found {
  const required = pushedNumber(peek(cursor)) ?? 0;
  if (required < 1) return 'invalid';
  cursor.next += 1;
  const keys: Uint8Array[] = [];
  while (keys.length < MAX_KEYS.multi_a) {
    const isFirst = take(cursor, OP_CHECKSIG);
    if (!isFirst && !take(cursor, OP_CHECKSIGADD)) return 'invalid';
    const key = peek(cursor)?.data ?? NO_KEY;
    if (!isKey(key, 'tapscript')) return 'invalid';
    keys.push(key);
    cursor.next += 1;
    if (isFirst && required > keys.length) return 'invalid';
    if (isFirst) return { kind: 'multi_a', required, keys: keys.reverse() };
  }
  return 'invalid';
}
