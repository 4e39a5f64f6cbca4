import { roleOptions } from '../../answers/dialect/signingDialect.ts';
import { isComplete } from '../../answers/psbt/descriptorprocesspsbt.ts';
import { assertPossible, assertSameTypes, withPsbtErrors, wrongSighashType } from '../../answers/psbt/psbtText.ts';
import { psbtRoleRules } from '../../answers/views/psbtRules.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { createSignatureCache } from '../../core/crypto/signatureCache.ts';
import { claimedCoin, inputOutpoint } from '../../core/psbt/format/inputCoin.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt, PsbtInput } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import { type PlaceProviders, processPsbt } from '../../core/psbt/roles/updater.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import { NO_PROVIDER, type SigningProvider } from '../../core/signing/signingProvider.ts';
import type { Transaction } from '../../core/tx/types.ts';
import type { NamedKey } from '../wallet/keys/descriptorSigning.ts';
import type { DescriptorStore } from '../wallet/keys/descriptorStore.ts';
import { findRecord } from '../wallet/records/records.ts';
import type { WalletContext } from './context.ts';

interface FillTerms {
  readonly signs: boolean;
  /** Default: that of the generation. */
  readonly sighashType?: number | undefined;
  readonly hidesOrigins?: boolean;
  readonly finalizes?: boolean;
  /** False for a caller who wants the transaction alone. Default true. */
  readonly fillsOutputs?: boolean;
}

/** Adds the wallet's data to a PSBT and, if `signs`, its signatures. @see Bitcoin Core `CWallet::FillPSBT` */
export function fillPsbt(
  unfilled: Psbt,
  { signs, sighashType, hidesOrigins = false, finalizes = true, fillsOutputs = true }: FillTerms,
  context: WalletContext,
): { readonly psbt: Psbt; readonly isComplete: boolean } {
  const { dialect, ecc = nobleEcc, onProgress } = context;
  const { choosesTypeByCoin, verifiesFinalInputs } = psbtRoleRules[dialect.generation];
  assertPossible(unfilled);
  const psbt = withRecords(unfilled, context);
  const { rules } = roleOptions(context);
  if (signs && !rules.comparesSighashTypes)
    assertType(psbt, choosesTypeByCoin ? (sighashType ?? SIGHASH.DEFAULT) : sighashType);
  const provider = createProviders(psbt, { hidesOrigins, fillsOutputs }, context);
  const options = {
    ...roleOptions(context),
    ecc,
    cache: createSignatureCache(),
    provider,
    signs,
    sighashType,
    finalizes,
    onProgress,
  } as const;
  return withPsbtErrors(context, () => {
    const processed = processPsbt(psbt, options);
    assertSameTypes(processed);
    const { inputs } = processed.psbt;
    const isWhole = verifiesFinalInputs ? isComplete(processed) : inputs.every(isFinal);
    return { psbt: processed.psbt, isComplete: isWhole };
  });
}

export const signedTransaction = (psbt: Psbt): Transaction => assemble(unsignedTransaction(psbt), psbt.inputs);

/** Refuses inputs that name another sighash type, as Core 29 does before it signs. */
function assertType({ inputs }: Psbt, type: number | undefined): void {
  if (inputs.some((input) => !isFinal(input) && (input.sighashType ?? 0) > 0 && input.sighashType !== type)) {
    throw wrongSighashType();
  }
}

/** Adds the previous transactions that the wallet has. */
function withRecords(psbt: Psbt, { wallet }: WalletContext): Psbt {
  const inputs = psbt.inputs.map((input, index): PsbtInput => {
    const outpoint = inputOutpoint(psbt, index);
    const record = !outpoint || input.nonWitnessUtxo || isFinal(input) ? undefined : findRecord(wallet, outpoint.txid);
    return record ? { ...input, nonWitnessUtxo: record.tx } : input;
  });
  return { ...psbt, inputs };
}

function createProviders(
  psbt: Psbt,
  { hidesOrigins, fillsOutputs }: { readonly hidesOrigins: boolean; readonly fillsOutputs: boolean },
  { wallet }: WalletContext,
): PlaceProviders {
  const { legacy, descriptors } = wallet;
  const hideOrigins = (provider: SigningProvider | undefined = NO_PROVIDER): SigningProvider =>
    hidesOrigins ? { ...provider, origin: () => undefined, xOnlyOrigin: () => undefined } : provider;
  const { outputs } = unsignedTransaction(psbt);
  const ownOf = (index: number): SigningProvider | undefined =>
    legacy ? legacy.provider : descriptors?.providerFor(outputs[index]?.scriptPubKey ?? new Uint8Array(0));
  return {
    ofInput: (index) => hideOrigins(legacy ? legacy.provider : descriptors && inputProvider(psbt, index, descriptors)),
    ofOutput: (index) => (fillsOutputs ? hideOrigins(ownOf(index)) : undefined),
  };
}

/** Looks up a coin or, for a foreign one, the keys that the PSBT names. */
function inputProvider(psbt: Psbt, index: number, descriptors: DescriptorStore): SigningProvider {
  const input = psbt.inputs[index] ?? {};
  const coin = claimedCoin(psbt, index);
  const own = coin && descriptors.spendingProvider(coin.scriptPubKey);
  return own ?? descriptors.providerOfKeys(namedKeys(input));
}

const namedKeys = ({ bip32Derivations = [], tapBip32Derivations = [] }: PsbtInput): readonly NamedKey[] =>
  [...bip32Derivations, ...tapBip32Derivations].map(({ pubkey, path }) => ({ publicKey: pubkey, path }));
