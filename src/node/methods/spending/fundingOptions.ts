import { tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import type { ParamTraits } from '../../../answers/method/param.ts';
import {
  anyOf,
  array,
  bool,
  choice,
  coinAmount,
  int32,
  int64,
  lenient,
  optional,
  string,
  unread,
} from '../../../answers/method/parameters.ts';
import type { Values } from '../../../answers/method/values.ts';
import { checkMembers, has } from '../../../answers/method/values.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { OutputKind } from '../../wallet/keys/activeDescriptors.ts';
import { OUTPUT_KINDS } from '../../wallet/records/newAddresses.ts';
import type { WalletContext } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import type { PaymentRequest } from './createPayment.ts';
import { CONF_TARGET, ESTIMATE_MODE, FEE_RATE, type FeeChoice, parseFeeChoice, targetBesideRate } from './feeTerms.ts';
import { INPUT_WEIGHTS, WEIGHED_INPUTS, weightsIn } from './inputWeights.ts';
import { parseSolvingData, SOLVING_DATA } from './solvingData.ts';
import { spendingRules } from './spendingRules.ts';

/** Core reads these where they are given, even as null. */
export const EXISTS = { countsNull: true } as const;
const SINCE_29 = { since: 'core-29' } as const;

/*
 * The options of all methods that fund a payment, in Core's order: an error names the first of several.
 */

/** Those that come first. */
export const COINS = [
  optional(bool('add_inputs', 'whether to add coins of the wallet to given inputs', EXISTS)),
  lasting(optional(bool('include_unsafe', 'whether to spend unconfirmed coins of others', EXISTS), false), SINCE_29),
  lasting(optional(int32('minconf', 'the fewest confirmations of a coin', EXISTS)), SINCE_29),
  lasting(optional(int32('maxconf', 'the most confirmations of a coin', EXISTS)), SINCE_29),
] as const;

const CHANGE_TYPE = optional(choice('change_type', OUTPUT_KINDS, 'the kind of the change address', EXISTS));

const PAYER = anyOf('vout_index', [int32('', ''), string('', '')], 'an output, by its index');
const payers = <const N extends string>(name: N) =>
  optional(lenient(array(name, unread(PAYER), 'the outputs that bear the fee, in equal shares')));

export const ADD_TO_WALLET = optional(
  bool('add_to_wallet', 'false to return the transaction and to send nothing', EXISTS),
  true,
);
export const PSBT = optional(bool('psbt', 'whether to return a PSBT and to send nothing', EXISTS), false);
/** Of the transaction. */
export const OWN_LOCKTIME = optional(
  int64('locktime', 'the raw locktime; by default one that discourages fee sniping'),
);

/** Then come those of `send`. */
export const SENDING = [
  ADD_TO_WALLET,
  optional(string('change_address', 'where change goes', EXISTS)),
  optional(int32('change_position', 'the index of the change output; by default any', EXISTS)),
  CHANGE_TYPE,
  { ...FEE_RATE, isAlsoPositional: true },
  optional(bool('include_watching', 'whether to spend watch-only coins; 0.21 only', EXISTS)),
  WEIGHED_INPUTS,
  OWN_LOCKTIME,
  optional(bool('lock_unspents', 'whether to lock the coins', EXISTS)),
  PSBT,
  payers('subtract_fee_from_outputs'),
] as const;

/** Or those of the older methods. */
export const OLDER = [
  optional(string('changeAddress', 'where change goes', EXISTS)),
  optional(int32('changePosition', 'the index of the change output; by default any', EXISTS)),
  CHANGE_TYPE,
  optional(bool('includeWatching', 'whether to spend watch-only coins; 0.21 only', EXISTS)),
  optional(bool('lockUnspents', 'whether to lock the coins', EXISTS)),
  FEE_RATE,
  optional(coinAmount('feeRate', 'the fee rate in coins per 1000 virtual bytes', EXISTS)),
  payers('subtractFeeFromOutputs'),
] as const;

const termsWith = (replaceable: ParamTraits) =>
  [
    lasting(optional(int32('max_tx_weight', 'the most that the transaction may weigh', EXISTS)), SINCE_29),
    { ...CONF_TARGET, isAlsoPositional: true },
    { ...ESTIMATE_MODE, isAlsoPositional: true },
    optional(bool('replaceable', 'whether the inputs signal replaceability (BIP125)', replaceable)),
    SOLVING_DATA,
  ] as const;

/** And those that come last. */
export const TERMS = termsWith(EXISTS);
/** The same of `walletcreatefundedpsbt`, which reads `replaceable` in a way of its own. */
export const PSBT_TERMS = termsWith({ isChecked: true });

/** Core checks the options of all these methods against one list. */
export const TOLERATED = [...COINS, ...SENDING, ...OLDER, INPUT_WEIGHTS, ...TERMS] as const;

export type GivenOptions = Values<(typeof TOLERATED)[number]>;

export type FundingOptions = Omit<PaymentRequest, 'recipients' | 'inputs' | 'addsCoins' | 'version' | 'locktime'> & {
  readonly addsCoins: boolean | undefined;
  readonly locksCoins: boolean;
};

interface FundingTerms {
  readonly outputCount: number;
  readonly isForced: boolean;
  /** Inputs that may state their weights, which the options then may not. */
  readonly inputs: Parameters<typeof weightsIn>[0] | undefined;
}

/** @see Bitcoin Core `FundTransaction` */
export function parseFundingOptions(
  given: GivenOptions,
  { outputCount, isForced, inputs }: FundingTerms,
  context: WalletContext,
): FundingOptions {
  const { generation } = context.dialect;
  checkMembers(given, { isStrict: true });
  const { position, ...change } = parseChange(given, context);
  // 0.21 checks the place of the change last.
  const { describesPayers } = spendingRules[generation];
  if (describesPayers) assertPosition(position, outputCount);
  const coins = coinChoice(given, inputs, context);
  const fee = parseFee(given, isForced, context);
  if (outputCount === 0 && !describesPayers) throw noOutputs();
  if (!describesPayers) assertPosition(position, outputCount);
  return {
    ...coins,
    ...change,
    changePosition: position,
    includesWatched: given.include_watching ?? given.includeWatching ?? context.wallet.row.disablesPrivateKeys,
    fee,
    addsCoins: given.add_inputs,
    locksCoins: given.lock_unspents ?? given.lockUnspents ?? false,
  };
}

export const noOutputs = (): RpcError => invalidParameter('TX must have at least one output');

interface ChangeOptions {
  readonly changeScript?: Uint8Array;
  readonly changeKind?: OutputKind;
  readonly position: number | undefined;
}

function parseChange(given: GivenOptions, context: WalletContext): ChangeOptions {
  const { dialect } = context;
  const address = given.change_address ?? given.changeAddress;
  const changeScript = address === undefined ? undefined : tryParseAddress(address, context);
  if (address !== undefined && !changeScript) {
    const message = `Change address must be a valid ${dialect.coinName.toLowerCase()} address`;
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, message);
  }
  const { takesRandomPlace } = spendingRules[dialect.generation];
  const index = given.change_position ?? given.changePosition;
  if (!takesRandomPlace && index !== undefined && index < 0) throw outOfBounds();
  const position = takesRandomPlace && index === -1 ? undefined : index;
  if (has(given, 'change_type') && address !== undefined) {
    throw invalidParameter('Cannot specify both change address and address type options');
  }
  const { change_type: name } = given;
  const changeKind = OUTPUT_KINDS.find(
    (kind) => kind === name && (kind !== 'bech32m' || walletMethodRules[dialect.generation].knowsBech32m),
  );
  if (name !== undefined && !changeKind) {
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Unknown change type '${withoutSecrets(name)}'`);
  }
  return { ...(changeScript && { changeScript }), ...(changeKind && { changeKind }), position };
}

const outOfBounds = (): RpcError => invalidParameter('changePosition out of bounds');

function assertPosition(position: number | undefined, outputCount: number): void {
  if (position === undefined || (position >= 0 && position <= outputCount)) return;
  throw outOfBounds();
}

type CoinOptions = Pick<
  FundingOptions,
  'minDepth' | 'maxDepth' | 'includesUnsafe' | 'solving' | 'weights' | 'maxWeight'
>;

function coinChoice(given: GivenOptions, inputs: FundingTerms['inputs'], context: WalletContext): CoinOptions {
  const { minconf: minDepth, maxconf: maxDepth } = given;
  if (minDepth !== undefined && minDepth < 0) throw invalidParameter('Negative minconf');
  assertDepths(minDepth, maxDepth);
  const solving = parseSolvingData(given.solving_data, context);
  const weighed = inputs ?? given.input_weights;
  return {
    minDepth,
    maxDepth,
    includesUnsafe: given.include_unsafe,
    solving,
    weights: weighed && weightsIn(weighed),
    maxWeight: given.max_tx_weight,
  };
}

export function assertDepths(minDepth = 0, maxDepth: number | undefined): void {
  if (maxDepth === undefined || maxDepth >= minDepth) return;
  throw invalidParameter(`maxconf can't be lower than minconf: ${maxDepth} < ${minDepth}`);
}

function parseFee(given: GivenOptions, isForced: boolean, context: WalletContext): FeeChoice {
  const { replaceable: isReplaceable } = given;
  if (!has(given, 'feeRate')) return parseFeeChoice(given, { isForced, isReplaceable }, context);
  if (has(given, 'fee_rate')) {
    throw invalidParameter(`Cannot specify both fee_rate (sat/vB) and feeRate (${context.network.ticker}/kvB)`);
  }
  if (has(given, 'conf_target')) throw targetBesideRate('feeRate');
  if (has(given, 'estimate_mode')) throw invalidParameter('Cannot specify both estimate_mode and feeRate');
  return { feeRate: given.feeRate, isForced: true, isReplaceable };
}
