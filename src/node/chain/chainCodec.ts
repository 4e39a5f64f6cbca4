import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import {
  createReader,
  type Reader,
  readBytes,
  readCompactSize,
  readI64,
  readU8,
  readU32,
  readVarBytes,
} from '../../core/bytes/reader.ts';
import {
  createWriter,
  type Writer,
  writeBytes,
  writeCompactSize,
  writeI64,
  writeU8,
  writeU32,
  writeVarBytes,
  written,
} from '../../core/bytes/writer.ts';
import type { Network } from '../../core/network/networks.ts';
import { decodeTransaction, encodeTransaction, outpointCodec, txidCodec } from '../../core/tx/codec.ts';
import { outpointKey, outpointTxKey, outpointVout, parseTxKey } from '../../core/tx/txid.ts';
import type { OutpointKey, Transaction } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { RecordCodec } from '../store/tables.ts';
import { decodeBlock, HEADER_SIZE } from './block.ts';
import { type BlockKey, blockKey, parseBlockKey } from './blockHeader.ts';
import { chainTx } from './chainTx.ts';
import { blockProof } from './proofOfWork.ts';
import type { ChainBlock, ChainCoin, ChainTx, LockPoints, PoolEntry } from './types.ts';

/** The records of a chain. Integers are little-endian; hashes are in wire order. */

export interface ChainCounts {
  readonly height: number;
  /** Orders the blocks. */
  readonly blocks: number;
  /** Orders the transactions that enter the mempool. */
  readonly pooled: number;
  /** The bytes that Core's files of the submitted blocks and their undo data would hold. @see `diskSize.ts` */
  readonly diskSize: number;
}

export const countsCodec: RecordCodec<ChainCounts> = {
  encode: ({ height, blocks, pooled, diskSize }) => {
    const writer = createWriter(32);
    for (const count of [height, blocks, pooled, diskSize]) writeI64(writer, BigInt(count));
    return written(writer);
  },
  decode: (bytes) => {
    const reader = createReader(bytes);
    return { height: next(reader), blocks: next(reader), pooled: next(reader), diskSize: next(reader) };
  },
};

const next = (reader: Reader): number => Number(readI64(reader));

export const blockCodec: RecordCodec<ChainBlock> = {
  encode: ({ header, height, maxTime, order, work }) => {
    const writer = createWriter(HEADER_SIZE + 32);
    writeBytes(writer, header);
    writeU32(writer, height);
    writeU32(writer, maxTime);
    writeI64(writer, BigInt(order));
    writeVarBytes(writer, encodeWork(work));
    return written(writer);
  },
  decode: (bytes, key) => {
    const reader = createReader(bytes);
    const header = readBytes(reader, HEADER_SIZE);
    const [height, maxTime] = [readU32(reader), readU32(reader)];
    const order = next(reader);
    const work = BigInt(`0x0${formatReversedHex(readVarBytes(reader))}`);
    return { height, maxTime, order, work, ...placeHeader(header, parseBytesKey(key)) };
  },
};

function encodeWork(work: bigint): Uint8Array {
  const digits = work.toString(16);
  return parseHex(digits.padStart(digits.length + (digits.length % 2), '0')).reverse();
}

const PREVIOUS = 4;
const TIME = 68;
const BITS = 72;

export function placeHeader(
  header: Uint8Array,
  hash: Uint8Array,
): Omit<ChainBlock, 'height' | 'maxTime' | 'order' | 'work' | 'previous'> & { readonly previous: BlockKey } {
  const view = new DataView(header.buffer, header.byteOffset);
  return {
    hash,
    header,
    key: blockKey(hash),
    previous: blockKey(header, PREVIOUS, PREVIOUS + 32),
    time: view.getUint32(TIME, true),
    bits: view.getUint32(BITS, true),
  };
}

/**
 * Returns the work of a header. Proof of work is not verified: an impossible target counts as the easiest one, so that each
 * block has more work than its parent.
 */
export const headerWork = ({ bits }: Pick<ChainBlock, 'bits'>): bigint => blockProof(bits) || 1n;

export interface BlockBody {
  readonly bytes: Uint8Array;
  readonly txs: readonly ChainTx[];
}

export const bodyCodec = ({ mweb }: Pick<Network, 'mweb'>): RecordCodec<BlockBody> => ({
  encode: ({ bytes }) => bytes,
  decode: (bytes) => {
    // Decoded on demand: many calls need the bytes alone.
    let txs: readonly ChainTx[] | undefined;
    return {
      bytes,
      get txs() {
        txs ??= txsIn(bytes, mweb);
        return txs;
      },
    };
  },
});

function txsIn(bytes: Uint8Array, mweb: boolean): readonly ChainTx[] {
  const { txs, txids } = decodeBlock(bytes, { mweb });
  return txs.map((tx, index) => chainTx(tx, txids[index]));
}

