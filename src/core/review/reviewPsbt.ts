import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../bytes/knownOptions.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { fragmentsIn } from '../descriptors/miniscriptsIn.ts';
import { claimedIndex, claimedKeys, MAX_INDEXES_OF_MAP } from '../holder/claims.ts';
import { findContradictions } from '../holder/contradictions.ts';
import { NEVER, ownWays } from '../holder/control.ts';
import type { HeldWallet } from '../holder/heldWallets.ts';
import { createHolder, type Holder, hasKeys } from '../holder/holder.ts';
import { type HeldPsbt, holdPsbt, isHolders, type Owner } from '../holder/owner.ts';
import { createRefutations, type Refutations } from '../holder/refutation.ts';
import { spentBy } from '../holder/role.ts';
import { judgePayments, ownsAddress } from '../holder/silentRole.ts';
import { type Network, networks } from '../network/networks.ts';
import { psbtVersion } from '../psbt/format/fields.ts';
import { type AnyPsbt, readPsbt } from '../psbt/format/parsePsbt.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { withPlaceholderScripts } from '../psbt/format/version.ts';
import { beginSession, type PsbtSession } from '../psbt/session.ts';
import { createCauseFinder } from '../psbt/signatureCause.ts';
import { verifySilentPayments } from '../psbt/silentPayments/verify.ts';
import { classifyScript } from '../script/template.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../signing/sessionOptions.ts';
import type { SilentPaymentAddress } from '../silentPayments/address.ts';
import { type AbsoluteLock, getAbsoluteLock, SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import { parseRelativeLock, type RelativeLock } from '../tx/relativeLock.ts';
import { signalsReplacement } from '../tx/replaceable.ts';
import { outpointKey } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import { isFixed, isOwn, openOutputs } from './commitment.ts';
import { type Finding, type Observation, when } from './finding.ts';
import { commitsToAmounts } from './inputChecks.ts';
import type { AmountTrust, InputReview } from './inputReview.ts';
import { type ReviewedInput, reviewInput } from './inputs.ts';
import { intentOf, isIntended, type Payee, type ReviewIntent } from './intent.ts';
import { createNameProver } from './name.ts';
import { findOtherNetwork } from './otherNetwork.ts';
import { type OutputContext, type OutputReview, reviewOutput } from './outputs.ts';
import type { ProveName } from './paymentName.ts';
import { judge, type Policy, type PolicyLimits, refusalsIn, resolveLimits } from './policy.ts';
import { isCommitment, judgePurpose, type Purpose } from './purpose.ts';
import { isLockedOut } from './quorums.ts';
import { estimateSize, type Size } from './size.ts';

/** Whose PSBT it is, and the policy of the review. */
export interface ReviewOptions extends SessionOptions {
  /** Says which coins and outputs are the signer's. Default: none, on the main network. */
  readonly holder?: Holder;
  /** As in `SilentPaymentOptions`. Default: none. */
  readonly sameReceiver?: readonly SilentPaymentAddress[];
  /** As in `SignOptions`. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
  /** The type that the caller names for signing, if any. */
  readonly sighashType?: number;
  /** What the signer wants to pay. Default: not said. */
  readonly pays?: readonly Payee[];
  /** Judges payment names of outputs (BIP353). Default: none is proven. */
  readonly proveName?: ProveName;
  readonly policy?: Policy;
  readonly limits?: Partial<PolicyLimits>;
}

export const REVIEW_OPTIONS: OptionNames<ReviewOptions> = {
  ...SESSION_OPTIONS,
  holder: true,
  sameReceiver: true,
  publicKey: true,
  sighashType: true,
  pays: true,
  proveName: true,
  policy: true,
  limits: true,
};

/**
 * The reason for `feeTrust`: proven by `previous-transactions`, or by `signatures` that a false amount would
 * invalidate; else `claims` of the PSBT, `open-signatures` that let inputs or outputs change, or `unknown-coins`.
 */
export type FeeReason = 'previous-transactions' | 'signatures' | 'claims' | 'open-signatures' | 'unknown-coins';

/** The fee in percent of what is paid, or of the coins if all of it stays. */
export interface FeeShare {
  readonly percent: number;
  readonly of: 'payments' | 'coins';
}

/** The effects of a PSBT, for the user who decides whether to sign it. `claimed` in a name marks unverified facts. */
export interface PsbtReview {
  readonly network: Network;
  readonly version: 0 | 2;
  readonly txVersion: number;
  readonly purpose: Purpose;
  /** True if a finding has the action `refuse`: nothing is signed. */
  readonly isRefused: boolean;
  readonly inputs: readonly InputReview[];
  readonly outputs: readonly OutputReview[];
  /** In satoshi, if it is a payment and all coins are known. `feeTrust` is `proven` only if all amounts are, and nothing can change. */
  readonly fee: bigint | undefined;
  readonly feeTrust: AmountTrust;
  readonly feeReason: FeeReason;
  /** `undefined` if the fee is unknown, or others may pay it, too. */
  readonly feeShare: FeeShare | undefined;
  /** In satoshi per virtual byte, of the signed transaction; `undefined` if the fee or the size is not known. */
  readonly feeRate: number | undefined;
  /** Estimate for the signed transaction. */
  readonly vsize: number | undefined;
  /**
   * Satoshi of the signer that leave with the transaction, of them the fee; negative if more comes in than goes out. As
   * trustworthy as `feeTrust`; 0 if it is not a payment; `undefined` if no coin is the signer's, or a coin is not known.
   */
  readonly leaves: bigint | undefined;
  /** Satoshi of the signer that come back: change that nothing can replace. */
  readonly stays: bigint;
  /** `none` if no input enables the locktime. */
  readonly lockedUntil: AbsoluteLock;
  /** @see BIP125 */
  readonly isReplaceable: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reviews a PSBT without changing or signing it: coins, payments and change, proven or claimed, signatures made and
 * missing, and findings about everything suspicious.
 * @throws `psbt/unrecognized` for what is not parsed; `psbt/locktime-conflict`, `psbt/field-required`, `policy/invalid`,
 * `argument/invalid`, `descriptor/*`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, createHolder, reviewPsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const review = reviewPsbt(psbt, { holder: createHolder(me.holds) });
 * review.fee; // 282n
 * review.leaves; // 60282n
 * review.outputs[1]?.role; // change
 * ```
 */
export function reviewPsbt(given: AnyPsbt, options: ReviewOptions = {}): PsbtReview {
  const psbt = readPsbt(given);
  assertKnownOptions(options, REVIEW_OPTIONS);
  return openReview(psbt, options).review;
}

/** Reviews a PSBT, and keeps the session, whose digests signing needs again. */
export function openReview(
  psbt: Psbt,
  options: ReviewOptions,
): { readonly review: PsbtReview; readonly session: PsbtSession } {
  const { holder = NO_HOLDER } = options;
  const isHolder = isObject(holder) && [holder.keys, holder.wallets].every(Array.isArray);
  assertShape('holder', isHolder, 'what createHolder returns');
  const session = beginSession(withPlaceholderScripts(psbt), options);
  return { review: reviewInSession(session, psbt, { ...options, held: holdPsbt(holder, psbt) }), session };
}

const NO_HOLDER: Holder = /* @__PURE__ */ createHolder({ network: networks.main, ecc: nobleEcc });

type HeldOptions = Omit<ReviewOptions, 'holder'> & { readonly held: HeldPsbt };

/** Like `reviewPsbt`, in a session that the caller uses again, with placeholders for scripts that are not computed. */
export function reviewInSession(session: PsbtSession, psbt: Psbt, options: HeldOptions): PsbtReview {
  const { held, policy, sighashType: named } = options;
  const { holder } = held;
  const { network } = holder;
  const { publicKey = held.provider.publicKey } = options;
  const limits = resolveLimits(network, options.limits);
  const causesIn = createCauseFinder();
  const reviewed = psbt.inputs.map((input, index) =>
    reviewInput({ session, input, index }, { held, named, publicKey, causesIn }),
  );
  const { purpose, observations: ofPurpose } = judgePurpose(
    psbt,
    session,
    reviewed.map(({ review }) => review),
  );
  const isPayment = purpose.kind === 'payment';
  const fixed = isFixed(reviewed.map(({ review }) => review));
  const feeReason = determineFeeReason(reviewed, fixed);
  const inputs = reviewed.map(({ review }) => (feeReason === 'signatures' ? provenBySignatures(review) : review));
  const own = inputs.filter(isOwn);
  const spent = spentBy(own.map(({ owner, inputIndex, coin }) => ({ owner, inputIndex, value: coin?.value ?? 0n })));
  const refutations = createRefutations({
    held,
    wallets: new Set(
      holder.wallets.filter(
        (wallet) =>
          wallet.root !== 'none' || own.some(({ owner }) => owner.kind === 'wallet' && owner.wallet === wallet),
      ),
    ),
    spendsOneKey: spent.kind === 'accounts',
  });
  const firstAnchor = session.tx.outputs.findIndex(
    ({ scriptPubKey }) => classifyScript(scriptPubKey).type === 'anchor',
  );
  const intent = options.pays === undefined ? undefined : intentOf(options.pays);
  const context: OutputContext = {
    held,
    spent,
    refutations,
    tx: session.tx,
    intent,
    isFixed: fixed && isPayment,
    isOpen: isPayment ? openOutputs(inputs) : () => false,
    isAllOwn: own.length === inputs.length,
    network,
    limits,
    firstAnchor,
    ecc: session.ecc,
    hasClaimedCoins: mayHaveOtherScripts(reviewed),
    proveName: createNameProver(options.proveName),
  };
  const { sameReceiver = [] } = options;
  const known = { sameReceiver, isOwnAddress: ownsAddress(holder) };
  const silent = judgePayments(holder, verifySilentPayments(psbt, { ecc: session.ecc, session, ...known }));
  const paid = session.tx.outputs.map((txOut, outputIndex) =>
    reviewOutput(
      txOut,
      { output: psbt.outputs[outputIndex] ?? {}, outputIndex, silentPayment: silent.get(outputIndex) },
      context,
    ),
  );
  const outputs = paid.map(({ review }) => review);
  const sums = sumAmounts(inputs, outputs);
  const size = estimateSize(session, reviewed, publicKey);
  const facts: TransactionFacts = { psbt, session, inputs, outputs, reviewed, sums, size, network, limits };
  const observations = [
    ...ofPurpose,
    ...reviewed.flatMap((input, index) => (isCommitment(purpose, index) ? [] : input.observations)),
    ...(isPayment ? paid.flatMap((output) => output.observations) : []),
    ...unknownOwners(inputs),
    ...(isPayment ? closedWays(inputs, session.tx) : []),
    ...cutSearches(psbt, held, refutations),
    ...findContradictions(held, psbt).map((found) => ({ check: 'key-contradicted' as const, ...found })),
    ...forgedRegistrations(held),
    ...findOtherNetworks(held, psbt),
    ...(isPayment ? foreignCoins(inputs) : []),
    ...(intent ? (isPayment ? otherPayments(outputs, intent) : NOT_PAID) : []),
    ...(isPayment ? PAYMENT_CHECKS : []).flatMap((check) => check(facts)),
    ...CHECKS.flatMap((check) => check(facts)),
  ];
  const findings = judge(observations, policy);
  return {
    network,
    version: psbtVersion(psbt) === 2 ? 2 : 0,
    txVersion: session.tx.version,
    purpose,
    isRefused: refusalsIn(findings).length > 0,
    inputs,
    outputs,
    ...(isPayment && sums.areAllKnown ? feeFacts(facts) : NO_FEE),
    feeTrust: FEE_TRUST[feeReason],
    feeReason,
    vsize: size.isWhole ? size.vsize : undefined,
    leaves: leavingAmount(sums, { isPayment, hasOwn: own.length > 0 }),
    stays: sums.back,
    lockedUntil: getAbsoluteLock(session.tx),
    isReplaceable: signalsReplacement(session.tx),
    findings,
  };
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

/** In satoshi; `spent` counts known coins only, `own` those of the signer, `back` what comes back to the signer. */
interface Sums {
  readonly spent: bigint;
  readonly paid: bigint;
  readonly own: bigint;
  readonly back: bigint;
  readonly areAllKnown: boolean;
}

function sumAmounts(inputs: readonly InputReview[], outputs: readonly OutputReview[]): Sums {
  const coinValues = inputs.flatMap(({ coin }) => coin?.value ?? []);
  return {
    spent: sum(coinValues),
    paid: sum(outputs.map(({ value }) => value)),
    own: sum(inputs.filter(isOwn).map(({ coin }) => coin?.value ?? 0n)),
    back: sum(outputs.filter(({ stays }) => stays).map(({ value }) => value)),
    areAllKnown: coinValues.length === inputs.length,
  };
}

function leavingAmount(
  { own, back, areAllKnown }: Sums,
  { isPayment, hasOwn }: { readonly isPayment: boolean; readonly hasOwn: boolean },
): bigint | undefined {
  if (!isPayment) return 0n;
  return areAllKnown && hasOwn ? own - back : undefined;
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

const NO_FEE = { fee: undefined, feeShare: undefined, feeRate: undefined } as const;

function feeFacts({ sums, size, inputs }: TransactionFacts): Pick<PsbtReview, 'fee' | 'feeShare' | 'feeRate'> {
  const fee = sums.spent - sums.paid;
  return {
    fee,
    feeShare: feeShare(sums, inputs),
    feeRate: size.isWhole ? Number(fee) / size.vsize : undefined,
  };
}

const FEE_TRUST: Readonly<Record<FeeReason, AmountTrust>> = {
  'previous-transactions': 'proven',
  signatures: 'proven',
  claims: 'claimed',
  'open-signatures': 'claimed',
  'unknown-coins': 'unknown',
};

/** A key at hand signs for a coin among others, which no wallet at hand derives. */
function unknownOwners(inputs: readonly InputReview[]): readonly Observation[] {
  return inputs.flatMap(({ owner, inputIndex }) =>
    owner.kind === 'key' ? [{ check: 'owner-unknown' as const, data: {}, inputIndex }] : [],
  );
}

/** Reports claims that the search left out: with keys at hand, they may hide that a claim is false. */
function cutSearches(psbt: Psbt, held: HeldPsbt, refutations: Refutations): readonly Observation[] {
  const { inputs, outputs } = psbt;
  const action = hasKeys(held.holder) ? ('refuse' as const) : undefined;
  const maps = [...inputs, ...outputs];
  const crowded = maps.flatMap((map, i) =>
    new Set(claimedKeys(map).map(claimedIndex)).size > MAX_INDEXES_OF_MAP ? [i] : [],
  );
  const cut = new Set([...crowded, ...held.search.cutMaps, ...held.proofs.cutMaps()]);
  const found = [...cut].map((map): Observation => {
    const index = map - inputs.length;
    const at = index < 0 ? { inputIndex: map } : { outputIndex: index };
    return { check: 'search-cut', data: {}, ...at, ...(action && { action }) };
  });
  const tooMany: Observation = { check: 'search-cut', data: {}, ...(action && { action }) };
  return [...found, ...(refutations.isCut() ? [tooMany] : [])];
}

/** A registration that a key at hand did not make is named whatever is spent: the wallet that it names, or another that it retires, may be paid. */
function forgedRegistrations({ holder: { wallets } }: HeldPsbt): readonly Observation[] {
  return wallets
    .filter(({ fault }) => fault === 'forged')
    .map(({ title }) => ({ check: 'wallet-changed', data: { wallet: title, fault: 'forged' } }));
}

/** Coins of another network have other paths and keys: "just a test" may be real money. */
function findOtherNetworks({ holder: { network } }: HeldPsbt, psbt: Psbt): readonly Observation[] {
  const other = findOtherNetwork(psbt, network);
  return other ? [{ check: 'network-mixed', data: other }] : [];
}

/** Nothing in a PSBT proves that a coin is not of a wallet. */
function foreignCoins(inputs: readonly InputReview[]): readonly Observation[] {
  const foreign = inputs.filter((input) => !isOwn(input)).map(({ inputIndex }) => inputIndex);
  const isMixed = foreign.length > 0 && foreign.length < inputs.length;
  return when(isMixed, 'coin-foreign', { inputs: foreign });
}

/**
 * Says where the holder's signature completes nothing, since only others' ways are open. Where a way needs a preimage, ages cannot
 * tell.
 */
const closedWays = (inputs: readonly InputReview[], tx: Transaction): readonly Observation[] =>
  inputs.flatMap(({ inputIndex, owner, quorums, isFinal }) => {
    const txIn = tx.inputs[inputIndex];
    if (owner.kind !== 'wallet' || !isHolders(owner) || !txIn || isFinal || isLockedOut({ quorums })) return [];
    const ways = ownWays(owner.wallet, tx, txIn);
    const hasHash = policyFragments(owner.wallet).some(({ kind }) => kind === 'hash');
    if (ways.now !== NEVER || ways.unlocked === NEVER || hasHash) return [];
    const age = ways.soonest === NEVER ? {} : { age: ways.soonest };
    return [{ check: 'lock-unmet' as const, inputIndex, data: { reason: 'own-ways' as const, ...age } }];
  });

/** Refuses what leaves and was not asked for: the intent is the whole intent. */
function otherPayments(outputs: readonly OutputReview[], intent: ReviewIntent): readonly Observation[] {
  return outputs.flatMap((output) => {
    const { outputIndex, value, role, owner } = output;
    const isNeutral = role === 'change' || (role === 'own' && owner.kind === 'account' && owner.place.number === 0);
    if (value === 0n || (isNeutral && output.stays) || isIntended(output, intent)) return [];
    return [{ check: 'pays-other' as const, data: { value }, outputIndex }];
  });
}

const NOT_PAID: readonly Observation[] = [{ check: 'pays-other', data: {} }];

interface TransactionFacts {
  readonly psbt: Psbt;
  readonly session: PsbtSession;
  readonly inputs: readonly InputReview[];
  readonly outputs: readonly OutputReview[];
  readonly reviewed: readonly ReviewedInput[];
  readonly sums: Sums;
  readonly size: Size;
  readonly network: Network;
  readonly limits: PolicyLimits;
}

type TransactionCheck = (facts: TransactionFacts) => readonly Observation[];

/** With unknown coins, checks the lowest possible fee: further coins only add to it. */
const checkFee: TransactionCheck = ({ sums, size, limits, inputs, outputs, session: { tx } }) => {
  const { spent, paid, areAllKnown } = sums;
  const fee = spent - paid;
  const rate = Number(fee) / size.vsize;
  const share = feeShare(sums, inputs);
  const least = { fee, isLeast: !areAllKnown };
  const byRate = (limit: number) => ({ ...least, by: 'rate' as const, rate, limit, isMost: !size.isWhole });
  const byShare = (percent: number, smallFee: bigint) =>
    share && share.percent > percent && fee > smallFee ? { ...least, by: 'share' as const, ...share } : undefined;
  const absurd =
    rate > limits.maxFeeRate ? byRate(limits.maxFeeRate) : byShare(limits.maxFeePercent, SMALL_FEES.refused);
  const high =
    byShare(limits.warnFeePercent, SMALL_FEES.warned) ??
    (rate > limits.warnFeeRate ? byRate(limits.warnFeeRate) : undefined) ??
    (Number(fee) > limits.warnFee ? { ...least, by: 'amount' as const, limit: limits.warnFee } : undefined);
  const isBumped =
    tx.version === 3 && outputs.some(({ scriptPubKey }) => classifyScript(scriptPubKey).type === 'anchor');
  const isLow = areAllKnown && fee >= 0n && rate < LEAST_RELAY_RATE && !isBumped && inputs.length > 0;
  return [
    ...when(fee < 0n && areAllKnown, 'fee-negative', { excess: -fee }),
    ...(absurd ? [{ check: 'fee-absurd' as const, data: absurd }] : []),
    ...(high && !absurd ? [{ check: 'fee-high' as const, data: high }] : []),
    ...when(isLow, 'fee-low', { fee, rate }),
  ];
};

/** In satoshi: a smaller fee is never too large a share. */
const SMALL_FEES = { warned: 10_000n, refused: 100_000n } as const;

/** In satoshi per virtual byte. @see Bitcoin Core 30 `DEFAULT_MIN_RELAY_TX_FEE` */
const LEAST_RELAY_RATE = 0.1;

function feeShare({ spent, paid, back }: Sums, inputs: readonly InputReview[]): FeeShare | undefined {
  if (inputs.some(isOwn) && !inputs.every(isOwn)) return undefined;
  const payments = paid - back;
  const [base, of] = payments > 0n ? ([payments, 'payments'] as const) : ([spent, 'coins'] as const);
  return base > 0n ? { percent: (100 * Number(spent - paid)) / Number(base), of } : undefined;
}

const checkAmounts: TransactionCheck = ({ sums: { spent, paid }, inputs, network: { maxMoney } }) => {
  const isImpossible = spent > maxMoney || paid > maxMoney || inputs.some(({ coin }) => (coin?.value ?? 0n) < 0n);
  return when(isImpossible, 'amount-impossible', {});
};

/**
 * Finds locks other than the current height, which wallets set against fee sniping. Whoever registered a wallet accepted the
 * locks of its policy.
 */
const checkLocks: TransactionCheck = ({ session: { tx }, psbt, limits, inputs }) => {
  const accepted = inputs.map(({ owner }) => acceptedLocks(owner));
  const isAccepted = accepted.flat().some(({ kind, lock }) => kind === 'after' && lock === tx.locktime);
  return [
    ...inputs.flatMap(({ relativeLock, inputIndex }, i) => {
      if (!relativeLock || accepted[i]?.some((lock) => isOlder(lock, relativeLock))) return [];
      const data = { reason: 'age' as const, age: relativeLock };
      return [{ check: 'locktime-unusual' as const, inputIndex, data }];
    }),
    ...when(tx.locktime > 0 && tx.inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL), 'locktime-unusual', {
      reason: 'disabled',
      locktime: tx.locktime,
    }),
    ...(isAccepted ? [] : longLock(getAbsoluteLock(tx), psbt, limits)),
    ...when(tx.version < 1 || tx.version > 3, 'version-unusual', { version: tx.version }),
  ];
};

/** Lists the locks of the wallet of a coin, if it is registered, or listed. */
const acceptedLocks = (owner: Owner) =>
  owner.kind === 'wallet' && owner.root !== 'none'
    ? policyFragments(owner.wallet).flatMap((fragment) =>
        fragment.kind === 'older' || fragment.kind === 'after' ? [fragment] : [],
      )
    : [];

/** Lists the fragments of a wallet, which all of its chains share but for their keys. */
const policyFragments = ({ chains: [chain] }: HeldWallet) => (chain ? fragmentsIn(chain) : []);

function isOlder(
  { kind, lock }: ReturnType<typeof acceptedLocks>[number],
  { kind: unit, value }: RelativeLock,
): boolean {
  const wanted = parseRelativeLock(lock);
  return kind === 'older' && wanted.kind === unit && wanted.value === value;
}

function longLock(lock: AbsoluteLock, { inputs }: Psbt, { maxLockHeight }: PolicyLimits): ReturnType<TransactionCheck> {
  if (lock.kind === 'none') return [];
  const isRequired = inputs.some(
    (input) => input.requiredHeightLocktime !== undefined || input.requiredTimeLocktime !== undefined,
  );
  const isUnusual = lock.kind === 'time' || lock.value > maxLockHeight || isRequired;
  return when(isUnusual, 'locktime-unusual', { reason: 'until', lock });
}

/** A coin without signatures of its own, such as an anchor, is proven by those of the others. */
const checkAmountProofs: TransactionCheck = ({ reviewed }) =>
  reviewed.flatMap((input) => {
    const { review, unwrapped } = input;
    const { inputIndex, amountTrust } = review;
    const deciding = review.sighashTypes.length > 0 ? [input] : reviewed.filter((other) => other !== input);
    const isCommitted = deciding.length > 0 && deciding.every((one) => commitsToAmounts(one, reviewed.length));
    const isUnsafe = unwrapped?.isWitness === true || review.sighashTypes.length === 0;
    return when(amountTrust === 'claimed' && isUnsafe && !isCommitted, 'amount-unproven', {}).map((observation) => ({
      ...observation,
      inputIndex,
    }));
  });

const checkNonces: TransactionCheck = ({ reviewed }) => {
  const signatures = new Map<string, string>();
  const isRepeated = reviewed
    .flatMap(({ nonces }) => nonces)
    .some(({ nonce, signature }) => {
      const earlier = signatures.get(nonce);
      signatures.set(nonce, signature);
      return earlier !== undefined && earlier !== signature;
    });
  return when(isRepeated, 'nonce-repeated', {});
};

const checkCoins: TransactionCheck = ({ session: { tx } }) => {
  const coins = new Set(tx.inputs.map(({ outpoint }) => outpointKey(outpoint)));
  return when(coins.size < tx.inputs.length, 'coin-repeated', {});
};

const PAYMENT_CHECKS: readonly TransactionCheck[] = [checkAmountProofs, checkFee, checkAmounts, checkLocks];

const CHECKS: readonly TransactionCheck[] = [checkNonces, checkCoins];
