import { RpcError } from '../../core/errors.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import type { Transaction } from '../../core/tx/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';

/**
 * Refuses a transaction without inputs: only the extended format is tried, where they are the segwit marker.
 * @throws RpcError -22
 */
export function transactionToSign(hex: string, { network }: RpcContext): Transaction {
  const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: false, mweb: network.mweb });
  if (tx) return tx;
  throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed. Make sure the tx has at least one input.');
}
