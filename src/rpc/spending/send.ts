import { formatHex } from '../../bytes/hex.ts';
import { rawTransactionRules, spendingRules } from '../../generations.ts';
import { SEQUENCE_FINAL } from '../../tx/absoluteLock.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { SEQUENCE_REPLACEABLE } from '../../tx/replaceable.ts';
import { formatTxid, txid } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import { checkOptional, readOptional, readValue } from '../argumentValues.ts';
import { invalidParameter } from '../errorCodes.ts';
import { JSON_NULL, type JsonMember, type JsonValue, memberOf } from '../json/jsonValue.ts';
import { formatPsbt } from '../psbt/psbtText.ts';
import { constructTransaction } from '../rawtransaction/constructTransaction.ts';
import type { PaidJson } from '../views/walletJsonTypes.ts';
import type { WalletContext, WalletMethod } from '../wallet/context.ts';
import { antiSniping } from './createPayment.ts';
import { FEE_PARAMS, isGiven } from './feeTerms.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
import { assertOutputs, fundTransaction } from './fundTransaction.ts';
import { namesOf } from './recipients.ts';
import { commitPayment, signPayment } from './signPayment.ts';

/** @see Bitcoin Core `send` */
export const send: WalletMethod<PaidJson> = {
  name: 'send',
  needs: 'wallet',
  params: [
    { name: 'outputs', type: 'any' },
    ...FEE_PARAMS,
    { name: 'options', type: 'object', isOptional: true, members: FUNDING_OPTIONS.filter(isNotPositional) },
    { name: 'version', type: 'number', isOptional: true, since: 'core-31' },
  ],
  takesNull: true,
  help: `Pays outputs: signs a transaction and adds it to the mempool, without broadcasting it. If signatures of others are
missing, returns a PSBT instead.

${CHOICE_HELP}

Arguments:
1. outputs          (array or object, required) amounts by address, and at most one data output
     [{ "address": amount }, ..., { "data": "hex" }]
2. conf_target      (number, optional) is checked; there are no estimates here, so give a fee rate
3. estimate_mode    (string, optional) is checked
4. fee_rate         (number or string, optional) the fee rate in sat/vB
5. options          (object, optional)
${FUNDING_HELP}
     { "inputs": [{ "txid": "hex", "vout": n, "sequence": n }, ...], "locktime": n
       "psbt": b             whether to return a PSBT and to send nothing
       "add_to_wallet": b    false to return the transaction and to send nothing }
6. version          (number, optional, default 2) the transaction version, 1 to 3; core-31 only

Result:
psbt                (if nothing was sent) the PSBT in base64
txid                (if complete) the transaction id
hex                 (if complete and not sent) the transaction
complete            whether all signatures are there

Examples:
> countersign send --named outputs='{"bc1q...":0.3}' fee_rate=2 --wallet-dir wallets`,
  run: (args, context) => {
    const { dialect } = context;
    const [outputs = JSON_NULL, , , , , version] = args;
    const members = sendOptions(args, context);
    const { describesPayers } = spendingRules[dialect.generation];
    if (!describesPayers) readOptional(memberOf(members, 'psbt'), 'bool', dialect);
    const replaceable = readOptional(memberOf(members, 'replaceable'), 'bool', dialect);
    if (describesPayers) assertOutputs(outputs, members, context);
    const parts = [memberOf(members, 'inputs'), outputs, memberOf(members, 'locktime'), replaceable, version];
    const raw = constructTransaction(parts, context);
    const { tx } = fundTransaction(
      {
        tx: raw,
        names: namesOf(outputs),
        options: { type: 'object', members },
        inputs: memberOf(members, 'inputs') ?? JSON_NULL,
        payersName: 'subtract_fee_from_outputs',
        isForced: false,
        addsCoins: raw.inputs.length === 0,
      },
      context,
    );
    return finishPayment(tx, members, context);
  },
};

/** Tells whether an option is not an argument of its own, too. */
function isNotPositional(name: string): boolean {
  return !['conf_target', 'estimate_mode', 'fee_rate'].includes(name);
}

/**
 * Returns the options of `send` and `sendall`, with the fee that the arguments choose.
 * @throws RpcError -3, -8
 * @see Bitcoin Core `InterpretFeeEstimationInstructions`, `PreventOutdatedOptions`
 */
export function sendOptions(
  args: readonly (JsonValue | undefined)[],
  { dialect }: WalletContext,
): readonly JsonMember[] {
  const [, target = JSON_NULL, mode = JSON_NULL, rate = JSON_NULL, given] = args;
  const options = checkOptional(given, 'object')?.members ?? [];
  const has = (name: string): boolean => memberOf(options, name) !== undefined;
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
  const chosenMode = memberOf(members, 'estimate_mode');
  const isUnset = (): boolean => !isGiven(chosenMode) || readValue(chosenMode, 'string', dialect).value === 'unset';
  if (isGiven(memberOf(members, 'conf_target')) && isUnset()) throw invalidParameter('Specify estimate_mode');
  assertCurrentNames(options, dialect.generation);
  return members;
}

/** The names of options that other methods have, and those that these have instead. */
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
    if (memberOf(options, older) === undefined || (older === 'includeWatching' && forgetsWatching)) continue;
    const isNamed = namesOlderOptions || older === 'feeRate';
    throw invalidParameter(`Use ${current}${isNamed ? ` instead of ${older}` : ''}`);
  }
}

/**
 * Signs a payment, and sends it unless the options say otherwise.
 * @throws RpcError -25, -26
 * @see Bitcoin Core `FinishTransaction`
 */
export function finishPayment(given: Transaction, options: readonly JsonMember[], context: WalletContext): PaidJson {
  const { dialect } = context;
  const { discouragesSnipingInSend } = spendingRules[dialect.generation];
  const isPlain = given.inputs.every(
    ({ sequence }) => sequence === SEQUENCE_FINAL - 1 || sequence === SEQUENCE_REPLACEABLE,
  );
  const hasLocktime = memberOf(options, 'locktime') !== undefined;
  const discourages = discouragesSnipingInSend && isPlain && !hasLocktime;
  const { psbt, tx } = signPayment(discourages ? { ...given, locktime: antiSniping(context) } : given, context);
  const flag = (name: string, fallback: boolean): boolean =>
    readOptional(memberOf(options, name), 'bool', dialect)?.value ?? fallback;
  const [wantsPsbt, sends] = [flag('psbt', false), flag('add_to_wallet', true)];
  const shown = wantsPsbt || !tx || !sends ? { psbt: formatPsbt(psbt, context) } : {};
  if (!tx) return { ...shown, complete: false };
  const id = formatTxid(txid(tx));
  if (sends && !wantsPsbt) {
    commitPayment(tx, {}, context);
    return { ...shown, txid: id, complete: true };
  }
  return { ...shown, txid: id, hex: formatHex(encodeTransaction(tx)), complete: true };
}

/** Returns the default of wallets for replaceability. */
export const signalsByDefault = ({ dialect }: WalletContext): boolean =>
  rawTransactionRules[dialect.generation].replaceableByDefault;
