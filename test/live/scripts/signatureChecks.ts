import fc from 'fast-check';
import { OP } from '../../support/library.ts';
import { concat, hash160, plainPush, push, pushAs, pushNumber } from './bytes.ts';
import {
  KEY_FORMS,
  type KeyForm,
  publicKey,
  SECRETS,
  SIGNATURE_FORMS,
  type Signature,
  type SignatureForm,
  signNothing,
} from './signatures.ts';
import { join, mostly, oneOf, type Piece, piece, raw } from './stackItems.ts';

/** Pieces that check signatures and leave the result. */

const secret = fc.nat({ max: SECRETS.length - 1 });
const keyForm: fc.Arbitrary<KeyForm> = mostly(
  fc.constant('compressed'),
  mostly(fc.constant('uncompressed'), fc.constantFrom(...KEY_FORMS), 1),
);
const sighashType = mostly(
  fc.constantFrom(0x01, 0x02, 0x03, 0x81, 0x82, 0x83),
  fc.constantFrom(0x00, 0x04, 0x41, 0x22, 0x63, 0x80, 0x84, 0xff),
  20,
);
const signatureForm = mostly(
  fc.constant<SignatureForm>('strict'),
  mostly(fc.constantFrom<SignatureForm>('highS', 'wrong', 'empty'), fc.constantFrom(...SIGNATURE_FORMS), 1),
  7,
);
const signatureBy = (by: number): fc.Arbitrary<Signature> =>
  fc.record({ secret: fc.constant(by), sighashType, form: signatureForm });

const EMPTY = new Uint8Array(0);

/** OP_CHECKSIG with a key in the script or only its hash, or with an empty signature, which OP_NOT may expect. */
export const signatureCheck: fc.Arbitrary<Piece> = fc
  .tuple(secret, keyForm, fc.constantFrom('key', 'key', 'hash', 'hash', 'not', 'missing'))
  .chain(([by, form, kind]) =>
    signatureBy(by).map((signature) => {
      const key = publicKey(by, form);
      if (kind === 'missing') return piece([EMPTY], key, OP.CHECKSIG);
      if (kind === 'not') return piece([EMPTY], key, OP.CHECKSIG, OP.NOT);
      if (kind === 'key') return piece([signature], key, OP.CHECKSIG);
      return piece([signature, key], OP.DUP, OP.HASH160, hash160(key), OP.EQUALVERIFY, OP.CHECKSIG);
    }),
  );

interface Multisig {
  /** The keys, and whether they sign. */
  readonly signers: readonly { readonly by: number; readonly form: KeyForm; readonly signs: boolean }[];
  /** True to leave all signatures empty. */
  readonly isEmpty: boolean;
  /** Errors added to the counts of signatures and keys. */
  readonly errors: readonly [number, number];
  readonly dummy: Uint8Array;
}

const signer = fc.record({ by: secret, form: keyForm, signs: fc.boolean() });
const keyCount = mostly(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 15, 16, 17, 20, 21), 12);

/** OP_CHECKMULTISIG with signatures by some of the keys in their order. */
export const multisigCheck: fc.Arbitrary<Piece> = keyCount
  .chain((count) =>
    fc.record({
      signers: fc.array(signer, { minLength: count, maxLength: count }),
      isEmpty: mostly(fc.constant(false), fc.constant(true), 7),
      errors: fc.tuple(
        mostly(fc.constant(0), fc.constantFrom(1, -1, -30), 20),
        mostly(fc.constant(0), fc.constantFrom(1, -1, 20, -20), 20),
      ),
      dummy: mostly(oneOf([]), oneOf([1], [0]), 15),
    }),
  )
  .chain((multisig) =>
    fc.tuple(...multisig.signers.map(({ by }) => signatureBy(by))).map((all) => writeMultisig(multisig, all)),
  );

function writeMultisig({ signers, isEmpty, errors, dummy }: Multisig, all: readonly Signature[]): Piece {
  const signatures = all.filter((_, i) => signers[i]?.signs).map((signature) => (isEmpty ? EMPTY : signature));
  const keys = signers.map(({ by, form }) => push(publicKey(by, form)));
  const counts = [signatures.length + errors[0], keys.length + errors[1]].map(pushNumber);
  const code = concat(counts[0] ?? [], ...keys, counts[1] ?? [], [OP.CHECKMULTISIG]);
  return raw(code, [dummy, ...signatures]);
}

/**
 * A check of a signature that the script itself contains, in any push encoding: FindAndDelete removes it in legacy
 * scripts.
 */
export const heldSignatureCheck: fc.Arbitrary<Piece> = fc
  .tuple(secret, fc.constantFrom(0x03, 0x83, 0x43), fc.constantFrom(0, 1, 2), fc.constantFrom('one', 'many', 'none'))
  .map(([by, type, lengthBytes, kind]) => {
    const [signature, key] = [signNothing(by, type), publicKey(by, 'compressed')];
    const pushed = lengthBytes === 0 ? plainPush(signature) : pushAs(signature, lengthBytes);
    const held = join(raw(pushed), piece([], OP.DROP));
    // FindAndDelete removes even an empty signature: OP_0.
    if (kind === 'none') return piece([EMPTY], EMPTY, OP.DROP, key, OP.CHECKSIG, OP.NOT);
    if (kind === 'one') return join(held, piece([signature], key, OP.CHECKSIG));
    const second = (by + 1) % SECRETS.length;
    const keys = concat(push(key), push(publicKey(second, 'compressed')));
    const multisig = raw(concat(pushNumber(2), keys, pushNumber(2), [OP.CHECKMULTISIG]), [
      EMPTY,
      signature,
      signNothing(second, type),
    ]);
    return join(held, multisig);
  });
