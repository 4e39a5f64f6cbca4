import { bytesKey } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { formatAmount } from '../encoding/amount.ts';
import type { KeyOrigin } from '../keys/path.ts';
import { type Network, networks } from '../network/networks.ts';
import { psbtVersion } from '../psbt/format/fields.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { withPlaceholderScripts } from '../psbt/format/version.ts';
import { beginSession, type PsbtSession } from '../psbt/session.ts';
import { verifySilentPayments } from '../psbt/silentPayments/verify.ts';
import { classifyScript } from '../script/template.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../signing/sessionOptions.ts';
import type { SilentPaymentAddress } from '../silentPayments/address.ts';
import type { SilentOwnership } from '../silentPayments/receiver.ts';
import { type AbsoluteLock, getAbsoluteLock, SEQUENCE_FINAL, untilText } from '../tx/absoluteLock.ts';
import { signalsReplacement } from '../tx/replaceable.ts';
import { outpointKey } from '../tx/txid.ts';
import { createChangeRules } from './change.ts';
import { isChange, isFixed, isOwn } from './commitment.ts';
import { commitsToAmounts } from './inputChecks.ts';
import { type AmountTrust, type InputReview, indexesText } from './inputReview.ts';
import { type ReviewedInput, reviewInput } from './inputs.ts';
import { type OutputReview, type ReviewedPayment, reviewOutput, spentBy } from './outputs.ts';
import {
  createFindOwner,
  createFindPlace,
  cutSearches,
  type DescriptorSearch,
  descriptorName,
  type SearchedDescriptors,
  searchDescriptors,
  type VerifiedOwner,
} from './ownership.ts';
import {
  type Finding,
  judge,
  type Observation,
  type Policy,
  type PolicyLimits,
  resolveLimits,
  when,
} from './policy.ts';
import { estimateSize, type Size } from './size.ts';
import { createFindOrigins } from './verifiedOrigins.ts';
import { createReviewedWallets, type ReviewedWallets } from './wallets.ts';

/** The facts about the signer that a review needs, and its policy. */
export interface ReviewOptions extends SessionOptions {
  /** Sets limits and ticker. Default `networks.main`. */
  readonly network?: Network;
  /** The signer's own: only outputs that they derive are called change. */
  readonly descriptors?: readonly Descriptor[];
  /**
   * Tells whether a key of 33 or 65 bytes, or x-only, is available: coins that it can sign for count as own. Default
   * none.
   */
  readonly holdsKey?: (publicKey: Uint8Array) => boolean;
  /** Returns the public key that the keys at hand have at an origin. Default none. */
  readonly publicKeyAt?: (origin: KeyOrigin) => Uint8Array | undefined;
  /** Judges whether an address of silent payments, with the label that an output states, is the signer's. Default: none. */
  readonly ownsSilentAddress?: (address: SilentPaymentAddress, label?: number) => SilentOwnership;
  /** Tells whether an x-only spend key of silent payments is the signer's: its coins are own ones. Default: none. */
  readonly ownsSpendKey?: (spendKey: Uint8Array) => boolean;
  /** As in `SilentPaymentOptions`. Default: none. */
  readonly sameReceiver?: readonly SilentPaymentAddress[];
  /** As in `SignOptions`. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
  /** The type that the caller names for signing, if any. */
  readonly sighashType?: number;
  readonly policy?: Policy;
  readonly limits?: Partial<PolicyLimits>;
}

export const REVIEW_OPTIONS: OptionNames<ReviewOptions> = {
  ...SESSION_OPTIONS,
  network: true,
  descriptors: true,
  holdsKey: true,
  publicKeyAt: true,
  ownsSilentAddress: true,
  ownsSpendKey: true,
  sameReceiver: true,
  publicKey: true,
  sighashType: true,
  policy: true,
  limits: true,
};

