import { compactSizeLength } from '../../core/bytes/writer.ts';
import { MAX_STANDARD_WEIGHT, outputSize, signedWeight } from '../../core/tx/spendSize.ts';
import type { TxOut } from '../../core/tx/types.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import { createGroup, type FundingCoin, type GroupTerms } from './coinGroups.ts';
import { dustAt, isDust } from './dust.ts';
import { type FeeRounding, feeFor } from './feeRate.ts';
import { type RandomBytes, randomBelow, shuffled } from './randomNumbers.ts';
import { type SelectedCoins, type SelectionFault, type SelectionTerms, selectCoins } from './selectCoins.ts';
import { CHANGE_LIMITS, computeChange, type SelectionGoal } from './selectionGoal.ts';

export interface Recipient extends TxOut {
  /** Bears an equal share of the fee. */
  readonly paysFee: boolean;
}

export interface ChangeTerms {
  readonly scriptPubKey: Uint8Array;
  readonly spendVsize: number;
  /** Among the outputs; by default random. */
  readonly position?: number | undefined;
}

/** Rates in satoshi per 1000 virtual bytes. */
interface FeeTerms {
  readonly feeRate: bigint;
  readonly rounding: FeeRounding;
  /** @see Bitcoin Core `-dustrelayfee` */
  readonly dustRate: bigint;
  /** @see Bitcoin Core `-discardfee` */
  readonly discardRate: bigint;
  readonly longTermRate: bigint;
  /** Satoshi. @see Bitcoin Core `-maxtxfee` */
  readonly maxFee: bigint;
  readonly maxWeight?: number | undefined;
  /** Of a payment that spends unconfirmed coins. Default: `maxWeight`. */
  readonly maxUnconfirmedWeight?: number | undefined;
}

export interface FundingRequest extends FeeTerms, Omit<SelectionTerms, 'recipientsPay'> {
  readonly recipients: readonly Recipient[];
  /** Coins to spend in any case, in this order. */
  readonly preset: readonly FundingCoin[];
  /** Further coins; `undefined` if the preset ones must suffice. */
  readonly available: readonly FundingCoin[] | undefined;
  /** `undefined` without a script for change. */
  readonly change: ChangeTerms | undefined;
  /** Adds to the outputs that bear the fee what a payment without change leaves beyond it. */
  readonly sharesSurplus: boolean;
}

export type FundingFault =
  | SelectionFault
  | 'dust'
  | 'nothing-to-pay'
  | 'weight-limit'
  | 'preset-insufficient'
  | 'fee-exceeds-balance'
  | 'combination-too-heavy'
  | 'size-unknown'
  | 'fee-above-amount'
  | 'dust-after-fee'
  | 'change-script-missing'
  | 'too-large'
  | 'fee-too-high';

/** Amounts are in satoshi. */
export interface FundedPayment {
  readonly kind: 'funded';
  readonly coins: readonly FundingCoin[];
  readonly outputs: readonly TxOut[];
  readonly fee: bigint;
  readonly changePosition: number | undefined;
}

interface Refused {
  readonly kind: 'refused';
  readonly fault: FundingFault;
  /** The fee of all but inputs and change, in satoshi. */
  readonly fixedFee?: bigint;
}

export type FundingResult = FundedPayment | Refused;

const refused = (fault: FundingFault): Refused => ({ kind: 'refused', fault });

/** The weight of the smallest transaction that nodes relay. */
const MIN_WEIGHT_LIMIT = 4 * 65;

/** @see Bitcoin Core `CreateTransactionInternal` */
export function fundPayment(request: FundingRequest): FundingResult {
  const { recipients, preset, maxWeight = MAX_STANDARD_WEIGHT } = request;
  if (maxWeight < MIN_WEIGHT_LIMIT || maxWeight > MAX_STANDARD_WEIGHT) return refused('weight-limit');
  if (recipients.some((recipient) => isDust(recipient, request.dustRate))) return refused('dust');
  const goal = computeGoal(request, maxWeight);
  if (goal.target === 0n && preset.length === 0) return refused('nothing-to-pay');
  let missing = 0n;
  for (;;) {
    const selected = coinsFor({ ...goal, target: goal.target + missing }, request);
    if ('kind' in selected) return selected;
    const built = build(selected, goal, request);
    // The fee of the whole may exceed that of its parts by a few bytes of counts.
    if (built.kind !== 'short') return built;
    missing += built.missing;
  }
}

