import type { PsbtInput } from './types.ts';

export const ecdsaType = (signature: Uint8Array): number => signature.at(-1) ?? 0;

export const schnorrType = (signature: Uint8Array): number => signature[64] ?? 0;

/** Lists the hash types of signatures, valid or not, outside final fields. */
export const recordedTypes = ({ partialSigs = [], tapKeySig, tapScriptSigs = [] }: PsbtInput): readonly number[] => [
  ...partialSigs.map(({ signature }) => ecdsaType(signature)),
  ...(tapKeySig ? [schnorrType(tapKeySig)] : []),
  ...tapScriptSigs.map(({ signature }) => schnorrType(signature)),
];
