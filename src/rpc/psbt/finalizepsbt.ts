import { formatHex } from '../../bytes/hex.ts';
import { hasLocktimeConflict, unsignedTransaction } from '../../psbt/format/version.ts';
import { assemble } from '../../psbt/roles/extractor.ts';
import { finalizePsbt } from '../../psbt/roles/finalizer.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { roleOptions } from '../dialect.ts';
import type { RpcMethod } from '../method.ts';
import type { FinalizedPsbtJson } from '../views/jsonTypes.ts';
import { formatPsbt, parsePsbt, withPsbtErrors } from './psbtText.ts';

/** @see Bitcoin Core `finalizepsbt` */
export const finalizepsbt: RpcMethod<FinalizedPsbtJson> = {
  name: 'finalizepsbt',
  needs: 'nothing',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'extract', type: 'bool', isOptional: true },
  ],
  takesNull: true,
  help: `Finalizes the inputs of a PSBT: builds their scriptSigs and witnesses from its signatures.

Arguments:
1. psbt       (string, required) the PSBT in base64
2. extract    (bool, optional, default true) if every input is final, returns the transaction instead of the PSBT

Result:
psbt          the PSBT in base64, unless the transaction is extracted
hex           the extracted transaction
complete      whether every input is final

Examples:
> countersign finalizepsbt --file signed.psbt`,
  run: (args, context) => {
    const psbt = parsePsbt(readValue(args[0], 'string', context.dialect).value, context);
    // Inputs cannot be verified without a transaction.
    if (hasLocktimeConflict(psbt)) return { psbt: formatPsbt(psbt, context), complete: false };
    const finalized = withPsbtErrors(context, () => finalizePsbt(psbt, roleOptions(context)));
    const { isComplete: complete } = finalized;
    if (!complete || readOptional(args[1], 'bool', context.dialect)?.value === false)
      return { psbt: formatPsbt(finalized.psbt, context), complete };
    const tx = assemble(unsignedTransaction(psbt), finalized.psbt.inputs);
    return { hex: formatHex(encodeTransaction(tx)), complete };
  },
};