const totalValue = (outputs: readonly Pick<TxOut, 'value'>[]): bigint =>
  outputs.reduce((sum, { value }) => sum + value, 0n);

const hasPayers = (recipients: readonly Recipient[]): boolean => recipients.some(({ paysFee }) => paysFee);

function computeGoal(request: FundingRequest, maxWeight: number): SelectionGoal {
  const { recipients, feeRate, discardRate, change, random } = request;
  const fixedSize = 10 + compactSizeLength(recipients.length) + recipients.reduce((sum, to) => sum + outputSize(to), 0);
  const changeScript = change?.scriptPubKey ?? EMPTY;
  const changeSize = outputSize({ scriptPubKey: changeScript });
  const changeFee = feeFor(feeRate, changeSize, 'up');
  const spendFee = feeFor(discardRate, change?.spendVsize ?? UNKNOWN_SPEND_VSIZE, 'up');
  const dust = dustAt(changeScript, discardRate);
  const paid = totalValue(recipients);
  return {
    target: paid + (hasPayers(recipients) ? 0n : feeFor(feeRate, fixedSize, 'up')),
    costOfChange: changeFee + spendFee,
    changeFee,
    chargedChangeFee: hasPayers(recipients) ? 0n : changeFee,
    leastChange: spendFee + 1n > dust ? spendFee + 1n : dust,
    wantedChange: wantedChange(paid / BigInt(recipients.length || 1), random),
    maxWeight: maxWeight - 4 * fixedSize,
    maxUnconfirmedWeight: Math.min(maxWeight, request.maxUnconfirmedWeight ?? maxWeight) - 4 * fixedSize,
    changeWeight: 4 * changeSize,
  };
}

const EMPTY: Uint8Array = /* @__PURE__ */ new Uint8Array(0);
/** That of P2SH-P2WPKH. @see Bitcoin Core `DUMMY_NESTED_P2WPKH_INPUT_SIZE` */
const UNKNOWN_SPEND_VSIZE = 91;

/** @see Bitcoin Core `GenerateChangeTarget` */
function wantedChange(payment: bigint, random: RandomBytes): bigint {
  const { lower, upper } = CHANGE_LIMITS;
  if (payment <= lower / 2n) return lower;
  const most = 2n * payment < upper ? 2n * payment : upper;
  return lower + BigInt(randomBelow(random, Number(most - lower)));
}

const withPayers = (request: FundingRequest): FundingRequest & Pick<GroupTerms, 'recipientsPay'> => ({
  ...request,
  recipientsPay: hasPayers(request.recipients),
});

/** Adds coins in random order if the preset ones do not suffice. @see Bitcoin Core `SelectCoins` */
function coinsFor(goal: SelectionGoal, request: FundingRequest): SelectedCoins | Refused {
  const { preset, available, random } = request;
  const terms = withPayers(request);
  const presetGroup = createGroup(preset, terms);
  const target = goal.target - presetGroup.amount;
  if (target <= 0n) return { coins: [...preset], discount: 0n };
  if (!available) return refused('preset-insufficient');
  const selection = selectCoins(available, { ...goal, target }, terms);
  if (selection === 'insufficient') return insufficient(goal, request);
  if (typeof selection === 'string') return refused(selection);
  const { weight } = createGroup(selection.coins, terms);
  const isTooHeavy = preset.length > 0 && presetGroup.weight + weight > goal.maxWeight;
  if (isTooHeavy) return refused('combination-too-heavy');
  return { ...selection, coins: [...preset, ...shuffled(selection.coins, random)] };
}

/** Tells a lack of coins from one of their fees. */
function insufficient({ target }: SelectionGoal, request: FundingRequest): Refused {
  const { recipients, preset, available = [] } = request;
  const coins = [...preset, ...available];
  const paid = totalValue(recipients);
  const left = createGroup(coins, { ...request, recipientsPay: false }).amount;
  if (totalValue(coins) < paid || left >= target) return refused('insufficient');
  return { ...refused('fee-exceeds-balance'), fixedFee: target - paid };
}

