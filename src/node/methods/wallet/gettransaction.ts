import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { bool, hexString, optional } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, hex, likeAnswer, list, maybe, members } from '../../../answers/method/results.ts';
import { transactionDraft } from '../../../answers/views/transactionJson.ts';
import { ownedTransactionResult } from '../../../answers/views/transactionResults.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { type Filter, isChange, isFromMe, matches, sumRecordDebits } from '../../wallet/queries/ownership.ts';
import { isImmature } from '../../wallet/queries/txQueries.ts';
import { findRecord } from '../../wallet/records/records.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { watchFilter } from '../walletArguments.ts';
import { lastProcessedBlock, lastProcessedBlockResult } from './lastProcessedBlock.ts';
import { listDetails, transactionDetailResult, transactionFacts, transactionFactsResult } from './listEntries.ts';

const walletTransactionResult = members({
  amount: amount('what the wallet received, less what it sent, without the fee'),
  fee: maybe(amount('of a transaction that the wallet sent; negative')),
  ...transactionFactsResult.members,
  details: list(transactionDetailResult, 'the outputs sent and received'),
  hex: hex('the transaction'),
  decoded: maybe(likeAnswer('decoderawtransaction', ownedTransactionResult, 'with verbose, the transaction')),
  lastprocessedblock: maybe(lastProcessedBlockResult, { since: 'core-29' }),
});

export const gettransaction = walletMethod({
  name: 'gettransaction',
  checksLate: true,
  about: 'Shows a transaction of the wallet.',
  params: [
    hexString('txid', 'the transaction id'),
    optional(
      bool('include_watchonly', 'whether to count watch-only outputs (0.21); default true for watch-only wallets'),
    ),
    optional(bool('verbose', 'whether to show the transaction as decoderawtransaction does'), false),
  ],
  result: walletTransactionResult,
  examples: ['gettransaction 1f3a...'],
  run: (args, context) => {
    const { wallet } = context;
    const id = parseTxidArgument('txid', args.txid);
    const filter = watchFilter(args.include_watchonly, context);
    const isVerbose = args.verbose;
    const record = findRecord(wallet, id);
    if (!record) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
    const { amount, fee } = amounts(record, filter, context);
    return {
      amount,
      fee,
      ...transactionFacts(record, new Map(), context),
      details: listDetails(record, filter, context),
      hex: encodeTransaction(record.tx),
      decoded: isVerbose ? decoded(record, context) : undefined,
      lastprocessedblock: wallet.legacy === undefined ? lastProcessedBlock(wallet) : undefined,
    };
  },
});

/** Returns the gain without the fee, and the negative fee of a transaction that the wallet sent. */
function amounts(
  record: WalletTx,
  filter: Filter,
  { wallet }: WalletContext,
): { readonly amount: bigint; readonly fee: bigint | undefined } {
  const { outputs } = record.tx;
  const ours = isImmature(wallet, record)
    ? []
    : outputs.filter(({ scriptPubKey }) => matches(wallet, scriptPubKey, filter));
  const sum = (parts: typeof outputs): bigint => parts.reduce((total, { value }) => total + value, 0n);
  const debit = sumRecordDebits(wallet, record)[filter];
  const isSent = wallet.rules.ownsWorthlessSpends ? isFromMe(wallet, record.tx) : debit > 0n;
  const fee = isSent ? sum(outputs) - debit : undefined;
  return { amount: sum(ours) - debit - (fee ?? 0n), fee };
}

/** @see Bitcoin Core 31 `TxToUniv` */
function decoded({ tx, id }: WalletTx, context: WalletContext): Draft<typeof ownedTransactionResult> {
  const transaction = transactionDraft(tx, context, id);
  const vout = transaction.vout.map((output, i) => {
    const script = tx.outputs[i]?.scriptPubKey;
    return { ...output, ischange: script && isChange(context.wallet, script) ? true : undefined };
  });
  return { ...transaction, vout };
}
