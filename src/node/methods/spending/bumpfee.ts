import { isGiven, readValue } from '../../../answers/arguments/argumentValues.ts';
import { OUTPUTS, parseOutputs } from '../../../answers/arguments/constructTransaction.ts';
import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  invalidParameter,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_MISC_ERROR,
  RPC_WALLET_ERROR,
} from '../../../answers/method/errorCodes.ts';
import { bool, number, optional, options, uint32, unread } from '../../../answers/method/parameters.ts';
import { amount, hex, list, members, text } from '../../../answers/method/results.ts';
import type { Values } from '../../../answers/method/values.ts';
import { checkMembers, has } from '../../../answers/method/values.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { choosePsbtVersion, PSBT_VERSION_PARAM } from '../../../answers/psbt/psbtVersion.ts';
import { formatMoney } from '../../../core/encoding/amount.ts';
import { RpcError } from '../../../core/errors.ts';
import { createPsbt } from '../../../core/psbt/roles/creator.ts';
import { signalsReplacement } from '../../../core/tx/replaceable.ts';
import { signedWeight } from '../../../core/tx/spendSize.ts';
import { formatTxid, outpointKey, outputKey, txKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxIn, Txid, TxOut } from '../../../core/tx/types.ts';
import { sizeOfWeight, transactionSize } from '../../../core/tx/weight.ts';
import { feeFor } from '../../../kit/coins/feeRate.ts';
import type { Recipient } from '../../../kit/coins/fundPayment.ts';
import { coinAt } from '../../chain/chainState.ts';
import { poolLinks } from '../../mempool/clusters.ts';
import { isChange, matches } from '../../wallet/queries/ownership.ts';
import { isSpent } from '../../wallet/queries/txQueries.ts';
import { chainDepth, findRecord } from '../../wallet/records/records.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { fillPsbt } from '../fillPsbt.ts';
import { applyToWallet } from '../importResult.ts';
import { computeBumpFee } from './bumpFees.ts';
import { acceptPayment, createPayment, type Payment, requiredRate } from './createPayment.ts';
import {
  CONF_TARGET,
  ESTIMATE_MODE,
  estimatedRate,
  FEE_RATE,
  type FeeChoice,
  parseFeeChoice,
  usualRate,
} from './feeTerms.ts';
import { foreignWeights } from './foreignWeights.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import { EXISTS } from './fundingOptions.ts';
import { presetCoins } from './presetCoins.ts';
import { commitPayment, signPayment } from './signPayment.ts';
import { spendingRules } from './spendingRules.ts';
import { ownSpendSizes } from './spendSizes.ts';

const feeMembers = {
  origfee: amount('the fee of the replaced transaction'),
  fee: amount('the new fee'),
  errors: list(text(), 'always empty'),
};

const bumpedFeeResult = members({ txid: hex(), ...feeMembers });

const bumpedPsbtResult = members({ psbt: text('the PSBT in base64'), ...feeMembers });

const TXID = hash('txid', 'the transaction, unconfirmed and of the wallet');

const OPTIONS = [
  CONF_TARGET,
  { ...FEE_RATE, about: 'the new fee rate in sat/vB; by default a little above the present one' },
  optional(bool('replaceable', 'whether the new transaction signals replaceability (BIP125)', EXISTS), true),
  ESTIMATE_MODE,
  lasting(optional(OUTPUTS), { since: 'core-29' }),
  lasting(
    optional(uint32('original_change_index', 'the output that is change; by default the one that looks like it')),
    { since: 'core-29' },
  ),
] as const;

const OLDER_TARGET = optional(unread(number('confTarget', 'as conf_target')));

type Options = Values<(typeof OPTIONS)[number] | typeof OLDER_TARGET | typeof PSBT_VERSION_PARAM>;

