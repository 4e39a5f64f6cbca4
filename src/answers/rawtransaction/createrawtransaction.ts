import { formatHex } from '../../core/bytes/hex.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { CONSTRUCTION_PARAMS, constructTransaction } from '../arguments/constructTransaction.ts';
import { method } from '../method/method.ts';
import { hex } from '../method/results.ts';

export const createrawtransaction = method({
  name: 'createrawtransaction',
  category: 'rawtransactions',
  takesNull: true,
  about: 'Creates an unsigned transaction with these inputs and outputs, and nothing else.',
  params: CONSTRUCTION_PARAMS,
  result: hex('the transaction'),
  examples: ['createrawtransaction \'[{"txid":"6012...","vout":0}]\' \'[{"bc1q...":0.39}]\''],
  run: (args, context) => formatHex(encodeTransaction(constructTransaction(args, context))),
});
