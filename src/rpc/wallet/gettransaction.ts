import { formatHex, formatReversedHex } from '../../bytes/hex.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { debitsOfRecord, type Filter, isChange, isFromMe, matches } from '../../wallet/ownership.ts';
import { recordOf } from '../../wallet/records.ts';
import { isImmature } from '../../wallet/txQueries.ts';
import type { WalletTx } from '../../wallet/walletState.ts';
import { parseTxidArgument, readValue } from '../argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import { jsonValues } from '../json/jsonForm.ts';
import type { OutputJson, TransactionJson } from '../views/jsonTypes.ts';
import { transactionJson } from '../views/transactionJson.ts';
import type { WalletContext, WalletMethod } from './context.ts';
import { type EntryJson, factsOf, listDetails } from './listEntries.ts';
import { boolArg, filterArg, INCLUDE_WATCHONLY } from './walletArguments.ts';

/** @see Bitcoin Core `gettransaction` */
export const gettransaction: WalletMethod<EntryJson> = {
  name: 'gettransaction',
  needs: 'wallet',
  params: [{ name: 'txid', type: 'string' }, INCLUDE_WATCHONLY, { name: 'verbose', type: 'bool', isOptional: true }],
  checksLate: true,
  help: `Shows a transaction of the wallet.

Arguments:
1. txid                 (string, required) the transaction id
2. include_watchonly    (bool, optional) whether to count watch-only outputs (0.21); default true for watch-only wallets
3. verbose              (bool, optional, default false) whether to show the transaction as decoderawtransaction does

Result:
amount                  what the wallet received, less what it sent, without the fee
fee                     (of transactions of the wallet) the fee, negative
confirmations, blockhash, ... as in listsinceblock
details                 the outputs sent and received
hex                     the transaction
decoded                 (with verbose) the transaction as JSON
lastprocessedblock      (core-31) the block up to which the wallet knows the chain

Examples:
> countersign gettransaction 1f3a...`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const id = parseTxidArgument('txid', readValue(args[0], 'string', dialect).value);
    const filter = filterArg(args[1], context);
    const isVerbose = boolArg(args[2], false, context);
    const record = recordOf(wallet, id);
    if (!record) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
    const answer: Record<string, unknown> = {};
    addAmounts(answer, record, filter, context);
    Object.assign(answer, factsOf(record, new Map(), context));
    answer['details'] = listDetails(record, filter, context);
    answer['hex'] = formatHex(encodeTransaction(record.tx));
    if (isVerbose) answer['decoded'] = decoded(record, context);
    const { hash, height } = wallet.tip;
    if (!walletMethodRules[dialect.generation].reportsBalances) {
      answer['lastprocessedblock'] = { hash: formatReversedHex(hash), height };
    }
    return answer;
  },
};

function addAmounts(
  answer: Record<string, unknown>,
  record: WalletTx,
  filter: Filter,
  { wallet }: WalletContext,
): void {
  const { outputs } = record.tx;
  const ours = isImmature(wallet, record)
    ? []
    : outputs.filter(({ scriptPubKey }) => matches(wallet, scriptPubKey, filter));
  const sum = (parts: typeof outputs): bigint => parts.reduce((total, { value }) => total + value, 0n);
  const debit = debitsOfRecord(wallet, record)[filter];
  const isSent = wallet.rules.ownsWorthlessSpends ? isFromMe(wallet, record.tx) : debit > 0n;
  const fee = isSent ? sum(outputs) - debit : 0n;
  const amount = sum(ours) - debit - fee;
  answer['amount'] = toCoins(amount);
  if (isSent) answer['fee'] = toCoins(fee);
  keepExact(keepExact(answer, 'amount', amount), 'fee', fee);
}

/** Shows the transaction, and in Core 31 which outputs are change. @see Bitcoin Core 31 `TxToUniv` */
function decoded({ tx, id }: WalletTx, context: WalletContext): TransactionJson {
  const shown = jsonValues.answer(transactionJson(tx, { ...context, json: jsonValues }, id));
  if (!walletMethodRules[context.dialect.generation].showsParents) return shown;
  const vout = shown.vout.map((output, i): OutputJson => {
    const script = tx.outputs[i]?.scriptPubKey;
    return script && isChange(context.wallet, script) ? Object.assign(output, { ischange: true }) : output;
  });
  return { ...shown, vout };
}