export const bumpfee = walletMethod({
  name: 'bumpfee',
  about: `Replaces an unconfirmed transaction of the wallet with one that pays a higher fee, from the change or from more coins:
signs it, and adds it to the mempool, without broadcasting it.

${CHOICE_HELP}`,
  params: [
    TXID,
    options('options', OPTIONS, '', {
      tolerates: [OLDER_TARGET, PSBT_VERSION_PARAM],
      isChecked: true,
      shownAs: 'options',
    }),
  ],
  result: bumpedFeeResult,
  examples: ['bumpfee 1f3a... \'{"fee_rate":5}\' --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { watchOnlyBump } = spendingRules[dialect.generation];
    if (wallet.row.disablesPrivateKeys) {
      const message = watchOnlyBump.message.replace('{daemon}', `${dialect.coinName.toLowerCase()}d`);
      throw new RpcError(watchOnlyBump.code, message);
    }
    const { record, payment, oldFee } = createReplacement(args, { isOwn: true }, context);
    const { tx } = signPayment(payment.tx, { fillsOutputs: false }, context);
    if (!tx) throw new RpcError(RPC_WALLET_ERROR, "Can't sign transaction.");
    acceptPayment(payment, context);
    const id = commitPayment(tx, { ...userNotes(record), replaces: record.id }, context);
    applyToWallet(context, [{ type: 'note', txid: record.id, replacedBy: id }]);
    return { txid: formatTxid(id), origfee: oldFee, fee: payment.fee, errors: [] };
  },
});

export const psbtbumpfee = walletMethod({
  name: 'psbtbumpfee',
  about: `Makes a PSBT that replaces an unconfirmed transaction of the wallet with one that pays a higher fee, from the change or
from more coins.

${CHOICE_HELP}`,
  params: [
    TXID,
    options('options', [...OPTIONS, PSBT_VERSION_PARAM], '', {
      tolerates: [OLDER_TARGET],
      isChecked: true,
      shownAs: 'options',
    }),
  ],
  result: bumpedPsbtResult,
  examples: ['psbtbumpfee 1f3a... \'{"fee_rate":5}\' --wallet-dir wallets'],
  run: (args, context) => {
    const { payment, oldFee, version } = createReplacement(args, { isOwn: false }, context);
    acceptPayment(payment, context);
    const created = createPsbt(payment.tx, { version });
    const { psbt } = fillPsbt(created, { signs: false, finalizes: false }, context);
    return { psbt: formatPsbt(psbt, context), origfee: oldFee, fee: payment.fee, errors: [] };
  },
});

function userNotes({ notes }: WalletTx): Pick<NonNullable<WalletTx['notes']>, 'comment' | 'to'> {
  const { comment, to } = notes ?? {};
  return { ...(comment !== undefined && { comment }), ...(to !== undefined && { to }) };
}

interface BumpChoice {
  readonly fee: FeeChoice;
  readonly outputs: readonly TxOut[] | undefined;
  readonly changeIndex: number | undefined;
  readonly version: 0 | 2;
}

function readOptions(given: Options, context: WalletContext): BumpChoice {
  checkMembers(given, { isStrict: true });
  const hasOlder = has(given, 'confTarget');
  if (hasOlder && has(given, 'conf_target')) {
    throw invalidParameter(
      'confTarget and conf_target options should not both be set. Use conf_target (confTarget is deprecated).',
    );
  }
  const { replaceable: isReplaceable, estimate_mode, fee_rate } = given;
  const target = hasOlder ? given.confTarget : given.conf_target;
  return {
    fee: parseFeeChoice({ conf_target: target, estimate_mode, fee_rate }, { isReplaceable }, context),
    outputs: newOutputs(given.outputs, context),
    changeIndex: given.original_change_index,
    version: choosePsbtVersion(given, context),
  };
}

function newOutputs(value: JsonValue | undefined, context: WalletContext): readonly TxOut[] | undefined {
  if (!isGiven(value)) return undefined;
  if (value.type === 'array' && value.items.length === 0) {
    throw invalidParameter('Invalid parameter, output argument cannot be an empty array');
  }
  if (value.type !== 'object') readValue(value, 'array', context.dialect);
  return parseOutputs(value, context);
}

interface Replacement {
  readonly record: WalletTx;
  readonly payment: Payment;
  readonly oldFee: bigint;
  readonly version: 0 | 2;
}

