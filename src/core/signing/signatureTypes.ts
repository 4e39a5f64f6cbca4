import type { SignatureChecker } from '../interpreter/checker.ts';
import { type VerifyScriptInput, verifyScript } from '../interpreter/verifyScript.ts';
import { listPushes } from '../script/instructions.ts';
import { isEcdsaSighashType, isStrictSignature } from '../script/signatureEncoding.ts';
import { splitTaprootWitness } from '../script/tapTree.ts';
import { leavesOpen, SIGHASH } from '../sighash/sighashType.ts';

export interface SpendSignatures {
  readonly isValid: boolean;
  readonly sighashTypes: readonly number[];
}

type Spend = Pick<VerifyScriptInput, 'scriptSig' | 'witness'>;

/**
 * Collects the hash types of valid signatures, and those of other items that look like signatures; if the spend
 * succeeds, only types that leave something open: the real coin may differ from the one in the PSBT, and its script may
 * use these items as signatures.
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
  const apparent = apparentTypes(spend).filter((type) => !isValid || leavesOpen(type));
  return { isValid, sighashTypes: [...new Set([...types, ...apparent])] };
}

const lastByte = (item: Uint8Array): number => item[item.length - 1] ?? 0;

export function apparentTypes({ scriptSig, witness }: Spend): readonly number[] {
  const ecdsa = [...listPushes(scriptSig), ...witness].filter(isStrictSignature).map(lastByte);
  // An annex, a leaf and a control block may be as long as a signature.
  const schnorr = splitTaprootWitness(witness).items.flatMap((item) => {
    if (item.length === 64) return SIGHASH.DEFAULT;
    return item.length === 65 && isEcdsaSighashType(lastByte(item)) ? lastByte(item) : [];
  });
  return [...ecdsa, ...schnorr];
}
