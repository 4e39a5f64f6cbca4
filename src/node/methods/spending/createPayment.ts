import { rawTransactionRules } from '../../../answers/arguments/rawTransactionRules.ts';
import { RpcError } from '../../../core/errors.ts';
import { SEQUENCE_FINAL } from '../../../core/tx/absoluteLock.ts';
import { DUST_FEE_RATE } from '../../../core/tx/dust.ts';
import { SEQUENCE_REPLACEABLE } from '../../../core/tx/replaceable.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import type { Transaction, TxIn } from '../../../core/tx/types.ts';
import { antiSnipingLocktime } from '../../../kit/funding/antiSniping.ts';
import type { FundingCoin } from '../../../kit/funding/coinGroups.ts';
import { isDust } from '../../../kit/funding/dust.ts';
import {
  type FundedPayment,
  type FundingFault,
  fundPayment,
  type Recipient,
} from '../../../kit/funding/fundPayment.ts';
import { inputWeight, MAX_STANDARD_WEIGHT, toVsize } from '../../../kit/funding/spendSize.ts';
import { activeBlock } from '../../chain/chainState.ts';
import { mempoolRules } from '../../mempool/mempoolRules.ts';
import type { WalletEvent } from '../../wallet/records/events.ts';
import type { WalletContext } from '../context.ts';
import { feeSettings } from '../feeSettings.ts';
import { applyToWallet } from '../importResult.ts';
import { type ChangeChoice, changeFor } from './changeOutput.ts';
import { type FeeChoice, formatFeeRate, usualRate } from './feeTerms.ts';
import { availableCoins, type CoinChoice } from './fundingCoins.ts';
import { type PresetChoice, presetCoins } from './presetCoins.ts';
import { spendingRules } from './spendingRules.ts';
import { ownSpendSizes } from './spendSizes.ts';

export interface PaymentRequest extends CoinChoice, PresetChoice, ChangeChoice {
  readonly recipients: readonly Recipient[];
  readonly fee: FeeChoice;
  /** Lets the wallet choose coins besides the given inputs. */
  readonly addsCoins: boolean;
  /** Default 2. */
  readonly version?: number;
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
  const { dialect, node } = context;
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
    ...feeSettings[dialect.name],
    feeRate,
    rounding: rules.roundsFeesUp ? ('up' as const) : ('down' as const),
    dustRate: getDustRate(context),
    recipients: request.recipients,
    preset,
    available,
    maxWeight: request.maxWeight,
    random: node.random,
    change: change.kind === 'script' ? change.terms : undefined,
    avoidsMixing: rules.avoidsMixingKinds,
    spendsUnsafe: request.includesUnsafe ?? false,
    maxRelatives: rules.maxRelatives,
  };
  const groupsByScript = request.avoidsReuse === true;
  const result = fundPayment({ ...common, groupsByScript });
  if (result.kind === 'refused') return refuse(faultText(result.fault, change, context));
  const best = groupsByScript ? result : groupedIfAsCheap(result, fundPayment({ ...common, groupsByScript: true }));
  const tx = buildTransaction(best, request, context);
  const usesChange = best.changePosition !== undefined && change.kind === 'script';
  return {
    tx,
    fee: best.fee,
    changePosition: best.changePosition,
    feeReason: reason,
    events: usesChange ? change.events : [],
  };
}

/** Prefers to spend all coins of an address together, if that costs no more. @see Bitcoin Core `-maxapsfee` */
const groupedIfAsCheap = (single: FundedPayment, grouped: ReturnType<typeof fundPayment>): FundedPayment =>
  grouped.kind === 'funded' && grouped.fee <= single.fee ? grouped : single;

type Refuse = (message: string) => never;

/** Returns satoshi per 1000 virtual bytes. */
export const getDustRate = ({ network }: WalletContext): bigint =>
  BigInt(Math.round((network.dustFeeRate ?? DUST_FEE_RATE) * 1000));

function assertNoDust({ recipients }: PaymentRequest, refuse: Refuse, context: WalletContext): void {
  if (recipients.some((recipient) => isDust(recipient, getDustRate(context)))) refuse(DUST);
}

const DUST = 'Transaction amount too small';
export const NO_ESTIMATE = 'Fee estimation failed. Fallbackfee is disabled. Wait a few blocks or enable -fallbackfee.';

