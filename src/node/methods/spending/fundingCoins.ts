import { classifyScript, parseWitnessProgram } from '../../../core/script/template.ts';
import type { FundingCoin } from '../../../kit/funding/coinGroups.ts';
import { feeFor } from '../../../kit/funding/feeRate.ts';
import type { SpendSize } from '../../../kit/funding/spendSize.ts';
import { toVsize } from '../../../kit/funding/spendSize.ts';
import type { Chain } from '../../chain/chainState.ts';
import { mempoolAncestors, mempoolDescendants } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { linearize } from '../../mempool/chunks.ts';
import { clusterTx, findCluster, poolLinks } from '../../mempool/clusters.ts';
import { coinsOfRecord, type WalletCoin } from '../../wallet/queries/availableCoins.ts';
import { findOwnership, isFromMe, isUsedBefore } from '../../wallet/queries/ownership.ts';
import type { TrustCache } from '../../wallet/queries/txQueries.ts';
import { chainDepth } from '../../wallet/records/records.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { createView, type WalletContext } from '../context.ts';
import { coinRecordsInOrder } from '../recordOrder.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { spendingRules } from './spendingRules.ts';

export interface CoinChoice {
  /** Default 0. */
  readonly minDepth?: number | undefined;
  /** Default 9999999. */
  readonly maxDepth?: number | undefined;
  readonly includesUnsafe?: boolean | undefined;
  /** Includes coins whose keys the wallet lacks; 0.21 only. */
  readonly includesWatched?: boolean | undefined;
  readonly avoidsReuse?: boolean | undefined;
  /** In satoshi. Default 1. */
  readonly minimum?: bigint | undefined;
}

const MAX_DEPTH = 9_999_999;

/** @see Bitcoin Core `AvailableCoins` */
export function availableCoins(
  choice: CoinChoice,
  {
    feeRate,
    estimateSize,
  }: { readonly feeRate: bigint; readonly estimateSize: (script: Uint8Array) => SpendSize | undefined },
  context: WalletContext,
): readonly FundingCoin[] {
  const { wallet, network } = context;
  const { minDepth = 0, maxDepth = MAX_DEPTH, includesUnsafe = false, minimum = 1n } = choice;
  const filter = { minDepth, maxDepth, includesUnsafe, minimum, maximum: network.maxMoney, includesImmature: false };
  const view = createView(context);
  const trusted: TrustCache = new Map();
  return [...coinRecordsInOrder(context)].flatMap((record) => {
    const coins = coinsOfRecord(record, filter, { view, trusted }).filter((coin) => isSpendable(coin, choice, context));
    if (coins.length === 0) return [];
    const facts = recordFacts(record, feeRate, context);
    return coins.flatMap(({ vout, output: { value, scriptPubKey } }) => {
      const size = estimateSize(scriptPubKey);
      // A watch-only coin must be solvable.
      if (!size && choice.includesWatched === true && findOwnership(wallet, scriptPubKey) !== 'own') return [];
      const kind = classifyKind(scriptPubKey, size);
      return [{ ...facts, outpoint: { txid: record.id, vout }, value, scriptPubKey, size, kind }];
    });
  });
}

function isSpendable({ output: { scriptPubKey } }: WalletCoin, choice: CoinChoice, context: WalletContext): boolean {
  const { wallet, dialect } = context;
  if (choice.avoidsReuse === true && isUsedBefore(wallet, scriptPubKey)) return false;
  if (walletMethodRules[dialect.generation].callsAllSpendable) return true;
  return choice.includesWatched === true || findOwnership(wallet, scriptPubKey) === 'own';
}

type RecordFacts = Pick<FundingCoin, 'depth' | 'isFromMe' | 'relatives' | 'bumpFee'>;

/** @see Bitcoin Core `GetOutputType` */
function classifyKind(scriptPubKey: Uint8Array, size: SpendSize | undefined): string {
  const program = parseWitnessProgram(scriptPubKey);
  if (program) return program.version === 0 ? 'bech32' : 'bech32m';
  const { type } = classifyScript(scriptPubKey);
  if (type === 'scripthash' && (size?.witness ?? 0) > 0) return 'p2sh-segwit';
  return type === 'scripthash' || type === 'pubkeyhash' ? 'legacy' : 'other';
}

function recordFacts(record: WalletTx, feeRate: bigint, context: WalletContext): RecordFacts {
  const { wallet, node, dialect } = context;
  const depth = chainDepth(wallet, record);
  const ownFacts = { depth, isFromMe: isFromMe(wallet, record.tx) };
  const entry = depth === 0 ? node.chain.mempool.get(record.key) : undefined;
  if (!entry) return { ...ownFacts, relatives: 0, bumpFee: 0n };
  const ancestors = [entry, ...mempoolAncestors(node.chain, entry)];
  const relatives = Math.max(ancestors.length, 1 + mempoolDescendants(node.chain, [entry]).length);
  const bumpFee = spendingRules[dialect.generation].paysForAncestors ? computeBumpFee(entry, feeRate, node.chain) : 0n;
  return { ...ownFacts, relatives, bumpFee };
}

/**
 * Returns the satoshi that a mempool transaction and its ancestors lack to reach a fee rate, unless others pay for
 * them.
 * @see Bitcoin Core 31 `MiniMiner::CalculateBumpFees`
 */
export function computeBumpFee(entry: PoolEntry, feeRate: bigint, chain: Chain): bigint {
  const family = new Set([entry.key, ...mempoolAncestors(chain, entry).map(({ key }) => key)]);
  const chunkRate = ({ fee, weight }: { readonly fee: bigint; readonly weight: number }): bigint =>
    (fee * 4000n) / BigInt(weight);
  let missing = 0n;
  for (const chunk of linearize(findCluster(poolLinks(chain), [entry]).map(clusterTx))) {
    if (chunkRate(chunk) >= feeRate) continue;
    for (const key of chunk.keys.filter((name) => family.has(name))) {
      const { fee = 0n, policyWeight } = chain.mempool.get(key) ?? { policyWeight: 0 };
      missing += feeFor(feeRate, toVsize(policyWeight), 'up') - fee;
    }
  }
  return missing > 0n ? missing : 0n;
}