/** Requires all coins to be the wallet's if `isOwn`. @see Bitcoin Core `CreateRateBumpTransaction` */
function createReplacement(
  args: { readonly txid: Txid; readonly options: Options },
  { isOwn }: { readonly isOwn: boolean },
  context: WalletContext,
): Replacement {
  const { wallet } = context;
  const { txid: id, options: given } = args;
  const { fee, outputs: chosen, changeIndex, version } = readOptions(given, context);
  assertUnlocked(wallet);
  if (chosen && changeIndex !== undefined) {
    throw invalidParameter(
      "The options 'outputs' and 'original_change_index' are incompatible. You can only either specify a new set of outputs, or designate a change output to be recycled.",
    );
  }
  const record = findRecord(wallet, id);
  if (!record) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
  const { inputs, outputs: paid } = record.tx;
  if (changeIndex !== undefined && changeIndex >= paid.length)
    throw invalidParameter('Change position is out of range');
  const spent = spentBy(inputs, context);
  assertReplaceable(record, context);
  const mustBeOwn = isOwn || !spendingRules[context.dialect.generation].choosesBumpOutputs;
  if (mustBeOwn) assertOwn(spent, wallet);
  const oldFee = totalValue(spent) - totalValue(paid);
  const outputs = chosen ?? paid;
  const { recipients, changeScript } = divide(outputs, changeIndex, context);
  const weights = foreignWeights(record.tx, spent, context);
  const feeRate = newRate(fee, { record, oldFee, outputs, weights }, context);
  try {
    const payment = createPayment(
      {
        recipients,
        changeScript,
        inputs: [],
        coins: inputs.map(({ outpoint }) => outpoint),
        weights,
        fee: { ...fee, feeRate },
        addsCoins: true,
        minDepth: 1,
        includesWatched: wallet.row.disablesPrivateKeys,
      },
      RPC_WALLET_ERROR,
      context,
    );
    return { record, payment, oldFee, version };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new RpcError(error.code, `Unable to create transaction. ${error.message}`);
  }
}

const totalValue = (outputs: readonly TxOut[]): bigint => outputs.reduce((sum, { value }) => sum + value, 0n);

function spentBy(inputs: readonly TxIn[], context: WalletContext): readonly TxOut[] {
  const { wallet, node, dialect } = context;
  const { choosesBumpOutputs } = spendingRules[dialect.generation];
  return inputs.map(({ outpoint }) => {
    const { txid, vout } = outpoint;
    const isGone = choosesBumpOutputs && hasMinedSpender(wallet, outpointKey(outpoint));
    const coin =
      findRecord(wallet, txid)?.tx.outputs[vout] ??
      coinAt(node.chain, outpointKey(outpoint)) ??
      node.chain.mempool.get(txKey(txid))?.tx.outputs[vout];
    if (coin && !isGone) return coin;
    throw new RpcError(RPC_MISC_ERROR, `${formatTxid(txid)}:${vout} is already spent`);
  });
}

const hasMinedSpender = ({ spenders, records }: Wallet, outpoint: OutpointKey): boolean =>
  [...(spenders.get(outpoint) ?? [])].some((key) => records.get(key)?.state.kind === 'confirmed');

/** @see Bitcoin Core `PreconditionChecks` */
function assertReplaceable(record: WalletTx, { wallet, node, dialect }: WalletContext): void {
  const { bumpsOnlySignalling, forgetsAbandonedSpends } = spendingRules[dialect.generation];
  const hasSpender = [...record.tx.outputs.keys()].some((vout) => {
    const key = outputKey(record.key, vout);
    return forgetsAbandonedSpends ? isSpent(wallet, key) : wallet.spenders.has(key);
  });
  if (hasSpender) throw invalidParameter('Transaction has descendants in the wallet');
  if (poolLinks(node.chain).findChildren(record).length > 0)
    throw invalidParameter('Transaction has descendants in the mempool');
  const refuse = (message: string): never => {
    throw new RpcError(RPC_WALLET_ERROR, message);
  };
  if (chainDepth(wallet, record) !== 0) {
    refuse('Transaction has been mined, or is conflicted with a mined transaction');
  }
  if (bumpsOnlySignalling && !signalsReplacement(record.tx)) refuse('Transaction is not BIP 125 replaceable');
  const { replacedBy } = record.notes ?? {};
  if (replacedBy) {
    const names = [record.id, replacedBy].map(formatTxid);
    refuse(`Cannot bump transaction ${names[0]} which was already bumped by transaction ${names[1]}`);
  }
}

function assertOwn(spent: readonly TxOut[], wallet: Wallet): void {
  const filter = wallet.row.disablesPrivateKeys ? 'all' : 'own';
  if (spent.every(({ scriptPubKey }) => matches(wallet, scriptPubKey, filter))) return;
  throw new RpcError(RPC_WALLET_ERROR, "Transaction contains inputs that don't belong to this wallet");
}

