import { checkTransaction } from '../../core/tx/check.ts';
import { hasWitness } from '../../core/tx/codec.ts';
import { signalsReplacement } from '../../core/tx/replaceable.ts';
import { formatTxid, outputKey, wtxid } from '../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../core/tx/types.ts';
import { sigOpCost, sizeOfWeight, transactionSize } from '../../core/tx/weight.ts';
import { type Chain, coinAt } from '../chain/chainState.ts';
import { findSpender, isFinalNext, modifiedFee, newEntry, placeFault } from '../chain/mempool.ts';
import { isPartial } from '../chain/partialChain.ts';
import { valueFault } from '../chain/spendRules.ts';
import type { ChainCoin, ChainTx, PoolEntry } from '../chain/types.ts';
import { isWaived } from '../chain/waivers.ts';
import { ephemeralFault } from './ephemeral.ts';
import { familyFault } from './familyLimits.ts';
import { areWitnessesStandard, inputsFault } from './inputStandardness.ts';
import { because, feeOfSize, type MempoolPolicy, type Rejection, rateLimitFault } from './mempoolPolicy.ts';
import {
  clusterFault,
  familyReplacementFault,
  type Replacement,
  replacementFault,
  spendsConflictFault,
} from './replacement.ts';
import { isDust, standardFault } from './standardness.ts';
import { isTruc, trucViolation } from './truc.ts';

export interface Gate {
  readonly chain: Chain;
  readonly policy: MempoolPolicy;
  /** What a mempool that was full asks for, in satoshi per 1000 virtual bytes; 0 for nothing. */
  readonly floor: number;
  /** `coins`: one per input. */
  readonly scriptFault: (tx: ChainTx, coins: readonly ChainCoin[]) => Rejection | undefined;
  /** Refuses a transaction that has passed all checks, if the caller has planned to. */
  readonly planned?: (entry: PoolEntry) => Verdict | undefined;
}

export type Verdict =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'missing-inputs' }
  /** A coin may be in an unknown part of the chain; checks that need coins were skipped. */
  | { readonly kind: 'unknown-coins' }
  | { readonly kind: 'accepted'; readonly admission: Admission };

export interface Admission {
  readonly entry: PoolEntry;
  /** One per input. */
  readonly coins: readonly ChainCoin[];
  readonly replacement: Replacement;
}

const refused = (rejection: Rejection): Verdict => ({ kind: 'refused', rejection });

/**
 * Tells whether a transaction of a disconnected block may return to the mempool: its fee does not count. Before clusters,
 * nodes link those that were in the mempool already only later, so that just the `returned` ones count as descendants.
 * @see Bitcoin Core `bypass_limits`, `CTxMemPool::UpdateTransactionsFromBlock`
 */
export function mayReturn(chain: Chain, policy: MempoolPolicy, tx: ChainTx, returned: ReadonlySet<TxKey>): boolean {
  if (policy.isSkipped) return true;
  if (formFault({ chain, policy }, tx)) return false;
  const coins = tx.spends.flatMap((key) => coinAt(chain, key) ?? []);
  const entry = newEntry(chain, tx, coins);
  // A chain without its first blocks does not know all coins.
  if (
    coins.length === tx.spends.length &&
    coinPolicyFault({ chain, policy, floor: 0 }, { entry, coins, isReturned: true })
  )
    return false;
  const gate = { chain, policy };
  if (limitsFamilies(policy) && familyFault(gate, entry, { conflicts: [], counted: returned })) return false;
  if (!policy.rules.limitsReturned) return true;
  return !trucViolation(gate, entry, new Set()) && !ephemeralRejection(gate, entry);
}

/** How transactions are judged. By default, each pays for itself, and those of a package replace none. */
export interface PackageTerms {
  /** Part of a package that is submitted: its transactions pay together, and may replace others together. */
  readonly isSubmitted?: boolean;
  /** In satoshi per 1000 virtual bytes; 0 for any. */
  readonly maxFeeRate?: bigint;
}

