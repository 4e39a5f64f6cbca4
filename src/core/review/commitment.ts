import type { PsbtInput } from '../psbt/format/types.ts';
import { recordedTypes } from '../psbt/heldSignatures.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { VerifiedOwner } from './ownership.ts';

/** The part of an input's review that decides which changes its signatures allow. */
interface Signing {
  readonly verifiedOwner?: VerifiedOwner;
  readonly hasOwnKey: boolean;
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  readonly isFinalValid: boolean;
}

/** Tells whether any change of an input or output invalidates a signature of this type. No undefined type counts. */
const fixesAll = (sighashType: number): boolean => sighashType === SIGHASH.DEFAULT || sighashType === SIGHASH.ALL;

/**
 * Lists the hash types that decide which changes an input allows: of its valid signatures, of a signature still to be
 * made, and of each other signature that does not fix the whole transaction. A signature that is invalid for the coin as
 * the PSBT shows it may be valid for the coin that the input really spends.
 *
 * - `ofSpend`: the types in its final fields
 * - `ofHeld`: the types of its valid signatures
 */
export function typesOf(
  input: PsbtInput,
  template: ScriptTemplate | undefined,
  {
    sighashType,
    ofSpend,
    ofHeld,
  }: {
    readonly sighashType: number;
    readonly ofSpend: readonly number[] | undefined;
    readonly ofHeld: readonly number[];
  },
): readonly number[] {
  // A spend of an anchor takes no signature.
  const toBe = ofSpend || template?.type === 'anchor' ? [] : [sighashType];
  const open = recordedTypes(input).filter((type) => !fixesAll(type));
  return [...new Set([...(ofSpend ?? ofHeld), ...toBe, ...open])];
}

/**
 * Tells whether no input or output can change without invalidating a signature: if an own input is signed, and every
 * signature in the PSBT, made or to be made, has the type ALL or DEFAULT. If no input is known to be the caller's own,
 * each counts as such.
 */
export function isFixed(inputs: readonly Signing[]): boolean {
  const own = inputs.filter(isOwn);
  const signs = ({ sighashTypes, isFinal, isFinalValid }: Signing): boolean =>
    sighashTypes.length > 0 && (!isFinal || isFinalValid);
  return (own.length > 0 ? own : inputs).some(signs) && inputs.every((input) => input.sighashTypes.every(fixesAll));
}

/** Tells whether a given descriptor derives the coin of an input, or an available key can sign for it. */
export const isOwn = ({ verifiedOwner, hasOwnKey }: Signing): boolean => verifiedOwner !== undefined || hasOwnKey;
