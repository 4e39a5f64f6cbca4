// The part of lzma1 that is used. The types that it publishes are its sources, which our settings of TypeScript refuse.

export function decompress(packed: Uint8Array): Uint8Array;
