import type { SignatureChecker } from '../interpreter/checker.ts';
import { type VerifyScriptInput, verifyScript } from '../interpreter/verifyScript.ts';
import { pushesOf } from '../script/instructions.ts';
import { isEcdsaSighashType, isStrictSignature } from '../script/signatureEncoding.ts';
import { SIGHASH } from '../sighash/sighashType.ts';

/** The signatures in a scriptSig and a witness, as far as they matter to a review. */
export interface SpendSignatures {
  /** Whether the two spend the coin. */
  readonly isValid: boolean;
  /** The hash types of the signatures, each once. */
  readonly sighashTypes: readonly number[];
}

type Spend = Pick<VerifyScriptInput, 'scriptSig' | 'witness'>;

/**
 * Runs a spend and notes the hash types of the signatures that it finds valid. Of a spend that fails, the types of all
 * that looks like a signature count as well.
 */
export function signaturesOfSpend(spend: VerifyScriptInput): SpendSignatures {
  const types = new Set<number>();
  const { checker } = spend;
  const noting: SignatureChecker = {
    ...checker,
    checkEcdsa: (signature, ...rest) => {
      const isValid = checker.checkEcdsa(signature, ...rest);
      if (isValid) types.add(lastByte(signature));
      return isValid;
    },
    checkSchnorr: (signature, ...rest) => {
      const fault = checker.checkSchnorr(signature, ...rest);
      if (!fault) types.add(signature[64] ?? SIGHASH.DEFAULT);
      return fault;
    },
  };
  const isValid = verifyScript({ ...spend, checker: noting }).kind === 'valid';
  const apparent = isValid ? [] : apparentTypes(spend);
  return { isValid, sighashTypes: [...new Set([...types, ...apparent])] };
}

const lastByte = (item: Uint8Array): number => item[item.length - 1] ?? 0;

/** Reads the hash types of all items that look like signatures: for coins that are not known. */
export function apparentTypes({ scriptSig, witness }: Spend): readonly number[] {
  const ecdsa = [...pushesOf(scriptSig), ...witness].filter(isStrictSignature).map(lastByte);
  const schnorr = witness.flatMap((item) => {
    if (item.length === 64) return SIGHASH.DEFAULT;
    return item.length === 65 && isEcdsaSighashType(lastByte(item)) ? lastByte(item) : [];
  });
  return [...new Set([...ecdsa, ...schnorr])];
}
