import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface HttpRules {
  /** 0.21 decodes the Base64 of a login up to the first invalid character; Core 29 refuses such a login. */
  readonly takesBrokenBase64: boolean;
  /** Closes the connections of addresses that may not call, before it reads a request. */
  readonly closesForeign: boolean;
}

export const httpRules: ByGeneration<HttpRules> = byGeneration<HttpRules>({
  'core-0.21': { takesBrokenBase64: true, closesForeign: false },
  'core-29': { takesBrokenBase64: false },
  'core-32': { closesForeign: true },
});
