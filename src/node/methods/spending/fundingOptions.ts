import { tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { parseAmountArgument } from '../../../answers/arguments/amountArgument.ts';
import { checkFields, checkValue, isGiven, parseInt32, readValue } from '../../../answers/arguments/argumentValues.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { OutputKind } from '../../wallet/keys/activeDescriptors.ts';
import { OUTPUT_KINDS } from '../../wallet/records/newAddresses.ts';
import type { WalletContext } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import type { PaymentRequest } from './createPayment.ts';
import { type FeeChoice, parseFeeChoice, targetBesideRate } from './feeTerms.ts';
import { parseWeights } from './inputWeights.ts';
import { parseSolvingData } from './solvingData.ts';
import { spendingRules } from './spendingRules.ts';

type Type = Exclude<JsonValue['type'], 'null'> | 'any';

const OPTIONS_021: Readonly<Record<string, Type>> = {
  add_inputs: 'bool',
  add_to_wallet: 'bool',
  changeAddress: 'string',
  change_address: 'string',
  changePosition: 'number',
  change_position: 'number',
  change_type: 'string',
  includeWatching: 'bool',
  include_watching: 'bool',
  inputs: 'array',
  lockUnspents: 'bool',
  lock_unspents: 'bool',
  locktime: 'number',
  fee_rate: 'any',
  feeRate: 'any',
  psbt: 'bool',
  subtractFeeFromOutputs: 'array',
  subtract_fee_from_outputs: 'array',
  replaceable: 'bool',
  conf_target: 'number',
  estimate_mode: 'string',
};

const OPTIONS_31: Readonly<Record<string, Type>> = {
  ...OPTIONS_021,
  include_unsafe: 'bool',
  solving_data: 'object',
  minconf: 'number',
  maxconf: 'number',
  input_weights: 'array',
  max_tx_weight: 'number',
};

export const FUNDING_OPTIONS: readonly string[] = Object.keys(OPTIONS_31);

export type FundingOptions = Omit<PaymentRequest, 'recipients' | 'inputs' | 'addsCoins' | 'version' | 'locktime'> & {
  readonly addsCoins: boolean | undefined;
  readonly locksCoins: boolean;
};

export interface GivenOptions {
  /** An object or, in 0.21's `fundrawtransaction`, whether to spend watch-only coins. */
  readonly value: JsonValue | undefined;
  readonly outputCount: number;
  readonly isForced: boolean;
}

/** @see Bitcoin Core `FundTransaction` */
export function parseFundingOptions(
  { value, outputCount, isForced }: GivenOptions,
  context: WalletContext,
): FundingOptions {
  const { generation } = context.dialect;
  const { takesWatchFlag } = spendingRules[generation];
  const hasFlag = value?.type === 'bool' && takesWatchFlag;
  const members = !isGiven(value) || hasFlag ? [] : checkValue(value, 'object').members;
  checkFields(members, spendingRules[generation].namesFundingFaults ? OPTIONS_31 : OPTIONS_021, context.dialect);
  const { position, ...change } = parseChange(members, context);
  // 0.21 checks the place of the change last.
  const { describesPayers } = spendingRules[generation];
  if (describesPayers) assertPosition(position, outputCount);
  const choice = coinChoice(members, context);
  const fee = parseFee(members, isForced, context);
  if (outputCount === 0 && !describesPayers) throw noOutputs();
  if (!describesPayers) assertPosition(position, outputCount);
  return {
    ...choice,
    ...change,
    changePosition: position,
    includesWatched: hasFlag && !describesPayers ? value.value : includesWatchOnly(members, context),
    fee,
    addsCoins: flag(members, 'add_inputs'),
    locksCoins: flag(members, 'lock_unspents') ?? flag(members, 'lockUnspents') ?? false,
  };
}

export const noOutputs = (): RpcError => invalidParameter('TX must have at least one output');

const flag = (members: readonly JsonMember[], name: string): boolean | undefined => {
  const value = findMember(members, name);
  return value?.type === 'bool' ? value.value : undefined;
};

const either = (members: readonly JsonMember[], name: string, older: string): JsonValue | undefined =>
  findMember(members, name) ?? findMember(members, older);

interface ChangeOptions {
  readonly changeScript?: Uint8Array;
  readonly changeKind?: OutputKind;
  readonly position: number | undefined;
}

function parseChange(members: readonly JsonMember[], context: WalletContext): ChangeOptions {
  const { dialect } = context;
  const address = either(members, 'change_address', 'changeAddress');
  const changeScript = address && tryParseAddress(readValue(address, 'string', dialect).value, context);
  if (address && !changeScript) {
    const message = `Change address must be a valid ${dialect.coinName.toLowerCase()} address`;
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, message);
  }
  const place = either(members, 'change_position', 'changePosition');
  const { takesRandomPlace } = spendingRules[dialect.generation];
  const index = place && parseInt32(readValue(place, 'number', dialect));
  if (!takesRandomPlace && index !== undefined && index < 0) throw outOfBounds();
  const position = takesRandomPlace && index === -1 ? undefined : index;
  const type = findMember(members, 'change_type');
  if (type && address) throw invalidParameter('Cannot specify both change address and address type options');
  const name = type && readValue(type, 'string', dialect).value;
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

function coinChoice(members: readonly JsonMember[], context: WalletContext): CoinOptions {
  const number = (name: string): number | undefined => {
    const value = findMember(members, name);
    return value && parseInt32(readValue(value, 'number', context.dialect));
  };
  const minDepth = number('minconf');
  if (minDepth !== undefined && minDepth < 0) throw invalidParameter('Negative minconf');
  const maxDepth = number('maxconf');
  assertDepths(minDepth, maxDepth);
  const solving = parseSolvingData(findMember(members, 'solving_data'), context);
  const weights = parseWeights(findMember(members, 'input_weights'), context);
  return {
    minDepth,
    maxDepth,
    includesUnsafe: flag(members, 'include_unsafe'),
    solving,
    weights,
    maxWeight: number('max_tx_weight'),
  };
}

export function assertDepths(minDepth = 0, maxDepth: number | undefined): void {
  if (maxDepth === undefined || maxDepth >= minDepth) return;
  throw invalidParameter(`maxconf can't be lower than minconf: ${maxDepth} < ${minDepth}`);
}

function parseFee(members: readonly JsonMember[], isForced: boolean, context: WalletContext): FeeChoice {
  const isReplaceable = flag(members, 'replaceable');
  const [target, mode, rate] = ['conf_target', 'estimate_mode', 'fee_rate'].map((name) => findMember(members, name));
  const perKilobyte = findMember(members, 'feeRate');
  if (!perKilobyte) return parseFeeChoice({ target, mode, rate }, { isForced, isReplaceable }, context);
  const { network } = context;
  if (rate) {
    throw invalidParameter(`Cannot specify both fee_rate (sat/vB) and feeRate (${network.ticker}/kvB)`);
  }
  if (target) throw targetBesideRate('feeRate');
  if (mode) throw invalidParameter('Cannot specify both estimate_mode and feeRate');
  return { feeRate: parseAmountArgument(perKilobyte, network), isForced: true, isReplaceable };
}

/** @see Bitcoin Core `ParseIncludeWatchonly` */
const includesWatchOnly = (members: readonly JsonMember[], { wallet }: WalletContext): boolean =>
  flag(members, 'include_watching') ?? flag(members, 'includeWatching') ?? wallet.row.disablesPrivateKeys;
