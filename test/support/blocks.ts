import { pushNumber } from '../../src/core/script/build.ts';
import { hasWitness } from '../../src/core/tx/codec.ts';
import { commitmentScript, encodeBlock } from '../../src/node/chain/block.ts';
import { type BlockHeader, encodeBlockHeader } from '../../src/node/chain/blockHeader.ts';
import { commitmentTo } from '../../src/node/chain/blockRules.ts';
import { buildMerkleTree, treeRoot } from '../../src/node/chain/merkleTree.ts';
import { hasProofOfWork } from '../../src/node/chain/proofOfWork.ts';
import {
  formatHex,
  formatReversedHex,
  type Network,
  networks,
  type Outpoint,
  parseHex,
  parseTxid,
  sha256d,
  type Transaction,
  txid,
  wtxid,
} from './library.ts';

/** A test block. */
export interface MadeBlock {
  readonly height: number;
  /** In RPC byte order (reversed hex). */
  readonly hash: string;
  readonly previous: string;
  readonly hex: string;
  readonly txs: readonly Transaction[];
}

const GENESIS_HASHES = {
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  'litecoin-regtest': '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
};

/** The networks for which tests make blocks. */
export type TestNetwork = keyof typeof GENESIS_HASHES;

/** Returns the genesis block of a network. */
export const genesisOf = (network: TestNetwork): MadeBlock => ({
  height: 0,
  hash: GENESIS_HASHES[network],
  previous: '00'.repeat(32),
  hex: '',
  txs: [],
});

/** Returns a network whose proof of work is cheap: Litecoin's takes long. */
export function quickNetwork(name: TestNetwork): Network {
  const network = networks[name];
  return network.consensus ? { ...network, consensus: { ...network.consensus, powHash: 'sha256d' } } : network;
}

/** The genesis block of regtest. */
export const GENESIS: MadeBlock = genesisOf('regtest');

const START_TIME = 1_700_000_000;
const HALVING_INTERVAL = 150;
const subsidyAt = (height: number): bigint => 5_000_000_000n >> BigInt(Math.floor(height / HALVING_INTERVAL));
/** The easiest target of regtest. */
const EASIEST = 0x207f_ffff;
const ANY_TARGET = 2n ** 256n - 1n;
/** The place of the nonce in a header. */
const NONCE = 76;

/** Makes an unsigned transaction that spends coins and pays `value` to a script (hex). */
export function spend(outpoints: readonly Outpoint[], script = '51', value = 1000n): Transaction {
  const inputs = outpoints.map((outpoint) => ({
    outpoint,
    scriptSig: new Uint8Array(0),
    sequence: 0xffff_ffff,
    witness: [],
  }));
  return { version: 2, inputs, outputs: [{ value, scriptPubKey: parseHex(script) }], locktime: 0 };
}

/** Values of a header; the others are those that a miner would choose. */
export interface HeaderValues {
  /** In RPC byte order. */
  readonly previous?: string;
  readonly version?: number;
  /** UNIX time. */
  readonly time?: number;
  /** The target in its compact form; by default the easiest. */
  readonly bits?: number;
}

/** What a miner can choose of a block. */
export interface BlockChoice extends HeaderValues {
  /** Hex in the coinbase that makes blocks of the same height differ. */
  readonly salt?: string;
  /** The scriptPubKey that gets the subsidy; hex. */
  readonly script?: string;
  readonly txs?: readonly Transaction[];
}

/** Makes a block with a coinbase after `parent`. The coinbase commits to witnesses, if there are any. */
export function blockAfter(
  parent: MadeBlock,
  { salt = '', script = '51', txs = [], ...header }: BlockChoice = {},
): MadeBlock {
  const height = parent.height + 1;
  const first: Transaction = {
    version: 2,
    inputs: [
      {
        outpoint: { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff },
        scriptSig: Uint8Array.of(...pushNumber(height), ...parseHex(salt), 0),
        sequence: 0xffff_ffff,
        witness: [],
      },
    ],
    outputs: [{ value: subsidyAt(height), scriptPubKey: parseHex(script) }],
    locktime: 0,
  };
  return blockOf(parent, [txs.some(hasWitness) ? committing(first, txs) : first, ...txs], header);
}

/** Adds the commitment to the witnesses of a block's other transactions to its coinbase. @see BIP141 */
export function committing(
  coinbase: Transaction,
  others: readonly Transaction[],
  reserved: Uint8Array = new Uint8Array(32),
): Transaction {
  const scriptPubKey = commitmentScript(commitmentTo(others.map(wtxid), reserved));
  return {
    ...coinbase,
    inputs: coinbase.inputs.map((input) => ({ ...input, witness: [reserved] })),
    outputs: [...coinbase.outputs, { value: 0n, scriptPubKey }],
  };
}

/**
 * Makes a block from all its transactions, including the coinbase, if any.
 *
 * - `header`: hex of another header, which is not mined
 */
export function blockOf(
  parent: MadeBlock,
  all: readonly Transaction[],
  {
    header: given,
    previous = parent.hash,
    version = 0x2000_0000,
    time = timeAt(parent.height + 1),
    bits = EASIEST,
  }: HeaderValues & { readonly header?: string } = {},
): MadeBlock {
  const merkleRoot = treeRoot(buildMerkleTree(all.map(txid)));
  const header =
    given === undefined
      ? mined({ version, previous: parseHex(previous).reverse(), merkleRoot, time, bits, nonce: 0 })
      : parseHex(given);
  return {
    height: parent.height + 1,
    hash: formatReversedHex(sha256d(header)),
    previous,
    hex: formatHex(encodeBlock(header, all)),
    txs: all,
  };
}

/** Returns the time of a block, as tests choose it by default. */
export const timeAt = (height: number): number => START_TIME + 600 * height;

/** Counts the nonce up until the header has work. */
function mined(header: BlockHeader): Uint8Array {
  const bytes = encodeBlockHeader(header);
  const view = new DataView(bytes.buffer);
  for (let nonce = 0; !hasProofOfWork(header.bits, sha256d(bytes), ANY_TARGET); nonce += 1)
    view.setUint32(NONCE, nonce, true);
  return bytes;
}

/** Returns the coinbase of a block. */
export function coinbaseOf({ txs: [first] }: MadeBlock): Transaction {
  if (!first) throw new Error('an empty block');
  return first;
}

/** Makes `count` blocks after `parent`, lowest first. */
export function blocksAfter(parent: MadeBlock, count: number, salt = ''): readonly MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let at = parent; blocks.length < count; blocks.push(at)) at = blockAfter(at, { salt });
  return blocks;
}
