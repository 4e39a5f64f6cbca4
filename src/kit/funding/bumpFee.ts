import { equalBytes } from '../../core/bytes/compare.ts';
import { assertKnownOptions, assertList, isObject, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { EccOption } from '../../core/crypto/eccOption.ts';
import { type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { withoutPurposes } from '../../core/psbt/format/fields.ts';
import { inputCoin } from '../../core/psbt/format/inputCoin.ts';
import { type AnyPsbt, readPsbt } from '../../core/psbt/format/parsePsbt.ts';
import type { Psbt, PsbtInput } from '../../core/psbt/format/types.ts';
import { toPsbtV0, toPsbtV2, unsignedTransaction } from '../../core/psbt/format/version.ts';
import { resolveLimits } from '../../core/review/policy.ts';
import { dustThreshold } from '../../core/tx/dust.ts';
import { SEQUENCE_REPLACEABLE } from '../../core/tx/replaceable.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { TxOut } from '../../core/tx/types.ts';
import type { KnownOutput } from '../account/account.ts';
import { assertOptions, isKnownOutput, refuse, type SpendInput } from '../account/buildOptions.ts';
import { buildPsbt, prepareBuild } from '../account/buildPsbt.ts';
import { type SizedInput, signedVsize, sizeInput, sizePsbtInput } from '../account/signedSize.ts';
import { assertFeeRate, ratedFee } from '../coins/feeRate.ts';

/** What a replacement pays, and from what. */
export interface BumpOptions extends EccOption {
  /** Satoshi per virtual byte of the signed replacement. */
  readonly feeRate: number;
  /** The output that pays the rest of the fee: its index, or its address. */
  readonly change: number | KnownOutput;
  /** Coins to add, in this order, as long as the change does not suffice. Default: none. */
  readonly coins?: readonly SpendInput[];
  /** What a node wants on top of the old fee, in satoshi per virtual byte of the replacement. Default 1, as before Core 30. */
  readonly incrementalFeeRate?: number;
  /** Says what is dust. Default: that of the change's address, else `main`. */
  readonly network?: NetworkOption;
}

const OPTIONS: OptionNames<BumpOptions> = {
  feeRate: 'needed',
  change: 'needed',
  coins: true,
  incrementalFeeRate: true,
  network: true,
  ecc: true,
};

/**
 * Replaces an unconfirmed payment by one with a higher fee, from its PSBT alone, signed or not: the inputs stay, the change pays,
 * and signatures are dropped. An account adds again what a finalizer has dropped (`updateWith`, `signWith`).
 *
 * The fee is that of the rate, and at least the old one with the increment for the whole replacement (BIP125, rules 3 and 4). The
 * fees of unconfirmed transactions that spend the payment, which a replacement has to pay for, too, are not known here.
 *
 * @throws `build/invalid` for a rate that is not higher, coins that do not suffice, and an unknown coin or change;
 * `build/unknown-size`; as `parsePsbt`, `buildPsbt`
 * @see BIP125; Bitcoin Core RPC `bumpfee`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, signWith } from 'countersign';
 * import { bumpFee } from 'countersign/funding';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const sent = signWith(me, buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 }));
 * const replacement = bumpFee(sent.psbt, { feeRate: 20, change: me.change(0) });
 * signWith(me, replacement).review.fee; // 2820n
 * ```
 */
export function bumpFee(psbt: AnyPsbt, options: BumpOptions): Psbt {
  assertKnownOptions(options, OPTIONS);
  const { feeRate, change, coins = [], incrementalFeeRate = 1 } = options;
  assertFeeRate('feeRate', feeRate);
  assertFeeRate('incrementalFeeRate', incrementalFeeRate);
  assertList('coins', coins);
  const given = readPsbt(psbt);
  const payment = measure(given);
  const position = changeIndex(payment.outputs, change);
  const network = resolveNetwork(options.network ?? (typeof change === 'number' ? 'main' : change.network));
  const { dustFeeRate } = resolveLimits(network);
  const added: AddedCoin[] = coins.map((coin) => prepareCoin(coin, payment, options));
  for (let count = 0; count <= added.length; count += 1) {
    const replaced = replace(payment, added.slice(0, count), { feeRate, incrementalFeeRate, position, dustFeeRate });
    if (replaced) return given.global.unsignedTx ? toPsbtV0(replaced) : replaced;
  }
  return refuse('coins', 'do not suffice beside the change: add coins, or choose a lower rate');
}

interface Payment {
  /** Of version 2, without signatures. */
  readonly psbt: Psbt;
  readonly inputs: readonly SizedInput[];
  readonly outputs: readonly TxOut[];
  /** Satoshi. */
  readonly value: bigint;
  readonly fee: bigint;
  readonly vsize: number;
}

const total = (amounts: readonly { readonly value: bigint }[]): bigint =>
  amounts.reduce((sum, { value }) => sum + value, 0n);

/** @throws `build/invalid` if a coin is unknown, `build/unknown-size` */
function measure(given: Psbt): Payment {
  const { outputs } = unsignedTransaction(given);
  const coins = given.inputs.map((_, index) => {
    const coin = inputCoin(given, index)?.coin;
    return coin ?? refuse('psbt', `does not show the coin that input ${index} spends: update it first`);
  });
  const inputs = given.inputs.map((_, index) => sizePsbtInput(given, index));
  const value = total(coins);
  const psbt = toPsbtV2(given);
  return {
    psbt: { ...psbt, inputs: psbt.inputs.map(unsigned) },
    ...{ inputs, outputs, value, fee: value - total(outputs), vsize: signedVsize(inputs, outputs) },
  };
}

/** Drops signatures, and signals replaceability (BIP125) unless a lock needs the sequence. */
function unsigned(input: PsbtInput): PsbtInput {
  const { sequence = SEQUENCE_REPLACEABLE, ...rest } = withoutPurposes(input, [
    'ecdsa-signature',
    'taproot-signature',
    'result',
  ]);
  return { ...rest, sequence: Math.min(sequence, SEQUENCE_REPLACEABLE) };
}

function changeIndex(outputs: readonly TxOut[], change: BumpOptions['change']): number {
  if (typeof change !== 'number' && !(isObject(change) && isKnownOutput(change)))
    refuse('change', 'must be an index, or an address of an account');
  const index =
    typeof change === 'number'
      ? change
      : outputs.findIndex(({ scriptPubKey }) => equalBytes(scriptPubKey, change.scriptPubKey));
  return outputs[index] ? index : refuse('change', 'is not an output of the payment');
}

interface AddedCoin {
  readonly record: PsbtInput;
  readonly sized: SizedInput;
  readonly value: bigint;
}

function prepareCoin(coin: SpendInput, { psbt, inputs }: Payment, { ecc }: BumpOptions): AddedCoin {
  if (psbt.outputs.some(({ spV0Info }) => spV0Info)) {
    refuse('coins', 'cannot be added to a silent payment, whose script depends on the inputs');
  }
  const { locktime } = unsignedTransaction(psbt);
  const alone = { inputs: [coin], outputs: [] };
  assertOptions(alone);
  const [spend] = prepareBuild(alone).spends;
  if (!spend) return refuse('coins', 'must be coins');
  const name = outpointKey(spend.outpoint);
  if (inputs.some(({ txIn }) => outpointKey(txIn.outpoint) === name)) {
    refuse('coins', 'name a coin that the payment spends already');
  }
  const { value } = spend;
  const built = buildPsbt({ ...alone, fee: value, version: 2, locktime, ...(ecc && { ecc }) });
  return { record: built.inputs[0] ?? {}, sized: sizeInput(spend, inputs.length, locktime), value };
}

interface Terms extends Required<Pick<BumpOptions, 'feeRate' | 'incrementalFeeRate'>> {
  readonly position: number;
  /** Satoshi per 1000 virtual bytes. */
  readonly dustFeeRate: number;
}

/** Returns `undefined` if the change and the added coins do not suffice. */
function replace(payment: Payment, added: readonly AddedCoin[], terms: Terms): Psbt | undefined {
  const { psbt } = payment;
  const inputs = [...payment.inputs, ...added.map(({ sized }) => sized)];
  const value = payment.value + total(added);
  const others = payment.outputs.filter((_, index) => index !== terms.position);
  const withInputs = { ...psbt, inputs: [...psbt.inputs, ...added.map(({ record }) => record)] };
  const rest = value - total(others) - feeOf(inputs, payment.outputs, payment, terms);
  const change = payment.outputs[terms.position];
  if (change && rest >= BigInt(dustThreshold(change.scriptPubKey, terms.dustFeeRate))) {
    const outputs = psbt.outputs.map((output, i) => (i === terms.position ? { ...output, amount: rest } : output));
    return { ...withInputs, outputs };
  }
  // What would be dust adds to the fee.
  if (others.length === 0 || value - total(others) < feeOf(inputs, others, payment, terms)) return undefined;
  return { ...withInputs, outputs: psbt.outputs.filter((_, index) => index !== terms.position) };
}

/** @throws `build/invalid` if the rate is not above that of the payment */
function feeOf(
  inputs: readonly SizedInput[],
  outputs: readonly TxOut[],
  before: Payment,
  { feeRate, incrementalFeeRate }: Terms,
): bigint {
  const vsize = signedVsize(inputs, outputs);
  const [rated, least] = [ratedFee(vsize, feeRate), before.fee + ratedFee(vsize, incrementalFeeRate)];
  const present = Number(before.fee) / before.vsize;
  if (feeRate <= present) refuse('feeRate', `must be above the ${present.toFixed(3)} sat/vB that the payment pays`);
  return rated > least ? rated : least;
}
