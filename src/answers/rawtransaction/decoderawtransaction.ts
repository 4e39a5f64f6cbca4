import { RpcError } from '../../core/errors.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { toAnswer } from '../method/answer.ts';
import { RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { bool, hexString, optional } from '../method/parameters.ts';
import type { Draft } from '../method/results.ts';
import { transactionDraft } from '../views/transactionJson.ts';
import { type TransactionJson, transactionResult } from '../views/transactionResults.ts';

export const decoderawtransaction = method({
  name: 'decoderawtransaction',
  category: 'rawtransactions',
  about: 'Shows a serialized transaction as JSON.',
  params: [
    hexString('hexstring', 'the transaction'),
    optional(
      bool(
        'iswitness',
        'whether the transaction is in the extended format, with witnesses; by default both formats are tried, and the one with sane scripts is shown',
      ),
    ),
  ],
  result: transactionResult,
  examples: ['decoderawtransaction 0200000001...', 'decoderawtransaction --file tx.hex'],
  run: (args, context) => draftOf(args.hexstring, args.iswitness, context),
});

function draftOf(hex: string, isWitness: boolean | undefined, context: RpcContext): Draft<typeof transactionResult> {
  const tx = guessTransaction(hex, {
    triesWitness: isWitness !== false,
    triesNoWitness: isWitness !== true,
    mweb: context.network.mweb,
  });
  if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
  return transactionDraft(tx, context);
}

export const explainTransaction = (hex: string, isWitness: boolean | undefined, context: RpcContext): TransactionJson =>
  toAnswer(transactionResult, draftOf(hex, isWitness, context), context) as TransactionJson;
