import { readValue } from '../argumentValues.ts';
import type { RpcMethod } from '../method.ts';
import type { PsbtJson } from '../views/jsonTypes.ts';
import { psbtJson } from '../views/psbtJson.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

/** @see Bitcoin Core `decodepsbt` */
export const decodepsbt: RpcMethod<PsbtJson> = {
  name: 'decodepsbt',
  needs: 'nothing',
  params: [{ name: 'psbt', type: 'string' }],
  help: `Shows a partially signed transaction (PSBT, version 0 or 2) as JSON.

Arguments:
1. psbt    (string, required) the PSBT in base64

Examples:
> countersign decodepsbt cHNidP8BA...
> countersign decodepsbt --file spend.psbt`,
  run: (args, context) => {
    const psbt = parsePsbt(readValue(args[0], 'string', context.dialect).value, context);
    return withPsbtErrors(context, () => context.json.answer(psbtJson(psbt, context)));
  },
};
