import { formatHex } from '../../core/bytes/hex.ts';
import { hasLocktimeConflict, unsignedTransaction } from '../../core/psbt/format/version.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import { finalizePsbt } from '../../core/psbt/roles/finalizer.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { roleOptions } from '../dialect/signingDialect.ts';
import { method } from '../method/method.ts';
import { bool, optional, string } from '../method/parameters.ts';
import { type Answer, flag, hex, maybe, members, text } from '../method/results.ts';
import { formatPsbt, parsePsbt, withPsbtErrors } from './psbtText.ts';

const finalizedPsbtResult = members({
  psbt: maybe(text('the PSBT in base64, unless the transaction is extracted')),
  hex: maybe(hex('the extracted transaction')),
  complete: flag('whether every input is final'),
});

/** The answer of `finalizepsbt`. */
export type FinalizedPsbtJson = Answer<typeof finalizedPsbtResult>;

export const finalizepsbt = method({
  name: 'finalizepsbt',
  category: 'rawtransactions',
  takesNull: true,
  about: 'Finalizes the inputs of a PSBT: builds their scriptSigs and witnesses from its signatures.',
  params: [
    string('psbt', 'the PSBT in base64'),
    optional(
      bool('extract', 'if every input is final, returns the transaction instead of the PSBT', { default: 'true' }),
    ),
  ],
  result: finalizedPsbtResult,
  examples: ['finalizepsbt --file signed.psbt'],
  run: (args, context) => {
    const psbt = parsePsbt(args.psbt, context);
    // Inputs cannot be verified without a transaction.
    if (hasLocktimeConflict(psbt)) return { psbt: formatPsbt(psbt, context), complete: false };
    const finalized = withPsbtErrors(context, () =>
      finalizePsbt(psbt, { ...roleOptions(context), triesLeaves: false }),
    );
    const { isComplete: complete } = finalized;
    if (!complete || args.extract === false) return { psbt: formatPsbt(finalized.psbt, context), complete };
    const tx = assemble(unsignedTransaction(psbt), finalized.psbt.inputs);
    return { hex: formatHex(encodeTransaction(tx)), complete };
  },
});
