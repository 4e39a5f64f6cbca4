import { formatMoney } from '../../../core/encoding/amount.ts';
import { RpcError } from '../../../core/errors.ts';
import { SEQUENCE_FINAL } from '../../../core/tx/absoluteLock.ts';
import { SEQUENCE_REPLACEABLE } from '../../../core/tx/replaceable.ts';
import { inputWeight, MAX_STANDARD_WEIGHT } from '../../../core/tx/spendSize.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import type { Transaction, TxIn } from '../../../core/tx/types.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import { antiSnipingLocktime } from '../../../kit/coins/antiSniping.ts';
import type { FundingCoin } from '../../../kit/coins/coinGroups.ts';
import { isDust } from '../../../kit/coins/dust.ts';
import {
  type FundedPayment,
  type FundingFault,
  type FundingResult,
  fundPayment,
  type Recipient,
} from '../../../kit/coins/fundPayment.ts';
import { activeBlock } from '../../chain/chainState.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { estimateFor } from '../../chain/feeEstimates.ts';
import { newEntry } from '../../chain/mempool.ts';
import { packageFamilyFault } from '../../mempool/familyLimits.ts';
import { clusterFault } from '../../mempool/replacement.ts';
import { TRUC_CHILD_MAX_WEIGHT, TRUC_VERSION } from '../../mempool/truc.ts';
import type { WalletEvent } from '../../wallet/records/events.ts';
import type { WalletContext } from '../context.ts';
import { MAX_TARGET } from '../feeEstimates.ts';
import { mempoolFloor } from '../gate.ts';
import { applyToWallet } from '../importResult.ts';
import { computeBumpFee } from './bumpFees.ts';
import { type ChangeChoice, changeFor } from './changeOutput.ts';
import { estimatedRate, type FeeChoice, formatFeeRate, usualRate } from './feeTerms.ts';
import { availableCoins, type CoinChoice } from './fundingCoins.ts';
import { type PresetChoice, presetCoins } from './presetCoins.ts';
import { spendingRules } from './spendingRules.ts';
import { ownSpendSizes } from './spendSizes.ts';
import { DEFAULT_VERSION } from './trucCoins.ts';

export interface PaymentRequest extends CoinChoice, PresetChoice, ChangeChoice {
  readonly recipients: readonly Recipient[];
  readonly fee: FeeChoice;
  /** Lets the wallet choose coins besides the given inputs. */
  readonly addsCoins: boolean;
  /** Default: one that discourages miners from replacing blocks. */
  readonly locktime?: number;
  readonly maxWeight?: number | undefined;
}

export interface Payment {
  readonly tx: Transaction;
  readonly fee: bigint;
  readonly changePosition: number | undefined;
  /** The source of the fee rate, in Core's words. */
  readonly feeReason: string;
  /** Marks the change address as used: {@link acceptPayment} applies it. */
  readonly events: readonly WalletEvent[];
}

/**
 * Creates an unsigned transaction. Changes nothing: {@link acceptPayment} does.
 * @throws RpcError with `code` and the node's text
 * @see Bitcoin Core `CreateTransaction`
 */
export function createPayment(request: PaymentRequest, code: number, context: WalletContext): Payment {
  const { dialect, node, mempool } = context;
  const refuse = (message: string): never => {
    throw new RpcError(code, message);
  };
  if (request.recipients.length === 0) refuse('Transaction must have at least one recipient');
  const { checksDustFirst, ...rules } = spendingRules[dialect.generation];
  if (checksDustFirst) assertNoDust(request, refuse, context);
  const { feeRate, reason } = chosenRate(request.fee, refuse, context);
  const estimateSize = ownSpendSizes(context);
  const preset = presetCoins({ ...request, feeRate, estimateSize, refuse }, context);
  const names = new Set(preset.map(({ outpoint }) => outpointKey(outpoint)));
  const change = changeFor(request, { estimateSize, recipients: request.recipients }, context);
  const available = request.addsCoins
    ? availableCoins(request, { feeRate, estimateSize }, context).filter(
        ({ outpoint }) => !names.has(outpointKey(outpoint)),
      )
    : undefined;
  const common = {
    ...context.settings,
    discardRate: discardRate(context),
    feeRate,
    rounding: rules.roundsFeesUp ? ('up' as const) : ('down' as const),
    dustRate: getDustRate(context),
    recipients: request.recipients,
    preset,
    available,
    maxWeight: request.maxWeight,
    maxUnconfirmedWeight:
      request.version === TRUC_VERSION && rules.restrictsVersions ? TRUC_CHILD_MAX_WEIGHT : undefined,
    random: node.random,
    change: change.kind === 'script' ? change.terms : undefined,
    avoidsMixing: rules.avoidsMixingKinds,
    spendsUnsafe: request.includesUnsafe ?? false,
    ancestorLimit: mempool.family.ancestors,
    relativeLimit: mempool.family.descendants,
    sumsUsableCoins: rules.sumsUsableCoins,
    sharesSurplus: rules.sharesSurplus,
    combinedBumpFee: (coins: readonly FundingCoin[]) =>
      computeBumpFee(
        coins.filter(({ depth }) => depth === 0).map(({ outpoint }) => outpoint),
        feeRate,
        context,
      ),
  };
  const groupsByScript = request.avoidsReuse === true || context.settings.avoidsPartialSpends;
  const result = fundPayment({ ...common, groupsByScript });
  if (result.kind === 'refused') return refuse(faultText(result, change, context));
  const { maxGroupingFee } = context.settings;
  const best =
    groupsByScript || maxGroupingFee === undefined
      ? result
      : groupedIfCheap(result, fundPayment({ ...common, groupsByScript: true }), maxGroupingFee);
  const tx = buildTransaction(best, request, context);
  assertChainLimits(tx, refuse, context);
  const usesChange = best.changePosition !== undefined && change.kind === 'script';
  return {
    tx,
    fee: best.fee,
    changePosition: best.changePosition,
    feeReason: reason,
    events: usesChange ? change.events : [],
  };
}

