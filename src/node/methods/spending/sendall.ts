import { addressText, tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { constructTransaction, INPUT_MEMBERS, VERSION } from '../../../answers/arguments/constructTransaction.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { JSON_NULL, type JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  invalidParameter,
  RPC_INVALID_PARAMETER,
  RPC_WALLET_ERROR,
  RPC_WALLET_INSUFFICIENT_FUNDS,
} from '../../../answers/method/errorCodes.ts';
import {
  anyOf,
  array,
  bool,
  coinAmount,
  emptyIfAbsent,
  int32,
  object,
  optional,
  options,
  string,
  unread,
  userKeys,
} from '../../../answers/method/parameters.ts';
import type { Values } from '../../../answers/method/values.ts';
import { has } from '../../../answers/method/values.ts';
import { RpcError } from '../../../core/errors.ts';
import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { SEQUENCE_REPLACEABLE } from '../../../core/tx/replaceable.ts';
import { MAX_STANDARD_WEIGHT, signedWeight } from '../../../core/tx/spendSize.ts';
import { formatTxid, outpointKey } from '../../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxOut } from '../../../core/tx/types.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import type { FundingCoin } from '../../../kit/coins/coinGroups.ts';
import { isDust } from '../../../kit/coins/dust.ts';
import { feeFor } from '../../../kit/coins/feeRate.ts';
import { TRUC_CHILD_MAX_WEIGHT, TRUC_MAX_WEIGHT, TRUC_VERSION } from '../../mempool/truc.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import { isSpent } from '../../wallet/queries/txQueries.ts';
import { findRecord } from '../../wallet/records/records.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { computeBumpFee } from './bumpFees.ts';
import { chosenRate, computeSpendVsize, getDustRate, MAX_FEE, NO_ESTIMATE } from './createPayment.ts';
import { CONF_TARGET, ESTIMATE_MODE, FEE_PARAMS, FEE_RATE, parseFeeChoice } from './feeTerms.ts';
import { availableCoins } from './fundingCoins.ts';
import { ADD_TO_WALLET, assertDepths, EXISTS, OWN_LOCKTIME, PSBT } from './fundingOptions.ts';
import { lockCoins } from './lockCoins.ts';
import { presetCoins } from './presetCoins.ts';
import { finishPayment, paidResult, sendOptions } from './send.ts';
import { SOLVING_DATA } from './solvingData.ts';
import { spendingRules } from './spendingRules.ts';
import { ownSpendSizes } from './spendSizes.ts';
import { versionFault } from './trucCoins.ts';

const OPTIONS = [
  ADD_TO_WALLET,
  { ...FEE_RATE, isAlsoPositional: true },
  optional(bool('include_watching', 'ignored')),
  optional(emptyIfAbsent(array('inputs', object('', INPUT_MEMBERS, ''), 'the coins to spend'))),
  OWN_LOCKTIME,
  optional(bool('lock_unspents', 'whether to lock the coins', EXISTS), false),
  PSBT,
  optional(bool('send_max', 'whether to leave coins that cost more to spend than they are worth', EXISTS), false),
  optional(int32('minconf', 'the fewest confirmations of a coin', EXISTS)),
  optional(int32('maxconf', 'the most confirmations of a coin', EXISTS)),
  VERSION,
  { ...CONF_TARGET, isAlsoPositional: true },
  { ...ESTIMATE_MODE, isAlsoPositional: true },
  optional(bool('replaceable', 'whether the inputs signal replaceability (BIP125)', EXISTS)),
  SOLVING_DATA,
] as const;

type Options = Values<(typeof OPTIONS)[number]>;

