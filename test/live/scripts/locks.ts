import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { isUnspendable, OP } from '../../support/library.ts';
import { concat, hash160, plainPush, sha256 } from './bytes.ts';
import { checkWith } from './checks.ts';
import { scriptFlaw, spoil } from './corrupt.ts';
import { soup } from './randomPrograms.ts';
import { lockCheckFor, type Shape } from './shapes.ts';
import { publicKey } from './signatures.ts';
import { type Item, join, mostly, type Piece, piece, raw } from './stackItems.ts';

/** A coin's scripts, and the stack items that spend it. */
export interface Lock {
  readonly scriptPubKey: Uint8Array;
  /** The script that signatures commit to. */
  readonly script: Uint8Array;
  readonly items: readonly Item[];
  /** True if the items go into the witness. */
  readonly isWitness: boolean;
  /** The last push of the scriptSig. */
  readonly redeemScript?: Uint8Array;
  /** The last item of the witness. */
  readonly witnessScript?: Uint8Array;
}

/** Opcodes with a VERIFY form, which is the next opcode. */
const FUSED: ReadonlySet<number> = new Set([OP.EQUAL, OP.NUMEQUAL, OP.CHECKSIG, OP.CHECKMULTISIG]);

/** Makes a check verify its result instead of leaving it on the stack. */
function verified(check: Piece, isFused: boolean): Piece {
  const last = check.code.at(-1) ?? 0;
  if (!isFused || !FUSED.has(last)) return join(check, piece([], OP.VERIFY));
  return { ...check, code: concat(check.code.slice(0, -1), [last + 1]) };
}

function checksFor(shape: Shape): fc.Arbitrary<Piece> {
  const check = checkWith(lockCheckFor(shape));
  return fc
    .tuple(fc.array(fc.tuple(check, fc.boolean()), { maxLength: 2 }), check)
    .map(([first, last]) => join(...first.map(([part, isFused]) => verified(part, isFused)), last));
}

const nonsense = fc
  .array(fc.oneof(bytes(1), bytes(0, 40).map(plainPush)), { maxLength: 10 })
  .map((parts) => raw(concat(...parts)));

function scriptFor(shape: Shape): fc.Arbitrary<Piece> {
  const script = mostly(mostly(checksFor(shape), soup, 2), nonsense, 15);
  return fc
    .tuple(script, mostly(fc.constant(undefined), scriptFlaw))
    .map(([valid, flaw]) => (flaw ? { ...valid, code: spoil(valid.code, flaw) } : valid));
}

const payToScriptHash = (script: Uint8Array): Uint8Array => concat([OP.HASH160, 20], hash160(script), [OP.EQUAL]);
const witnessProgram = (version: number, data: Uint8Array): Uint8Array => concat([version], plainPush(data));

/** Wraps a lock in P2SH if `isNested`. */
const inScriptHash = (lock: Lock, isNested: boolean): Lock =>
  isNested ? { ...lock, scriptPubKey: payToScriptHash(lock.scriptPubKey), redeemScript: lock.scriptPubKey } : lock;

const scriptLock = (shape: Shape): fc.Arbitrary<Lock> =>
  fc.tuple(scriptFor(shape), fc.boolean(), fc.boolean()).map(([{ code, items }, isWitness, isNested]) => {
    const bare = { scriptPubKey: code, script: code, items, isWitness };
    const lock = isWitness ? { ...bare, scriptPubKey: witnessProgram(0, sha256(code)), witnessScript: code } : bare;
    return inScriptHash(lock, isNested);
  });

const keyForm = fc.constantFrom('compressed' as const, 'compressed' as const, 'uncompressed' as const);
const sighashType = fc.constantFrom(0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x04);
const keyHashLock = fc
  .tuple(fc.nat({ max: 5 }), keyForm, sighashType, fc.boolean())
  .map(([secret, form, type, isNested]) => {
    const key = publicKey(secret, form);
    const script = piece([], OP.DUP, OP.HASH160, hash160(key), OP.EQUALVERIFY, OP.CHECKSIG).code;
    const items = [{ secret, sighashType: type, form: 'strict' as const }, key];
    const scriptPubKey = witnessProgram(0, hash160(key));
    return inScriptHash({ scriptPubKey, script, items, isWitness: true }, isNested);
  });

/** Unknown and invalid witness programs, and scripts that only resemble them. */
const programLock = fc
  .tuple(
    mostly(fc.integer({ min: OP['1'], max: OP['16'] }), fc.constantFrom(OP['0'], OP['1NEGATE']), 2),
    bytes(1, 41),
    fc.array(bytes(0, 5), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([version, program, items, isNested]) => {
    const scriptPubKey = witnessProgram(version, program);
    return inScriptHash({ scriptPubKey, script: scriptPubKey, items, isWitness: true }, isNested);
  });

/** Excludes unspendable coins, and taproot ones, whose witnesses may crash this node. */
function isComparable({ scriptPubKey }: Lock): boolean {
  const isTaproot = scriptPubKey.length === 34 && scriptPubKey[0] === OP['1'] && scriptPubKey[1] === 32;
  return !isTaproot && !isUnspendable(scriptPubKey);
}

export function lockFor(shape: Shape): fc.Arbitrary<Lock> {
  return fc
    .oneof(
      { weight: 20, arbitrary: scriptLock(shape) },
      { weight: 2, arbitrary: keyHashLock },
      { weight: 1, arbitrary: programLock },
    )
    .filter(isComparable);
}
