import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface MultisigRules {
  /** Core 29 says whether a public key lacks hex, bytes or a point on the curve. */
  readonly explainsKeys: boolean;
  /** 0.21 refuses every script of more than 520 bytes, Core 29 only one for P2SH, whose spend pushes it. */
  readonly limitsAllScripts: boolean;
  readonly knowsBech32m: boolean;
  /** Core 29 warns if uncompressed keys do not fit the address type; 0.21 silently takes P2SH. */
  readonly warnsOfOtherType: boolean;
}

export const multisigRules: ByGeneration<MultisigRules> = byGeneration<MultisigRules>({
  'core-0.21': { explainsKeys: false, limitsAllScripts: true, knowsBech32m: false, warnsOfOtherType: false },
  'core-29': { explainsKeys: true, limitsAllScripts: false, knowsBech32m: true, warnsOfOtherType: true },
});

export interface MessageRules {
  /** The error code. */
  readonly invalidAddress: -3 | -5;
  /** The error code. */
  readonly invalidBase64: -3 | -5;
  /** 0.21 reads a signature as a C string, which ends at its first NUL. */
  readonly cutsSignaturesAtNul: boolean;
}

export const messageRules: ByGeneration<MessageRules> = byGeneration<MessageRules>({
  'core-0.21': { invalidAddress: -3, invalidBase64: -5, cutsSignaturesAtNul: true },
  'core-29': { invalidAddress: -5, invalidBase64: -3, cutsSignaturesAtNul: false },
});
