import { scryptSync } from 'node:crypto';

/** OpenSSL's scrypt behind the signature of noble's. */
export const scrypt = (
  password: string | Uint8Array,
  salt: Uint8Array,
  { N, r, p, dkLen = 32 }: { readonly N: number; readonly r: number; readonly p: number; readonly dkLen?: number },
): Uint8Array => new Uint8Array(scryptSync(password, salt, dkLen, { N, r, p, maxmem: 2 ** 31 }));
