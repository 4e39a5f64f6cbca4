import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { sha256d } from '../crypto/hash.ts';
import type { Network } from '../network/networks.ts';
import { checkTransaction, isCoinbase, type TransactionFault } from '../tx/check.ts';
import { hasWitness } from '../tx/codec.ts';
import { wtxid } from '../tx/txid.ts';
import { type Block, witnessCommitment } from './block.ts';

/** What is wrong with a block whatever comes before it, in BIP22's words. */
type ContentFault =
  | 'bad-txnmrklroot'
  | 'bad-txns-duplicate'
  | 'bad-blk-length'
  | 'bad-cb-missing'
  | 'bad-cb-multiple'
  | TransactionFault;

/**
 * Why a block cannot be what its header stands for, `undefined` where it can: its transactions are not those that the
 * header commits to, or not one coinbase and then others, or one of them could be in no block.
 * @see Bitcoin Core `CheckBlock`
 */
export function contentFault({ merkleRoot, txs, txids }: Block, network: Network): ContentFault | undefined {
  const { root, isAmbiguous } = merkleRootOf(txids);
  if (!equalBytes(root, merkleRoot)) return 'bad-txnmrklroot';
  if (isAmbiguous) return 'bad-txns-duplicate';
  const [first, ...others] = txs;
  if (!first) return 'bad-blk-length';
  if (!isCoinbase(first)) return 'bad-cb-missing';
  if (others.some(isCoinbase)) return 'bad-cb-multiple';
  for (const tx of txs) {
    const fault = checkTransaction(tx, network);
    if (fault) return fault;
  }
  return undefined;
}

type WitnessFault = 'bad-witness-nonce-size' | 'bad-witness-merkle-match' | 'unexpected-witness';

/**
 * Whether the witnesses of a block are not those that its coinbase commits to: the header does not know them, so that
 * a block may come without.
 * @see BIP141 "Commitment structure"; Bitcoin Core `ContextualCheckBlock`
 */
export function witnessFault({ txs, txids }: Block): WitnessFault | undefined {
  const [coinbase, ...others] = txs;
  const commitment = coinbase && witnessCommitment(coinbase);
  if (!commitment) return txs.some(hasWitness) ? 'unexpected-witness' : undefined;
  const [salt, ...more] = coinbase.inputs[0]?.witness ?? [];
  if (salt?.length !== 32 || more.length > 0) return 'bad-witness-nonce-size';
  // The coinbase counts as zeros, for it holds the commitment.
  const ids = others.map((tx, index) => (hasWitness(tx) ? undefined : txids[index + 1]) ?? wtxid(tx));
  const { root } = merkleRootOf([new Uint8Array(32), ...ids]);
  return equalBytes(sha256d(concatBytes(root, salt)), commitment) ? undefined : 'bad-witness-merkle-match';
}

/**
 * An odd one out is paired with itself, so that a block which names its last transactions twice may have the header of
 * one that does not: it is ambiguous.
 * @see Bitcoin Core `ComputeMerkleRoot`; CVE-2012-2459
 */
function merkleRootOf(hashes: readonly Uint8Array[]): { readonly root: Uint8Array; readonly isAmbiguous: boolean } {
  let level = hashes;
  let isAmbiguous = false;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left = new Uint8Array(32), pair] = [level[i], level[i + 1]];
      if (pair && equalBytes(left, pair)) isAmbiguous = true;
      next.push(sha256d(concatBytes(left, pair ?? left)));
    }
    level = next;
  }
  return { root: level[0] ?? new Uint8Array(32), isAmbiguous };
}
