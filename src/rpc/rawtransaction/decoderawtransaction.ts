import { RpcError } from '../../errors.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../errorCodes.ts';
import type { RpcMethod } from '../method.ts';
import type { TransactionJson } from '../views/jsonTypes.ts';
import { transactionJson } from '../views/transactionJson.ts';
import { guessTransaction } from './rawTransaction.ts';

/** @see Bitcoin Core `decoderawtransaction` */
export const decoderawtransaction: RpcMethod<TransactionJson> = {
  name: 'decoderawtransaction',
  needs: 'nothing',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'iswitness', type: 'bool', isOptional: true },
  ],
  help: `Shows a serialized transaction as JSON.

Arguments:
1. hexstring    (string, required) the transaction in hex
2. iswitness    (boolean, optional) whether the transaction is in the extended format, with witnesses; by default both
                formats are tried, and the one with sane scripts is shown

Examples:
> countersign decoderawtransaction 0200000001...
> countersign decoderawtransaction --file tx.hex`,
  run: (args, context) => {
    const isWitness = readOptional(args[1], 'bool', context.dialect)?.value;
    return explainTransaction(readValue(args[0], 'string', context.dialect).value, isWitness, context);
  },
};

/** Answers as `decoderawtransaction` does, for checked arguments. @throws RpcError -22 */
export function explainTransaction(hex: string, isWitness: boolean | undefined, context: RpcContext): TransactionJson {
  const tx = guessTransaction(hex, {
    triesWitness: isWitness !== false,
    triesNoWitness: isWitness !== true,
    mweb: context.network.mweb,
  });
  if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
  return context.json.answer(transactionJson(tx, context));
}
