import type { PsbtInput } from '../psbt/format/types.ts';
import { recordedTypes } from '../psbt/heldSignatures.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { VerifiedOwner } from './ownership.ts';

/** The part of an input's review that promises rest on. */
interface Signing {
  readonly verifiedOwner?: VerifiedOwner;
  readonly hasOwnKey: boolean;
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  readonly isFinalValid: boolean;
}

/** Whether a signature of that type voids itself if any input or output changes. Types without a meaning do not count. */
const fixesAll = (sighashType: number): boolean => sighashType === SIGHASH.DEFAULT || sighashType === SIGHASH.ALL;

/**
 * Lists the hash types on which an input's promises depend: of its valid signatures, of a signature still to be made, and
 * of each other signature that does not fix the whole transaction. A signature that is not valid for the coin as the
 * PSBT shows it may be valid for the coin that is spent.
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
 * Tells whether no input or output can change without voiding a signature: where an owner's input is signed, and every
 * signature in the PSBT, made or to be made, has the type ALL or DEFAULT. Where no input is known to be the
 * owner's, any counts for one.
 */
export function isFixed(inputs: readonly Signing[]): boolean {
  const own = inputs.filter(isOwn);
  const signs = ({ sighashTypes, isFinal, isFinalValid }: Signing): boolean =>
    sighashTypes.length > 0 && (!isFinal || isFinalValid);
  return (own.length > 0 ? own : inputs).some(signs) && inputs.every((input) => input.sighashTypes.every(fixesAll));
}

/** Whether a coin is made by a given descriptor, or can be signed for with a key at hand. */
export const isOwn = ({ verifiedOwner, hasOwnKey }: Signing): boolean => verifiedOwner !== undefined || hasOwnKey;
