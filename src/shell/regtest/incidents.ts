import { RPC_VERIFY_ERROR } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import { formatTxid, outputKey, parseTxid, txid as txidOf, txKey } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { activeTip } from '../../node/chain/chainState.ts';
import type { ChainTx } from '../../node/chain/types.ts';
import { invalidArgument } from './checkedArguments.ts';
import { buildLarge } from './congestion.ts';
import { keepOutput, spend, spendableCoin } from './faucet.ts';
import type { Tools } from './tools.ts';

/** Blocks that nobody has seen yet. */
export interface WithheldBlocks {
  readonly hashes: readonly string[];
  /**
   * Shows them to the node, which follows them if they have the most work.
   * @throws RpcError `prev-blk-not-found` if a rewind has taken their parent
   */
  readonly release: () => void;
}

/** A time of high fees. */
export interface FeeSpike {
  /** Fills no more blocks, and lets estimators answer what they did before. The next block is still full. */
  readonly end: () => void;
}

/** A transaction that spends what another one wanted to spend, and the block that confirms it. */
export interface DoubleSpend {
  readonly txid: string;
  readonly hash: string;
}

/** Mines blocks that only their miner knows. */
export function withhold(count: number, { call, copy }: Tools): WithheldBlocks {
  assertBlocks(count, Number.POSITIVE_INFINITY);
  const miner = copy();
  const hashes = miner.mine(count);
  const blocks = hashes.map((hash) => miner.rpc.call('getblock', [hash, 0]));
  void miner.close();
  return {
    hashes,
    release: () => {
      for (const block of blocks) show(block, call);
    },
  };
}

/** What `submitblock` says of a block that is not refused: it is new, known or on a side branch. */
const TAKEN: readonly (string | null)[] = [null, 'duplicate', 'inconclusive'];

/** @throws RpcError with the node's reason for a block that it refuses, such as `prev-blk-not-found` after a rewind */
function show(block: string, call: Tools['call']): void {
  const reason = call('submitblock', [block]);
  if (!TAKEN.includes(reason)) throw new RpcError(RPC_VERIFY_ERROR, `${reason}`);
}

/** A descriptor of the script OP_TRUE. */
const ANYONE = 'raw(51)';

/** Replaces the last blocks by one more of them without transactions. @returns the hashes of the new ones */
export function reorganize(count: number, { call, node, copy }: Tools): readonly string[] {
  const { height } = activeTip(node.chain);
  assertBlocks(count, height);
  const miner = copy();
  miner.rpc.call('invalidateblock', [call('getblockhash', [height - count + 1])]);
  const hashes = Array.from({ length: count + 1 }, () => miner.rpc.call('generateblock', [ANYONE, []]).hash);
  for (const hash of hashes) show(miner.rpc.call('getblock', [hash, 0]), call);
  void miner.close();
  return hashes;
}

function assertBlocks(count: number, most: number): void {
  if (Number.isSafeInteger(count) && count > 0 && count <= most) return;
  const limit = most === Number.POSITIVE_INFINITY ? '1 or more' : `1 to ${most}, the height of the chain`;
  throw invalidArgument('count', `must be a whole number of blocks, ${limit}`);
}

/** Mines a block with another spend of a coin that a transaction of the mempool spends. */
export function doubleSpend(txid: string, { node, faucet, mineOnly, waiving }: Tools): DoubleSpend {
  const { chain } = node;
  const { spends } = pooledTx(txid, node);
  const key = spends.find((each) => chain.coins.has(each));
  const coin = key && chain.coins.get(key);
  if (!coin)
    throw invalidArgument('txid', 'must name a transaction that spends a confirmed coin: mine its parents first');
  const { scriptPubKey } = faucet();
  const tx: Transaction = {
    version: 2,
    inputs: [spend(key, { witness: [] })],
    outputs: [{ value: coin.value, scriptPubKey }],
    locktime: 0,
  };
  const hash = waiving(coin.scriptPubKey, () => mineOnly(tx));
  keepOutput(faucet(), tx, 0);
  return { txid: formatTxid(txidOf(tx)), hash };
}

/** In satoshi per virtual byte: little, but of 77 000 virtual bytes. */
const PIN_RATE = 2;

/** Spends an output of a transaction of the mempool by a large one that pays little, so that replacing it costs much. */
export function pin(txid: string, vout: number, { node, faucet, build, send, waiving }: Tools): string {
  const { key } = pooledTx(txid, node);
  const coin = spendableCoin(node.chain, outputKey(key, vout), true);
  if (!coin) throw invalidArgument('vout', 'must name an output of the transaction that is not spent yet');
  const large = build(1n, () => buildLarge(faucet(), node.chain, PIN_RATE));
  const tx = {
    ...large,
    inputs: [...large.inputs, spend(outputKey(key, vout), { witness: [] })],
    outputs: [...large.outputs, { value: coin.value, scriptPubKey: faucet().scriptPubKey }],
  };
  return waiving(coin.scriptPubKey, () => send(tx));
}

function pooledTx(txid: string, { chain }: Tools['node']): ChainTx {
  const entry = chain.mempool.get(txKey(parseTxid(txid)));
  if (!entry) throw invalidArgument('txid', 'must name a transaction of the mempool: this one is not there');
  return entry;
}
