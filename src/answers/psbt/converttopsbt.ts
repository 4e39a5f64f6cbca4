import { RpcError } from '../../core/errors.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { bool, hexString, optional } from '../method/parameters.ts';
import { text } from '../method/results.ts';
import { formatPsbt } from './psbtText.ts';
import { choosePsbtVersion, PSBT_VERSION_PARAM } from './psbtVersion.ts';

export const converttopsbt = method({
  name: 'converttopsbt',
  category: 'rawtransactions',
  takesNull: true,
  about: 'Converts a transaction to a PSBT, without its signatures.',
  params: [
    hexString('hexstring', 'the transaction'),
    optional(
      bool('permitsigdata', 'if true, drops scriptSigs and witnesses; if false, refuses them', { default: 'false' }),
    ),
    optional(
      bool(
        'iswitness',
        'whether the transaction is in the extended format, with witnesses; by default both formats are tried',
      ),
    ),
    PSBT_VERSION_PARAM,
  ],
  result: text('the PSBT in base64'),
  examples: ['converttopsbt 0200000001...'],
  run: (args, context) => {
    const isWitness = args.iswitness;
    const { mweb } = context.network;
    const guess = { triesWitness: isWitness ?? true, triesNoWitness: !(isWitness ?? false), mweb };
    const tx = guessTransaction(args.hexstring, guess);
    if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
    if (args.permitsigdata !== true && isSigned(tx)) {
      throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Inputs must not have scriptSigs and scriptWitnesses');
    }
    return formatPsbt(createPsbt(unsigned(tx), { version: choosePsbtVersion(args, context) }), context);
  },
});

const isSigned = ({ inputs }: Transaction): boolean =>
  inputs.some(({ scriptSig, witness }) => scriptSig.length > 0 || witness.length > 0);

function unsigned(tx: Transaction): Transaction {
  return { ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), witness: [] })) };
}
