import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which `createmultisig` checks its keys and scripts. */
export interface MultisigRules {
  /** Core 31 says whether a public key lacks hex, bytes or a point on the curve; 0.21 only that it is invalid. */
  readonly explainsKeys: boolean;
  /** 0.21 refuses every script of more than 520 bytes; Core 31 only one for P2SH, whose spend pushes it. */
  readonly limitsAllScripts: boolean;
  /** Core 31 supports the address type `bech32m`; 0.21 does not. */
  readonly knowsBech32m: boolean;
  /** Core 31 warns if uncompressed keys do not fit the address type; 0.21 silently takes P2SH. */
  readonly warnsOfOtherType: boolean;
}

/** The rows of {@link MultisigRules}. */
export const multisigRules: ByGeneration<MultisigRules> = byGeneration<MultisigRules>({
  'core-0.21': { explainsKeys: false, limitsAllScripts: true, knowsBech32m: false, warnsOfOtherType: false },
  'core-31': { explainsKeys: true, limitsAllScripts: false, knowsBech32m: true, warnsOfOtherType: true },
});

/** Rules by which methods that verify signed messages refuse their arguments. */
export interface MessageRules {
  /** The code of the error for an invalid address. */
  readonly invalidAddress: -3 | -5;
  /** The code of the error for a signature that is not base64. */
  readonly invalidBase64: -3 | -5;
  /** 0.21 reads a signature as a C string, which ends at its first NUL; Core 31 reads all of it. */
  readonly cutsSignaturesAtNul: boolean;
}

/** The rows of {@link MessageRules}. */
export const messageRules: ByGeneration<MessageRules> = byGeneration<MessageRules>({
  'core-0.21': { invalidAddress: -3, invalidBase64: -5, cutsSignaturesAtNul: true },
  'core-31': { invalidAddress: -5, invalidBase64: -3, cutsSignaturesAtNul: false },
});
