import { isHolders, type Owner } from '../holder/owner.ts';
import { recordedTypes } from '../psbt/format/recordedTypes.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { commitsToOutput } from './hashTypes.ts';

interface Signing {
  readonly owner: Owner;
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  readonly isFinalValid: boolean;
}

/** Undefined types do not count. */
export const fixesAll = (sighashType: number): boolean =>
  sighashType === SIGHASH.DEFAULT || sighashType === SIGHASH.ALL;

/**
 * Lists the hash types that decide which changes an input allows: of valid signatures, of one still to be made, and of
 * others that do not fix the whole transaction: invalid for the coin that the PSBT shows, these may be valid for the
 * coin really spent.
 */
export function decidingTypes(
  input: PsbtInput,
  {
    sighashType,
    ofSpend,
    ofHeld,
  }: {
    /** `undefined` if the coin takes no signature. */
    readonly sighashType: number | undefined;
    readonly ofSpend: readonly number[] | undefined;
    readonly ofHeld: readonly number[];
  },
): readonly number[] {
  const toBe = ofSpend || sighashType === undefined ? [] : [sighashType];
  const open = recordedTypes(input).filter((type) => !fixesAll(type));
  return [...new Set([...(ofSpend ?? ofHeld), ...toBe, ...open])];
}

/**
 * Tells whether nothing can change without invalidating a signature: an own input is signed, and all signatures of own
 * inputs, made or to be made, have the type ALL or DEFAULT, whatever others leave open. If no input is known to be own, all
 * count as own.
 */
export function isFixed(inputs: readonly Signing[]): boolean {
  const own = decidingInputs(inputs);
  const signs = ({ sighashTypes, isFinal, isFinalValid }: Signing): boolean =>
    sighashTypes.length > 0 && (!isFinal || isFinalValid);
  return own.some(signs) && own.every((input) => input.sighashTypes.every(fixesAll));
}

export const isOwn = ({ owner }: { readonly owner: Owner }): boolean => isHolders(owner);

/** The signer's inputs decide, or all if none is known to be the signer's. */
function decidingInputs<Input extends Pick<Signing, 'owner'>>(inputs: readonly Input[]): readonly Input[] {
  const own = inputs.filter(isOwn);
  return own.length > 0 ? own : inputs;
}

/** Finds outputs that others can change while a signature of the signer stays valid. */
export function openOutputs(
  inputs: readonly (Pick<Signing, 'owner' | 'sighashTypes'> & { readonly inputIndex: number })[],
): (outputIndex: number) => boolean {
  const leaving = decidingInputs(inputs).flatMap(({ inputIndex, sighashTypes }) => {
    const types = sighashTypes.filter((type) => !commitsToOutput(type, inputIndex, -1));
    return types.length > 0 ? [{ inputIndex, types }] : [];
  });
  // One input commits to the output at its own index at most: two leave all open.
  const deciding = leaving.slice(0, 2);
  return (outputIndex) =>
    deciding.some(({ inputIndex, types }) => types.some((type) => !commitsToOutput(type, inputIndex, outputIndex)));
}
