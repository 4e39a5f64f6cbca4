import { formatHex } from '../../core/bytes/hex.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { createSignatureCache } from '../../core/crypto/signatureCache.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import { type ProcessedPsbt, processPsbt } from '../../core/psbt/roles/updater.ts';
import { isInputVerified } from '../../core/psbt/solveInput.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import { createDescriptorProvider } from '../../core/signing/signingProvider.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { derivedRanges, SCAN_OBJECT } from '../arguments/descriptorArgument.ts';
import { parseSighashType, SIGHASH_NAMES } from '../arguments/signingArguments.ts';
import { roleOptions } from '../dialect/signingDialect.ts';
import { method } from '../method/method.ts';
import { array, bool, choice, optional, string } from '../method/parameters.ts';
import { type Answer, flag, hex, maybe, members, text } from '../method/results.ts';
import { withCoins } from './fillUtxos.ts';
import { assertPossible, assertSameTypes, formatPsbt, parsePsbt, withPsbtErrors } from './psbtText.ts';

export const processedPsbtResult = members({
  psbt: text('the PSBT in base64'),
  complete: flag('whether every input is final; since core-29, also valid'),
  hex: maybe(hex('the signed transaction, if complete'), { since: 'core-29' }),
});

/** The answer of `descriptorprocesspsbt` and `walletprocesspsbt`. */
export type ProcessedPsbtJson = Answer<typeof processedPsbtResult>;

export const descriptorprocesspsbt = method({
  name: 'descriptorprocesspsbt',
  category: 'rawtransactions',
  usesChain: true,
  about: `Updates a PSBT with descriptors and with UTXOs from the chain and mempool, signs with the descriptors' private
keys, and finalizes it.`,
  params: [
    string('psbt', 'the PSBT in base64'),
    array('descriptors', SCAN_OBJECT, 'descriptors, with private keys to sign with', { isSecret: true }),
    optional(
      choice('sighashtype', SIGHASH_NAMES, 'an input whose PSBT field asks for another type is an error', {
        default: 'DEFAULT for taproot, else ALL',
      }),
    ),
    optional(bool('bip32derivs', 'whether to add the BIP32 derivation paths of keys', { default: 'true' })),
    optional(bool('finalize', 'whether to finalize complete inputs'), true),
  ],
  result: processedPsbtResult,
  examples: ['descriptorprocesspsbt --file spend.psbt --descriptors-file descriptors.json'],
  run: (args, context) => {
    const { dialect, ecc = nobleEcc, onProgress, chain } = context;
    const ranges = derivedRanges(args.descriptors, context);
    const sighashName = args.sighashtype;
    const sighashType = sighashName === undefined ? undefined : parseSighashType(sighashName, dialect);
    const written = ranges.map(({ descriptor }) => descriptor);
    const derived = ranges.flatMap((range) => range.derived);
    const provider = createDescriptorProvider(derived, {
      hidesOrigins: args.bip32derivs === false,
      written,
    });
    const finalizes = args.finalize;
    const psbt = parsePsbt(args.psbt, context);
    const options = {
      ...roleOptions(context),
      ecc,
      cache: createSignatureCache(),
      provider,
      signs: true,
      sighashType,
      // Core 29 forgets the type of the call here.
      neededForType: SIGHASH.ALL,
      finalizes,
      onProgress,
    } as const;
    assertPossible(psbt);
    return withPsbtErrors(context, () => {
      const processed = processPsbt(chain ? withCoins(psbt, chain, provider) : psbt, options);
      assertSameTypes(processed);
      const answer = { psbt: formatPsbt(processed.psbt, context), complete: isComplete(processed) };
      if (!answer.complete) return answer;
      return {
        ...answer,
        hex: formatHex(encodeTransaction(assemble(unsignedTransaction(psbt), processed.psbt.inputs))),
      };
    });
  },
});

/** Verifies final fields, too. @see Core `PSBTInputSignedAndVerified` */
export const isComplete = ({ psbt, session }: ProcessedPsbt): boolean =>
  psbt.inputs.every((input, index) => isInputVerified({ session, input, index }));