/** Refuses what the mempool would refuse for its unconfirmed relatives. @see Bitcoin Core `-walletrejectlongchains` */
function assertChainLimits(tx: Transaction, refuse: Refuse, context: WalletContext): void {
  const { dialect, mempool: policy, settings } = context;
  if (!settings.refusesLongChains) return;
  const { chain } = context.node;
  const entry = newEntry(chain, chainTx(tx), []);
  const detail = policy.rules.cluster
    ? clusterFault({ chain, policy }, [entry])?.reason
    : packageFamilyFault({ chain, policy }, [entry])?.detail;
  if (detail !== undefined) refuse(spendingRules[dialect.generation].longChain(detail));
}

/** Prefers to spend all coins of an address together, if that costs no more than allowed. @see Bitcoin Core `-maxapsfee` */
const groupedIfCheap = (
  single: FundedPayment,
  grouped: ReturnType<typeof fundPayment>,
  allowed: bigint,
): FundedPayment => (grouped.kind === 'funded' && grouped.fee <= single.fee + allowed ? grouped : single);

type Refuse = (message: string) => never;

/** Returns satoshi per 1000 virtual bytes. */
export const getDustRate = ({ mempool }: WalletContext): bigint => BigInt(Math.round(mempool.dustRate * 1000));

function assertNoDust({ recipients }: PaymentRequest, refuse: Refuse, context: WalletContext): void {
  if (recipients.some((recipient) => isDust(recipient, getDustRate(context)))) refuse(DUST);
}

const DUST = 'Transaction amount too small';
export const NO_ESTIMATE = 'Fee estimation failed. Fallbackfee is disabled. Wait a few blocks or enable -fallbackfee.';

/** @see Bitcoin Core `GetRequiredFeeRate` */
export function requiredRate({ mempool, settings: { minRate } }: WalletContext): bigint {
  const relayRate = BigInt(mempool.rules.minRelayFee);
  return relayRate > minRate ? relayRate : minRate;
}

/** @see Bitcoin Core `GetDiscardRate` */
function discardRate({ node, settings }: WalletContext): bigint {
  const longest = BigInt(estimateFor(node.chain, MAX_TARGET)?.rate ?? settings.discardRate);
  return longest < settings.discardRate ? longest : settings.discardRate;
}

/** @see Bitcoin Core `GetMinimumFeeRate` */
export function chosenRate(
  choice: FeeChoice,
  refuse: Refuse,
  context: WalletContext,
): { readonly feeRate: bigint; readonly reason: string } {
  const { fallbackRate } = context.settings;
  const minRate = requiredRate(context);
  const { isForced = false, feeRate = usualRate(choice, context) } = choice;
  if (feeRate === undefined) {
    const estimate = estimatedRate(choice, context);
    const rate = estimate ?? fallbackRate ?? refuse(NO_ESTIMATE);
    const source = estimate === undefined ? 'Fallback fee' : spendingRules[context.dialect.generation].estimatedRate;
    const floor = BigInt(mempoolFloor(context));
    const asked = floor > rate ? floor : rate;
    if (minRate > asked) return { feeRate: minRate, reason: source };
    return { feeRate: asked, reason: asked === rate ? source : 'Mempool Min Fee' };
  }
  if (!isForced && feeRate < minRate) refuse(rateTooLow(feeRate, context));
  return { feeRate, reason: spendingRules[context.dialect.generation].chosenRate };
}

