import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';

declare const blockKeyBrand: unique symbol;

/** A block hash as a key of a `Map`, made by `blockKey`. */
export type BlockKey = string & { readonly [blockKeyBrand]: true };

/** `start` and `end`: the place of the hash in `bytes`; by default all of it. */
export const blockKey = (bytes: Uint8Array, start?: number, end?: number): BlockKey =>
  bytesKey(bytes, start, end) as BlockKey;

export const parseBlockKey = (key: BlockKey): Uint8Array => parseBytesKey(key);
