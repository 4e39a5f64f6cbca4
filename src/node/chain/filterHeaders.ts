import { bytesKey } from '../../core/bytes/compare.ts';
import { numberOf, orderKey } from './chainCodec.ts';
import type { Chain } from './chainState.ts';

/** The header of a block's filter. @see BIP157 "Filter Headers" */
export interface FilterHeader {
  readonly height: number;
  /** Of the block, in wire order. */
  readonly hash: Uint8Array;
  /** In wire order. */
  readonly filterHeader: Uint8Array;
}

/** Of how many blocks the headers are kept: more than a reorganization leaves in practice. */
const KEPT = 100;

/**
 * Keeps the headers of the filters of blocks, in ascending order, and forgets those far below them. An empty list forgets
 * all: those that come later need not agree with them.
 */
export function keepFilterHeaders({ filterHeaders }: Chain, headers: readonly FilterHeader[]): void {
  const last = headers.at(-1)?.height ?? Number.POSITIVE_INFINITY;
  for (const key of [...filterHeaders.storedKeys()]) if (numberOf(key) <= last - KEPT) filterHeaders.delete(key);
  for (const { height, hash, filterHeader } of headers.slice(-KEPT)) {
    filterHeaders.set(orderKey(height), { block: bytesKey(hash), filterHeader });
  }
}

/** Returns the kept headers in wire order, by the key of the block. */
export function keptFilterHeaders({ filterHeaders }: Chain): ReadonlyMap<string, Uint8Array> {
  return new Map([...filterHeaders.stored()].map(([, { block, filterHeader }]) => [block, filterHeader]));
}