export const sendall = lasting(
  walletMethod({
    name: 'sendall',
    about: `Spends all coins of the wallet that are confirmed or its own change, or the given ones, without change: signs a
transaction and adds it to the mempool, without broadcasting it.`,
    params: [
      array(
        'recipients',
        unread(
          anyOf(
            '',
            [string('address', 'an address'), userKeys('', coinAmount('address', 'the amount for it'), '')],
            '',
          ),
        ),
        'addresses, which share what is left; and amounts by address',
      ),
      ...FEE_PARAMS,
      options('options', OPTIONS, '', { isChecked: true, shownAs: 'options' }),
    ],
    result: paidResult,
    examples: ['sendall \'["bc1q..."]\' --named fee_rate=2 --wallet-dir wallets'],
    run: (args, context) => {
      const { dialect } = context;
      const given = sendOptions(args, context);
      const items = [...args.recipients];
      const sharers = new Set(items.flatMap((item) => sharerKeys(item, context)));
      if (sharers.size === 0) throw invalidParameter('Must provide at least one address without a specified amount');
      const fee = parseFeeChoice(given, {}, context);
      const depths = parseDepths(given);
      const isReplaceable = given.replaceable ?? context.settings.isReplaceable;
      const refuseRate = (message: string): never => {
        throw new RpcError(message === NO_ESTIMATE ? RPC_WALLET_ERROR : RPC_INVALID_PARAMETER, message);
      };
      const { feeRate } = chosenRate(fee, refuseRate, context);
      const raw = rawPayment(items, { options: given, isReplaceable }, context);
      const { unsignalledSequence } = spendingRules[dialect.generation];
      const coins = chooseCoins(raw, { options: given, depths, feeRate }, context);
      const inputs = coins.map(
        ({ outpoint }) =>
          raw.inputs.find((input) => outpointKey(input.outpoint) === outpointKey(outpoint)) ?? {
            outpoint,
            scriptSig: new Uint8Array(0),
            witness: [],
            sequence: isReplaceable ? SEQUENCE_REPLACEABLE : unsignalledSequence,
          },
      );
      const remainder = remainingValue(raw, { coins, feeRate, options: given }, context);
      const outputs = withShares(raw.outputs, { sharers, remainder }, context);
      const tx = { ...raw, inputs, outputs };
      if (given.lock_unspents) lockCoins(tx, context);
      return finishPayment(tx, given, context);
    },
  }),
  { since: 'core-29' },
);

/** Returns the key of the script of a recipient without an amount. */
function sharerKeys(item: JsonValue | undefined, context: WalletContext): readonly ScriptKey[] {
  if (item?.type !== 'string') return [];
  return [scriptKey(tryParseAddress(item.value, context) ?? new Uint8Array(0))];
}

interface Depths {
  readonly minDepth: number | undefined;
  readonly maxDepth: number | undefined;
}

function parseDepths({ minconf: minDepth, maxconf: maxDepth }: Options): Depths {
  if (minDepth !== undefined && minDepth < 0) {
    throw invalidParameter(`Invalid minconf (minconf cannot be negative): ${minDepth}`);
  }
  assertDepths(minDepth, maxDepth);
  return { minDepth, maxDepth };
}

/** Gives 0 to those who share what is left. */
function rawPayment(
  items: readonly (JsonValue | undefined)[],
  { options, isReplaceable }: { readonly options: Options; readonly isReplaceable: boolean },
  context: WalletContext,
): Transaction {
  const pairs = items.map(
    (item = JSON_NULL): JsonValue =>
      item.type === 'string' ? { type: 'object', members: [[item.value, { type: 'number', text: '0' }]] } : item,
  );
  const outputs: JsonValue = { type: 'array', items: pairs };
  const { version, locktime = 0, inputs } = options;
  return constructTransaction({ version, locktime, inputs, outputs, replaceable: isReplaceable }, context);
}

interface CoinTerms {
  readonly options: Options;
  readonly depths: Depths;
  readonly feeRate: bigint;
}

function chooseCoins(
  raw: Transaction,
  { options, depths, feeRate }: CoinTerms,
  context: WalletContext,
): readonly FundingCoin[] {
  const estimateSize = ownSpendSizes(context);
  if (!has(options, 'inputs')) {
    const spendsAll = !options.send_max;
    const { version } = raw;
    const coins = availableCoins({ ...depths, version, minimum: 0n }, { feeRate, estimateSize }, context);
    return spendsAll ? coins : coins.filter((coin) => feeFor(feeRate, computeSpendVsize(coin), 'up') <= coin.value);
  }
  if (has(options, 'send_max')) throw invalidParameter('Cannot combine send_max with specific inputs.');
  if (has(options, 'minconf') || has(options, 'maxconf'))
    throw invalidParameter('Cannot combine minconf or maxconf with specific inputs.');
  for (const { outpoint } of raw.inputs) assertSpendable(outpoint, raw.version, context);
  const refuse = (): never => {
    throw unsolvable(context);
  };
  return presetCoins({ inputs: raw.inputs, version: raw.version, feeRate, estimateSize, refuse }, context);
}

