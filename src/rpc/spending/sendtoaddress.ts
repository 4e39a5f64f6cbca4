import { RpcError } from '../../errors.ts';
import type { Recipient } from '../../funding/fundPayment.ts';
import { shuffled } from '../../funding/randomNumbers.ts';
import { spendingRules } from '../../generations.ts';
import { formatTxid } from '../../tx/txid.ts';
import type { TxNotes } from '../../wallet/walletState.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { invalidParameter, RPC_WALLET_ERROR, RPC_WALLET_INSUFFICIENT_FUNDS } from '../errorCodes.ts';
import { JSON_NULL, type JsonValue } from '../json/jsonValue.ts';
import type { RpcParam } from '../method.ts';
import { outputsOf } from '../rawtransaction/constructTransaction.ts';
import type { SentJson } from '../views/walletJsonTypes.ts';
import { assertUnlocked, type WalletContext, type WalletMethod } from '../wallet/context.ts';
import { boolArg } from '../wallet/walletArguments.ts';
import { acceptPayment, createPayment, type PaymentRequest } from './createPayment.ts';
import { parseFeeChoice } from './feeTerms.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import { assertPayable, namesOf, parsePayers, recipientsOf } from './recipients.ts';
import { commitPayment, signPayment } from './signPayment.ts';

const FEE_PARAMS: readonly RpcParam[] = [
  { name: 'replaceable', type: 'bool', isOptional: true },
  { name: 'conf_target', type: 'number', isOptional: true },
  { name: 'estimate_mode', type: 'string', isOptional: true },
];

const FEE_RATE: RpcParam = { name: 'fee_rate', type: 'any', isOptional: true };
const VERBOSE: RpcParam = { name: 'verbose', type: 'bool', isOptional: true };

