import type { Descriptor } from '../../core/descriptors/types.ts';
import { RpcError } from '../../core/errors.ts';
import { inputOutpoint, readWitnessUtxo } from '../../core/psbt/format/inputCoin.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { processPsbt } from '../../core/psbt/roles/updater.ts';
import { createDescriptorProvider, type SigningProvider } from '../../core/signing/signingProvider.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import { outpointKey, txid, txKey } from '../../core/tx/txid.ts';
import type { Transaction, TxKey } from '../../core/tx/types.ts';
import { type DerivedRange, derivedRanges, SCAN_OBJECT } from '../arguments/descriptorArgument.ts';
import type { PrevtxValues } from '../arguments/prevtxs.ts';
import { chainCoins, PREVTX, parsePrevtxs } from '../arguments/prevtxs.ts';
import type { ChainOutputs } from '../chainOutputs.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { signingRulesFor } from '../dialect/signingDialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { anyOf, array, emptyIfAbsent, hexString, optional, string } from '../method/parameters.ts';
import { text } from '../method/results.ts';
import { psbtRoleRules } from '../views/psbtRules.ts';
import { withCoins } from './fillUtxos.ts';
import { assertPossible, assertSameTypes, formatPsbt, parsePsbt, withPsbtErrors } from './psbtText.ts';

/** The third parameter is ours. */
export const utxoupdatepsbt = method({
  name: 'utxoupdatepsbt',
  category: 'rawtransactions',
  takesNull: true,
  usesChain: true,
  about: `Updates a PSBT with the UTXOs that its inputs spend, from the chain, the mempool and prevtxs, and with
descriptors. Signs nothing.`,
  params: [
    string('psbt', 'the PSBT in base64'),
    optional(array('descriptors', SCAN_OBJECT, 'descriptors of the outputs that inputs spend', { isSecret: true })),
    optional(
      emptyIfAbsent(
        array(
          'prevtxs',
          anyOf('', [hexString('transaction', 'a previous transaction'), PREVTX], ''),
          'previous transactions, or, for segwit inputs only, outputs',
        ),
      ),
    ),
  ],
  result: text('the PSBT in base64'),
  examples: ["utxoupdatepsbt --file new.psbt '[]' '[\"0200000001...\"]'"],
  run: (args, context) => {
    const { readsPsbtFirst, leavesInputsWithUtxos } = psbtRoleRules[context.dialect.generation];
    const psbtArg = (): Psbt => parsePsbt(args.psbt, context);
    const ranges = (): readonly DerivedRange[] => derivedRanges(args.descriptors ?? [], context);
    const [first, knownRanges] = readsPsbtFirst ? [psbtArg(), ranges()] : [undefined, ranges()];
    const psbt = first ?? psbtArg();
    const provider = publicProvider(knownRanges, context);
    const rules = signingRulesFor(context.dialect);
    const { ecc } = context;
    assertPossible(psbt);
    return withPsbtErrors(context, () => {
      const updated = withCoins(psbt, knownOutputs(psbt, args.prevtxs, context), provider);
      const options = { provider, rules, signs: false, finalizes: false, ...(ecc && { ecc }) } as const;
      const processed = processPsbt(updated, options);
      assertSameTypes(processed);
      return formatPsbt(leavesInputsWithUtxos ? withKnownInputs(processed.psbt, psbt) : processed.psbt, context);
    });
  },
});

function publicProvider(ranges: readonly DerivedRange[], { dialect }: RpcContext): SigningProvider {
  const providerFrom = (some: readonly DerivedRange[]): SigningProvider =>
    createDescriptorProvider(some.flatMap(({ derived }) => derived));
  const all = { ...providerFrom(ranges), key: () => undefined, xOnlyKey: () => undefined };
  if (psbtRoleRules[dialect.generation].findsKeysOfAllDescriptors) return all;
  return { ...all, publicKey: providerFrom(ranges.filter(({ descriptor }) => hashesKey(descriptor))).publicKey };
}

function hashesKey(descriptor: Descriptor): boolean {
  if (descriptor.kind === 'sh' || descriptor.kind === 'wsh') return hashesKey(descriptor.inner);
  return descriptor.kind === 'pkh' || descriptor.kind === 'wpkh' || descriptor.kind === 'combo';
}

function withKnownInputs(processed: Psbt, before: Psbt): Psbt {
  const inputs = processed.inputs.map((input, index) => {
    const original = before.inputs[index];
    return original && (original.nonWitnessUtxo || readWitnessUtxo(original)) ? original : input;
  });
  return { ...processed, inputs };
}

/** Prefers the caller's coins to those of the node's chain and mempool. */
function knownOutputs(psbt: Psbt, given: Iterable<string | PrevtxValues>, context: RpcContext): ChainOutputs {
  const { chain, network } = context;
  const transactions = new Map<TxKey, Transaction>();
  const outputItems: PrevtxValues[] = [];
  for (const item of given) {
    if (typeof item !== 'string') {
      outputItems.push(item);
      continue;
    }
    const { mweb } = network;
    const tx = guessTransaction(item, { triesWitness: true, triesNoWitness: true, mweb });
    if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed for an element of prevtxs');
    transactions.set(txKey(txid(tx)), tx);
  }
  const before = chainCoins(
    psbt.inputs.flatMap((_, index) => inputOutpoint(psbt, index) ?? []),
    context,
  );
  const outputs = parsePrevtxs(outputItems, context, { before });
  return {
    // An output without an amount is not added: the PSBT would state a wrong amount.
    coin: (outpoint) => {
      const coin = outputs.get(outpointKey(outpoint));
      return coin?.value === network.maxMoney ? undefined : coin;
    },
    transaction: (outpoint) => transactions.get(txKey(outpoint.txid)) ?? chain?.transaction(outpoint),
  };
}
