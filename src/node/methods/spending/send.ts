import { isGiven } from '../../../answers/arguments/argumentValues.ts';
import { constructTransaction, OUTPUTS, VERSION } from '../../../answers/arguments/constructTransaction.ts';
import { JSON_NULL } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { options, type ReadArguments } from '../../../answers/method/parameters.ts';
import { type Answer, flag, hex, maybe, members, text } from '../../../answers/method/results.ts';
import type { Values } from '../../../answers/method/values.ts';
import { has, orElse } from '../../../answers/method/values.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { SEQUENCE_FINAL } from '../../../core/tx/absoluteLock.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { SEQUENCE_REPLACEABLE } from '../../../core/tx/replaceable.ts';
import { formatTxid, txid } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { antiSniping } from './createPayment.ts';
import { FEE_PARAMS } from './feeTerms.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import {
  type ADD_TO_WALLET,
  COINS,
  type OWN_LOCKTIME,
  type PSBT,
  SENDING,
  TERMS,
  TOLERATED,
} from './fundingOptions.ts';
import { assertOutputs, fundTransaction } from './fundTransaction.ts';
import { outputNames } from './recipients.ts';
import { commitPayment, signPayment } from './signPayment.ts';
import { spendingRules } from './spendingRules.ts';

export const paidResult = members({
  psbt: maybe(text('the PSBT in base64, if nothing was sent')),
  txid: maybe(hex('if complete')),
  hex: maybe(hex('the transaction, if complete and not sent')),
  complete: flag('whether all signatures are there'),
});

/** The answer of `send` and `sendall`. */
type PaidJson = Answer<typeof paidResult>;

export const send = walletMethod({
  name: 'send',
  takesNull: true,
  about: `Pays outputs: signs a transaction and adds it to the mempool, without broadcasting it. If signatures of others are
missing, returns a PSBT instead.

${CHOICE_HELP}`,
  params: [
    OUTPUTS,
    ...FEE_PARAMS,
    options('options', [...COINS, ...SENDING, ...TERMS], '', {
      tolerates: TOLERATED,
      isChecked: true,
      shownAs: 'options',
    }),
    VERSION,
  ],
  result: paidResult,
  examples: ['send --named outputs=\'{"bc1q...":0.3}\' fee_rate=2 --wallet-dir wallets'],
  run: (args, context) => {
    const { dialect } = context;
    const { outputs = JSON_NULL } = args;
    const given = sendOptions(args, context);
    const { describesPayers } = spendingRules[dialect.generation];
    if (!describesPayers) void given.psbt;
    const replaceable = given.replaceable ?? context.settings.isReplaceable;
    if (describesPayers) assertOutputs(outputs, given, context);
    const { version } = args;
    const construction = { version, locktime: given.locktime ?? 0, inputs: given.inputs, outputs, replaceable };
    const raw = constructTransaction(construction, context);
    const { tx } = fundTransaction(
      {
        ...{ tx: raw, names: outputNames(outputs), options: given, inputs: given.inputs },
        ...{ payersName: 'subtract_fee_from_outputs', isForced: false, addsCoins: raw.inputs.length === 0 },
      },
      context,
    );
    return finishPayment(tx, given, context);
  },
});

/**
 * Adds the fee arguments of `send` and `sendall` to the options.
 * @see Bitcoin Core `InterpretFeeEstimationInstructions`, `PreventOutdatedOptions`
 */
export function sendOptions<T extends ReadArguments<typeof FEE_PARAMS>>(
  args: ReadArguments<typeof FEE_PARAMS> & { readonly options: T },
  { dialect }: WalletContext,
): T {
  const { options: given, conf_target: target, estimate_mode: mode, fee_rate: rate } = args;
  const choosesTarget = has(given, 'conf_target') || has(given, 'estimate_mode');
  if (choosesTarget && (isGiven(target) || mode !== undefined)) {
    throw invalidParameter(
      'Pass conf_target and estimate_mode either as arguments or in the options object, but not both',
    );
  }
  if (has(given, 'fee_rate') && isGiven(rate)) {
    throw invalidParameter('Pass the fee_rate either as an argument, or in the options object, but not both');
  }
  const terms = { ...(!choosesTarget && { conf_target: target, estimate_mode: mode }), fee_rate: rate };
  const merged = orElse<ReadArguments<typeof FEE_PARAMS>, T>(given, terms);
  if (isGiven(merged.conf_target) && (merged.estimate_mode ?? 'unset') === 'unset') {
    throw invalidParameter('Specify estimate_mode');
  }
  assertCurrentNames(given, dialect.generation);
  return merged;
}

/** Names that only other methods take. */
const RENAMED: readonly (readonly [older: string, advice: string])[] = [
  ['feeRate', 'fee_rate (sat/vB)'],
  ['changeAddress', 'change_address'],
  ['changePosition', 'change_position'],
  ['includeWatching', 'include_watching'],
  ['lockUnspents', 'lock_unspents'],
  ['subtractFeeFromOutputs', 'subtract_fee_from_outputs'],
];

function assertCurrentNames(options: object, generation: WalletContext['dialect']['generation']): void {
  const { namesOlderOptions, forgetsWatching } = spendingRules[generation];
  for (const [older, current] of RENAMED) {
    if (!(older in options) || (older === 'includeWatching' && forgetsWatching)) continue;
    const isNamed = namesOlderOptions || older === 'feeRate';
    throw invalidParameter(`Use ${current}${isNamed ? ` instead of ${older}` : ''}`);
  }
}

type FinishOptions = Values<typeof ADD_TO_WALLET | typeof PSBT | typeof OWN_LOCKTIME>;

/** Signs a payment, and sends it unless the options say otherwise. @see Bitcoin Core `FinishTransaction` */
export function finishPayment(unsigned: Transaction, options: FinishOptions, context: WalletContext): PaidJson {
  const { dialect } = context;
  const { discouragesSnipingInSend } = spendingRules[dialect.generation];
  const isPlain = unsigned.inputs.every(
    ({ sequence }) => sequence === SEQUENCE_FINAL - 1 || sequence === SEQUENCE_REPLACEABLE,
  );
  const hasLocktime = has(options, 'locktime');
  const discourages = discouragesSnipingInSend && isPlain && !hasLocktime;
  const payment = discourages ? { ...unsigned, locktime: antiSniping(context) } : unsigned;
  const { psbt, tx } = signPayment(payment, { fillsOutputs: true }, context);
  const { psbt: wantsPsbt, add_to_wallet: sends } = options;
  const psbtMember = wantsPsbt || !tx || !sends ? { psbt: formatPsbt(psbt, context) } : {};
  if (!tx) return { ...psbtMember, complete: false };
  const id = formatTxid(txid(tx));
  if (sends && !wantsPsbt) {
    commitPayment(tx, {}, context);
    return { ...psbtMember, txid: id, complete: true };
  }
  return { ...psbtMember, txid: id, hex: formatHex(encodeTransaction(tx)), complete: true };
}
