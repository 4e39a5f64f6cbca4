import { formatHex, formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import type { Network } from '../../core/network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, parseTxid, txidOfBytes } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { blockKey } from '../chain/blockHeader.ts';
import { chainTx } from '../chain/chainTx.ts';
import type { Findings, FoundBlock, FoundTx } from '../wallet/records/events.ts';
import type { BlockPlace } from '../wallet/records/walletState.ts';

/** `hash` is in display order. */
export interface PlaceJson {
  readonly hash: string;
  readonly height: number;
}

interface SeenBlockJson extends PlaceJson {
  readonly time: number;
  readonly maxTime: number;
}

export interface FoundBlockJson {
  readonly block: SeenBlockJson;
  /** `tx`: a transaction, or its txid. */
  readonly txs: readonly (readonly [index: number, tx: string])[];
}

export interface FindingsJson {
  readonly blocks: readonly FoundBlockJson[];
  readonly mempool: readonly string[];
}

export const placeJson = ({ hash, height }: BlockPlace): PlaceJson => ({ hash: formatReversedHex(hash), height });

export function parsePlace({ hash: text, height }: PlaceJson): BlockPlace {
  const hash = parseHex(text).reverse();
  return { hash, key: blockKey(hash), height };
}

const TXID_LENGTH = 64;

export const foundTxJson = (tx: FoundTx): string =>
  tx instanceof Uint8Array ? formatTxid(tx) : formatHex(encodeTransaction(tx.tx));

export function parseFoundTx(text: string, { mweb }: Network): FoundTx {
  if (text.length === TXID_LENGTH) return parseTxid(text);
  const bytes = parseHex(text);
  const tx = decodeTransaction(bytes, { mweb });
  return chainTx(tx, txidOfBytes(tx, bytes));
}

export const parseTransaction = (hex: string, { mweb }: Network): Transaction =>
  decodeTransaction(parseHex(hex), { mweb });

export function foundBlockJson({ block, txs }: FoundBlock): FoundBlockJson {
  const { time, maxTime } = block;
  return {
    block: { ...placeJson(block), time, maxTime },
    txs: txs.map(({ index, tx }) => [index, foundTxJson(tx)] as const),
  };
}

export function parseFoundBlock({ block, txs }: FoundBlockJson, network: Network): FoundBlock {
  const { time, maxTime } = block;
  return {
    block: { ...parsePlace(block), time, maxTime },
    txs: txs.map(([index, tx]) => ({ index, tx: parseFoundTx(tx, network) })),
  };
}

export const findingsJson = ({ blocks, mempool }: Findings): FindingsJson => ({
  blocks: blocks.map(foundBlockJson),
  mempool: mempool.map(foundTxJson),
});
export const parseFindings = ({ blocks, mempool }: FindingsJson, network: Network): Findings => ({
  blocks: blocks.map((block) => parseFoundBlock(block, network)),
  mempool: mempool.map((tx) => parseFoundTx(tx, network)),
});
