import { formatHex } from '../../bytes/hex.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import type { RpcMethod } from '../method.ts';
import { CONSTRUCTION_PARAMS, constructTransaction } from './constructTransaction.ts';

/** @see Bitcoin Core `createrawtransaction` */
export const createrawtransaction: RpcMethod<string> = {
  name: 'createrawtransaction',
  needs: 'nothing',
  params: CONSTRUCTION_PARAMS,
  takesNull: true,
  help: `Creates an unsigned transaction with these inputs and outputs, and nothing else.

Arguments:
1. inputs         (array, required) the coins to spend
     [{ "txid": "hex", "vout": n, "sequence": n (optional) }, ...]
2. outputs        (array or object, required) amounts by address, and at most one data output
     [{ "address": amount }, ..., { "data": "hex" }]
3. locktime       (number, optional, default 0)
4. replaceable    (bool, optional) whether the inputs signal replaceability (BIP125); default true, in 0.21 false
5. version        (number, optional, default 2) the transaction version, 1 to 3

Result:
transaction       (string) the transaction in hex

Examples:
> countersign createrawtransaction '[{"txid":"6012...","vout":0}]' '[{"bc1q...":0.39}]'`,
  run: (args, context) => formatHex(encodeTransaction(constructTransaction(args, context))),
};
