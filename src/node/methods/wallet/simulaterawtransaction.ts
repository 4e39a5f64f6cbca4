import { readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_DESERIALIZATION_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, bool, hexString, optional, options, unread } from '../../../answers/method/parameters.ts';
import { amount, members } from '../../../answers/method/results.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { RpcError } from '../../../core/errors.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { outpointKey, outputKey, txid, txKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction } from '../../../core/tx/types.ts';
import { coinAt } from '../../chain/chainState.ts';
import { isMine, sumDebits } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const simulaterawtransaction = lasting(
  walletMethod({
    name: 'simulaterawtransaction',
    about: "Shows how transactions would change the wallet's balance.",
    params: [
      optional(
        unread(
          array(
            'rawtxs',
            hexString('rawtx', 'a transaction'),
            'the transactions; a later one may spend the outputs of earlier ones',
          ),
        ),
      ),
      options('options', [optional(bool('include_watchonly', 'without effect'))], ''),
    ],
    result: members({ balance_change: amount('what the wallet would gain; negative if it would lose') }),
    examples: ['simulaterawtransaction \'["0200000001..."]\''],
    run: ({ rawtxs, options: given }, context) => {
      if (walletMethodRules[context.dialect.generation].checksSimulationOptions)
        checkMembers(given, { isStrict: true });
      const unspent = new Map<OutpointKey, bigint>();
      const spent = new Set<OutpointKey>();
      let change = 0n;
      for (const item of readValue(rawtxs, 'array', context.dialect).items) {
        const tx = decoded(item, context);
        change += computeGain(tx, { unspent, spent }, context);
      }
      return { balance_change: change };
    },
  }),
  { since: 'core-29' },
);

function decoded(item: JsonValue, { dialect, network }: WalletContext): Transaction {
  const hex = readValue(item, 'string', dialect).value;
  const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
  if (tx) return tx;
  throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Transaction hex string decoding failure.');
}

/** The wallet's share of the unspent outputs so far, and the spent outpoints. */
interface Simulated {
  readonly unspent: Map<OutpointKey, bigint>;
  readonly spent: Set<OutpointKey>;
}

/** Returns what a transaction changes, and adds it to the simulation. */
function computeGain(tx: Transaction, { unspent, spent }: Simulated, { wallet, node }: WalletContext): bigint {
  let gain = 0n;
  for (const input of tx.inputs) {
    const key = outpointKey(input.outpoint);
    if (spent.has(key)) throw invalidParameter('Transaction(s) are spending the same output more than once');
    const share = unspent.get(key);
    if (share === undefined && !coinAt(node.chain, key)) {
      throw invalidParameter('One or more transaction inputs are missing or have been spent already');
    }
    gain -= share ?? sumDebits(wallet, { ...tx, inputs: [input] }).all;
    unspent.delete(key);
    spent.add(key);
  }
  const id = txKey(txid(tx));
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    const share = isMine(wallet, scriptPubKey) ? value : 0n;
    unspent.set(outputKey(id, vout), share);
    gain += share;
  }
  return gain;
}
