import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface HttpRules {
  /** 0.21 decodes the Base64 of a login up to the first invalid character; Core 29 refuses such a login. */
  readonly takesBrokenBase64: boolean;
  /** Closes the connections of addresses that may not call, before it reads a request. */
  readonly closesForeign: boolean;
  /** How many calls may run by default. @see Bitcoin Core `DEFAULT_HTTP_THREADS` */
  readonly threads: number;
  /** How many calls may wait by default. @see Bitcoin Core `DEFAULT_HTTP_WORKQUEUE` */
  readonly depth: number;
}

export const httpRules: ByGeneration<HttpRules> = byGeneration<HttpRules>({
  'core-0.21': { takesBrokenBase64: true, closesForeign: false, threads: 4, depth: 16 },
  'core-29': { takesBrokenBase64: false, threads: 16, depth: 64 },
  'core-32': { closesForeign: true },
});
