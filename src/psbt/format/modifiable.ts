import { isAnyoneCanPay, outputModeOf } from '../../sighash/sighashType.ts';
import type { Psbt, PsbtGlobal } from './types.ts';

/** The flags of PSBT_GLOBAL_TX_MODIFIABLE. @see BIP370 */
export const MODIFIABLE = { INPUTS: 0b001, OUTPUTS: 0b010, HAS_SIGHASH_SINGLE: 0b100 } as const;

/**
 * Combines the flags of two PSBTs: the SIGHASH_SINGLE flag if either sets it, every other bit, defined or not, if both
 * do. Absent flags count as 0.
 * @see Bitcoin Core `PartiallySignedTransaction::Merge`
 */
export function mergedFlags(a: PsbtGlobal, b: PsbtGlobal): Pick<PsbtGlobal, 'txModifiable'> {
  if (a.txModifiable === undefined && b.txModifiable === undefined) return {};
  const [x, y] = [a.txModifiable ?? 0, b.txModifiable ?? 0];
  return { txModifiable: (x & y) | ((x | y) & MODIFIABLE.HAS_SIGHASH_SINGLE) };
}

/**
 * Clears the flags for the parts of the transaction that a signature of this hash type commits to.
 * @see BIP370 "Signer"
 */
export function afterSigning(psbt: Psbt, sighashType: number): Psbt {
  const { txModifiable } = psbt.global;
  if (txModifiable === undefined) return psbt;
  const mode = outputModeOf(sighashType);
  const fixed = (isAnyoneCanPay(sighashType) ? 0 : MODIFIABLE.INPUTS) | (mode === 'none' ? 0 : MODIFIABLE.OUTPUTS);
  const single = mode === 'single' ? MODIFIABLE.HAS_SIGHASH_SINGLE : 0;
  return { ...psbt, global: { ...psbt.global, txModifiable: (txModifiable & ~fixed) | single } };
}
