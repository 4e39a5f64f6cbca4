import { parseOutputs } from '../../../answers/arguments/constructTransaction.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, members, numeric } from '../../../answers/method/results.ts';
import { has } from '../../../answers/method/values.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { TRUC_MAX_WEIGHT, TRUC_VERSION } from '../../mempool/truc.ts';
import type { WalletContext } from '../context.ts';
import { acceptPayment, createPayment, type Payment } from './createPayment.ts';
import type { GivenOptions } from './fundingOptions.ts';
import { noOutputs, parseFundingOptions } from './fundingOptions.ts';
import type { weightsIn } from './inputWeights.ts';
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
  readonly options: GivenOptions;
  /** The option that names the outputs which bear the fee. */
  readonly payersName: 'subtractFeeFromOutputs' | 'subtract_fee_from_outputs';
  readonly isForced: boolean;
  /** May state weights. */
  readonly inputs?: Parameters<typeof weightsIn>[0] & { readonly length: number };
  /** The default of `add_inputs`. */
  readonly addsCoins: boolean;
}

/** @see Bitcoin Core `FundTransaction` */
export function fundTransaction(call: FundingCall, context: WalletContext): Payment {
  const { tx, isForced } = call;
  const { describesPayers } = spendingRules[context.dialect.generation];
  // Core 29 reads the payers before the other options, 0.21 after them.
  const early = describesPayers ? readPayers(call, context) : undefined;
  const inputs = describesPayers ? call.inputs : undefined;
  if (inputs && has(call.options, 'input_weights')) {
    throw invalidParameter('Input weights should be specified in inputs rather than in options.');
  }
  const terms = { outputCount: tx.outputs.length, isForced, inputs: inputs?.length === 0 ? undefined : inputs };
  const options = parseFundingOptions(call.options, terms, context);
  if (tx.outputs.length === 0) throw noOutputs();
  const payers = early ?? readPayers(call, context);
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
  { names, payersName, options }: Pick<FundingCall, 'names' | 'payersName' | 'options'>,
  context: WalletContext,
): ReadonlySet<number> {
  // 0.21 takes both names everywhere.
  const other = payersName === 'subtractFeeFromOutputs' ? 'subtract_fee_from_outputs' : 'subtractFeeFromOutputs';
  return parsePayers(options[payersName in options ? payersName : other], names, context);
}

/** Refuses wrong outputs and fee payers, as `send` of Core 29 does before it reads the inputs. */
export function assertOutputs(outputs: JsonValue, options: GivenOptions, context: WalletContext): void {
  parseOutputs(outputs, context);
  readPayers({ names: outputNames(outputs), payersName: 'subtract_fee_from_outputs', options }, context);
}

/** The fee is in satoshi. */
export const fundingMembers = ({
  fee,
  changePosition,
}: Pick<Payment, 'fee' | 'changePosition'>): Draft<typeof fundingResult> => ({
  fee,
  changepos: changePosition ?? -1,
});
