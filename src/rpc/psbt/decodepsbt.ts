import { formatBase64 } from '../../bytes/base64.ts';
import { isAlikeFor } from '../../psbt/format/decodePsbt.ts';
import { encodePsbt } from '../../psbt/format/encodePsbt.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import { readValue } from '../argumentValues.ts';
import type { RpcContext } from '../dialect.ts';
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
  run: (args, context) => explainPsbtText(readValue(args[0], 'string', context.dialect).value, context),
};

/** Answers as `decodepsbt` does, for base64. @throws RpcError -22 */
export const explainPsbtText = (base64: string, context: RpcContext): PsbtJson =>
  answerOf(parsePsbt(base64, context), context);

const answerOf = (psbt: Psbt, context: RpcContext): PsbtJson =>
  withPsbtErrors(context, () => context.json.answer(psbtJson(psbt, context)));

/**
 * Answers as `decodepsbt` does, for a PSBT that was decoded for `bips`: decodes it again only if the dialect's generation
 * would read it differently.
 * @throws RpcError as `decodepsbt` does
 */
export function explainPsbt(psbt: Psbt, context: RpcContext): PsbtJson {
  if (isAlikeFor(context.dialect.generation, psbt)) return answerOf(psbt, context);
  return explainPsbtText(formatBase64(encodePsbt(psbt)), context);
}