/** Runs Core's checks in Core's order. @see Bitcoin Core `MemPoolAccept::AcceptSingleTransactionInternal` */
export function judge(gate: Gate, tx: ChainTx, { isSubmitted = false, maxFeeRate }: PackageTerms = {}): Verdict {
  const verdict = preCheck(gate, tx, {
    replaces: gate.policy.replaceable !== 'none',
    findCoin: (key) => coinAt(gate.chain, key),
    hasCarveOut: !isSubmitted,
  });
  if (verdict.kind !== 'accepted') return verdict;
  const { entry, coins, replacement } = verdict.admission;
  const expensive = rateLimitFault(entry, maxFeeRate);
  // Without clusters, nodes look at rate and dust before the fees of a replacement.
  const early = limitsFamilies(gate.policy)
    ? (spendsConflictFault(replacement) ?? expensive ?? ephemeralRejection(gate, entry))
    : undefined;
  const fault =
    early ?? relativesFault(replacement) ?? expensive ?? ephemeralRejection(gate, entry) ?? gate.scriptFault(tx, coins);
  return fault ? refused(fault) : (gate.planned?.(entry) ?? verdict);
}

function relativesFault(replacement: Replacement): Rejection | undefined {
  const { policy, entry, conflicts } = replacement;
  if (policy.isSkipped) return spendsConflictFault(replacement);
  if (!policy.rules.cluster) return familyReplacementFault(replacement);
  return (
    (conflicts.length > 0 ? replacementFault(replacement) : clusterFault(replacement, [entry])) ??
    spendsConflictFault(replacement)
  );
}

const ephemeralRejection = (
  { chain, policy }: Pick<Gate, 'chain' | 'policy'>,
  entry: PoolEntry,
): Rejection | undefined =>
  policy.rules.knowsEphemeralDust && policy.requiresStandard
    ? ephemeralFault(chain, policy, [entry])?.rejection
    : undefined;

interface PreCheckOptions {
  /** False refuses every replacement. */
  readonly replaces: boolean;
  readonly findCoin: (key: OutpointKey) => ChainCoin | undefined;
  /** Lets a small transaction, or one that replaces another, be one descendant too many. Default true. */
  readonly hasCarveOut?: boolean;
  /** True for one of several transactions, which evict no siblings. */
  readonly isInPackage?: true;
  /** The fees of the package count, where the node lets them. */
  readonly sharesFees?: boolean;
}

/** @see Bitcoin Core `MemPoolAccept::PreChecks` */
export function preCheck(gate: Gate, tx: ChainTx, options: PreCheckOptions): Verdict {
  const { chain, policy } = gate;
  const early = formFault(gate, tx) ?? knownFault(gate, tx);
  if (early) return refused(early);
  const conflicts = [...new Set(tx.spends.flatMap((key) => findSpender(chain, key) ?? []))];
  const conflictReason = conflicts.length === 0 ? undefined : conflictFault(conflicts, policy, options);
  if (conflictReason !== undefined) return refused({ reason: conflictReason });
  const coins = tx.spends.flatMap((key) => options.findCoin(key) ?? []);
  if (coins.length < tx.spends.length) return withoutCoins(chain, tx);
  const entry = newEntry(chain, tx, coins);
  const fault =
    placeFault(chain, tx, coins) ??
    valueFault(tx.tx, coins, policy.network) ??
    coinPolicyFault(gate, { entry, coins, ...options }) ??
    (limitsFamilies(policy) ? familyFault(gate, entry, { conflicts, ...options }) : undefined);
  if (fault) return refused(fault);
  const violation =
    policy.rules.knowsTruc && !policy.isSkipped
      ? trucViolation(gate, entry, new Set(conflicts.map(({ key }) => key)))
      : undefined;
  const sibling = options.isInPackage ? undefined : violation?.sibling;
  if (violation && !sibling) return refused({ reason: 'TRUC-violation', detail: violation.text });
  const all = sibling ? [...conflicts, sibling] : conflicts;
  const replacement = { chain, policy, entry, conflicts: all, evictsSibling: sibling !== undefined };
  return { kind: 'accepted', admission: { entry, coins, replacement } };
}

const limitsFamilies = ({ rules, isSkipped }: MempoolPolicy): boolean => !rules.cluster && !isSkipped;

function formFault(
  { chain, policy }: Pick<Gate, 'chain' | 'policy'>,
  { tx, isCoinbase }: ChainTx,
): Rejection | undefined {
  const reason =
    checkTransaction(tx, { maxMoney: policy.network.maxMoney }) ??
    (isCoinbase ? 'coinbase' : undefined) ??
    (policy.requiresStandard ? standardFault(tx, policy) : undefined) ??
    (isTooSmall(tx, policy) ? 'tx-size-small' : undefined);
  return because(reason ?? (isFinalNext(chain, { tx }) ? undefined : 'non-final'));
}

const isTooSmall = (tx: ChainTx['tx'], { isSkipped, rules }: MempoolPolicy): boolean =>
  !isSkipped && transactionSize(tx).strippedSize < rules.minSize;

