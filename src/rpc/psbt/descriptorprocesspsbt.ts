import { formatHex } from '../../bytes/hex.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { createSignatureCache } from '../../crypto/signatureCache.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import { unsignedTransaction } from '../../psbt/format/version.ts';
import { assemble } from '../../psbt/roles/extractor.ts';
import { processPsbt } from '../../psbt/roles/updater.ts';
import { openSession } from '../../psbt/session.ts';
import { isInputVerified } from '../../psbt/solveInput.ts';
import { createDescriptorProvider } from '../../signing/signingProvider.ts';
import type { SessionOptions } from '../../signing/txContext.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { derivedRanges } from '../descriptors/descriptorArgument.ts';
import { roleOptions } from '../dialect.ts';
import type { RpcMethod } from '../method.ts';
import { parseSighashType } from '../rawtransaction/signingArguments.ts';
import type { ProcessedPsbtJson } from '../views/jsonTypes.ts';
import { withCoins } from './fillUtxos.ts';
import { assertPossible, assertSameTypes, formatPsbt, parsePsbt, withPsbtErrors } from './psbtText.ts';

/** @see Bitcoin Core `descriptorprocesspsbt` */
export const descriptorprocesspsbt: RpcMethod<ProcessedPsbtJson> = {
  name: 'descriptorprocesspsbt',
  needs: 'nothing',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'descriptors', type: 'array', isSecret: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
    { name: 'bip32derivs', type: 'bool', isOptional: true },
    { name: 'finalize', type: 'bool', isOptional: true },
  ],
  usesChain: true,
  help: `Updates a PSBT with descriptors and with UTXOs from the chain and mempool, signs with the descriptors' private
keys, and finalizes it.

Arguments:
1. psbt           (string, required) the PSBT in base64
2. descriptors    (array, required) descriptors as strings, or as objects
     { "desc": "descriptor", "range": n or [n,n] }    the default range is 0 to 1000
3. sighashtype    (string, optional) DEFAULT, ALL, NONE, SINGLE, ALL|ANYONECANPAY, NONE|ANYONECANPAY or
                  SINGLE|ANYONECANPAY; default DEFAULT for taproot, else ALL. An input whose PSBT field asks for
                  another type is an error
4. bip32derivs    (bool, optional, default true) whether to add the BIP32 derivation paths of keys
5. finalize       (bool, optional, default true) whether to finalize complete inputs

Result:
psbt              the PSBT in base64
complete          whether every input is final and valid
hex               the signed transaction, if complete

Examples:
> countersign descriptorprocesspsbt --file spend.psbt --descriptors-file descriptors.json`,
  run: (args, context) => {
    const { dialect, ecc = nobleEcc, onProgress, chain } = context;
    const ranges = derivedRanges(readValue(args[1], 'array', dialect).items, context);
    const given = readOptional(args[2], 'string', dialect);
    const sighashType = given && parseSighashType(given, dialect);
    const written = ranges.map(({ descriptor }) => descriptor);
    const derived = ranges.flatMap((range) => range.derived);
    const provider = createDescriptorProvider(derived, {
      hidesOrigins: readOptional(args[3], 'bool', dialect)?.value === false,
      written,
    });
    const finalizes = readOptional(args[4], 'bool', dialect)?.value ?? true;
    const psbt = parsePsbt(readValue(args[0], 'string', dialect).value, context);
    const shared = { ecc, cache: createSignatureCache() };
    const options = {
      ...roleOptions(context),
      ...shared,
      provider,
      signs: true,
      sighashType,
      finalizes,
      onProgress,
    } as const;
    assertPossible(psbt);
    return withPsbtErrors(context, () => {
      const processed = processPsbt(chain ? withCoins(psbt, chain, provider) : psbt, options);
      assertSameTypes(processed);
      const answer = { psbt: formatPsbt(processed.psbt, context), complete: isComplete(processed.psbt, shared) };
      if (!answer.complete) return answer;
      return {
        ...answer,
        hex: formatHex(encodeTransaction(assemble(unsignedTransaction(psbt), processed.psbt.inputs))),
      };
    });
  },
};

/** Tells whether every input is valid; verifies final fields, too. @see Bitcoin Core `PSBTInputSignedAndVerified` */
export function isComplete(psbt: Psbt, options: SessionOptions): boolean {
  const session = openSession(psbt, options);
  return psbt.inputs.every((input, index) => isInputVerified(session, input, index));
}