interface Draft {
  readonly coins: readonly FundingCoin[];
  readonly outputs: readonly TxOut[];
  readonly changePosition: number | undefined;
  readonly feeNeeded: bigint;
}

function build(
  { coins, discount }: SelectedCoins,
  goal: SelectionGoal,
  request: FundingRequest,
): FundingResult | { readonly kind: 'short'; readonly missing: bigint } {
  const { recipients, change, random, feeRate, rounding } = request;
  const terms = withPayers(request);
  const amount = createGroup(coins, terms).amount + (terms.recipientsPay ? 0n : discount);
  const changeAmount = computeChange(amount, goal);
  const changePosition =
    changeAmount > 0n ? (change?.position ?? randomBelow(random, recipients.length + 1)) : undefined;
  const outputs: TxOut[] = recipients.map(({ value, scriptPubKey }) => ({ value, scriptPubKey }));
  if (changePosition !== undefined) {
    outputs.splice(changePosition, 0, { value: changeAmount, scriptPubKey: change?.scriptPubKey ?? EMPTY });
  }
  const sizes = coins.flatMap(({ size }) => size ?? []);
  if (sizes.length < coins.length) return refused('size-unknown');
  const weight = signedWeight(sizes, outputs);
  const bumpFees = coins.reduce((sum, { bumpFee }) => sum + bumpFee, -discount);
  const draft = {
    coins,
    outputs,
    changePosition,
    feeNeeded: feeFor(feeRate, sizeOfWeight(weight), rounding) + bumpFees,
  };
  const settled = terms.recipientsPay ? chargeRecipients(draft, request) : settleChange(draft, goal);
  // Change that the fee makes uneconomical becomes fee.
  if (settled.kind === 'short' && changePosition !== undefined) {
    return build({ coins, discount }, { ...goal, leastChange: totalValue(coins) + 1n }, request);
  }
  if (settled.kind !== 'funded') return settled;
  if (changePosition !== undefined && !change) return refused('change-script-missing');
  if (weight > MAX_STANDARD_WEIGHT) return refused('too-large');
  return settled.fee > request.maxFee ? refused('fee-too-high') : settled;
}

function settleChange(
  { coins, outputs, changePosition, feeNeeded }: Draft,
  { leastChange }: SelectionGoal,
): FundedPayment | { readonly kind: 'short'; readonly missing: bigint } {
  const availableFee = totalValue(coins) - totalValue(outputs);
  const surplus = availableFee - feeNeeded;
  const change = changePosition === undefined ? undefined : outputs[changePosition];
  if (!change) {
    if (surplus < 0n) return { kind: 'short', missing: -surplus };
    return { kind: 'funded', coins, outputs, fee: availableFee, changePosition };
  }
  if (change.value + surplus < leastChange) return { kind: 'short', missing: -surplus };
  const settled = outputs.map((output) => (output === change ? { ...output, value: output.value + surplus } : output));
  return { kind: 'funded', coins, outputs: settled, fee: feeNeeded, changePosition };
}

/** Charges equal shares; the first payer also bears the remainder. */
function chargeRecipients(
  { coins, outputs, changePosition, feeNeeded }: Draft,
  request: FundingRequest,
): FundingResult {
  const { recipients, dustRate, sharesSurplus } = request;
  const needed = feeNeeded - (totalValue(coins) - totalValue(outputs));
  const charge = needed > 0n || sharesSurplus ? needed : 0n;
  const payers = recipients.flatMap(({ paysFee }, index) => (paysFee ? [index] : []));
  const count = BigInt(payers.length);
  const charged = outputs.map((output, place) => {
    const index = changePosition !== undefined && place > changePosition ? place - 1 : place;
    if (place === changePosition || !payers.includes(index)) return output;
    const share = charge / count + (index === payers[0] ? charge % count : 0n);
    return { ...output, value: output.value - share };
  });
  if (charged.some(({ value }) => value < 0n)) return refused('fee-above-amount');
  const isBelowDust = charged.some((output, place) => output !== outputs[place] && isDust(output, dustRate));
  if (isBelowDust) return refused('dust-after-fee');
  return { kind: 'funded', coins, outputs: charged, fee: totalValue(coins) - totalValue(charged), changePosition };
}
