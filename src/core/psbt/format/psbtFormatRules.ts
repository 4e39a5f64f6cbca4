import { type ByGeneration, byGeneration } from '../../generations.ts';

/** Rules by which the bytes of PSBTs are read. */
export interface PsbtFormatRules {
  /** 0.21 takes the first byte of a key for its type, Core 31 a compact size. */
  readonly readsOneByteTypes: boolean;
  /** Core 31 refuses an ECDSA signature that is not strict DER; 0.21 takes any bytes. */
  readonly checksSignatures: boolean;
}

/** The rows of {@link PsbtFormatRules}. */
export const psbtFormatRules: ByGeneration<PsbtFormatRules> = byGeneration<PsbtFormatRules>({
  'core-0.21': { readsOneByteTypes: true, checksSignatures: false },
  'core-31': { readsOneByteTypes: false, checksSignatures: true },
});
