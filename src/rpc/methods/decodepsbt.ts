import { parseBase64 } from '../../bytes/base64.ts';
import { BtcError } from '../../errors.ts';
import { decodePsbtBytes } from '../../psbt/decode.ts';
import type { PsbtJson } from '../answers.ts';
import { type RpcMethod, stringArg } from '../method.ts';
import { psbtRpcError } from '../psbtErrors.ts';
import { psbtJson } from '../psbtJson.ts';

/** @see Bitcoin Core `decodepsbt` */
export const decodepsbt: RpcMethod<PsbtJson> = {
  name: 'decodepsbt',
  params: [{ name: 'psbt', type: 'string' }],
  help: `Shows a partially signed transaction (PSBT, version 0 or 2) as JSON.

Arguments:
1. psbt    (string, required) the PSBT in base64

Examples:
> countersign decodepsbt cHNidP8BA...
> countersign decodepsbt --file spend.psbt`,
  run: (args, context) => {
    const { dialect, network } = context;
    try {
      const bytes = parseBase64(stringArg(args, 0));
      return psbtJson(decodePsbtBytes(bytes, { generation: dialect.generation, mweb: network.mweb }), context);
    } catch (error) {
      throw error instanceof BtcError ? psbtRpcError(error, dialect) : error;
    }
  },
};
