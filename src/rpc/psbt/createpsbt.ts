import { createPsbt } from '../../psbt/roles/creator.ts';
import type { RpcMethod } from '../method.ts';
import { CONSTRUCTION_PARAMS, constructTransaction } from '../rawtransaction/constructTransaction.ts';
import { formatPsbt, parsePsbtVersion } from './psbtText.ts';

/** @see Bitcoin Core `createpsbt` */
export const createpsbt: RpcMethod<string> = {
  name: 'createpsbt',
  needs: 'nothing',
  params: [...CONSTRUCTION_PARAMS, { name: 'psbt_version', type: 'number', isOptional: true, since: 'core-31' }],
  takesNull: true,
  help: `Creates a PSBT with these inputs and outputs, and nothing else.

Arguments:
1. inputs          (array, required) the coins to spend
     [{ "txid": "hex", "vout": n, "sequence": n (optional) }, ...]
2. outputs         (array or object, required) amounts by address, and at most one data output
     [{ "address": amount }, ..., { "data": "hex" }]
3. locktime        (number, optional, default 0)
4. replaceable     (bool, optional) whether the inputs signal replaceability (BIP125); default true, in 0.21 false
5. version         (number, optional, default 2) the transaction version, 1 to 3
6. psbt_version    (number, optional, default 0, in core-31 2) the PSBT version, 0 or 2

Result:
psbt               (string) the PSBT in base64

Examples:
> countersign createpsbt '[{"txid":"6012...","vout":0}]' '[{"bc1q...":0.39}]'`,
  run: (args, context) => {
    const tx = constructTransaction(args, context);
    return formatPsbt(createPsbt(tx, { version: parsePsbtVersion(args[5], context) }), context);
  },
};