/**
 * The reason for `feeTrust`: proven by `previous-transactions`, or by `signatures` that a false amount would
 * invalidate; else `claims` of the PSBT, `open-signatures` that let inputs or outputs change, or `unknown-coins`.
 */
export type FeeReason = 'previous-transactions' | 'signatures' | 'claims' | 'open-signatures' | 'unknown-coins';

/** The effects of a PSBT, for the user who decides whether to sign it. `claimed` in a name marks unverified facts. */
export interface PsbtReview {
  readonly network: Network;
  readonly version: 0 | 2;
  readonly txVersion: number;
  readonly inputs: readonly InputReview[];
  readonly outputs: readonly OutputReview[];
  /** In satoshi, if all coins are known. `feeTrust` is `proven` only if all amounts are, and nothing can change. */
  readonly fee: bigint | undefined;
  readonly feeTrust: AmountTrust;
  readonly feeReason: FeeReason;
  /** Estimate for the signed transaction. */
  readonly vsize: number | undefined;
  /**
   * Satoshi that leave the given descriptors and the silent payment addresses of the signer, fee included; as trustworthy as `feeTrust`. Own coins count only if the
   * PSBT names their indexes, and change that can still be replaced counts as spent.
   */
  readonly verifiedSpent: bigint | undefined;
  /** `none` if no input enables the locktime. */
  readonly lockedUntil: AbsoluteLock;
  /** @see BIP125 */
  readonly isReplaceable: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reviews a PSBT without changing or signing it: coins, payments and change, proven or claimed, signatures made and
 * missing, and findings about everything suspicious.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`, `policy/invalid`, `descriptor/*`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewPsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const review = reviewPsbt(psbt, { network: me.network, descriptors: me.descriptors });
 * review.fee; // 282n
 * review.outputs[1]?.verifiedChange?.index; // 0
 * ```
 */
export function reviewPsbt(psbt: Psbt, options: ReviewOptions = {}): PsbtReview {
  assertKnownOptions(options, REVIEW_OPTIONS);
  return reviewInSession(beginSession(withPlaceholderScripts(psbt), options), psbt, options);
}

type SearchedOptions = ReviewOptions & {
  readonly search?: DescriptorSearch;
  readonly sources?: SearchedDescriptors['sources'];
  /** Like `holdsKey`, of keys that no one else may have. Default `holdsKey`. */
  readonly ownsKey?: ReviewOptions['holdsKey'];
};

/** Like `reviewPsbt`, in a session that the caller uses again, with placeholders for scripts that are not computed. */
export function reviewInSession(session: PsbtSession, psbt: Psbt, options: SearchedOptions): PsbtReview {
  const { network = networks.main, descriptors = [], policy, holdsKey, publicKey } = options;
  const limits = resolveLimits(network, options.limits);
  const search = options.search ?? searchDescriptors(psbt, { descriptors }, session.ecc);
  const findPlace = createFindPlace(search);
  const findOwner = createFindOwner(findPlace);
  const hasDescriptors = descriptors.length > 0;
  const named = options.sighashType;
  const inputContext = {
    findOwner,
    findOrigins: createFindOrigins(findPlace),
    named,
    holdsKey,
    publicKey,
    hasDescriptors,
    ownsSpendKey: options.ownsSpendKey,
  };
  const reviewed = psbt.inputs.map((input, index) => reviewInput({ session, input, index }, inputContext));
  const spent = spentBy(reviewed);
  const fixed = isFixed(reviewed.map(({ review }) => review));
  const feeReason = determineFeeReason(reviewed, fixed);
  const inputs = reviewed.map(({ review }) => (feeReason === 'signatures' ? provenBySignatures(review) : review));
  const own = { holdsKey: options.ownsKey ?? holdsKey, publicKeyAt: options.publicKeyAt };
  const searched = { descriptors, sources: options.sources ?? [] };
  const wallets = createReviewedWallets(searched, own, session.ecc);
  const change = createChangeRules({ inputs: reviewed, search, searched, wallets, own, ecc: session.ecc });
  const firstAnchor = session.tx.outputs.findIndex(
    ({ scriptPubKey }) => classifyScript(scriptPubKey).type === 'anchor',
  );
  const outputContext = {
    findOwner,
    isFixed: fixed,
    network,
    limits,
    spent,
    change,
    hasDescriptors,
    firstAnchor,
    ecc: session.ecc,
    hasClaimedCoins: mayHaveOtherScripts(reviewed),
  };
  const silent = silentPayments(session, psbt, options);
  const paid = session.tx.outputs.map((txOut, outputIndex) =>
    reviewOutput(
      txOut,
      { output: psbt.outputs[outputIndex] ?? {}, outputIndex, silentPayment: silent.get(outputIndex) },
      outputContext,
    ),
  );
  const outputs = paid.map(({ review }) => review);
  const sums = sumAmounts(inputs, outputs);
  const size = estimateSize(session, reviewed, publicKey);
  const facts: TransactionFacts = { psbt, session, inputs, reviewed, sums, size, network, limits };
  const observations = [
    ...reviewed.flatMap((input) => input.observations),
    ...paid.flatMap((output) => output.observations),
    ...cutSearches(psbt, search),
    ...foreignCoins(inputs),
    ...(change.isSigning ? sharedWallets([...inputs, ...outputs], wallets) : []),
    ...CHECKS.flatMap((check) => check(facts)),
  ];
  return {
    network,
    version: psbtVersion(psbt) === 2 ? 2 : 0,
    txVersion: session.tx.version,
    inputs,
    outputs,
    fee: sums.areAllKnown ? sums.spent - sums.paid : undefined,
    feeTrust: FEE_TRUST[feeReason],
    feeReason,
    vsize: size.isWhole ? size.vsize : undefined,
    verifiedSpent:
      sums.areAllKnown && (hasDescriptors || outputs.some(isChange)) ? netSpent(inputs, outputs) : undefined,
    lockedUntil: getAbsoluteLock(session.tx),
    isReplaceable: signalsReplacement(session.tx),
    findings: judge(observations, policy),
  };
}

function silentPayments(
  session: PsbtSession,
  psbt: Psbt,
  { ownsSilentAddress = () => 'unknown', sameReceiver = [] }: ReviewOptions,
): ReadonlyMap<number, ReviewedPayment> {
  const known = { ownsSilentAddress, sameReceiver };
  const judged = verifySilentPayments(psbt, { ecc: session.ecc, session, ...known }).map((payment) => ({
    ...payment,
    owner: ownsSilentAddress(payment.address, psbt.outputs[payment.outputIndex]?.spV0Label),
  }));
  const foreign = new Set(
    judged.flatMap(({ address, status, owner }) =>
      owner === 'own' && status !== 'refuted' ? [] : [bytesKey(address.scanKey)],
    ),
  );
  return new Map(
    judged.map(({ owner, ...payment }) => {
      const isOwnAddress = !foreign.has(bytesKey(payment.address.scanKey));
      return [payment.outputIndex, { ...payment, isOwnAddress, isOtherAddress: owner === 'other' }];
    }),
  );
}

/**
 * Tells whether a coin may have another script than the PSBT claims while signatures of own coins stay valid, so that its key
 * does not count for silent payments. A signature of taproot commits to the scripts of all coins, another to that of its own
 * at most; and the signature for an own coin that is a lie is worth nothing.
 */
function mayHaveOtherScripts(inputs: readonly ReviewedInput[]): boolean {
  if (inputs.every(({ review: { amountProof } }) => amountProof === 'previous-transaction')) return false;
  const own = inputs.filter(({ review }) => isOwn(review));
  const areCommitted = own.every(({ unwrapped }) => unwrapped?.template.type === 'witness_v1_taproot');
  return own.length === 0 || !(inputs.length === 1 || areCommitted);
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** In satoshi; `spent` counts known coins only. */
interface Sums {
  readonly spent: bigint;
  readonly paid: bigint;
  readonly areAllKnown: boolean;
}

function sumAmounts(inputs: readonly InputReview[], outputs: readonly OutputReview[]): Sums {
  const coinValues = inputs.flatMap(({ coin }) => coin?.value ?? []);
  return {
    spent: sum(coinValues),
    paid: sum(outputs.map(({ value }) => value)),
    areAllKnown: coinValues.length === inputs.length,
  };
}

/** Claimed amounts prove the fee only if every signature commits to all of them, and nothing can change. */
function determineFeeReason(reviewed: readonly ReviewedInput[], fixed: boolean): FeeReason {
  const trusts = reviewed.map(({ review }) => review.amountTrust);
  if (trusts.includes('unknown')) return 'unknown-coins';
  if (!fixed) return 'open-signatures';
  if (!trusts.includes('claimed')) return 'previous-transactions';
  return reviewed.every((input) => commitsToAmounts(input, reviewed.length)) ? 'signatures' : 'claims';
}

const provenBySignatures = (review: InputReview): InputReview =>
  review.amountTrust === 'claimed' ? { ...review, amountTrust: 'proven', amountProof: 'signatures' } : review;

const FEE_TRUST: Readonly<Record<FeeReason, AmountTrust>> = {
  'previous-transactions': 'proven',
  signatures: 'proven',
  claims: 'claimed',
  'open-signatures': 'claimed',
  'unknown-coins': 'unknown',
};

function netSpent(inputs: readonly InputReview[], outputs: readonly OutputReview[]): bigint | undefined {
  const own = inputs.filter(isOwn);
  if (own.length === 0) return undefined;
  const back = outputs.filter(isChange);
  return sum(own.map(({ coin }) => coin?.value ?? 0n)) - sum(back.map(({ value }) => value));
}

/** Nothing in a PSBT proves that a coin is not of a wallet. */
function foreignCoins(inputs: readonly InputReview[]): readonly Observation[] {
  const foreign = inputs.filter((input) => !isOwn(input)).map(({ inputIndex }) => inputIndex);
  const isMixed = foreign.length > 0 && foreign.length < inputs.length;
  return when(isMixed, 'coin-foreign', () => {
    const named = foreign.length === 1 ? 'The coin of' : 'The coins of';
    return `${named} ${indexesText(foreign)} ${foreign.length === 1 ? 'is' : 'are'} not known to be yours: sign only if others pay in this transaction, too, as in a coinjoin; if not, export it again with the records of all coins.`;
  });
}

/** Names the wallets whose coins others can spend without the keys at hand. */
function sharedWallets(
  owned: readonly { readonly verifiedOwner?: VerifiedOwner }[],
  wallets: ReviewedWallets,
): readonly Observation[] {
  const owners = owned.flatMap(({ verifiedOwner }) => verifiedOwner ?? []);
  const named = new Map(owners.map((owner) => [wallets.at(owner), descriptorName(owner)]));
  return [...named].flatMap(([{ control, hasOwnKey, hasOthersKeys, othersLater }, name]): readonly Observation[] => {
    const text = `Another key in ${name} can spend its coins without you`;
    if (othersLater !== undefined) return [{ check: 'wallet-later', text: `${text}, ${othersLater}.` }];
    if (control !== 'strangers') return [];
    return [
      {
        check: 'wallet-shared',
        text: hasOwnKey
          ? `${text}, as soon as you or sooner.`
          : hasOthersKeys
            ? `The private keys of ${name} are in its file: whoever made the file can spend its coins.`
            : `None of the keys at hand is in ${name}: others control its coins.`,
      },
    ];
  });
}

interface TransactionFacts {
  readonly psbt: Psbt;
  readonly session: PsbtSession;
  readonly inputs: readonly InputReview[];
  readonly reviewed: readonly ReviewedInput[];
  readonly sums: Sums;
  readonly size: Size;
  readonly network: Network;
  readonly limits: PolicyLimits;
}

type TransactionCheck = (facts: TransactionFacts) => readonly Observation[];

/** With unknown coins, checks the lowest possible fee: further coins only add to it. */
const checkFee: TransactionCheck = ({ sums: { spent, paid, areAllKnown }, size, network, limits }) => {
  const fee = spent - paid;
  const percent = spent > 0n ? (100 * Number(fee)) / Number(spent) : 0;
  const rate = Number(fee) / size.vsize;
  const text = `The fee of ${areAllKnown ? '' : 'at least '}${formatAmount(fee)} ${network.ticker} is`;
  const isAbsurd = percent > limits.maxFeePercent || rate > limits.maxFeeRate;
  return [
    ...when(fee < 0n && areAllKnown, 'fee-negative', () => {
      return `The transaction pays ${formatAmount(-fee)} ${network.ticker} more than it spends.`;
    }),
    ...when(isAbsurd, 'fee-absurd', () => {
      return rate > limits.maxFeeRate
        ? `${text} ${size.isWhole ? '' : 'up to '}${rate.toFixed(0)} sat/vB, above ${limits.maxFeeRate}.`
        : `${text} ${percent.toFixed(1)} % of the spent amount, above ${limits.maxFeePercent} %.`;
    }),
    ...when(!isAbsurd && percent > limits.warnFeePercent, 'fee-high', () => {
      return `${text} ${percent.toFixed(1)} % of the spent amount.`;
    }),
  ];
};

const checkAmounts: TransactionCheck = ({ sums: { spent, paid }, inputs, network: { maxMoney } }) => {
  const isImpossible = spent > maxMoney || paid > maxMoney || inputs.some(({ coin }) => (coin?.value ?? 0n) < 0n);
  return when(isImpossible, 'amount-impossible', () => 'The amounts add up to more than can exist.');
};

/** Finds locks other than the current height, which wallets set against fee sniping. */
const checkLocks: TransactionCheck = ({ session: { tx }, psbt, limits }) => [
  ...when(
    tx.locktime > 0 && tx.inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL),
    'locktime-unusual',
    () => 'The transaction has a locktime, but no input enables it.',
  ),
  ...longLock(getAbsoluteLock(tx), psbt, limits),
  ...when(tx.version < 1 || tx.version > 3, 'version-unusual', () => `The transaction version is ${tx.version}.`),
];

function longLock(lock: AbsoluteLock, { inputs }: Psbt, { maxLockHeight }: PolicyLimits): ReturnType<TransactionCheck> {
  if (lock.kind === 'none') return [];
  const isRequired = inputs.some(
    (input) => input.requiredHeightLocktime !== undefined || input.requiredTimeLocktime !== undefined,
  );
  return when(lock.kind === 'time' || lock.value > maxLockHeight || isRequired, 'locktime-unusual', () => {
    return `The transaction cannot be mined before ${untilText(lock)}: if you pay again from other coins meanwhile, you pay twice.`;
  });
}

const checkNonces: TransactionCheck = ({ reviewed }) => {
  const signatures = new Map<string, string>();
  const isRepeated = reviewed
    .flatMap(({ nonces }) => nonces)
    .some(({ nonce, signature }) => {
      const earlier = signatures.get(nonce);
      signatures.set(nonce, signature);
      return earlier !== undefined && earlier !== signature;
    });
  return when(
    isRepeated,
    'nonce-repeated',
    () => 'Two signatures share a nonce: anyone who sees them can compute the private key.',
  );
};

const checkCoins: TransactionCheck = ({ session: { tx } }) => {
  const coins = new Set(tx.inputs.map(({ outpoint }) => outpointKey(outpoint)));
  return when(
    coins.size < tx.inputs.length,
    'coin-repeated',
    () => 'The transaction spends a coin twice, which no node accepts.',
  );
};

const CHECKS: readonly TransactionCheck[] = [checkFee, checkAmounts, checkLocks, checkNonces, checkCoins];