function knownFault({ chain, policy }: Gate, { key, tx }: ChainTx): Rejection | undefined {
  const pooled = chain.mempool.get(key);
  if (!pooled) return undefined;
  const isSame = !policy.rules.comparesWitnesses || formatTxid(wtxid(pooled.tx)) === formatTxid(wtxid(tx));
  return because(isSame ? 'txn-already-in-mempool' : 'txn-same-nonwitness-data-in-mempool');
}

function conflictFault(
  conflicts: readonly PoolEntry[],
  { isSkipped, replaceable, rules }: MempoolPolicy,
  { replaces }: PreCheckOptions,
): string | undefined {
  if (isSkipped) return undefined;
  if (rules.replacesAny) return replaces ? undefined : 'bip125-replacement-disallowed';
  const areReplaceable = replaceable === 'any' || conflicts.every(({ tx }) => signalsReplacement(tx));
  return replaces && areReplaceable ? undefined : 'txn-mempool-conflict';
}

function withoutCoins(chain: Chain, { tx, key }: ChainTx): Verdict {
  const isMined = tx.outputs.some((_, vout) => chain.coins.has(outputKey(key, vout)));
  if (isMined) return refused({ reason: 'txn-already-known' });
  return { kind: isPartial(chain) ? 'unknown-coins' : 'missing-inputs' };
}

const MAX_SIGOP_COST = 16_000;

interface Funded {
  readonly entry: PoolEntry;
  readonly coins: readonly ChainCoin[];
  readonly sharesFees?: boolean;
  /** By a disconnected block. */
  readonly isReturned?: boolean;
}

function coinPolicyFault(
  { chain, policy, floor }: Pick<Gate, 'chain' | 'policy' | 'floor'>,
  { entry, coins, sharesFees, isReturned }: Funded,
): Rejection | undefined {
  const { isSkipped, requiresStandard, rules } = policy;
  if (isSkipped) return undefined;
  const { tx } = entry;
  const coinFault = requiresStandard ? standardCoinsFault({ chain, policy }, entry, coins) : undefined;
  if (coinFault) return coinFault;
  const cost = sigOpCost(
    tx,
    coins.map(({ scriptPubKey }) => scriptPubKey),
  );
  if (cost > MAX_SIGOP_COST) return { reason: 'bad-txns-too-many-sigops', detail: `${cost}` };
  if (isReturned) return undefined;
  const [size, fee] = [sizeOfWeight(entry.policyWeight), modifiedFee(entry)];
  if (rules.sharesFees === 'none') return relayFeeFault({ policy, floor }, size, fee);
  const paysAlone = rules.sharesFees === 'truc' && !isTruc(entry);
  const own = paysAlone ? minRelayFault(policy, size, fee) : undefined;
  if (own || sharesFees) return own;
  const fault = relayFeeFault({ policy, floor }, size, fee);
  return fault && { ...fault, isReconsiderable: true };
}

/** @see Bitcoin Core `CheckFeeRate` */
export function relayFeeFault(
  { policy, floor }: Pick<Gate, 'policy' | 'floor'>,
  size: number,
  fee: bigint,
): Rejection | undefined {
  const least = feeOfSize(BigInt(floor), size, policy.rules);
  if (fee < least) return { reason: 'mempool min fee not met', detail: `${fee} < ${least}` };
  return minRelayFault(policy, size, fee);
}

function minRelayFault({ rules }: MempoolPolicy, size: number, fee: bigint): Rejection | undefined {
  const needed = feeOfSize(BigInt(rules.minRelayFee), size, rules);
  return fee < needed ? { reason: 'min relay fee not met', detail: `${fee} < ${needed}` } : undefined;
}

function standardCoinsFault(
  { chain, policy }: Pick<Gate, 'chain' | 'policy'>,
  entry: PoolEntry,
  coins: readonly ChainCoin[],
): Rejection | undefined {
  const { tx, fee = 0n } = entry;
  const fault = inputsFault(tx, coins, policy, (scriptPubKey) => isWaived(chain, scriptPubKey));
  if (fault) return fault;
  if (hasWitness(tx) && !areWitnessesStandard(tx, coins, policy)) return { reason: 'bad-witness-nonstandard' };
  const pays = fee !== 0n || modifiedFee(entry) !== 0n;
  const paysWithDust = policy.rules.knowsEphemeralDust && pays && tx.outputs.some((output) => isDust(output, policy));
  return paysWithDust ? { reason: 'dust', detail: 'tx with dust output must be 0-fee' } : undefined;
}