/** @see Bitcoin Core `GetMinimumFeeRate` */
export function chosenRate(
  choice: FeeChoice,
  refuse: Refuse,
  { wallet, dialect }: WalletContext,
): { readonly feeRate: bigint; readonly reason: string } {
  const { minRate, fallbackRate } = feeSettings[dialect.name];
  const { isForced = false, feeRate = usualRate(choice, wallet) } = choice;
  if (feeRate === undefined) {
    const rate = fallbackRate ?? refuse(NO_ESTIMATE);
    return { feeRate: rate > minRate ? rate : minRate, reason: 'Fallback fee' };
  }
  if (!isForced && feeRate < minRate) refuse(rateTooLow(feeRate, minRate, dialect));
  return { feeRate, reason: 'PayTxFee set' };
}

function rateTooLow(feeRate: bigint, minRate: bigint, { generation }: WalletContext['dialect']): string {
  const fault = `Fee rate (${formatFeeRate(feeRate)}) is lower than the minimum fee rate setting (${formatFeeRate(minRate)})`;
  if (!spendingRules[generation].advisesOnLowRates) return fault;
  const relayRate = BigInt(mempoolRules[generation].minRelayFee);
  const settings = `-mintxfee (${formatFeeRate(minRate)}) or -minrelaytxfee (${formatFeeRate(relayRate)})`;
  return `${fault}.\nConsider modifying ${settings}.`;
}

export const MAX_FEE = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';

const TEXTS: Readonly<Record<FundingFault, string>> = {
  dust: DUST,
  'nothing-to-pay':
    'Transaction requires one destination of non-zero value, a non-zero feerate, or a pre-selected input',
  'weight-limit': `Maximum transaction weight must be between 260 and ${MAX_STANDARD_WEIGHT}`,
  'preset-insufficient':
    'The preselected coins total amount does not cover the transaction target. Please allow other inputs to be automatically selected or include more coins manually',
  insufficient: 'Insufficient funds',
  'long-chain':
    'Unconfirmed UTXOs are available, but spending them creates a chain of transactions that will be rejected by the mempool',
  'too-heavy':
    "The inputs size exceeds the maximum weight. Please try sending a smaller amount or manually consolidating your wallet's UTXOs",
  'size-unknown': 'Missing solving data for estimating transaction size',
  'fee-above-amount': 'The transaction amount is too small to pay the fee',
  'dust-after-fee': 'The transaction amount is too small to send after the fee has been deducted',
  'change-script-missing': "Transaction needs a change address, but we can't generate it.",
  'too-large': 'Transaction too large',
  'fee-too-high': MAX_FEE,
};

const TEXTS_021: Readonly<Partial<Record<FundingFault, string>>> = {
  'nothing-to-pay': 'Transaction is invalid',
  'preset-insufficient': TEXTS.insufficient,
  'long-chain': TEXTS.insufficient,
  'too-heavy': TEXTS['too-large'],
  'size-unknown': 'Signing transaction failed',
};

function faultText(fault: FundingFault, change: ReturnType<typeof changeFor>, { dialect }: WalletContext): string {
  if (fault === 'change-script-missing' && change.kind === 'missing') return `${TEXTS[fault]} ${change.reason}`;
  const { namesFundingFaults } = spendingRules[dialect.generation];
  return (namesFundingFaults ? undefined : TEXTS_021[fault]) ?? TEXTS[fault];
}

function buildTransaction(payment: FundedPayment, request: PaymentRequest, context: WalletContext): Transaction {
  const { coins, outputs } = payment;
  const presetInputs = new Map(request.inputs.map((input) => [outpointKey(input.outpoint), input]));
  const { replaceableByDefault } = rawTransactionRules[context.dialect.generation];
  const isReplaceable = request.fee.isReplaceable ?? replaceableByDefault;
  const sequence = isReplaceable ? SEQUENCE_REPLACEABLE : SEQUENCE_FINAL - 1;
  const toInput = ({ outpoint }: FundingCoin): TxIn =>
    presetInputs.get(outpointKey(outpoint)) ?? { outpoint, sequence, scriptSig: new Uint8Array(0), witness: [] };
  return {
    version: request.version ?? 2,
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

export const computeSpendVsize = (coin: FundingCoin): number => toVsize(coin.size ? inputWeight(coin.size) : 0);
