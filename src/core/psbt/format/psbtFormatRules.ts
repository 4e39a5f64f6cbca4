import { type ByGeneration, byGeneration } from '../../generations.ts';

export interface PsbtFormatRules {
  /** Core 0.21 takes the first byte of a key for its type, Core 29 a CompactSize. */
  readonly readsOneByteTypes: boolean;
  /** Core 30 refuses an ECDSA signature that is not strict DER. */
  readonly checksSignatures: boolean;
  /** Core 31 refuses keys of MuSig2 records that are no points. */
  readonly checksMusig2Keys: boolean;
  /** @see Bitcoin Core `PSBT_HIGHEST_VERSION` */
  readonly highestVersion: 0 | 2;
}

export const psbtFormatRules: ByGeneration<PsbtFormatRules> = byGeneration<PsbtFormatRules>({
  'core-0.21': { readsOneByteTypes: true, checksSignatures: false, checksMusig2Keys: false, highestVersion: 0 },
  'core-29': { readsOneByteTypes: false },
  'core-30': { checksSignatures: true },
  'core-31': { checksMusig2Keys: true },
  'core-32': { highestVersion: 2 },
});
