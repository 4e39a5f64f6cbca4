import type { PsbtInput } from '../psbt/format/types.ts';
import { recordedTypes } from '../psbt/heldSignatures.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { VerifiedOwner } from './ownership.ts';

interface Owned {
  readonly verifiedOwner?: VerifiedOwner;
  readonly hasOwnKey: boolean;
  readonly isOwnSilent?: true;
}

interface Signing extends Owned {
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  readonly isFinalValid: boolean;
}

/** Undefined types do not count. */
const fixesAll = (sighashType: number): boolean => sighashType === SIGHASH.DEFAULT || sighashType === SIGHASH.ALL;

/**
 * Lists the hash types that decide which changes an input allows: of valid signatures, of one still to be made, and of
 * others that do not fix the whole transaction: invalid for the coin that the PSBT shows, these may be valid for the
 * coin really spent.
 */
export function decidingTypes(
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
 * Tells whether nothing can change without invalidating a signature: an own input is signed, and all signatures, made
 * or to be made, have the type ALL or DEFAULT. If no input is known to be own, all count as own.
 */
export function isFixed(inputs: readonly Signing[]): boolean {
  const own = inputs.filter(isOwn);
  const signs = ({ sighashTypes, isFinal, isFinalValid }: Signing): boolean =>
    sighashTypes.length > 0 && (!isFinal || isFinalValid);
  return (own.length > 0 ? own : inputs).some(signs) && inputs.every((input) => input.sighashTypes.every(fixesAll));
}

export const isOwn = ({ verifiedOwner, hasOwnKey, isOwnSilent }: Owned): boolean =>
  verifiedOwner !== undefined || hasOwnKey || isOwnSilent === true;

interface Returning {
  readonly verifiedChange?: VerifiedOwner;
  readonly silentPayment?: { readonly isOwn?: true };
}

/** Tells whether an output provably returns to the signer. */
export const isChange = ({ verifiedChange, silentPayment }: Returning): boolean =>
  verifiedChange !== undefined || silentPayment?.isOwn === true;