function unsolvable({ dialect }: WalletContext): RpcError {
  const message = spendingRules[dialect.generation].sizesUnsolvable
    ? MAX_FEE
    : 'Unable to determine the size of the transaction, the wallet contains unsolvable descriptors';
  return new RpcError(RPC_WALLET_ERROR, message);
}

function assertSpendable(outpoint: Outpoint, version: number, context: WalletContext): void {
  const { wallet } = context;
  const name = `UTXO (${formatTxid(outpoint.txid)}:${outpoint.vout})`;
  if (isSpent(wallet, outpointKey(outpoint))) {
    throw invalidParameter(`Input not available. ${name} was already spent.`);
  }
  const record = findRecord(wallet, outpoint.txid);
  const output = record?.tx.outputs[outpoint.vout];
  if (!output || !isMine(wallet, output.scriptPubKey)) {
    throw invalidParameter(`Input not found. ${name} is not part of wallet.`);
  }
  const fault = versionFault(record, version, context);
  if (fault !== undefined) throw invalidParameter(fault);
}

const poor = (message: string): RpcError => new RpcError(RPC_WALLET_INSUFFICIENT_FUNDS, message);
const TOO_LOW = 'Total value of UTXO pool too low to pay for transaction';

/** Returns what the fee and the stated amounts leave. */
function remainingValue(
  { version, outputs }: Transaction,
  { coins, feeRate, options }: Pick<CoinTerms, 'feeRate' | 'options'> & { readonly coins: readonly FundingCoin[] },
  context: WalletContext,
): bigint {
  const sizes = coins.flatMap(({ size }) => size ?? []);
  if (sizes.length < coins.length) throw unsolvable(context);
  const weight = signedWeight(sizes, outputs);
  const total = coins.reduce((sum, { value }) => sum + value, 0n);
  const sizeFee = feeFor(feeRate, sizeOfWeight(weight), 'up');
  const outpoints = coins.map(({ outpoint }) => outpoint);
  const fee = sizeFee + computeBumpFee(outpoints, feeRate, context);
  if (sizeFee > context.settings.maxFee) throw new RpcError(RPC_WALLET_ERROR, MAX_FEE);
  if (total <= fee) {
    const advice = options.send_max
      ? ', try using lower feerate.'
      : ". Try using lower feerate or excluding uneconomic UTXOs with 'send_max' option.";
    throw poor(TOO_LOW + advice);
  }
  if (weight > maxWeight(version, options, coins, context))
    throw new RpcError(RPC_WALLET_ERROR, 'Transaction too large.');
  const claimed = outputs.reduce((sum, { value }) => sum + value, 0n);
  if (claimed > total) throw poor('Assigned more value to outputs than available funds.');
  const remainder = total - fee - claimed;
  if (remainder < 0n) throw poor('Insufficient funds for fees after creating specified outputs.');
  return remainder;
}

/** @see BIP431 */
function maxWeight(
  version: number,
  options: Options,
  coins: readonly FundingCoin[],
  { dialect }: WalletContext,
): number {
  if (version !== TRUC_VERSION || !spendingRules[dialect.generation].restrictsVersions) return MAX_STANDARD_WEIGHT;
  const hasUnconfirmed = !has(options, 'inputs') && coins.some(({ depth }) => depth === 0);
  return hasUnconfirmed ? TRUC_CHILD_MAX_WEIGHT : TRUC_MAX_WEIGHT;
}

function withShares(
  outputs: readonly TxOut[],
  { sharers, remainder }: { readonly sharers: ReadonlySet<ScriptKey>; readonly remainder: bigint },
  context: WalletContext,
): readonly TxOut[] {
  const count = BigInt(sharers.size);
  const isSharer = ({ scriptPubKey }: TxOut): boolean => sharers.has(scriptKey(scriptPubKey));
  const first = outputs.find(isSharer);
  return outputs.map((output) => {
    const shares = isSharer(output);
    const value = shares ? remainder / count + (output === first ? remainder % count : 0n) : output.value;
    if (!isDust({ ...output, value }, getDustRate(context))) return { ...output, value };
    if (shares) throw poor('Dynamically assigned remainder results in dust output.');
    throw invalidParameter(
      `Specified output amount to ${addressText(output.scriptPubKey, context) ?? ''} is below dust threshold.`,
    );
  });
}
