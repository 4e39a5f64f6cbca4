import { concatBytes } from '../../core/bytes/compare.ts';
import {
  createWriter,
  type Writer,
  writeBytes,
  writeI64,
  writeU8,
  writeU32,
  writeVarBytes,
  written,
} from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { finishMuHash, muHashProduct } from '../../core/crypto/muHash.ts';
import { outpointTxKey, outpointVout, parseTxKey } from '../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../core/tx/types.ts';
import { activeTip, type Chain } from './chainState.ts';
import type { ChainCoin } from './types.ts';

/** `hash_serialized_2` is that of Core 0.21. */
export type CoinHashType = 'hash_serialized_2' | 'hash_serialized_3' | 'muhash' | 'none';

export interface CoinStatistics {
  readonly transactions: number;
  readonly txouts: number;
  readonly bogosize: number;
  /** In satoshi. */
  readonly total: bigint;
  /** In wire order. */
  readonly hash: Uint8Array | undefined;
}

export interface PlacedCoin extends ChainCoin {
  readonly vout: number;
}

/** @see Bitcoin Core `GetBogoSize` */
export const bogoSize = (scriptPubKey: Uint8Array): number => 50 + scriptPubKey.length;

/** Sums up and hashes the coins of the active chain. @see Bitcoin Core `ComputeUTXOStats` */
export function coinStatistics(chain: Chain, type: CoinHashType): CoinStatistics {
  const hasher = createHasher(chain, type);
  let [transactions, txouts, bogosize, total] = [0, 0, 0, 0n];
  for (const [key, coins] of coinsByTransaction(chain)) {
    transactions += 1;
    txouts += coins.length;
    for (const { value, scriptPubKey } of coins) {
      bogosize += bogoSize(scriptPubKey);
      total += value;
    }
    hasher?.add(key, coins);
  }
  return { transactions, txouts, bogosize, total, hash: hasher?.finish() };
}

/** Orders the outputs of a transaction by number. */
function* coinsByTransaction({ coins }: Chain): Generator<readonly [TxKey, readonly PlacedCoin[]]> {
  let key: TxKey | undefined;
  let group: PlacedCoin[] = [];
  const sorted = (): readonly PlacedCoin[] => group.sort((a, b) => a.vout - b.vout);
  for (const [outpoint, coin] of coins.entries()) {
    const next = outpointTxKey(outpoint as OutpointKey);
    if (key !== undefined && next !== key) {
      yield [key, sorted()];
      group = [];
    }
    key = next;
    group.push({ ...coin, vout: outpointVout(outpoint as OutpointKey) });
  }
  if (key !== undefined) yield [key, sorted()];
}

interface CoinHasher {
  readonly add: (key: TxKey, coins: readonly PlacedCoin[]) => void;
  readonly finish: () => Uint8Array;
}

function createHasher(chain: Chain, type: CoinHashType): CoinHasher | undefined {
  if (type === 'none') return undefined;
  if (type === 'muhash') return createMuHash();
  const parts: Uint8Array[] = type === 'hash_serialized_2' ? [activeTip(chain).hash] : [];
  return {
    add: (key, coins) => {
      if (type === 'hash_serialized_2') parts.push(serializeGroup(key, coins));
      else for (const coin of coins) parts.push(serializeCoin(key, coin));
    },
    finish: () => sha256d(concatBytes(...parts)),
  };
}

/** @see Bitcoin Core `TxOutSer` */
export function serializeCoin(
  key: TxKey,
  { vout, height = 0, isCoinbase, value, scriptPubKey }: PlacedCoin,
): Uint8Array {
  const writer = createWriter();
  writeBytes(writer, parseTxKey(key));
  writeU32(writer, vout);
  writeU32(writer, 2 * height + Number(isCoinbase));
  writeI64(writer, value);
  writeVarBytes(writer, scriptPubKey);
  return written(writer);
}

/** Writes 1 for the height, as a slip in the node has it. @see Bitcoin Core 0.21 `ApplyHash` */
function serializeGroup(key: TxKey, coins: readonly PlacedCoin[]): Uint8Array {
  const writer = createWriter();
  writeBytes(writer, parseTxKey(key));
  writeVarInt(writer, 1n);
  for (const { vout, scriptPubKey, value } of coins) {
    writeVarInt(writer, BigInt(vout + 1));
    writeVarBytes(writer, scriptPubKey);
    writeVarInt(writer, value);
  }
  writeVarInt(writer, 0n);
  return written(writer);
}

/** @see Bitcoin Core `WriteVarInt` */
function writeVarInt(writer: Writer, value: bigint): void {
  const bytes = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest = (rest - 1n) >> 7n) bytes.push(Number((rest - 1n) & 0x7fn) | 0x80);
  for (const byte of bytes.reverse()) writeU8(writer, byte);
}

/** Multiplies, so that the order of the coins does not matter. */
function createMuHash(): CoinHasher {
  let product = 1n;
  return {
    add: (key, coins) => {
      for (const coin of coins) product = muHashProduct(product, serializeCoin(key, coin));
    },
    finish: () => finishMuHash(product),
  };
}