function rateTooLow(feeRate: bigint, context: WalletContext): string {
  const { dialect, mempool, settings } = context;
  const { minRate } = settings;
  const least = formatFeeRate(requiredRate(context));
  const fault = `Fee rate (${formatFeeRate(feeRate)}) is lower than the minimum fee rate setting (${least})`;
  if (!spendingRules[dialect.generation].advisesOnLowRates) return fault;
  const relayRate = BigInt(mempool.rules.minRelayFee);
  const advice = `-mintxfee (${formatFeeRate(minRate)}) or -minrelaytxfee (${formatFeeRate(relayRate)})`;
  return `${fault}.\nConsider modifying ${advice}.`;
}

export const MAX_FEE = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';

const TEXTS: Readonly<Record<Exclude<FundingFault, 'nothing-to-pay'>, string>> = {
  dust: DUST,
  'weight-limit': `Maximum transaction weight must be between 260 and ${MAX_STANDARD_WEIGHT}`,
  'preset-insufficient':
    'The preselected coins total amount does not cover the transaction target. Please allow other inputs to be automatically selected or include more coins manually',
  insufficient: 'Insufficient funds',
  'long-chain':
    'Unconfirmed UTXOs are available, but spending them creates a chain of transactions that will be rejected by the mempool',
  'too-heavy':
    "The inputs size exceeds the maximum weight. Please try sending a smaller amount or manually consolidating your wallet's UTXOs",
  'combination-too-heavy':
    "The combination of the pre-selected inputs and the wallet automatic inputs selection exceeds the transaction maximum weight. Please try sending a smaller amount or manually consolidating your wallet's UTXOs",
  'no-room-for-inputs': 'Maximum transaction weight is less than transaction weight without inputs',
  'no-room-for-change': 'Maximum transaction weight is too low, can not accommodate change output',
  'fee-exceeds-balance': 'The total exceeds your balance when the {fee} transaction fee is included.',
  'size-unknown': 'Missing solving data for estimating transaction size',
  'fee-above-amount': 'The transaction amount is too small to pay the fee',
  'dust-after-fee': 'The transaction amount is too small to send after the fee has been deducted',
  'change-script-missing': "Transaction needs a change address, but we can't generate it.",
  'too-large': 'Transaction too large',
  'fee-too-high': MAX_FEE,
};

const TEXTS_021: Readonly<Partial<Record<FundingFault, string>>> = {
  'preset-insufficient': TEXTS.insufficient,
  'long-chain': TEXTS.insufficient,
  'too-heavy': TEXTS['too-large'],
  'combination-too-heavy': TEXTS['too-large'],
  'no-room-for-inputs': TEXTS['too-large'],
  'no-room-for-change': TEXTS['too-large'],
  'size-unknown': 'Signing transaction failed',
};

function faultText(
  { fault, fixedFee = 0n }: Extract<FundingResult, { readonly kind: 'refused' }>,
  change: ReturnType<typeof changeFor>,
  { dialect }: WalletContext,
): string {
  if (fault === 'change-script-missing' && change.kind === 'missing') return `${TEXTS[fault]} ${change.reason}`;
  const { namesFundingFaults, namesUnpaidFees, nothingToPay } = spendingRules[dialect.generation];
  if (fault === 'nothing-to-pay') return nothingToPay;
  if (fault === 'fee-exceeds-balance') {
    return namesUnpaidFees ? TEXTS[fault].replace('{fee}', formatMoney(fixedFee)) : TEXTS.insufficient;
  }
  return (namesFundingFaults ? undefined : TEXTS_021[fault]) ?? TEXTS[fault];
}

function buildTransaction(payment: FundedPayment, request: PaymentRequest, context: WalletContext): Transaction {
  const { coins, outputs } = payment;
  const presetInputs = new Map(request.inputs.map((input) => [outpointKey(input.outpoint), input]));
  const isReplaceable = request.fee.isReplaceable ?? context.settings.isReplaceable;
  const sequence = isReplaceable ? SEQUENCE_REPLACEABLE : SEQUENCE_FINAL - 1;
  const toInput = ({ outpoint }: FundingCoin): TxIn =>
    presetInputs.get(outpointKey(outpoint)) ?? { outpoint, sequence, scriptSig: new Uint8Array(0), witness: [] };
  return {
    version: request.version ?? DEFAULT_VERSION,
    inputs: coins.map(toInput),
    outputs,
    locktime: request.locktime ?? antiSniping(context),
  };
}

export function antiSniping({ wallet, node }: WalletContext): number {
  const { height } = wallet.row.tip;
  return antiSnipingLocktime({ height, time: activeBlock(node.chain, height).time }, node.now(), node.random);
}

export const acceptPayment = ({ events }: Payment, context: WalletContext): void => applyToWallet(context, events);

export const computeSpendVsize = (coin: FundingCoin): number => sizeOfWeight(coin.size ? inputWeight(coin.size) : 0);
