import type { Descriptor } from '../descriptors/types.ts';
import { formatAmount } from '../encoding/amount.ts';
import { type Network, networks } from '../network/networks.ts';
import { psbtVersion } from '../psbt/format/fields.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { openSession, type PsbtSession, type SessionOptions } from '../psbt/session.ts';
import { type AbsoluteLock, absoluteLockOf, SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import { signalsReplacement } from '../tx/replaceable.ts';
import { outpointKey } from '../tx/txid.ts';
import { isFixed, isOwn } from './commitment.ts';
import { type AmountTrust, commitsToAmounts, type InputReview, type ReviewedInput, reviewInput } from './inputs.ts';
import { type OutputReview, reviewOutput, spentBy } from './outputs.ts';
import { createFindOwner } from './ownership.ts';
import { type Finding, judge, limitsOf, type Observation, type Policy, type PolicyLimits, when } from './policy.ts';
import { estimateSize, type Size } from './size.ts';

export interface ReviewOptions extends SessionOptions {
  /** Its limits count. Default `networks.main`. */
  readonly network?: Network;
  /** What is one's own: only what these derive is called change. */
  readonly descriptors?: readonly Descriptor[];
  /**
   * Whether a key is at hand, of 33 or 65 bytes or x-only: coins that it can sign for count as own beside those of
   * descriptors. Default none.
   */
  readonly holdsKey?: (publicKey: Uint8Array) => boolean;
  /** Shows the keys that scripts name by their hash only, as `SignOptions.publicKey` does. Default none. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
  /** The hash type that is to be signed with, if one is named. */
  readonly sighashType?: number;
  readonly policy?: Policy;
  readonly limits?: Partial<PolicyLimits>;
}

/**
 * Why a fee is proven: by `previous-transactions`, or by `signatures` that a false amount would void; or why it is not:
 * amounts are `claims` of the PSBT, `open-signatures` let inputs or outputs change, or `unknown-coins` are spent.
 */
export type FeeReason = 'previous-transactions' | 'signatures' | 'claims' | 'open-signatures' | 'unknown-coins';

/** What a PSBT would do, for the person who is to sign it. Members with `claimed` in their names are its word only. */
export interface PsbtReview {
  readonly version: 0 | 2;
  readonly txVersion: number;
  readonly inputs: readonly InputReview[];
  readonly outputs: readonly OutputReview[];
  /**
   * In satoshi, where all coins are known, and how far it can be trusted: `proven` only where the amounts are, and where
   * no input or output can change without voiding a signature.
   */
  readonly fee: bigint | undefined;
  readonly feeTrust: AmountTrust;
  readonly feeReason: FeeReason;
  /** What the signed transaction will weigh, in virtual bytes, where that can be told. */
  readonly vsize: number | undefined;
  /**
   * In satoshi: what leaves the given descriptors, the fee included, where all coins are known. It is as good as
   * `feeTrust` is; own coins count only where the PSBT gives their places away, and change that can still be replaced
   * counts as spent.
   */
  readonly verifiedSpent: bigint | undefined;
  /** `none` where no input lets the locktime count. */
  readonly lockedUntil: AbsoluteLock;
  /** Whether it asks to be replaceable. @see BIP125 */
  readonly isReplaceable: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Tells what a PSBT would do: who pays whom, what comes back, what is proven and what is only claimed, who has signed
 * and who has not, and what is suspicious about it. Nothing is changed or signed.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`, `policy/invalid`, `descriptor/*`
 */
export function reviewPsbt(psbt: Psbt, options: ReviewOptions = {}): PsbtReview {
  const { network = networks.main, descriptors = [], policy, holdsKey, publicKey } = options;
  const session = openSession(psbt, options);
  const limits = limitsOf(network, options.limits);
  const findOwner = createFindOwner(psbt, descriptors, session.ecc);
  const hasDescriptors = descriptors.length > 0;
  const reviewed = psbt.inputs.map((_, index) =>
    reviewInput(psbt, session, index, { findOwner, named: options.sighashType, holdsKey, publicKey, hasDescriptors }),
  );
  const inputs = reviewed.map(({ review }) => review);
  const spent = spentBy(reviewed);
  const fixed = isFixed(inputs);
  const feeReason = feeReasonOf(reviewed, fixed);
  const outputContext = { findOwner, isFixed: fixed, network, limits, spent, hasDescriptors, ecc: session.ecc };
  const paid = session.tx.outputs.map((output, index) => reviewOutput(psbt, output, index, outputContext));
  const outputs = paid.map(({ review }) => review);
  const sums = sumsOf(inputs, outputs);
  const size = estimateSize(session, psbt.inputs, reviewed, publicKey);
  const facts: TransactionFacts = { session, inputs, reviewed, sums, size, network, limits };
  const observations = [
    ...reviewed.flatMap((input) => input.observations),
    ...paid.flatMap((output) => output.observations),
    ...CHECKS.flatMap((check) => check(facts)),
  ];
  return {
    version: psbtVersion(psbt) === 2 ? 2 : 0,
    txVersion: session.tx.version,
    inputs,
    outputs,
    fee: sums.areAllKnown ? sums.spent - sums.paid : undefined,
    feeTrust: FEE_TRUST[feeReason],
    feeReason,
    vsize: size.isWhole ? size.vsize : undefined,
    verifiedSpent: sums.areAllKnown && hasDescriptors ? spentOf(inputs, outputs) : undefined,
    lockedUntil: absoluteLockOf(session.tx),
    isReplaceable: signalsReplacement(session.tx),
    findings: judge(observations, policy),
  };
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** What goes in and out. Where not all coins are known, at least `spent` goes in. */
interface Sums {
  readonly spent: bigint;
  readonly paid: bigint;
  readonly areAllKnown: boolean;
}

function sumsOf(inputs: readonly InputReview[], outputs: readonly OutputReview[]): Sums {
  const known = inputs.flatMap(({ coin }) => coin?.value ?? []);
  return {
    spent: sum(known),
    paid: sum(outputs.map(({ value }) => value)),
    areAllKnown: known.length === inputs.length,
  };
}

/**
 * Amounts that are only claimed are as good as proven where the signatures are void if they are false: for all amounts
 * at once. Nothing is proven that others can still change.
 */
function feeReasonOf(reviewed: readonly ReviewedInput[], fixed: boolean): FeeReason {
  const trusts = reviewed.map(({ review }) => review.amountTrust);
  if (trusts.includes('unknown')) return 'unknown-coins';
  if (!fixed) return 'open-signatures';
  if (!trusts.includes('claimed')) return 'previous-transactions';
  return reviewed.every((input) => commitsToAmounts(input, reviewed.length)) ? 'signatures' : 'claims';
}

const FEE_TRUST: Readonly<Record<FeeReason, AmountTrust>> = {
  'previous-transactions': 'proven',
  signatures: 'proven',
  claims: 'claimed',
  'open-signatures': 'claimed',
  'unknown-coins': 'unknown',
};

/** Sums up what leaves the given descriptors, with all coins that keys at hand can sign for. */
function spentOf(inputs: readonly InputReview[], outputs: readonly OutputReview[]): bigint | undefined {
  const own = inputs.filter(isOwn);
  if (own.length === 0) return undefined;
  const back = outputs.filter(({ verifiedChange }) => verifiedChange);
  return sum(own.map(({ coin }) => coin?.value ?? 0n)) - sum(back.map(({ value }) => value));
}

/** What checks of the whole transaction look at. */
interface TransactionFacts {
  readonly session: PsbtSession;
  readonly inputs: readonly InputReview[];
  readonly reviewed: readonly ReviewedInput[];
  readonly sums: Sums;
  readonly size: Size;
  readonly network: Network;
  readonly limits: PolicyLimits;
}

type TransactionCheck = (facts: TransactionFacts) => readonly Observation[];

/** Where coins are not known, by the fee that it is at least: a coin more only makes it higher. */
const checkFee: TransactionCheck = ({ sums: { spent, paid, areAllKnown }, size, network, limits }) => {
  const fee = spent - paid;
  const percent = spent > 0n ? (100 * Number(fee)) / Number(spent) : 0;
  const rate = Number(fee) / size.vsize;
  const text = `The fee of ${areAllKnown ? '' : 'at least '}${formatAmount(fee)} ${network.ticker} is`;
  const isAbsurd = percent > limits.maxFeePercent || rate > limits.maxFeeRate;
  return [
    ...when(fee < 0n && areAllKnown, 'fee-negative', () => {
      return `It pays ${formatAmount(-fee)} ${network.ticker} more than it spends.`;
    }),
    ...when(isAbsurd, 'fee-absurd', () => {
      return rate > limits.maxFeeRate
        ? `${text} ${size.isWhole ? '' : 'up to '}${rate.toFixed(0)} sat/vB, above ${limits.maxFeeRate}.`
        : `${text} ${percent.toFixed(1)} % of what is spent, above ${limits.maxFeePercent} %.`;
    }),
    ...when(!isAbsurd && percent > limits.warnFeePercent, 'fee-high', () => {
      return `${text} ${percent.toFixed(1)} % of what is spent.`;
    }),
  ];
};

const checkAmounts: TransactionCheck = ({ sums: { spent, paid }, inputs, network: { maxMoney } }) => {
  const isImpossible = spent > maxMoney || paid > maxMoney || inputs.some(({ coin }) => (coin?.value ?? 0n) < 0n);
  return when(isImpossible, 'amount-impossible', () => 'Its amounts add up to more than there can ever be.');
};

const checkLocks: TransactionCheck = ({ session: { tx } }) => [
  ...when(
    tx.locktime > 0 && tx.inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL),
    'locktime-unusual',
    () => 'It has a locktime, but no input lets it count.',
  ),
  ...when(tx.version < 1 || tx.version > 3, 'version-unusual', () => `Its version is ${tx.version}.`),
];

/** One r in two different signatures of one key gives the key away; in those of two keys, both. */
const checkNonces: TransactionCheck = ({ reviewed }) => {
  const signatures = new Map<string, string>();
  const isRepeated = reviewed
    .flatMap(({ nonces }) => nonces)
    .some(({ nonce, signature }) => {
      const known = signatures.get(nonce);
      signatures.set(nonce, signature);
      return known !== undefined && known !== signature;
    });
  return when(
    isRepeated,
    'nonce-repeated',
    () => 'Two of its signatures share a nonce: whoever sees them knows the key.',
  );
};

const checkCoins: TransactionCheck = ({ session: { tx } }) => {
  const coins = new Set(tx.inputs.map(({ outpoint }) => outpointKey(outpoint)));
  return when(coins.size < tx.inputs.length, 'coin-repeated', () => 'It spends one coin twice, which no node accepts.');
};

const CHECKS: readonly TransactionCheck[] = [checkFee, checkAmounts, checkLocks, checkNonces, checkCoins];
