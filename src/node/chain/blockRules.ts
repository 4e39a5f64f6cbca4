import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import type { Network } from '../../core/network/networks.ts';
import { checkTransaction, isCoinbase, type TransactionFault } from '../../core/tx/check.ts';
import { hasWitness } from '../../core/tx/codec.ts';
import { wtxid } from '../../core/tx/txid.ts';
import { type Block, witnessCommitment } from './block.ts';
import { buildMerkleTree, type MerkleTree, treeRoot } from './merkleTree.ts';

/** BIP22 rejection reasons. */
type ContentFault =
  | 'bad-txnmrklroot'
  | 'bad-txns-duplicate'
  | 'bad-blk-length'
  | 'bad-cb-missing'
  | 'bad-cb-multiple'
  | TransactionFault;

/** Runs the context-free checks of a block, except proof of work. @see Bitcoin Core `CheckBlock` */
export function contentFault({ merkleRoot, txs, txids }: Block, network: Network): ContentFault | undefined {
  const tree = buildMerkleTree(txids);
  if (!equalBytes(treeRoot(tree), merkleRoot)) return 'bad-txnmrklroot';
  if (isAmbiguous(tree)) return 'bad-txns-duplicate';
  const [first, ...others] = txs;
  if (!first) return 'bad-blk-length';
  if (!isCoinbase(first)) return 'bad-cb-missing';
  if (others.some(isCoinbase)) return 'bad-cb-multiple';
  for (const tx of txs) {
    const fault = checkTransaction(tx, { maxMoney: network.maxMoney });
    if (fault) return fault;
  }
  return undefined;
}

type WitnessFault = 'bad-witness-nonce-size' | 'bad-witness-merkle-match' | 'unexpected-witness';

/**
 * Checks a block's witnesses against the commitment in its coinbase.
 * @see BIP141 "Commitment structure"; Bitcoin Core `ContextualCheckBlock`
 */
export function witnessFault({ txs, txids }: Block): WitnessFault | undefined {
  const [coinbase, ...others] = txs;
  const commitment = coinbase && witnessCommitment(coinbase);
  if (!commitment) return txs.some(hasWitness) ? 'unexpected-witness' : undefined;
  const [reservedValue, ...more] = coinbase.inputs[0]?.witness ?? [];
  if (reservedValue?.length !== 32 || more.length > 0) return 'bad-witness-nonce-size';
  // The coinbase itself counts as zeros, since it holds the commitment.
  const ids = others.map((tx, index) => (hasWitness(tx) ? undefined : txids[index + 1]) ?? wtxid(tx));
  const root = treeRoot(buildMerkleTree([new Uint8Array(32), ...ids]));
  return equalBytes(sha256d(concatBytes(root, reservedValue)), commitment) ? undefined : 'bad-witness-merkle-match';
}

/** Repeating a block's last transactions can leave its merkle root unchanged. @see CVE-2012-2459 */
const isAmbiguous = (tree: MerkleTree): boolean =>
  tree.some((level) =>
    level.some((hash, index) => {
      const pair = index % 2 === 0 ? level[index + 1] : undefined;
      return pair !== undefined && equalBytes(hash, pair);
    }),
  );