/** Divides payments from change. If all is change, it becomes the payment, and bears the fee. */
function divide(
  outputs: readonly TxOut[],
  changeIndex: number | undefined,
  { wallet }: WalletContext,
): { readonly recipients: readonly Recipient[]; readonly changeScript: Uint8Array | undefined } {
  const isTheChange = ({ scriptPubKey }: TxOut, index: number): boolean =>
    changeIndex === undefined ? isChange(wallet, scriptPubKey) : changeIndex === index;
  const changeScript = outputs.filter(isTheChange).at(-1)?.scriptPubKey;
  const recipients = outputs.filter((output, index) => !isTheChange(output, index));
  if (recipients.length > 0 || !changeScript) {
    return { recipients: recipients.map((output) => ({ ...output, paysFee: false })), changeScript };
  }
  return {
    recipients: [{ scriptPubKey: changeScript, value: totalValue(outputs), paysFee: true }],
    changeScript: undefined,
  };
}

/** @see Bitcoin Core `WALLET_INCREMENTAL_RELAY_FEE` */
const RISE = 5000n;

/** What a replacement pays on top, per 1000 virtual bytes. */
function walletRise({ mempool }: WalletContext): bigint {
  const incremental = BigInt(mempool.rules.incrementalFee);
  return incremental > RISE ? incremental : RISE;
}

/** @see Bitcoin Core `CheckFeeRate`, `EstimateFeeRate` */
function newRate(
  choice: FeeChoice,
  {
    record,
    oldFee,
    outputs,
    weights,
  }: Pick<Replacement, 'record' | 'oldFee'> & {
    readonly outputs: readonly TxOut[];
    readonly weights: ReadonlyMap<OutpointKey, number>;
  },
  context: WalletContext,
): bigint {
  const { dialect, mempool, settings } = context;
  const { feeRate } = choice;
  const { fallbackRate = 0n, maxFee } = settings;
  const minRate = requiredRate(context);
  if (feeRate === undefined) {
    const present = (oldFee * 1000n) / BigInt(transactionSize(record.tx).vsize);
    const raised = present + 1n + walletRise(context);
    const usual = usualRate(choice, context) ?? estimatedRate(choice, context) ?? fallbackRate;
    const least = usual > 0n && usual < minRate ? minRate : usual;
    return raised > least ? raised : least;
  }
  const { raisesByRelayFee, roundsFeesUp } = spendingRules[dialect.generation];
  const rounding = roundsFeesUp ? 'up' : 'down';
  const vsize = signedVsize({ ...record.tx, outputs }, { feeRate, weights }, context);
  const outpoints = record.tx.inputs.map(({ outpoint }) => outpoint);
  const total = feeFor(feeRate, vsize, rounding) + computeBumpFee(outpoints, feeRate, context);
  const rise = feeFor(raisesByRelayFee ? BigInt(mempool.rules.incrementalFee) : walletRise(context), vsize, rounding);
  if (total < oldFee + rise) {
    const [now, least, before, added] = [total, oldFee + rise, oldFee, rise].map(formatMoney);
    throw invalidParameter(
      `Insufficient total fee ${now}, must be at least ${least} (oldFee ${before} + incrementalFee ${added})`,
    );
  }
  const required = feeFor(minRate, vsize, rounding);
  if (total < required) {
    throw invalidParameter(`Insufficient total fee (cannot be less than required fee ${formatMoney(required)})`);
  }
  if (total <= maxFee) return feeRate;
  throw new RpcError(
    RPC_WALLET_ERROR,
    `Specified or calculated fee ${formatMoney(total)} is too high (cannot be higher than -maxtxfee ${formatMoney(maxFee)})`,
  );
}

function signedVsize(
  { inputs, outputs }: Transaction,
  { feeRate, weights }: { readonly feeRate: bigint; readonly weights: ReadonlyMap<OutpointKey, number> },
  context: WalletContext,
): number {
  const refuse = (message: string): never => {
    throw new RpcError(RPC_WALLET_ERROR, `Unable to create transaction. ${message}`);
  };
  const coins = presetCoins({ inputs, weights, feeRate, estimateSize: ownSpendSizes(context), refuse }, context);
  return sizeOfWeight(
    signedWeight(
      coins.flatMap(({ size }) => size ?? []),
      outputs,
    ),
  );
}
