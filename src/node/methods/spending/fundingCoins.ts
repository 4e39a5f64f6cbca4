import { classifyScript, parseWitnessProgram } from '../../../core/script/template.ts';
import type { SpendSize } from '../../../core/tx/spendSize.ts';
import type { FundingCoin } from '../../../kit/coins/coinGroups.ts';
import type { Chain } from '../../chain/chainState.ts';
import { mempoolAncestors, mempoolDescendants } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { findCluster, poolLinks } from '../../mempool/clusters.ts';
import { TRUC_VERSION } from '../../mempool/truc.ts';
import { coinsOfRecord, type WalletCoin } from '../../wallet/queries/availableCoins.ts';
import { findOwnership, isFromMe, isUsedBefore } from '../../wallet/queries/ownership.ts';
import type { TrustCache } from '../../wallet/queries/txQueries.ts';
import { chainDepth } from '../../wallet/records/records.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { createView, type WalletContext } from '../context.ts';
import { coinRecordsInOrder } from '../recordOrder.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { computeBumpFee } from './bumpFees.ts';
import { coinsOfOneParent, DEFAULT_VERSION, fitsVersion } from './trucCoins.ts';

export interface CoinChoice {
  /** Default 0. */
  readonly minDepth?: number | undefined;
  /** Default 9999999. */
  readonly maxDepth?: number | undefined;
  readonly includesUnsafe?: boolean | undefined;
  /** Includes coins whose keys the wallet lacks; 0.21 only. */
  readonly includesWatched?: boolean | undefined;
  readonly avoidsReuse?: boolean | undefined;
  /** Of the payment. Default 2. */
  readonly version?: number | undefined;
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
  const {
    version = DEFAULT_VERSION,
    minDepth = 0,
    maxDepth = MAX_DEPTH,
    includesUnsafe = false,
    minimum = 1n,
  } = choice;
  const filter = { minDepth, maxDepth, includesUnsafe, minimum, maximum: network.maxMoney, includesImmature: false };
  const view = createView(context);
  const trusted: TrustCache = new Map();
  const found = [...coinRecordsInOrder(context)].flatMap((record) => {
    if (!fitsVersion(record, version, context)) return [];
    const coins = coinsOfRecord(record, filter, { view, trusted }).filter((coin) => isSpendable(coin, choice, context));
    if (coins.length === 0) return [];
    const facts = recordFacts(record, context);
    return coins.flatMap(({ vout, output: { value, scriptPubKey } }) => {
      const size = estimateSize(scriptPubKey);
      // A watch-only coin must be solvable.
      if (!size && choice.includesWatched === true && findOwnership(wallet, scriptPubKey) !== 'own') return [];
      const kind = classifyKind(scriptPubKey, size);
      const outpoint = { txid: record.id, vout };
      const bumpFee = facts.ancestors === 0 ? 0n : computeBumpFee([outpoint], feeRate, context);
      return [{ outpoint, value, scriptPubKey, size, kind, bumpFee, ...facts }];
    });
  });
  return version === TRUC_VERSION ? coinsOfOneParent(found) : found;
}

function isSpendable({ output: { scriptPubKey } }: WalletCoin, choice: CoinChoice, context: WalletContext): boolean {
  const { wallet, dialect } = context;
  if (choice.avoidsReuse === true && isUsedBefore(wallet, scriptPubKey)) return false;
  if (walletMethodRules[dialect.generation].callsAllSpendable) return true;
  return choice.includesWatched === true || findOwnership(wallet, scriptPubKey) === 'own';
}

type RecordFacts = Pick<FundingCoin, 'depth' | 'isFromMe' | 'ancestors' | 'relatives'>;

/** @see Bitcoin Core `GetOutputType` */
function classifyKind(scriptPubKey: Uint8Array, size: SpendSize | undefined): string {
  const program = parseWitnessProgram(scriptPubKey);
  if (program) return program.version === 0 ? 'bech32' : 'bech32m';
  const { type } = classifyScript(scriptPubKey);
  if (type === 'scripthash' && (size?.witness ?? 0) > 0) return 'p2sh-segwit';
  return type === 'scripthash' || type === 'pubkeyhash' ? 'legacy' : 'other';
}

function recordFacts(record: WalletTx, context: WalletContext): RecordFacts {
  const { wallet, node, mempool } = context;
  const depth = chainDepth(wallet, record);
  const isOwn = isFromMe(wallet, record.tx);
  const entry = depth === 0 ? node.chain.mempool.get(record.key) : undefined;
  if (!entry) return { depth, isFromMe: isOwn, ancestors: 0, relatives: 0 };
  const ancestors = [entry, ...mempoolAncestors(node.chain, entry)];
  const relatives = mempool.rules.cluster
    ? findCluster(poolLinks(node.chain), [entry]).length
    : mostDescendants(ancestors, node.chain);
  return { depth, isFromMe: isOwn, ancestors: ancestors.length, relatives };
}

/** Counts the descendants of the oldest ancestors, with these. @see Bitcoin Core 30 `CalculateDescendantMaximum` */
function mostDescendants(ancestors: readonly PoolEntry[], chain: Chain): number {
  const links = poolLinks(chain);
  const oldest = ancestors.filter((entry) => links.findParents(entry).length === 0);
  return Math.max(...oldest.map((entry) => 1 + mempoolDescendants(chain, [entry]).length));
}
