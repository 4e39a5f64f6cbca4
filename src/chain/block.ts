import { equalBytes } from '../bytes/compare.ts';
import { formatReversedHex, isHex, parseHex } from '../bytes/hex.ts';
import { createReader, readBytes, readCompactSize, readU32 } from '../bytes/reader.ts';
import { sha256d } from '../crypto/hash.ts';
import { type Network, type NetworkName, networks } from '../network/networks.ts';
import { isCoinbase } from '../tx/check.ts';
import { hasWitness, readTransaction } from '../tx/codec.ts';
import { txid } from '../tx/txid.ts';
import type { Transaction, Txid } from '../tx/types.ts';

/** A decoded block. Hashes are in wire order. */
export interface Block {
  readonly hash: Uint8Array;
  readonly previous: Uint8Array;
  /** As the header states it. */
  readonly merkleRoot: Uint8Array;
  /** UNIX time of the header. */
  readonly time: number;
  readonly txs: readonly Transaction[];
  /** In the order of `txs`. */
  readonly txids: readonly Txid[];
}

/**
 * Decodes a block without checking its contents; `blockRules.ts` does that.
 *
 * - `mweb`: accepts Litecoin's MWEB transactions
 *
 * Ignores trailing bytes, as Core does; Litecoin's MWEB extension block is among them.
 * @throws `bytes/*`, `tx/*`
 * @see Bitcoin Core `CBlock`
 */
export function decodeBlock(bytes: Uint8Array, { mweb = false }: { readonly mweb?: boolean } = {}): Block {
  const reader = createReader(bytes);
  readU32(reader);
  const previous = readBytes(reader, 32);
  const merkleRoot = readBytes(reader, 32);
  const time = readU32(reader);
  readBytes(reader, 8);
  const count = readCompactSize(reader);
  const txs: Transaction[] = [];
  for (let index = 0; index < count; index += 1) txs.push(readTransaction(reader, { mweb }));
  const hash = sha256d(bytes.subarray(0, HEADER_SIZE));
  const [first, ...others] = txs;
  const completed = first && isCoinbase(first) ? [withReservedValue(first), ...others] : txs;
  return { hash, previous, merkleRoot, time, txs: completed, txids: txs.map(txid) };
}

/** The size of a block header in bytes. */
export const HEADER_SIZE = 80;
const PREVIOUS = 4;
const HASH_SIZE = 32;

/** Block hashes in display byte order. */
interface HeaderHashes {
  readonly hash: string;
  readonly previous: string;
}

/** Computes the hash of a block from its 80-byte header, and reads that of its parent. */
export function headerOf(bytes: Uint8Array): HeaderHashes {
  const header = bytes.subarray(0, HEADER_SIZE);
  return {
    hash: formatReversedHex(sha256d(header)),
    previous: formatReversedHex(header.subarray(PREVIOUS, PREVIOUS + HASH_SIZE)),
  };
}

/** Like `headerOf`, for a block in hex; `undefined` if it is shorter than a header. */
export function headerOfHex(hex: string): HeaderHashes | undefined {
  const text = hex.slice(0, 2 * HEADER_SIZE);
  return text.length === 2 * HEADER_SIZE && isHex(text) ? headerOf(parseHex(text)) : undefined;
}

const COMMITMENT_START = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);

/** Returns the 32-byte witness commitment of a coinbase, if it has one. @see BIP141 "Commitment structure" */
export function witnessCommitment({ outputs }: Transaction): Uint8Array | undefined {
  const { length } = COMMITMENT_START;
  const commitments = outputs.flatMap(({ scriptPubKey }) =>
    scriptPubKey.length >= length + 32 && equalBytes(scriptPubKey.subarray(0, length), COMMITMENT_START)
      ? [scriptPubKey.subarray(length, length + 32)]
      : [],
  );
  return commitments.at(-1);
}

/** Adds an all-zero witness reserved value to a coinbase that omits it. @see Core `UpdateUncommittedBlockStructures` */
function withReservedValue(coinbase: Transaction): Transaction {
  if (hasWitness(coinbase) || !witnessCommitment(coinbase)) return coinbase;
  const inputs = coinbase.inputs.map((input) => ({ ...input, witness: [new Uint8Array(32)] }));
  return { ...coinbase, inputs };
}

type Genesis = NonNullable<Network['genesis']>;

/** The genesis blocks of the built-in networks: the hash in display order, the header time as UNIX time. */
const GENESIS: Readonly<Record<NetworkName, Genesis>> = {
  main: { hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', time: 1231006505 },
  testnet3: { hash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', time: 1296688602 },
  testnet4: { hash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043', time: 1714777860 },
  signet: { hash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6', time: 1598918400 },
  regtest: { hash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206', time: 1296688602 },
  litecoin: { hash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2', time: 1317972665 },
  'litecoin-testnet': { hash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0', time: 1486949366 },
  'litecoin-regtest': { hash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9', time: 1296688602 },
};

/** Returns the genesis block of a network, if known. */
export function genesisOf({ name, genesis }: Network): Genesis | undefined {
  return genesis ?? (Object.hasOwn(networks, name) ? GENESIS[name as NetworkName] : undefined);
}
