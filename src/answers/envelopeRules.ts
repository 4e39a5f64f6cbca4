import { type ByGeneration, byGeneration } from '../core/generations.ts';

export interface EnvelopeRules {
  /** 0.21 supports only JSON-RPC 1.0. */
  readonly knowsJsonRpc2: boolean;
  /** For an item of a batch that is not an object, Core 29 repeats the id and version of the item before it. */
  readonly repeatsBatchIds: boolean;
}

export const envelopeRules: ByGeneration<EnvelopeRules> = byGeneration<EnvelopeRules>({
  'core-0.21': { knowsJsonRpc2: false, repeatsBatchIds: false },
  'core-29': { knowsJsonRpc2: true, repeatsBatchIds: true },
});
