import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { OP } from '../../support/library.ts';
import { concat, numberBytes, plainPush, pushAs, ripemd160, sha1, sha256 } from './bytes.ts';
import { item } from './randomPrograms.ts';
import { heldSignatureCheck, multisigCheck, signatureCheck } from './signatureChecks.ts';
import { join, mostly, oneOf, type Piece, piece, raw } from './stackItems.ts';

/** Pieces that leave one item, true if the check passes; nearly all end in an opcode. */

const HASHES = [
  [OP.RIPEMD160, ripemd160],
  [OP.SHA1, sha1],
  [OP.SHA256, sha256],
] as const;
const hashCheck = fc
  .tuple(fc.constantFrom(...HASHES), bytes(0, 70))
  .map(([[opcode, hash], preimage]) => piece([preimage], opcode, hash(preimage), OP.EQUAL));

/** Unusual encodings of numbers: too long, padded with zeros, negative zero. */
const oddNumber = oneOf([0], [0x80], [1, 0], [0, 0x80], [0, 0, 0, 0, 1], [0, 0, 0, 0x80], [1, 2, 3, 4, 5]);
const numberCheck = fc
  .tuple(mostly(item, oddNumber, 2), item, fc.integer({ min: OP['1ADD'], max: OP.WITHIN }))
  .map(([a, b, opcode]) => piece([a], b, opcode));
const equalCheck = fc
  .tuple(item, mostly(fc.constant(undefined), item, 4), fc.constantFrom(OP.EQUAL, OP.NUMEQUAL))
  .map(([value, other, opcode]) => piece([value], other ?? value, opcode));

/** Scripts near the limits of opcodes, stack size and element size. */
const largeCheck = fc.oneof(
  fc.integer({ min: 190, max: 203 }).map((count) => raw(concat(new Uint8Array(count).fill(OP.NOP), [OP['1']]))),
  fc.integer({ min: 995, max: 1003 }).map((count) => raw(new Uint8Array(count).fill(OP['1']))),
  fc.tuple(fc.integer({ min: 518, max: 522 }), fc.boolean()).map(([size, isGiven]) => {
    const data = new Uint8Array(size);
    const isAsLarge = piece([], OP.SIZE, numberBytes(size), OP.EQUAL, OP.NIP);
    return join(isGiven ? piece([data]) : piece([], data), isAsLarge);
  }),
);

const anyOpcode = fc.integer({ min: OP['1NEGATE'], max: 0xff }).map((opcode) => piece([], opcode, OP['1']));
const plainCheck = fc.constantFrom(
  piece([], OP.NOP1, OP['1']),
  piece([], OP.NOP10, OP['1']),
  piece([], OP['1'], OP.RETURN),
  piece([], OP.CAT),
  piece([], OP.FROMALTSTACK),
  piece([], OP['1NEGATE'], OP.CHECKLOCKTIMEVERIFY),
  piece([Uint8Array.of(1)], OP.NOP),
  piece([], OP['0']),
);
/** Minimal and non-minimal pushes. */
const pushCheck = fc
  .tuple(fc.oneof(bytes(0, 3), bytes(70, 80), bytes(250, 260)), fc.constantFrom(0, 1, 2, 4))
  .map(([data, size]) => join(raw(size === 0 ? plainPush(data) : pushAs(data, size)), piece([], OP.DROP, OP['1'])));

const simpleCheck: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 10, arbitrary: signatureCheck },
  { weight: 7, arbitrary: multisigCheck },
  { weight: 2, arbitrary: heldSignatureCheck },
  { weight: 2, arbitrary: hashCheck },
  { weight: 3, arbitrary: numberCheck },
  { weight: 3, arbitrary: equalCheck },
  { weight: 2, arbitrary: largeCheck },
  { weight: 1, arbitrary: anyOpcode },
  { weight: 2, arbitrary: plainCheck },
  { weight: 1, arbitrary: pushCheck },
);

/** The operand of OP_IF: minimal or not. */
const condition = mostly(oneOf([1], []), oneOf([0], [0x80], [2], [1, 0], [0, 0x80], [0, 0, 0, 0, 0, 0, 0, 1]));
const isYes = (said: Uint8Array): boolean => said.some((byte) => byte !== 0 && byte !== 0x80);

const opcodes = (...choices: readonly number[]): fc.Arbitrary<Uint8Array> =>
  oneOf(...choices.map((choice) => [choice]));
/** Code that is harmless in a branch that is not executed. */
const harmless = fc.oneof(
  opcodes(OP.RETURN, OP.VER, OP.RESERVED, OP.NOP4, OP.CHECKMULTISIG, OP.CHECKSIGADD, 0xff, OP.VERIFY, OP.DROP),
  oneOf([OP.IF, OP.NOTIF, OP.ELSE, OP.ELSE, OP.ENDIF, OP.ENDIF], [OP.NOTIF, OP.ENDIF], []),
  fc.tuple(bytes(0, 90), fc.constantFrom(1, 2, 4)).map(([data, size]) => pushAs(data, size)),
);
const harmful = fc.oneof(
  opcodes(OP.VERIF, OP.VERNOTIF, OP.ELSE, OP.ENDIF, OP.IF, OP.CAT, OP.RSHIFT, OP['2MUL'], OP.CODESEPARATOR),
  fc.constant(pushAs(new Uint8Array(521), 2)),
);
const skipped = fc.array(mostly(harmless, harmful, 12), { maxLength: 3 }).map((parts) => raw(concat(...parts)));

/** Puts a piece into the executed branch of an OP_IF, and other code into the skipped one. */
const inBranch = (inner: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  fc.tuple(inner, condition, fc.boolean(), skipped).map(([taken, said, isNot, other]) => {
    const branches = isYes(said) === isNot ? [other, taken] : [taken, other];
    const [first = other, second = other] = branches;
    const start = piece([said], isNot ? OP.NOTIF : OP.IF);
    return join(start, first, piece([], OP.ELSE), second, piece([], OP.ENDIF));
  });

/** Puts an OP_CODESEPARATOR before a piece. */
const separated = (inner: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  inner.map((behind) => join({ ...piece([], OP.CODESEPARATOR), separator: 1 }, behind));

const viaAltstack = (inner: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  inner.map((kept) => join(kept, piece([], OP.TOALTSTACK, OP.FROMALTSTACK)));

/** Makes checks of all kinds; `lock`: the timelock checks that suit the transaction. */
export function checkWith(lock: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> {
  const check = mostly(simpleCheck, lock, 5);
  return fc.oneof(
    { weight: 8, arbitrary: check },
    { weight: 2, arbitrary: inBranch(check) },
    { weight: 1, arbitrary: inBranch(inBranch(separated(check))) },
    { weight: 1, arbitrary: separated(check) },
    { weight: 1, arbitrary: viaAltstack(check) },
  );
}
