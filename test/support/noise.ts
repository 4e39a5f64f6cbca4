import { createHash } from 'node:crypto';

/** Makes bytes that do not compress, the same for the same name. */
export const noise = (size: number, name = ''): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: Math.ceil(size / 32) }, (_, i) => [
      ...createHash('sha256').update(`${name} ${i}`).digest(),
    ]).flat(),
  ).slice(0, size);
