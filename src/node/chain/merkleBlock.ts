import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { createReader, readBytes, readCompactSize, readU32, readVarBytes } from '../../core/bytes/reader.ts';
import { createWriter, writeBytes, writeCompactSize, writeU32, written } from '../../core/bytes/writer.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { HEADER_SIZE } from './block.ts';
import { buildMerkleTree } from './merkleTree.ts';

/** Proves that a block has some transactions. @see Bitcoin Core `CMerkleBlock` */
export interface MerkleBlock {
  readonly header: Uint8Array;
  /** As the proof states it. */
  readonly count: number;
  /** In depth-first order. */
  readonly hashes: readonly Uint8Array[];
  /** One bit per node in depth-first order, lowest bit first: set if a proven transaction is below it. */
  readonly flags: Uint8Array;
}

interface ProvenTx {
  readonly id: Uint8Array;
  readonly index: number;
}

/** Holds only if `root` is the merkle root of the header. */
interface ProofOutcome {
  readonly root: Uint8Array;
  readonly txs: readonly ProvenTx[];
}

const HASH_SIZE = 32;

/** Ignores trailing bytes, as Core does. @throws `bytes/*` */
export function decodeMerkleBlock(bytes: Uint8Array): MerkleBlock {
  const reader = createReader(bytes);
  const header = readBytes(reader, HEADER_SIZE);
  const count = readU32(reader);
  const length = readCompactSize(reader);
  const hashes: Uint8Array[] = [];
  while (hashes.length < length) hashes.push(readBytes(reader, HASH_SIZE));
  return { header, count, hashes, flags: readVarBytes(reader) };
}

export function encodeMerkleBlock({ header, count, hashes, flags }: MerkleBlock): Uint8Array {
  const writer = createWriter();
  writeBytes(writer, header);
  writeU32(writer, count);
  writeCompactSize(writer, hashes.length);
  for (const hash of hashes) writeBytes(writer, hash);
  writeCompactSize(writer, flags.length);
  writeBytes(writer, flags);
  return written(writer);
}

/** The block's weight by that of the smallest transaction. */
const MAX_COUNT = Math.floor(4_000_000 / 240);

const widthAt = (count: number, height: number): number => Math.ceil(count / 2 ** height);

function treeHeight(count: number): number {
  let height = 0;
  while (widthAt(count, height) > 1) height += 1;
  return height;
}

/** The root is zeros if the proof is malformed. @see Bitcoin Core `CPartialMerkleTree::ExtractMatches` */
export function extractMatches({ count, hashes, flags }: MerkleBlock): ProofOutcome {
  const bad = { root: new Uint8Array(HASH_SIZE), txs: [] };
  if (count === 0 || count > MAX_COUNT || hashes.length > count || 8 * flags.length < hashes.length) return bad;
  const txs: ProvenTx[] = [];
  let [flagsUsed, hashesUsed] = [0, 0];
  const walk = (height: number, position: number): Uint8Array | undefined => {
    const flag = flags[flagsUsed >> 3];
    if (flag === undefined) return undefined;
    const isParent = ((flag >> (flagsUsed & 7)) & 1) === 1;
    flagsUsed += 1;
    if (height === 0 || !isParent) {
      const hash = hashes[hashesUsed];
      hashesUsed += 1;
      if (hash && isParent) txs.push({ id: hash, index: position });
      return hash;
    }
    const left = walk(height - 1, 2 * position);
    const hasRight = 2 * position + 1 < widthAt(count, height - 1);
    const right = hasRight ? walk(height - 1, 2 * position + 1) : left;
    // Equal branches would let a transaction be proven twice.
    if (!left || !right || (hasRight && equalBytes(left, right))) return undefined;
    return sha256d(concatBytes(left, right));
  };
  const root = walk(treeHeight(count), 0);
  const isUsedUp = Math.ceil(flagsUsed / 8) === flags.length && hashesUsed === hashes.length;
  return root && isUsedUp ? { root, txs } : { ...bad, txs };
}

export function createMerkleBlock(
  header: Uint8Array,
  txids: readonly Uint8Array[],
  isProven: (index: number) => boolean,
): MerkleBlock {
  const levels = buildMerkleTree(txids);
  const proven = [txids.map((_, index) => isProven(index))];
  for (const level of levels.slice(1)) {
    const below = proven.at(-1) ?? [];
    proven.push(level.map((_, position) => below[2 * position] === true || below[2 * position + 1] === true));
  }
  const bits: boolean[] = [];
  const hashes: Uint8Array[] = [];
  const walk = (height: number, position: number): void => {
    const hash = levels[height]?.[position];
    if (!hash) return;
    const isParent = proven[height]?.[position] === true;
    bits.push(isParent);
    if (height === 0 || !isParent) {
      hashes.push(hash);
      return;
    }
    walk(height - 1, 2 * position);
    walk(height - 1, 2 * position + 1);
  };
  walk(levels.length - 1, 0);
  const flags = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) if (bit) flags[i >> 3] = (flags[i >> 3] ?? 0) | (1 << (i & 7));
  return { header, count: txids.length, hashes, flags };
}
