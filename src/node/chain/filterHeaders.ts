import { orderKey, parseOrderKey } from '../store/orderKey.ts';
import { type BlockKey, blockKey } from './blockHeader.ts';
import type { Chain } from './chainState.ts';

/** Hashes are in wire order. @see BIP157 "Filter Headers" */
export interface FilterHeader {
  readonly height: number;
  readonly hash: Uint8Array;
  readonly filterHeader: Uint8Array;
}

/** More blocks than a reorganization disconnects in practice. */
const KEPT = 100;

/** Keeps the headers of the last filters, ascending. An empty list forgets all: later ones need not agree with them. */
export function keepFilterHeaders({ filterHeaders }: Chain, headers: readonly FilterHeader[]): void {
  const last = headers.at(-1)?.height ?? Number.POSITIVE_INFINITY;
  for (const key of [...filterHeaders.keys()]) if (parseOrderKey(key) <= last - KEPT) filterHeaders.delete(key);
  for (const { height, hash, filterHeader } of headers.slice(-KEPT)) {
    filterHeaders.set(orderKey(height), { block: blockKey(hash), filterHeader });
  }
}

export function keptFilterHeaders({ filterHeaders }: Chain): ReadonlyMap<BlockKey, Uint8Array> {
  return new Map([...filterHeaders.entries()].map(([, { block, filterHeader }]) => [block, filterHeader]));
}
