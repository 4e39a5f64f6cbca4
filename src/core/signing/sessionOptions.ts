import type { OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { SignatureCache } from '../crypto/signatureCache.ts';

/** The curve backend, and the signature cache that it uses. */
export interface SessionOptions {
  /** Default: `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Valid signatures of earlier calls. Default: a new cache. */
  readonly cache?: SignatureCache;
}

export const SESSION_OPTIONS: OptionNames<SessionOptions> = { ecc: true, cache: true };
