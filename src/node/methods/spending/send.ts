import type { OutputsArgument, SendOptions } from '../../../answers/arguments/argumentTypes.ts';
import { isGiven, readOptional, readValue } from '../../../answers/arguments/argumentValues.ts';
import { constructTransaction, VERSION_PARAM } from '../../../answers/arguments/constructTransaction.ts';
import { findMember, JSON_NULL, type JsonMember } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { json, named, object, of, optional, type ReadArguments } from '../../../answers/method/parameters.ts';
import { type Answer, flag, hex, maybe, members, text } from '../../../answers/method/results.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { SEQUENCE_FINAL } from '../../../core/tx/absoluteLock.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { SEQUENCE_REPLACEABLE } from '../../../core/tx/replaceable.ts';
import { formatTxid, txid } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { antiSniping, signalFlag } from './createPayment.ts';
import { FEE_PARAMS } from './feeTerms.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
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
    json(
      'outputs',
      of<OutputsArgument | readonly OutputsArgument[]>(),
      { shownType: 'array or object' },
      `amounts by address, and at most one data output
     [{ "address": amount }, ..., { "data": "hex" }]`,
    ),
    ...FEE_PARAMS,
    named(
      optional(
        object(
          'options',
          of<SendOptions>(),
          `
${FUNDING_HELP}
     { "inputs": [{ "txid": "hex", "vout": n, "sequence": n }, ...], "locktime": n
       "psbt": b             whether to return a PSBT and to send nothing
       "add_to_wallet": b    false to return the transaction and to send nothing }`,
          { isChecked: true },
        ),
      ),
      FUNDING_OPTIONS.filter(isNotPositional),
    ),
    VERSION_PARAM,
  ],
  result: paidResult,
  examples: ['send --named outputs=\'{"bc1q...":0.3}\' fee_rate=2 --wallet-dir wallets'],
  run: (args, context) => {
    const { dialect } = context;
    const outputs = args.outputs ?? JSON_NULL;
    const members = sendOptions(args, context);
    const { describesPayers } = spendingRules[dialect.generation];
    if (!describesPayers) readOptional(findMember(members, 'psbt'), 'bool', dialect);
    const replaceable = readOptional(findMember(members, 'replaceable'), 'bool', dialect) ?? signalFlag(context);
    if (describesPayers) assertOutputs(outputs, members, context);
    const [inputs, locktime] = ['inputs', 'locktime'].map((name) => findMember(members, name));
    const raw = constructTransaction({ inputs, outputs, locktime, replaceable, version: args.version }, context);
    const { tx } = fundTransaction(
      {
        ...{ tx: raw, names: outputNames(outputs), options: { type: 'object', members } },
        inputs: inputs ?? JSON_NULL,
        ...{ payersName: 'subtract_fee_from_outputs', isForced: false, addsCoins: raw.inputs.length === 0 },
      },
      context,
    );
    return finishPayment(tx, members, context);
  },
});

function isNotPositional(name: string): boolean {
  return !['conf_target', 'estimate_mode', 'fee_rate'].includes(name);
}

/**
 * Adds the fee arguments of `send` and `sendall` to the options.
 * @see Bitcoin Core `InterpretFeeEstimationInstructions`, `PreventOutdatedOptions`
 */
export function sendOptions(
  args: ReadArguments<typeof FEE_PARAMS> & { readonly options: readonly JsonMember[] | undefined },
  { dialect }: WalletContext,
): readonly JsonMember[] {
  const { conf_target: target = JSON_NULL, estimate_mode: mode = JSON_NULL, fee_rate: rate = JSON_NULL } = args;
  const options = args.options ?? [];
  const has = (name: string): boolean => findMember(options, name) !== undefined;
  const choosesTarget = has('conf_target') || has('estimate_mode');
  if (choosesTarget && (isGiven(target) || isGiven(mode))) {
    throw invalidParameter(
      'Pass conf_target and estimate_mode either as arguments or in the options object, but not both',
    );
  }
  if (has('fee_rate') && isGiven(rate)) {
    throw invalidParameter('Pass the fee_rate either as an argument, or in the options object, but not both');
  }
  const members: readonly JsonMember[] = [
    ...options,
    ...(choosesTarget
      ? []
      : ([
          ['conf_target', target],
          ['estimate_mode', mode],
        ] as const)),
    ...(has('fee_rate') ? [] : ([['fee_rate', rate]] as const)),
  ];
  const chosenMode = findMember(members, 'estimate_mode');
  const isUnset = (): boolean => !isGiven(chosenMode) || readValue(chosenMode, 'string', dialect).value === 'unset';
  if (isGiven(findMember(members, 'conf_target')) && isUnset()) throw invalidParameter('Specify estimate_mode');
  assertCurrentNames(options, dialect.generation);
  return members;
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

function assertCurrentNames(options: readonly JsonMember[], generation: WalletContext['dialect']['generation']): void {
  const { namesOlderOptions, forgetsWatching } = spendingRules[generation];
  for (const [older, current] of RENAMED) {
    if (findMember(options, older) === undefined || (older === 'includeWatching' && forgetsWatching)) continue;
    const isNamed = namesOlderOptions || older === 'feeRate';
    throw invalidParameter(`Use ${current}${isNamed ? ` instead of ${older}` : ''}`);
  }
}

/** Signs a payment, and sends it unless the options say otherwise. @see Bitcoin Core `FinishTransaction` */
export function finishPayment(unsigned: Transaction, options: readonly JsonMember[], context: WalletContext): PaidJson {
  const { dialect } = context;
  const { discouragesSnipingInSend } = spendingRules[dialect.generation];
  const isPlain = unsigned.inputs.every(
    ({ sequence }) => sequence === SEQUENCE_FINAL - 1 || sequence === SEQUENCE_REPLACEABLE,
  );
  const hasLocktime = findMember(options, 'locktime') !== undefined;
  const discourages = discouragesSnipingInSend && isPlain && !hasLocktime;
  const { psbt, tx } = signPayment(discourages ? { ...unsigned, locktime: antiSniping(context) } : unsigned, context);
  const flag = (name: string, fallback: boolean): boolean =>
    readOptional(findMember(options, name), 'bool', dialect)?.value ?? fallback;
  const [wantsPsbt, sends] = [flag('psbt', false), flag('add_to_wallet', true)];
  const psbtMember = wantsPsbt || !tx || !sends ? { psbt: formatPsbt(psbt, context) } : {};
  if (!tx) return { ...psbtMember, complete: false };
  const id = formatTxid(txid(tx));
  if (sends && !wantsPsbt) {
    commitPayment(tx, {}, context);
    return { ...psbtMember, txid: id, complete: true };
  }
  return { ...psbtMember, txid: id, hex: formatHex(encodeTransaction(tx)), complete: true };
}
