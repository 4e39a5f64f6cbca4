import { type ByGeneration, byGeneration } from '../core/generations.ts';

/** Rules by which requests and batches are read and answered. */
export interface EnvelopeRules {
  /** Core 31 answers requests of JSON-RPC 2.0 in its form, and those without an id without one; 0.21 supports only 1.0. */
  readonly knowsJsonRpc2: boolean;
  /** For an item of a batch that is not an object, Core 31 repeats the id and version of the item before it; 0.21 does not. */
  readonly repeatsBatchIds: boolean;
}

/** The rows of {@link EnvelopeRules}. */
export const envelopeRules: ByGeneration<EnvelopeRules> = byGeneration<EnvelopeRules>({
  'core-0.21': { knowsJsonRpc2: false, repeatsBatchIds: false },
  'core-31': { knowsJsonRpc2: true, repeatsBatchIds: true },
});
