import { concatBytes } from '../../core/bytes/compare.ts';
import { type Assets, type PlannedOutput, planOutput } from '../../core/descriptors/plan.ts';
import { BtcError } from '../../core/errors.ts';
import { claimedCoin } from '../../core/psbt/format/inputCoin.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt, PsbtInput } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import { classifyScript } from '../../core/script/template.ts';
import { ECDSA_SIZE, type SpendSize, signedWeight, sizeOfInputWeight, spendSize } from '../../core/tx/spendSize.ts';
import type { Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import { sigOpWeight, sizeOfWeight } from '../../core/tx/weight.ts';
import { isKnownOutput, isSilentPayment, refuse, type Spend } from './buildOptions.ts';

/** An input as it will be signed: with zeros in place of signatures, or without what is not known of it. */
export interface SizedInput {
  readonly txIn: TxIn;
  readonly size: SpendSize;
  readonly scriptPubKey: Uint8Array;
}

type Filled = Pick<TxIn, 'scriptSig' | 'witness'>;

const NOTHING = new Uint8Array(0);

/**
 * Sizes an input: exactly by the keys, hashes or leaf that are named, else by the largest way that is open.
 * @throws `build/unknown-size`, `build/invalid`
 */
export function sizeInput(spend: Spend, inputIndex: number, locktime: number): SizedInput {
  const { input, outpoint, sequence, scriptPubKey } = spend;
  if (input.weight !== undefined) {
    const size = sizeOfInputWeight(input.weight, spend.records.witnessUtxo !== undefined);
    return { txIn: { outpoint, sequence, ...UNFILLED }, size, scriptPubKey };
  }
  const filled = fillInput(spend, inputIndex, locktime);
  const size = spendSize(filled.scriptSig, filled.witness);
  return { txIn: { outpoint, sequence, ...filled }, size, scriptPubKey };
}

const UNFILLED: Filled = { scriptSig: NOTHING, witness: [] };

function fillInput(spend: Spend, inputIndex: number, locktime: number): Filled {
  const { from, keys, hashes, leaf } = spend.input;
  if (!isKnownOutput(from) && !isSilentPayment(from))
    return fillKnownScript(spend.scriptPubKey, inputIndex, NAME_WEIGHT);
  const output = isKnownOutput(from) ? from.derived : { ...NO_KEYS, scriptPubKeys: [spend.scriptPubKey] };
  const way: Assets = { ...(keys && { keys }), ...(hashes && { hashes }), ...(leaf && { leaf }) };
  const planned = planOutput(output, { ...way, sequence: spend.sequence, locktime });
  if (planned) return planned;
  const place = `inputs[${inputIndex}]`;
  const later = planOutput(output, way);
  if (later?.sequence !== undefined)
    refuse(`${place}.sequence`, `must be ${later.sequence} or more, as the script has that lock`);
  if (later?.locktime !== undefined)
    refuse('locktime', `must be ${later.locktime} or more, as the script of ${place} has that lock`);
  return refuse(place, 'cannot be spent with the keys, hashes or leaf that are named');
}

const NAME_WEIGHT = 'name the weight of the input, or set fee, not feeRate';
const UPDATE = 'update the PSBT with its scripts and keys first';

const NO_KEYS = { scripts: [], keys: [], aggregates: [] };

const ECDSA = /* @__PURE__ */ new Uint8Array(ECDSA_SIZE);
const COMPRESSED_KEY = /* @__PURE__ */ new Uint8Array(33);

/**
 * Sizes an input of a PSBT: by its final fields, else by the largest way that its records, sequence and locktime leave open.
 * @throws `build/unknown-size`
 */
export function sizePsbtInput(psbt: Psbt, inputIndex: number): SizedInput {
  const { inputs, locktime } = unsignedTransaction(psbt);
  const [txIn, record] = [inputs[inputIndex], psbt.inputs[inputIndex]];
  const coin = claimedCoin(psbt, inputIndex);
  if (!txIn || !record || !coin) throw unknownSize(inputIndex, UPDATE);
  const { finalScriptSig: scriptSig = NOTHING, finalScriptWitness: witness = [] } = record;
  const { scriptPubKey } = coin;
  const assets = { sequence: txIn.sequence, locktime };
  const filled = isFinal(record)
    ? { scriptSig, witness }
    : (planOutput(outputOf(record, scriptPubKey), assets) ?? fillKnownScript(scriptPubKey, inputIndex, UPDATE));
  return { txIn: { ...txIn, ...filled }, size: spendSize(filled.scriptSig, filled.witness), scriptPubKey };
}

/** Reads from an input's records how the output that it spends is made. Without an internal key, taproot counts as spent by key. */
function outputOf(input: PsbtInput, scriptPubKey: Uint8Array): PlannedOutput {
  const { redeemScript, witnessScript, bip32Derivations = [], tapBip32Derivations = [], tapInternalKey } = input;
  const keys = [
    ...bip32Derivations.map(({ pubkey, ...origin }) => ({ publicKey: pubkey, origin })),
    ...tapBip32Derivations.map(({ pubkey, ...origin }) => ({ publicKey: concatBytes(EVEN, pubkey), origin })),
  ];
  const leafScripts = input.tapLeafScripts ?? [];
  const taproot = tapInternalKey && {
    outputKey: scriptPubKey.slice(2),
    internalKey: tapInternalKey,
    leafScripts,
    tree: [],
  };
  return {
    scriptPubKeys: [scriptPubKey],
    scripts: [redeemScript, witnessScript].flatMap((script) => script ?? []),
    keys,
    aggregates: input.musig2Participants ?? [],
    ...(taproot && { taproot }),
  };
}

const EVEN = /* @__PURE__ */ Uint8Array.of(2);

/** Fills an input by its address alone, if that says how to spend it. */
function fillKnownScript(scriptPubKey: Uint8Array, inputIndex: number, advice: string): Filled {
  const { type } = classifyScript(scriptPubKey);
  if (type === 'witness_v0_keyhash') return { scriptSig: NOTHING, witness: [ECDSA, COMPRESSED_KEY] };
  if (type === 'anchor') return UNFILLED;
  throw unknownSize(inputIndex, advice);
}

function unknownSize(inputIndex: number, advice: string): BtcError {
  const message = `The size of input ${inputIndex} is unknown, as nothing says how its coin is spent: ${advice}`;
  return new BtcError('build/unknown-size', { inputIndex }, message);
}

/** Computes the virtual size of the signed transaction, in which signature checks can outweigh bytes. */
export function signedVsize(inputs: readonly SizedInput[], outputs: readonly TxOut[]): number {
  const tx: Transaction = { version: 2, locktime: 0, inputs: inputs.map(({ txIn }) => txIn), outputs };
  const sizes = inputs.map(({ size }) => size);
  const prevouts = inputs.map(({ scriptPubKey }) => scriptPubKey);
  return sizeOfWeight(Math.max(signedWeight(sizes, outputs), sigOpWeight(tx, prevouts)));
}
