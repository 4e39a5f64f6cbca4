import { readValue } from '../../../answers/arguments/argumentValues.ts';
import { parseOutputs } from '../../../answers/arguments/constructTransaction.ts';
import { JSON_NULL, type JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  invalidParameter,
  RPC_WALLET_ERROR,
  RPC_WALLET_INSUFFICIENT_FUNDS,
} from '../../../answers/method/errorCodes.ts';
import {
  array,
  bool,
  choice,
  coinAmount,
  int32,
  optional,
  string,
  unread,
  userKeys,
} from '../../../answers/method/parameters.ts';
import { type Answer, chosenBy, hex, members, text, when } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import type { Recipient } from '../../../kit/coins/fundPayment.ts';
import { shuffled } from '../../../kit/coins/randomNumbers.ts';
import type { TxNotes } from '../../wallet/records/walletTx.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { avoidsReuse } from '../walletArguments.ts';
import { acceptPayment, createPayment, type PaymentRequest } from './createPayment.ts';
import { CONF_TARGET, ESTIMATE_MODE, FEE_PARAMS, FEE_RATE, parseFeeChoice } from './feeTerms.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import { assertPayable, outputNames, parsePayers, toRecipients } from './recipients.ts';
import { commitPayment, signPayment } from './signPayment.ts';
import { spendingRules } from './spendingRules.ts';

const sentResult = chosenBy(
  'verbose',
  when([false, undefined], hex('the transaction id')),
  when([true], members({ txid: hex(), fee_reason: text('how the fee rate was chosen') })),
);

const REPLACEABLE = optional(bool('replaceable', 'whether the inputs signal replaceability (BIP125)'));
const VERBOSE = optional(bool('verbose', 'whether to say how the fee rate was chosen'), false);

export const sendtoaddress = walletMethod({
  name: 'sendtoaddress',
  checksLate: true,
  about: `Pays an amount to an address: signs a transaction, and adds it to the mempool, without broadcasting it.

${CHOICE_HELP}`,
  params: [
    string('address', 'the address'),
    unread(coinAmount('amount', 'the amount')),
    optional(string('comment', 'a note on the purpose, for the wallet only')),
    optional(string('comment_to', 'a note on the recipient, for the wallet only')),
    optional(bool('subtractfeefromamount', 'whether the recipient bears the fee'), false),
    REPLACEABLE,
    CONF_TARGET,
    ESTIMATE_MODE,
    optional(
      bool('avoid_reuse', 'whether to leave out coins of used addresses, in a wallet that avoids reuse', {
        default: 'true',
      }),
    ),
    FEE_RATE,
    VERBOSE,
  ],
  result: sentResult,
  examples: ['sendtoaddress --named address=bc1q... amount=0.1 fee_rate=2 --wallet-dir wallets'],
  run: (args, context) => {
    const notes = writtenNotes({ comment: args.comment, to: args.comment_to });
    const isReplaceable = args.replaceable;
    const isAvoiding = avoidsReuse(args.avoid_reuse, context);
    const fee = parseFeeChoice(args, { isReplaceable }, context);
    assertUnlocked(context.wallet);
    const name = args.address;
    const payers = args.subtractfeefromamount ? new Set([0]) : new Set<number>();
    const outputs = parseOutputs({ type: 'object', members: [[name, args.amount ?? JSON_NULL]] }, context);
    const payment = { recipients: toRecipients(outputs, payers), fee, avoidsReuse: isAvoiding };
    return pay(payment, { notes, isVerbose: args.verbose }, context);
  },
});

/** Drops empty notes. */
const writtenNotes = ({ comment, to }: { readonly [N in 'comment' | 'to']?: string | undefined }): TxNotes => ({
  ...(comment && { comment }),
  ...(to && { to }),
});

/** @see Bitcoin Core `SendMoney` */
function pay(
  { recipients, ...request }: Pick<PaymentRequest, 'recipients' | 'fee' | 'avoidsReuse'>,
  { notes, isVerbose }: { readonly notes: TxNotes; readonly isVerbose: boolean },
  context: WalletContext,
): Answer<typeof sentResult> {
  const { wallet, node } = context;
  assertUnlocked(wallet);
  if (wallet.row.disablesPrivateKeys) {
    throw new RpcError(RPC_WALLET_ERROR, 'Error: Private keys are disabled for this wallet');
  }
  assertPayable(recipients, context);
  const mixed: readonly Recipient[] = shuffled(recipients, node.random);
  const whole = { ...request, recipients: mixed, inputs: [], addsCoins: true };
  const payment = createPayment(whole, RPC_WALLET_INSUFFICIENT_FUNDS, context);
  const { tx } = signPayment(payment.tx, { fillsOutputs: false }, context);
  if (!tx) throw new RpcError(RPC_WALLET_INSUFFICIENT_FUNDS, 'Signing transaction failed');
  acceptPayment(payment, context);
  const id = formatTxid(commitPayment(tx, notes, context));
  return isVerbose ? { txid: id, fee_reason: payment.feeReason } : id;
}

export const sendmany = walletMethod({
  name: 'sendmany',
  checksLate: true,
  about: `Pays several addresses with one transaction: signs it, and adds it to the mempool, without broadcasting it.

${CHOICE_HELP}`,
  params: [
    optional(choice('dummy', [''], 'must be ""', { shownAs: '""' }), ''),
    unread(userKeys('amounts', coinAmount('address', 'the amount for an address'), 'amounts by address')),
    optional(unread(int32('minconf', 'is ignored'))),
    optional(string('comment', 'a note, for the wallet only')),
    optional(
      array(
        'subtractfeefrom',
        unread(string('address', 'an address')),
        'the addresses that bear the fee, in equal shares',
      ),
    ),
    REPLACEABLE,
    ...FEE_PARAMS,
    VERBOSE,
  ],
  result: sentResult,
  examples: ['sendmany --named amounts=\'{"bc1q...":0.01,"bc1p...":0.02}\' fee_rate=2 --wallet-dir wallets'],
  run: (args, context) => {
    const { describesPayers } = spendingRules[context.dialect.generation];
    if (args.dummy !== '') throw invalidParameter('Dummy value must be set to ""');
    const to = readValue(args.amounts, 'object', context.dialect);
    const notes = writtenNotes({ comment: args.comment });
    const isReplaceable = args.replaceable;
    const fee = parseFeeChoice(args, { isReplaceable }, context);
    const items = args.subtractfeefrom ?? [];
    const names = outputNames(to);
    const outputs = parseOutputs(to, context);
    const payers = describesPayers ? parsePayers(items, names, context) : payersNamed(items, names, context);
    const isVerbose = args.verbose;
    return pay({ recipients: toRecipients(outputs, payers), fee }, { notes, isVerbose }, context);
  },
});

/** Ignores unknown addresses, as 0.21 does. */
function payersNamed(
  items: Iterable<JsonValue | undefined>,
  names: readonly string[],
  { dialect }: WalletContext,
): ReadonlySet<number> {
  const addresses = new Set(Array.from(items, (item) => readValue(item, 'string', dialect).value));
  return new Set(names.flatMap((name, index) => (addresses.has(name) ? [index] : [])));
}
