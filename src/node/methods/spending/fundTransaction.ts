import { isGiven } from '../../../answers/arguments/argumentValues.ts';
import { parseOutputs } from '../../../answers/arguments/constructTransaction.ts';
import type { InSats } from '../../../answers/json/exactNumbers.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { type Answer, amount, members, numeric } from '../../../answers/method/results.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { TRUC_MAX_WEIGHT, TRUC_VERSION } from '../../mempool/truc.ts';
import type { WalletContext } from '../context.ts';
import { acceptPayment, createPayment, type Payment } from './createPayment.ts';
import { noOutputs, parseFundingOptions } from './fundingOptions.ts';
import { withInputWeights } from './inputWeights.ts';
import { lockCoins } from './lockCoins.ts';
import { assertPayable, outputNames, parsePayers, toRecipients } from './recipients.ts';
import { spendingRules } from './spendingRules.ts';

export const fundingResult = members({
  fee: amount(),
  changepos: numeric('the index of the change output, or -1'),
});

export interface FundingCall {
  readonly tx: Transaction;
  /** Addresses of the outputs, or `data`. */
  readonly names: readonly string[];
  readonly options: JsonValue | undefined;
  /** The option that names the outputs which bear the fee. */
  readonly payersName: 'subtractFeeFromOutputs' | 'subtract_fee_from_outputs';
  readonly isForced: boolean;
  /** Its elements may state weights. */
  readonly inputs?: JsonValue | undefined;
  /** The default of `add_inputs`. */
  readonly addsCoins: boolean;
}

/** @see Bitcoin Core `FundTransaction` */
export function fundTransaction(call: FundingCall, context: WalletContext): Payment {
  const { tx, isForced } = call;
  const { describesPayers } = spendingRules[context.dialect.generation];
  const members = call.options?.type === 'object' ? call.options.members : [];
  // Core 29 reads the payers before the other options, 0.21 after them.
  const early = describesPayers ? readPayers(call, members, context) : undefined;
  const hasWeights = describesPayers && call.inputs !== undefined;
  const value: JsonValue | undefined = hasWeights
    ? { type: 'object', members: withInputWeights(members, call.inputs) }
    : call.options;
  const options = parseFundingOptions({ value, outputCount: tx.outputs.length, isForced }, context);
  if (tx.outputs.length === 0) throw noOutputs();
  const payers = early ?? readPayers(call, members, context);
  assertPayable(tx.outputs, context);
  const request = {
    ...options,
    inputs: tx.inputs,
    recipients: toRecipients(tx.outputs, payers),
    version: tx.version,
    locktime: tx.locktime,
    addsCoins: options.addsCoins ?? call.addsCoins,
    maxWeight: limitWeight(options.maxWeight, tx, context),
  };
  const payment = createPayment(request, RPC_WALLET_ERROR, context);
  acceptPayment(payment, context);
  if (options.locksCoins) lockCoins(payment.tx, context);
  return payment;
}

/** @see BIP431; Bitcoin Core 30 `FundTransaction` */
function limitWeight(
  maxWeight: number | undefined,
  { version }: Transaction,
  { dialect }: WalletContext,
): number | undefined {
  const isLimited = version === TRUC_VERSION && spendingRules[dialect.generation].restrictsVersions;
  return isLimited ? Math.min(maxWeight ?? TRUC_MAX_WEIGHT, TRUC_MAX_WEIGHT) : maxWeight;
}

function readPayers(
  { names, payersName }: Pick<FundingCall, 'names' | 'payersName'>,
  members: readonly JsonMember[],
  context: WalletContext,
): ReadonlySet<number> {
  const value =
    findMember(members, payersName) ??
    // 0.21 takes both names everywhere.
    findMember(
      members,
      payersName === 'subtractFeeFromOutputs' ? 'subtract_fee_from_outputs' : 'subtractFeeFromOutputs',
    );
  return parsePayers(isGiven(value) && value.type === 'array' ? value.items : [], names, context);
}

/** Refuses wrong outputs and fee payers, as `send` of Core 29 does before it reads the inputs. */
export function assertOutputs(outputs: JsonValue, members: readonly JsonMember[], context: WalletContext): void {
  parseOutputs(outputs, context);
  readPayers({ names: outputNames(outputs), payersName: 'subtract_fee_from_outputs' }, members, context);
}

/** The fee is in satoshi. */
export const fundingMembers = ({
  fee,
  changePosition,
}: Pick<Payment, 'fee' | 'changePosition'>): InSats<Answer<typeof fundingResult>> => ({
  fee,
  changepos: changePosition ?? -1,
});
