import { byteName } from '../../bytes/compare.ts';
import type { Descriptor } from '../../descriptors/types.ts';
import { RpcError } from '../../errors.ts';
import { outpointOf, witnessUtxoOf } from '../../psbt/coins.ts';
import type { Psbt, PsbtInput } from '../../psbt/types.ts';
import { processPsbt } from '../../psbt/updater.ts';
import { isPayToScriptHash, witnessProgramOf } from '../../script/template.ts';
import { type Provider, providerOfDescriptors } from '../../signing/provider.ts';
import { txid } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import { type DerivedRange, derivedRanges } from '../descriptors.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../errorCodes.ts';
import { itemsArg, type RpcMethod, textArg } from '../method.ts';
import { type Coins, coinName, parsePrevtxs } from '../prevtxs.ts';
import { assertPossible, assertSameTypes, formatPsbt, parsePsbt, withPsbtErrors } from '../psbtText.ts';
import { guessTransaction } from '../rawTransaction.ts';
import { rulesOf } from '../signing.ts';

/** @see Bitcoin Core `utxoupdatepsbt`, which finds the coins on its chain: here they are given */
export const utxoupdatepsbt: RpcMethod<string> = {
  name: 'utxoupdatepsbt',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'descriptors', type: 'array', isOptional: true, isSecret: true },
    { name: 'prevtxs', type: 'array', isOptional: true },
  ],
  takesNull: true,
  help: `Adds to a PSBT the coins that its inputs spend, and what descriptors know of inputs and outputs. Signs nothing.

Arguments:
1. psbt           (string, required) the PSBT in base64
2. descriptors    (array, optional) as for descriptorprocesspsbt
3. prevtxs        (array, optional) previous transactions in hex, or outputs
     { "txid": "hex", "vout": n, "scriptPubKey": "hex", "amount": amount }    for segwit inputs only

Result:
psbt              (string) the PSBT in base64

Examples:
> countersign utxoupdatepsbt --file new.psbt '[]' '["0200000001..."]'`,
  run: (args, context) => {
    const isOlder = context.dialect.generation === 'core-0.21';
    const psbtArg = (): Psbt => parsePsbt(textArg(args, 0, context.dialect), context);
    const ranges = (): readonly DerivedRange[] => derivedRanges(itemsArg(args, 1), context);
    // 0.21 reads the PSBT first, newer nodes the descriptors.
    const [first, knownRanges] = isOlder ? [psbtArg(), ranges()] : [undefined, ranges()];
    const psbt = first ?? psbtArg();
    const provider = publicProvider(knownRanges, context);
    const rules = rulesOf(context.dialect);
    const { ecc } = context;
    assertPossible(psbt);
    return withPsbtErrors(context, () => {
      const updated = withCoins(psbt, provider, coinsOf(args, context));
      const options = { provider, rules, signs: 'nothing', finalizes: false, ...(ecc && { ecc }) } as const;
      const processed = processPsbt(updated, options);
      assertSameTypes(processed);
      return formatPsbt(isOlder ? withKnownInputs(processed.psbt, psbt) : processed.psbt, context);
    });
  },
};

/** 0.21 finds a public key by its hash only if a descriptor names it in order to be hashed. */
function publicProvider(ranges: readonly DerivedRange[], { dialect }: RpcContext): Provider {
  const known = (some: readonly DerivedRange[]): Provider =>
    providerOfDescriptors(some.flatMap(({ derived }) => derived));
  const all = { ...known(ranges), key: () => undefined, xOnlyKey: () => undefined };
  if (dialect.generation === 'core-31') return all;
  return { ...all, publicKey: known(ranges.filter(({ descriptor }) => hashesKey(descriptor))).publicKey };
}

function hashesKey(descriptor: Descriptor): boolean {
  if (descriptor.kind === 'sh' || descriptor.kind === 'wsh') return hashesKey(descriptor.inner);
  return descriptor.kind === 'pkh' || descriptor.kind === 'wpkh' || descriptor.kind === 'combo';
}

/** 0.21 passes over inputs whose coin is there already. */
function withKnownInputs(processed: Psbt, before: Psbt): Psbt {
  const inputs = processed.inputs.map((input, index) => {
    const given = before.inputs[index];
    return given && (given.nonWitnessUtxo || witnessUtxoOf(given)) ? given : input;
  });
  return { ...processed, inputs };
}

/** Previous transactions by txid, and outputs by outpoint. */
interface GivenCoins {
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly outputs: Coins;
}

function coinsOf(args: Parameters<typeof itemsArg>[0], context: RpcContext): GivenCoins {
  const items = itemsArg(args, 2);
  const transactions = new Map<string, Transaction>();
  for (const item of items) {
    if (item.type !== 'string') continue;
    const { mweb } = context.network;
    const tx = guessTransaction(item.value, { triesWitness: true, triesNoWitness: true, mweb });
    if (!tx) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed for an element of prevtxs');
    transactions.set(byteName(txid(tx)), tx);
  }
  const outputs = items.filter(({ type }) => type !== 'string');
  return { transactions, outputs: parsePrevtxs({ type: 'array', items: outputs }, context) };
}

function withCoins(psbt: Psbt, provider: Provider, { transactions, outputs }: GivenCoins): Psbt {
  const inputs = psbt.inputs.map((input, index): PsbtInput => {
    const outpoint = outpointOf(psbt, index);
    if (!outpoint || input.nonWitnessUtxo) return input;
    const tx = transactions.get(byteName(outpoint.txid));
    if (tx) return { ...input, nonWitnessUtxo: tx };
    const coin = outputs.get(coinName(outpoint));
    return coin && isSegwit(coin.scriptPubKey, provider) ? { ...input, witnessUtxo: coin } : input;
  });
  return { ...psbt, inputs };
}

/** Whether an output is a witness program, or P2SH of one that is known. @see Bitcoin Core `IsSegWitOutput` */
function isSegwit(scriptPubKey: Uint8Array, provider: Provider): boolean {
  if (!isPayToScriptHash(scriptPubKey)) return witnessProgramOf(scriptPubKey) !== undefined;
  const redeemScript = provider.script(scriptPubKey.slice(2, 22));
  return redeemScript !== undefined && witnessProgramOf(redeemScript) !== undefined;
}
