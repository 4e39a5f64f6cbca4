import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { CONSTRUCTION_PARAMS, constructTransaction } from '../arguments/constructTransaction.ts';
import { method } from '../method/method.ts';
import { text } from '../method/results.ts';
import { formatPsbt } from './psbtText.ts';
import { choosePsbtVersion, PSBT_VERSION_PARAM } from './psbtVersion.ts';

export const createpsbt = method({
  name: 'createpsbt',
  category: 'rawtransactions',
  takesNull: true,
  about: 'Creates a PSBT with these inputs and outputs, and nothing else.',
  params: [...CONSTRUCTION_PARAMS, PSBT_VERSION_PARAM],
  result: text('the PSBT in base64'),
  examples: ['createpsbt \'[{"txid":"6012...","vout":0}]\' \'[{"bc1q...":0.39}]\''],
  run: (args, context) => {
    const tx = constructTransaction(args, context);
    return formatPsbt(createPsbt(tx, { version: choosePsbtVersion(args, context) }), context);
  },
});
