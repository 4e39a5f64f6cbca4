import { concatBytes } from './compare.ts';

/** Joins in chunks: there can be more parts than a call accepts as arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let i = 0; i < parts.length; i += 1000) chunks.push(concatBytes(...parts.slice(i, i + 1000)));
  return concatBytes(...chunks);
}
