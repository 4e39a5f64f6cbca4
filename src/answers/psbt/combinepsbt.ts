import { BtcError } from '../../core/errors.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { combinePsbts } from '../../core/psbt/roles/combiner.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { text } from '../method/results.ts';
import { formatPsbt, PSBTS, parsePsbts, withPsbtErrors } from './psbtText.ts';

export const combinepsbt = method({
  name: 'combinepsbt',
  category: 'rawtransactions',
  takesNull: true,
  about: 'Combines PSBTs for the same transaction into one PSBT with all their records.',
  params: [PSBTS],
  result: text('the PSBT in base64'),
  examples: ['combinepsbt \'["cHNidP8BA...","cHNidP8BA..."]\''],
  run: (args, context) => {
    const psbts = parsePsbts(args.txs, context, { least: 1, tooFew: "Parameter 'txs' cannot be empty" });
    return formatPsbt(
      withPsbtErrors(context, () => combined(psbts, context)),
      context,
    );
  },
});

function combined(psbts: readonly Psbt[], { dialect }: RpcContext): Psbt {
  try {
    const { psbt } = combinePsbts(psbts);
    return signingDialects[dialect.name].keepsFirstSighashTypes ? withFirstTypes(psbt, psbts[0]) : psbt;
  } catch (error) {
    const isDifferent =
      error instanceof BtcError && (error.code === 'psbt/different' || error.code === 'psbt/locktime-conflict');
    throw isDifferent ? invalidParameter('PSBTs not compatible (different transactions)') : error;
  }
}

function withFirstTypes(psbt: Psbt, first: Psbt | undefined): Psbt {
  const inputs = psbt.inputs.map(({ sighashType: _theirs, ...input }, index) => {
    const sighashType = first?.inputs[index]?.sighashType;
    return sighashType === undefined ? input : { ...input, sighashType };
  });
  return { ...psbt, inputs };
}