function writeCoin(writer: Writer, { height = 0, isCoinbase, value, scriptPubKey }: ChainCoin): void {
  writeU32(writer, height);
  writeU8(writer, Number(isCoinbase));
  writeI64(writer, value);
  writeVarBytes(writer, scriptPubKey);
}

function readCoin(reader: Reader): ChainCoin {
  const [height, isCoinbase] = [readU32(reader), readU8(reader) === 1];
  const value = readI64(reader);
  return { value, scriptPubKey: readVarBytes(reader), height, isCoinbase };
}

export const coinCodec: RecordCodec<ChainCoin> = {
  encode: (coin) => {
    const writer = createWriter(64);
    writeCoin(writer, coin);
    return written(writer);
  },
  decode: (bytes) => readCoin(createReader(bytes)),
};

export type Undo = readonly (readonly [OutpointKey, ChainCoin])[];

export const undoCodec: RecordCodec<Undo> = {
  encode: (undo) => {
    const writer = createWriter();
    writeCompactSize(writer, undo.length);
    for (const [key, coin] of undo) {
      txidCodec.write(writer, parseTxKey(outpointTxKey(key)));
      writeU32(writer, outpointVout(key));
      writeCoin(writer, coin);
    }
    return written(writer);
  },
  decode: (bytes) => {
    const reader = createReader(bytes);
    return Array.from({ length: readCompactSize(reader) }, () => {
      const key = outpointKey(outpointCodec.read(reader));
      return [key, readCoin(reader)] as const;
    });
  },
};

export const blockKeyCodec: RecordCodec<BlockKey> = {
  encode: parseBlockKey,
  decode: (bytes) => blockKey(bytes),
};

export const feeDeltaCodec: RecordCodec<bigint> = {
  encode: (delta) => {
    const writer = createWriter(8);
    writeI64(writer, delta);
    return written(writer);
  },
  decode: (bytes) => readI64(createReader(bytes)),
};

const HASH_SIZE = 32;

/** Under the {@link orderKey} of the block's height. */
export interface KeptFilterHeader {
  readonly block: BlockKey;
  readonly filterHeader: Uint8Array;
}

export const filterHeaderCodec: RecordCodec<KeptFilterHeader> = {
  encode: ({ block, filterHeader }) => parseBytesKey(block + bytesKey(filterHeader)),
  decode: (bytes) => ({ block: blockKey(bytes, 0, HASH_SIZE), filterHeader: bytes.slice(HASH_SIZE) }),
};

export interface PooledTx {
  readonly entry: PoolEntry;
  readonly points: LockPoints | undefined;
}

/** Bits of a record's first byte; records of older releases have no entry. */
const HAS_POINTS = 1;
const HAS_ENTRY = 2;
const IS_UNBROADCAST = 4;

/** The fee of a transaction whose coins are unknown. */
const UNKNOWN_FEE = -1n;

type EntryFacts = Pick<PoolEntry, 'time' | 'height' | 'policyWeight' | 'fee'>;

function readEntry(reader: Reader): EntryFacts {
  const [time, height, policyWeight] = [next(reader), readU32(reader), readU32(reader)];
  const fee = readI64(reader);
  return { time, height, policyWeight, fee: fee === UNKNOWN_FEE ? undefined : fee };
}

const unknownEntry = (tx: Transaction): EntryFacts => ({
  time: 0,
  height: 0,
  policyWeight: transactionSize(tx).weight,
  fee: undefined,
});

function readPoints(reader: Reader): LockPoints {
  const [height, time, hash] = [readU32(reader), readU32(reader), readVarBytes(reader)];
  return { height, time, block: hash.length === 0 ? undefined : blockKey(hash) };
}

export const pooledCodec = ({ mweb }: Pick<Network, 'mweb'>): RecordCodec<PooledTx> => ({
  encode: ({ entry, points }) => {
    const writer = createWriter();
    writeU8(writer, (points ? HAS_POINTS : 0) | HAS_ENTRY | (entry.isUnbroadcast ? IS_UNBROADCAST : 0));
    if (points) {
      writeU32(writer, points.height);
      writeU32(writer, points.time);
      writeVarBytes(writer, parseBytesKey(points.block ?? ''));
    }
    writeI64(writer, BigInt(entry.time));
    writeU32(writer, entry.height);
    writeU32(writer, entry.policyWeight);
    writeI64(writer, entry.fee ?? UNKNOWN_FEE);
    writeBytes(writer, encodeTransaction(entry.tx));
    return written(writer);
  },
  decode: (bytes) => {
    const reader = createReader(bytes);
    const flags = readU8(reader);
    const points = flags & HAS_POINTS ? readPoints(reader) : undefined;
    const facts = flags & HAS_ENTRY ? readEntry(reader) : undefined;
    const tx = decodeTransaction(bytes.slice(reader.offset), { mweb });
    const isUnbroadcast = (flags & IS_UNBROADCAST) !== 0;
    return { entry: { ...chainTx(tx), ...(facts ?? unknownEntry(tx)), isUnbroadcast }, points };
  },
});
