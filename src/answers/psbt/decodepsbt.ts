import { formatBase64 } from '../../core/bytes/base64.ts';
import { isAlikeFor } from '../../core/psbt/format/decodePsbt.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { toAnswer } from '../method/answer.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import type { Draft } from '../method/results.ts';
import { psbtDraft } from '../views/psbtJson.ts';
import { type PsbtJson, psbtResult } from '../views/psbtResults.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

export const decodepsbt = method({
  name: 'decodepsbt',
  category: 'rawtransactions',
  about: 'Shows a partially signed transaction (PSBT, version 0 or 2) as JSON.',
  params: [string('psbt', 'the PSBT in base64')],
  result: psbtResult,
  examples: ['decodepsbt cHNidP8BA...', 'decodepsbt --file spend.psbt'],
  run: (args, context) => draftOfText(args.psbt, context),
});

type PsbtDraft = Draft<typeof psbtResult>;

const draftOfText = (base64: string, context: RpcContext): PsbtDraft => draftOf(parsePsbt(base64, context), context);

const draftOf = (psbt: Psbt, context: RpcContext): PsbtDraft => withPsbtErrors(context, () => psbtDraft(psbt, context));

/** Decodes a PSBT that was decoded for `bips` again only if the dialect's generation would read it differently. */
export function explainPsbt(psbt: Psbt, context: RpcContext): PsbtJson {
  const draft = isAlikeFor(context.dialect.psbts, psbt)
    ? draftOf(psbt, context)
    : draftOfText(formatBase64(encodePsbt(psbt)), context);
  return toAnswer(psbtResult, draft, context) as PsbtJson;
}
