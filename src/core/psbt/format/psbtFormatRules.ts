import { type ByGeneration, byGeneration } from '../../generations.ts';

export interface PsbtFormatRules {
  /** Core 0.21 takes the first byte of a key for its type, Core 31 a CompactSize. */
  readonly readsOneByteTypes: boolean;
  /** Core 31 refuses an ECDSA signature that is not strict DER. */
  readonly checksSignatures: boolean;
}

export const psbtFormatRules: ByGeneration<PsbtFormatRules> = byGeneration<PsbtFormatRules>({
  'core-0.21': { readsOneByteTypes: true, checksSignatures: false },
  'core-31': { readsOneByteTypes: false, checksSignatures: true },
});
