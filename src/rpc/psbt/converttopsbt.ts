import { RpcError } from '../../errors.ts';
import { createPsbt } from '../../psbt/roles/creator.ts';
import type { Transaction } from '../../tx/types.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { RPC_DESERIALIZATION_ERROR } from '../errorCodes.ts';
import type { RpcMethod } from '../method.ts';
import { guessTransaction } from '../rawtransaction/rawTransaction.ts';
import { formatPsbt, parsePsbtVersion } from './psbtText.ts';

/** @see Bitcoin Core `converttopsbt` */
export const converttopsbt: RpcMethod<string> = {
  name: 'converttopsbt',
  needs: 'nothing',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'permitsigdata', type: 'bool', isOptional: true },
    { name: 'iswitness', type: 'bool', isOptional: true },
    { name: 'psbt_version', type: 'number', isOptional: true, since: 'core-31' },
  ],
  takesNull: true,
  help: `Converts a transaction to a PSBT, without its signatures.

Arguments:
1. hexstring        (string, required) the transaction in hex
2. permitsigdata    (bool, optional, default false) if true, drops scriptSigs and witnesses; if false, refuses them
3. iswitness        (bool, optional) whether the transaction is in the extended format, with witnesses; by default both
                    formats are tried
4. psbt_version     (number, optional, default 0, in core-31 2) 0 or 2

Result:
psbt                (string) the PSBT in base64

Examples:
> countersign converttopsbt 0200000001...`,
  run: (args, context) => {
    const isWitness = readOptional(args[2], 'bool', context.dialect)?.value;
    const { mweb } = context.network;
    const guess = { triesWitness: isWitness ?? true, triesNoWitness: !(isWitness ?? false), mweb };
    const tx = guessTransaction(readValue(args[0], 'string', context.dialect).value, guess);
    if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
    if (readOptional(args[1], 'bool', context.dialect)?.value !== true && isSigned(tx)) {
      throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Inputs must not have scriptSigs and scriptWitnesses');
    }
    return formatPsbt(createPsbt(unsigned(tx), { version: parsePsbtVersion(args[3], context) }), context);
  },
};

const isSigned = ({ inputs }: Transaction): boolean =>
  inputs.some(({ scriptSig, witness }) => scriptSig.length > 0 || witness.length > 0);

function unsigned(tx: Transaction): Transaction {
  return { ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), witness: [] })) };
}
