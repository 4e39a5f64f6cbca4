import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { headerRules, type Network } from '../../core/network/networks.ts';
import { pushNumber } from '../../core/script/build.ts';
import { countSigOps } from '../../core/script/sigops.ts';
import { isFinalTransaction } from '../../core/tx/absoluteLock.ts';
import { checkTransaction, isCoinbase } from '../../core/tx/check.ts';
import { hasWitness } from '../../core/tx/codec.ts';
import { formatTxid, wtxid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { WITNESS_SCALE_FACTOR } from '../../core/tx/weight.ts';
import { type Block, witnessCommitment } from './block.ts';
import { blockSizes, blockWeight, MAX_BLOCK_SIGOPS_COST, MAX_BLOCK_WEIGHT, MAX_STRIPPED_SIZE } from './blockSizes.ts';
import { type Chain, knownMedianTime } from './chainState.ts';
import type { Fault } from './fault.ts';
import { buildMerkleTree, type MerkleTree, treeRoot } from './merkleTree.ts';
import type { ChainBlock } from './types.ts';

/** A block may hold other contents under the same header. @see Bitcoin Core `BLOCK_MUTATED` */
export interface BlockFault extends Fault {
  readonly isMutated?: true;
}

type FoundFault = BlockFault | undefined;
type BlockContent = Pick<Block, 'merkleRoot' | 'txs' | 'txids'>;

const refused = (reason: string, detail: string): BlockFault => ({ reason, detail });
const mutated = (reason: string, detail: string): BlockFault => ({ reason, detail, isMutated: true });

/** Runs the checks of a block's content that need no chain. @see Bitcoin Core `CheckBlock` */
export function contentFault(block: BlockContent, network: Network): FoundFault {
  return merkleFault(block) ?? sizeFault(block) ?? coinbaseFault(block) ?? transactionsFault(block, network);
}

function merkleFault({ merkleRoot, txids }: BlockContent): FoundFault {
  const tree = buildMerkleTree(txids);
  if (!equalBytes(treeRoot(tree), merkleRoot)) return mutated('bad-txnmrklroot', 'hashMerkleRoot mismatch');
  return isAmbiguous(tree) ? mutated('bad-txns-duplicate', 'duplicate transaction') : undefined;
}

/** Repeating a block's last transactions can leave its merkle root unchanged. @see CVE-2012-2459 */
const isAmbiguous = (tree: MerkleTree): boolean =>
  tree.some((level) =>
    level.some((hash, index) => {
      const pair = index % 2 === 0 ? level[index + 1] : undefined;
      return pair !== undefined && equalBytes(hash, pair);
    }),
  );

function sizeFault({ txs }: BlockContent): FoundFault {
  const isTooLarge = txs.length > MAX_STRIPPED_SIZE || blockSizes(txs).strippedsize > MAX_STRIPPED_SIZE;
  return txs.length === 0 || isTooLarge ? refused('bad-blk-length', 'size limits failed') : undefined;
}

function coinbaseFault({ txs: [first, ...others] }: BlockContent): FoundFault {
  if (!first || !isCoinbase(first)) return refused('bad-cb-missing', 'first tx is not coinbase');
  return others.some(isCoinbase) ? refused('bad-cb-multiple', 'more than one coinbase') : undefined;
}

function transactionsFault({ txs, txids }: BlockContent, { maxMoney }: Network): FoundFault {
  for (const [index, tx] of txs.entries()) {
    const reason = checkTransaction(tx, { maxMoney });
    const id = txids[index];
    if (reason && id) return refused(reason, `Transaction check failed (tx hash ${formatTxid(id)}) `);
  }
  const sigOps = txs.reduce((sum, tx) => sum + legacySigOps(tx), 0);
  const isTooMany = sigOps * WITNESS_SCALE_FACTOR > MAX_BLOCK_SIGOPS_COST;
  return isTooMany ? refused('bad-blk-sigops', 'out-of-bounds SigOpCount') : undefined;
}

const legacySigOps = ({ inputs, outputs }: Transaction): number =>
  [...inputs.map(({ scriptSig }) => scriptSig), ...outputs.map(({ scriptPubKey }) => scriptPubKey)].reduce(
    (sum, script) => sum + countSigOps(script, false),
    0,
  );

/** Runs the checks of a block's content that need the blocks before it. @see Bitcoin Core `ContextualCheckBlock` */
export function contextualFault(chain: Chain, block: Block, parent: ChainBlock): FoundFault {
  const { versionHeights: [bip34 = 0] = [], laterForks: [csv = 0, segwit = 0] = [] } = headerRules(chain.network) ?? {};
  const height = parent.height + 1;
  const time = height >= csv ? (knownMedianTime(chain, parent) ?? Number.POSITIVE_INFINITY) : block.time;
  if (!block.txs.every((tx) => isFinalTransaction(tx, height, time)))
    return refused('bad-txns-nonfinal', 'non-final transaction');
  if (height >= bip34 && !beginsWithHeight(block, height))
    return refused('bad-cb-height', 'block height mismatch in coinbase');
  const fault = witnessFault(block, height >= segwit);
  if (fault) return fault;
  const isTooHeavy = blockWeight(block.txs) > MAX_BLOCK_WEIGHT;
  return isTooHeavy ? refused('bad-blk-weight', 'ContextualCheckBlock : weight limit failed') : undefined;
}

/** @see BIP34 */
function beginsWithHeight({ txs: [coinbase] }: Block, height: number): boolean {
  const expected = pushNumber(height);
  const scriptSig = coinbase?.inputs[0]?.scriptSig;
  return scriptSig !== undefined && equalBytes(scriptSig.subarray(0, expected.length), expected);
}

/**
 * Checks a block's witnesses against the commitment in its coinbase.
 * @see BIP141 "Commitment structure"; Bitcoin Core `CheckWitnessMalleation`
 */
export function witnessFault({ txs, txids }: Pick<Block, 'txs' | 'txids'>, isSegwit = true): FoundFault {
  const [coinbase, ...others] = txs;
  const commitment = isSegwit ? coinbase && witnessCommitment(coinbase) : undefined;
  if (!commitment) {
    return txs.some(hasWitness)
      ? mutated('unexpected-witness', 'CheckWitnessMalleation : unexpected witness data found')
      : undefined;
  }
  const [reservedValue, ...more] = coinbase?.inputs[0]?.witness ?? [];
  if (reservedValue?.length !== 32 || more.length > 0)
    return mutated('bad-witness-nonce-size', 'CheckWitnessMalleation : invalid witness reserved value size');
  // The coinbase itself counts as zeros, since it holds the commitment.
  const ids = others.map((tx, index) => (hasWitness(tx) ? undefined : txids[index + 1]) ?? wtxid(tx));
  return equalBytes(commitmentTo(ids, reservedValue), commitment)
    ? undefined
    : mutated('bad-witness-merkle-match', 'CheckWitnessMalleation : witness merkle commitment mismatch');
}

/** Computes the commitment to the wtxids of all transactions but the coinbase. */
export const commitmentTo = (wtxids: readonly Uint8Array[], reservedValue: Uint8Array): Uint8Array =>
  sha256d(concatBytes(treeRoot(buildMerkleTree([new Uint8Array(32), ...wtxids])), reservedValue));