/** @see Bitcoin Core `sendtoaddress` */
export const sendtoaddress: WalletMethod<SentJson> = {
  name: 'sendtoaddress',
  needs: 'wallet',
  params: [
    { name: 'address', type: 'string' },
    { name: 'amount', type: 'any' },
    { name: 'comment', type: 'string', isOptional: true },
    { name: 'comment_to', type: 'string', isOptional: true },
    { name: 'subtractfeefromamount', type: 'bool', isOptional: true },
    ...FEE_PARAMS,
    { name: 'avoid_reuse', type: 'bool', isOptional: true },
    FEE_RATE,
    VERBOSE,
  ],
  checksLate: true,
  help: `Pays an amount to an address: signs a transaction, and adds it to the mempool, without broadcasting it.

${CHOICE_HELP}

Arguments:
1. address                  (string, required) the address
2. amount                   (number or string, required) the amount
3. comment                  (string, optional) a note on the purpose, for the wallet only
4. comment_to               (string, optional) a note on the recipient, for the wallet only
5. subtractfeefromamount    (bool, optional, default false) whether the recipient bears the fee
6. replaceable              (bool, optional) whether the inputs signal replaceability (BIP125)
7. conf_target              (number, optional) is checked; there are no estimates here, so give a fee rate
8. estimate_mode            (string, optional) is checked
9. avoid_reuse              (bool, optional, default true) whether not to spend from used addresses, in a wallet that
                            avoids reuse
10. fee_rate                (number or string, optional) the fee rate in sat/vB
11. verbose                 (bool, optional, default false) whether to say how the fee rate was chosen

Result:
the transaction id; with verbose { "txid", "fee_reason" }

Examples:
> countersign sendtoaddress --named address=bc1q... amount=0.1 fee_rate=2 --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const [address, amount = JSON_NULL, comment, to, payer, replaceable, target, mode, avoidReuse, rate] = args;
    const notes = notesOf({ comment, to }, context);
    const isReplaceable = readOptional(replaceable, 'bool', dialect)?.value;
    const avoidsReuse = avoidReuseArg(avoidReuse, context);
    const fee = parseFeeChoice({ target, mode, rate }, { isReplaceable }, context);
    assertUnlocked(wallet);
    const name = readValue(address, 'string', dialect).value;
    const payers = boolArg(payer, false, context) ? new Set([0]) : new Set<number>();
    const outputs = outputsOf({ type: 'object', members: [[name, amount]] }, context);
    const isVerbose = boolArg(args[10], false, context);
    return pay({ recipients: recipientsOf(outputs, payers), fee, avoidsReuse }, { notes, isVerbose }, context);
  },
};

/** Reads the notes of the user, of which empty ones do not count. */
function notesOf(
  { comment, to }: { readonly comment?: JsonValue | undefined; readonly to?: JsonValue | undefined },
  { dialect }: WalletContext,
): TxNotes {
  const [purpose, recipient] = [comment, to].map((value) => readOptional(value, 'string', dialect)?.value ?? '');
  return { ...(purpose && { comment: purpose }), ...(recipient && { to: recipient }) };
}

/** @throws RpcError -4 @see Bitcoin Core `GetAvoidReuseFlag` */
function avoidReuseArg(value: JsonValue | undefined, context: WalletContext): boolean {
  const canAvoid = context.wallet.avoidsReuse;
  const avoids = boolArg(value, canAvoid, context);
  if (!avoids || canAvoid) return avoids;
  throw new RpcError(RPC_WALLET_ERROR, 'wallet does not have the "avoid reuse" feature enabled');
}

/** Creates, signs and commits a payment. @throws RpcError -4, -6, -13 @see Bitcoin Core `SendMoney` */
function pay(
  { recipients, ...request }: Pick<PaymentRequest, 'recipients' | 'fee' | 'avoidsReuse'>,
  { notes, isVerbose }: { readonly notes: TxNotes; readonly isVerbose: boolean },
  context: WalletContext,
): SentJson {
  const { wallet, node } = context;
  assertUnlocked(wallet);
  if (wallet.disablesPrivateKeys) {
    throw new RpcError(RPC_WALLET_ERROR, 'Error: Private keys are disabled for this wallet');
  }
  assertPayable(recipients, context);
  const mixed: readonly Recipient[] = shuffled(recipients, node.random);
  const whole = { ...request, recipients: mixed, inputs: [], addsCoins: true };
  const payment = createPayment(whole, RPC_WALLET_INSUFFICIENT_FUNDS, context);
  const { tx } = signPayment(payment.tx, context);
  if (!tx) throw new RpcError(RPC_WALLET_INSUFFICIENT_FUNDS, 'Signing transaction failed');
  acceptPayment(payment, context);
  const id = formatTxid(commitPayment(tx, notes, context));
  return isVerbose ? { txid: id, fee_reason: payment.feeReason } : id;
}

/** @see Bitcoin Core `sendmany` */
export const sendmany: WalletMethod<SentJson> = {
  name: 'sendmany',
  needs: 'wallet',
  params: [
    { name: 'dummy', type: 'string', isOptional: true },
    { name: 'amounts', type: 'object' },
    { name: 'minconf', type: 'number', isOptional: true },
    { name: 'comment', type: 'string', isOptional: true },
    { name: 'subtractfeefrom', type: 'array', isOptional: true },
    ...FEE_PARAMS,
    FEE_RATE,
    VERBOSE,
  ],
  checksLate: true,
  help: `Pays several addresses with one transaction: signs it, and adds it to the mempool, without broadcasting it.

${CHOICE_HELP}

Arguments:
1. dummy              (string, optional) must be ""
2. amounts            (object, required) amounts by address
     { "address": amount, ... }
3. minconf            (number, optional) is ignored
4. comment            (string, optional) a note, for the wallet only
5. subtractfeefrom    (array, optional) the addresses that bear the fee, in equal shares
     ["address", ...]
6. replaceable        (bool, optional) whether the inputs signal replaceability (BIP125)
7. conf_target        (number, optional) is checked; there are no estimates here, so give a fee rate
8. estimate_mode      (string, optional) is checked
9. fee_rate           (number or string, optional) the fee rate in sat/vB
10. verbose           (bool, optional, default false) whether to say how the fee rate was chosen

Result:
the transaction id; with verbose { "txid", "fee_reason" }

Examples:
> countersign sendmany --named amounts='{"bc1q...":0.01,"bc1p...":0.02}' fee_rate=2 --wallet-dir wallets`,
  run: (args, context) => {
    const { dialect } = context;
    const [dummy, amounts = JSON_NULL, , comment, payerItems, replaceable, target, mode, rate] = args;
    const { describesPayers } = spendingRules[dialect.generation];
    if ((readOptional(dummy, 'string', dialect)?.value ?? '') !== '') {
      throw invalidParameter('Dummy value must be set to ""');
    }
    const to = readValue(amounts, 'object', dialect);
    const notes = notesOf({ comment }, context);
    const isReplaceable = readOptional(replaceable, 'bool', dialect)?.value;
    const fee = parseFeeChoice({ target, mode, rate }, { isReplaceable }, context);
    const items = readOptional(payerItems, 'array', dialect)?.items ?? [];
    const names = namesOf(to);
    const outputs = outputsOf(to, context);
    const payers = describesPayers ? parsePayers(items, names, context) : payersNamed(items, names, context);
    const isVerbose = boolArg(args[9], false, context);
    return pay({ recipients: recipientsOf(outputs, payers), fee }, { notes, isVerbose }, context);
  },
};

/** Finds the outputs that bear the fee by their addresses. 0.21 ignores others. */
function payersNamed(
  items: readonly JsonValue[],
  names: readonly string[],
  { dialect }: WalletContext,
): ReadonlySet<number> {
  const given = new Set(items.map((item) => readValue(item, 'string', dialect).value));
  return new Set(names.flatMap((name, index) => (given.has(name) ? [index] : [])));
}
