import { formatHex } from '../../bytes/hex.ts';
import { isFinal } from '../../psbt/canonical.ts';
import { assemble } from '../../psbt/extractor.ts';
import { finalizePsbt } from '../../psbt/finalizer.ts';
import { processPsbt } from '../../psbt/updater.ts';
import { unsignedTransaction } from '../../psbt/version.ts';
import { providerOfDescriptors } from '../../signing/provider.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import type { ProcessedPsbtJson } from '../answers.ts';
import { derivedRanges } from '../descriptors.ts';
import { boolArg, itemsArg, type RpcMethod, stringArg } from '../method.ts';
import { assertSameTypes, formatPsbt, parsePsbt, withPsbtErrors } from '../psbtText.ts';
import { sighashTypeOf } from '../sighashType.ts';
import { rulesOf } from '../signing.ts';

/** @see Bitcoin Core `descriptorprocesspsbt` */
export const descriptorprocesspsbt: RpcMethod<ProcessedPsbtJson> = {
  name: 'descriptorprocesspsbt',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'descriptors', type: 'array', isSecret: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
    { name: 'bip32derivs', type: 'bool', isOptional: true },
    { name: 'finalize', type: 'bool', isOptional: true },
  ],
  help: `Adds to a PSBT what descriptors know of its inputs and outputs, signs with their private keys, and finalizes.

Arguments:
1. psbt           (string, required) the PSBT in base64
2. descriptors    (array, required) descriptors as strings, or as objects
     { "desc": "descriptor", "range": n or [n,n] }    the range is 0 to 1000 without this
3. sighashtype    (string, optional) DEFAULT, ALL, NONE, SINGLE, ALL|ANYONECANPAY, NONE|ANYONECANPAY or
                  SINGLE|ANYONECANPAY; without this DEFAULT for taproot, else ALL. An input that asks for another type
                  is not signed
4. bip32derivs    (bool, optional, default true) whether the paths of keys are added
5. finalize       (bool, optional, default true) whether inputs that are complete become final

Result:
psbt              the PSBT in base64
complete          whether every input is final
hex               the transaction, if so

Examples:
> countersign descriptorprocesspsbt --file spend.psbt --descriptors-file descriptors.json`,
  run: (args, context) => {
    const descriptors = derivedRanges(itemsArg(args, 1), context).flatMap(({ derived }) => derived);
    const { dialect, ecc, onProgress } = context;
    const given = args[2];
    const sighashType = given?.type === 'string' ? sighashTypeOf(given, dialect) : undefined;
    const provider = providerOfDescriptors(descriptors, { hidesOrigins: boolArg(args, 3) === false });
    const rules = rulesOf(dialect);
    const finalizes = boolArg(args, 4) ?? true;
    const trustsFinal = !dialect.followsContract;
    const psbt = parsePsbt(stringArg(args, 0), context);
    const shared = { rules, trustsFinal, ...(ecc && { ecc }) };
    const options = { ...shared, provider, signs: 'keys', sighashType, finalizes, onProgress } as const;
    return withPsbtErrors(context, () => {
      const processed = processPsbt(psbt, options);
      assertSameTypes(processed);
      const final = finalizePsbt(processed.psbt, shared);
      const areFinal = processed.psbt.inputs.every(isFinal);
      const answer = {
        psbt: formatPsbt(processed.psbt, context),
        complete: areFinal && (trustsFinal || final.isComplete),
      };
      if (!answer.complete) return answer;
      return { ...answer, hex: formatHex(encodeTransaction(assemble(unsignedTransaction(psbt), final.psbt.inputs))) };
    });
  },
};
