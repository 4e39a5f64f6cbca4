import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { BtcError } from '../../core/errors.ts';
import type { Network, NetworkOption } from '../../core/network/networks.ts';
import type { PsbtInput } from '../../core/psbt/format/types.ts';
import type { NameProof, NameRecord } from '../../core/review/paymentName.ts';
import { LEAST_INPUT_WEIGHT, MAX_STANDARD_WEIGHT } from '../../core/tx/spendSize.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { Outpoint, OutpointKey } from '../../core/tx/types.ts';
import { type PaymentUri, payableAddress } from '../payment/paymentUri.ts';
import type { KnownOutput } from './account.ts';
import type { SilentPaymentChange, SilentPaymentOutput } from './silentPaymentAccount.ts';

/** A coin to spend. */
export interface SpendInput {
  /** In display byte order. */
  readonly txid: string;
  readonly vout: number;
  /** Satoshi; optional with `previousTransaction`. */
  readonly value?: bigint | undefined;
  /** An account's address or another output with its scripts and keys, a wallet's output of silent payments, or an address as text. */
  readonly from: KnownOutput | SilentPaymentOutput | string;
  /** The transaction that created the coin, as hex or bytes, to prove its amount. Legacy coins need it. */
  readonly previousTransaction?: string | Uint8Array | undefined;
  /** Default 0xfffffffd: replaceable. @see BIP125, BIP68 */
  readonly sequence?: number | undefined;
  /** The public keys that will sign. Default: the fee suffices for any way that `sequence` and `locktime` leave open. */
  readonly keys?: readonly Uint8Array[] | undefined;
  /** The hashes whose preimages will be shown. Default: none with `keys`, else all. */
  readonly hashes?: readonly Uint8Array[] | undefined;
  /** The script of the only taproot leaf to spend by. */
  readonly leaf?: Uint8Array | undefined;
  /**
   * The weight of the signed input, as in `input_weights` of `fundrawtransaction`, where `from` does not say how to spend the
   * coin, or its script is no miniscript.
   */
  readonly weight?: number | undefined;
}

/**
 * A payment in satoshi, also to an address of silent payments as text; what a payment URI asks for, or a payment name that
 * `proveName` has proven, whose record the output then has, and whose amount needs no `value`; a payment to a script; or data, which nodes before Core 30 relay up to 80 bytes, in one output.
 */
export type BuildOutput =
  | { readonly to: KnownOutput | string; readonly value: bigint }
  | { readonly to: PaymentUri | NameProof<PaymentUri>; readonly value?: bigint }
  | { readonly script: Uint8Array; readonly value: bigint }
  | { readonly data: Uint8Array };

/** The coins, payments and fee of a PSBT to build. */
export interface BuildOptions {
  /** Default: that of the account addresses, else `main`. */
  readonly network?: NetworkOption | undefined;
  readonly inputs: readonly SpendInput[];
  /** Satoshi by address, or a list, which also takes data. */
  readonly outputs: Readonly<Record<string, bigint>> | readonly BuildOutput[];
  /** The address for the rest. A rest that would be dust adds to the fee instead. */
  readonly change?: KnownOutput | SilentPaymentChange | string | undefined;
  /** The index of the change. Default: the last output, which tells everyone that it is the change. */
  readonly changePosition?: number | undefined;
  /**
   * Addresses of silent payments that the payer has from one receiver, such as those with different labels: of those with one scan
   * key and several spend keys, each has to be named, change included. A stranger's spend key there would hide the payments.
   */
  readonly sameReceiver?: readonly string[] | undefined;
  /** Satoshi per virtual byte of the estimated signed size. */
  readonly feeRate?: number | undefined;
  /** Satoshi, in place of `feeRate`. With 0, one output may be dust, which a child then spends. */
  readonly fee?: bigint | undefined;
  /** The PSBT version. Default 0, which all software reads, but 2 for silent payments, which need it. */
  readonly version?: 0 | 2 | undefined;
  /** Of the transaction. Default 2; 3 has the rules of BIP431 (TRUC). */
  readonly txVersion?: 1 | 2 | 3 | undefined;
  /** Default 0. */
  readonly locktime?: number | undefined;
  readonly ecc?: Ecc | undefined;
}

export const BUILD_OPTIONS: OptionNames<BuildOptions> = {
  network: true,
  inputs: 'needed',
  outputs: 'needed',
  change: true,
  changePosition: true,
  sameReceiver: true,
  feeRate: true,
  fee: true,
  version: true,
  txVersion: true,
  locktime: true,
  ecc: true,
};
const INPUT: OptionNames<SpendInput> = {
  txid: 'needed',
  vout: 'needed',
  value: true,
  from: 'needed',
  previousTransaction: true,
  sequence: true,
  keys: true,
  hashes: true,
  leaf: true,
  weight: true,
};
const PAYMENT: OptionNames<Payment> = { to: 'needed', value: true };
const SCRIPT: OptionNames<Extract<BuildOutput, { readonly script: unknown }>> = { script: 'needed', value: 'needed' };
const DATA: OptionNames<Extract<BuildOutput, { readonly data: unknown }>> = { data: 'needed' };

type Payment = Extract<BuildOutput, { readonly to: unknown }>;

export interface Spend {
  /** As it was given. */
  readonly input: SpendInput;
  readonly outpoint: Outpoint;
  readonly sequence: number;
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  readonly records: Pick<PsbtInput, 'witnessUtxo' | 'nonWitnessUtxo' | 'spTweak' | 'spSpendBip32Derivations'>;
}

export function refuse(member: string, reason: string): never {
  throw new BtcError('build/invalid', { member, reason }, `The option ${member} is not valid: ${reason}`);
}

export const NO_AMOUNT = 'must be a bigint in satoshi, from 0 to the maximum supply';

export const isAmount = (value: unknown, { maxMoney }: Pick<Network, 'maxMoney'>): value is bigint =>
  typeof value === 'bigint' && value >= 0n && value <= maxMoney;

const isU32 = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
const NO_U32 = 'must be a whole number from 0 to 4294967295';

/** The most bytes that Core 30 relays, without the opcodes of the output. */
const MAX_DATA = 99_994;

const isWeight = (value: number): boolean =>
  Number.isInteger(value) && value >= LEAST_INPUT_WEIGHT && value <= MAX_STANDARD_WEIGHT;
const NO_WEIGHT = `must be a whole number of weight units, from ${LEAST_INPUT_WEIGHT} to ${MAX_STANDARD_WEIGHT}`;

const NO_ADDRESS = 'must be an address, as text or as an address of an account';

function isAddress(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && 'scriptPubKey' in value && 'derived' in value;
}

/** Tells a parsed payment URI from addresses. */
const isPaymentUri = (to: Payment['to']): to is PaymentUri =>
  typeof to === 'object' && to !== null && 'addresses' in to && 'silentPayments' in to;

/** Tells a payment name with its proof from addresses. */
const isNameProof = (to: Payment['to']): to is NameProof<PaymentUri> =>
  typeof to === 'object' && to !== null && 'status' in to;

/** Tells an output with its scripts and keys from other coins and addresses. */
export const isKnownOutput = (address: SpendInput['from'] | BuildOptions['change']): address is KnownOutput =>
  typeof address === 'object' && 'derived' in address;

/** Tells the change of a wallet of silent payments from an account's address. */
export const isSilentChange = (change: BuildOptions['change']): change is SilentPaymentChange =>
  typeof change === 'object' && change !== null && 'records' in change && 'network' in change;

/** Tells a coin of silent payments from an account's address. */
export const isSilentPayment = (from: SpendInput['from']): from is SilentPaymentOutput =>
  typeof from === 'object' && from !== null && 'tweak' in from && 'spendKey' in from;

export function assertOptions(options: BuildOptions): void {
  assertKnownOptions(options, BUILD_OPTIONS);
  const { inputs, outputs, change, changePosition = 0, fee, version, txVersion, locktime = 0 } = options;
  if (fee !== undefined && !(typeof fee === 'bigint' && fee >= 0n)) refuse('fee', NO_AMOUNT);
  if (![undefined, 0, 2].includes(version)) refuse('version', 'must be 0 or 2');
  if (![undefined, 1, 2, 3].includes(txVersion)) refuse('txVersion', 'must be 1, 2 or 3');
  if (!isU32(locktime)) refuse('locktime', NO_U32);
  if (!isU32(changePosition)) refuse('changePosition', NO_U32);
  if (change !== undefined && !isAddress(change) && !isSilentChange(change)) refuse('change', NO_ADDRESS);
  assertInputs(inputs);
  if (Array.isArray(outputs)) assertOutputs(outputs);
  else if (typeof outputs !== 'object' || outputs === null || !isPlain(outputs)) {
    refuse('outputs', 'must be an array or a plain object');
  }
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

function assertInputs(inputs: readonly SpendInput[]): void {
  if (!Array.isArray(inputs)) refuse('inputs', 'must be an array');
  for (const [index, input] of inputs.entries()) assertInput(input, `inputs[${index}]`);
}

function assertInput(input: SpendInput, place: string): void {
  if (typeof input !== 'object' || input === null) refuse(place, 'must be an object');
  assertKnownOptions(input, INPUT, `${place}.`);
  const { txid, vout, from, sequence = 0, weight = LEAST_INPUT_WEIGHT } = input;
  if (typeof txid !== 'string') refuse(`${place}.txid`, 'must be a txid as text');
  if (!isU32(vout)) refuse(`${place}.vout`, NO_U32);
  if (!isU32(sequence)) refuse(`${place}.sequence`, NO_U32);
  if (!isAddress(from) && !isSilentPayment(from)) refuse(`${place}.from`, NO_ADDRESS);
  if (!isWeight(weight)) refuse(`${place}.weight`, NO_WEIGHT);
}

function assertOutputs(outputs: readonly BuildOutput[]): void {
  for (const [index, output] of outputs.entries()) assertOutput(output, `outputs[${index}]`);
}

function assertOutput(output: BuildOutput, place: string): void {
  if (typeof output !== 'object' || output === null) refuse(place, 'must be an object');
  if (['to', 'script', 'data'].filter((name) => name in output).length !== 1)
    refuse(place, 'must have one of "to", "script" and "data"');
  if ('to' in output) {
    assertKnownOptions(output, PAYMENT, `${place}.`);
    if (!isPaymentUri(output.to) && !isNameProof(output.to) && !isAddress(output.to)) refuse(`${place}.to`, NO_ADDRESS);
    return;
  }
  if ('script' in output) {
    assertKnownOptions(output, SCRIPT, `${place}.`);
    if (!isBytes(output.script)) refuse(`${place}.script`, 'must be a Uint8Array: use parseHex');
    return;
  }
  assertKnownOptions(output, DATA, `${place}.`);
  if (!(isBytes(output.data) && output.data.length <= MAX_DATA)) {
    refuse(`${place}.data`, `must be a Uint8Array of at most ${MAX_DATA} bytes`);
  }
}

/** A payment to one address, with the record of its name, if it has one. */
export type PlainOutput =
  | Extract<BuildOutput, { readonly script: unknown } | { readonly data: unknown }>
  | { readonly to: KnownOutput | string; readonly value: bigint; readonly dnssecProof?: NameRecord };

/** Lists the outputs, with one address and the amount of what a payment URI asks for. */
export function listOutputs(outputs: BuildOptions['outputs']): readonly PlainOutput[] {
  if (!isList(outputs))
    return Object.entries(outputs).map(([to, value]) => ({ to: assertNoRequest(to, 'outputs'), value }));
  return outputs.map((output, index) => ('to' in output ? plainPayment(output, `outputs[${index}]`) : output));
}

const isList = (outputs: BuildOptions['outputs']): outputs is readonly BuildOutput[] => Array.isArray(outputs);

export const paymentUrisIn = (outputs: BuildOptions['outputs']): readonly PaymentUri[] =>
  isList(outputs) ? outputs.flatMap((output) => ('to' in output ? (requestIn(output.to) ?? []) : [])) : [];

const requestIn = (to: Payment['to']): PaymentUri | undefined =>
  isPaymentUri(to) ? to : isNameProof(to) && 'payment' in to ? to.payment : undefined;

/** No address has a colon, as payment URIs have, or an @, as payment names have. */
function assertNoRequest<T>(to: T, place: string): T {
  if (typeof to !== 'string') return to;
  if (to.includes(':')) refuse(place, 'has a payment URI as text: pass what parsePaymentUri makes of it');
  if (to.includes('@'))
    refuse(place, 'has a payment name as text: pass what proveName of countersign/names makes of it');
  return to;
}

function plainPayment({ to, value }: Payment, place: string): Extract<PlainOutput, { readonly to: unknown }> {
  if (isNameProof(to)) {
    if (to.status !== 'proven') return refuse(`${place}.to`, 'is a payment name that is not proven at the time');
    return {
      ...plainPayment({ to: to.payment, ...(value !== undefined && { value }) }, place),
      dnssecProof: to.record,
    };
  }
  if (!isPaymentUri(to)) return { to: assertNoRequest(to, `${place}.to`), value: value as bigint };
  const address = payableAddress(to);
  if (address === undefined) return refuse(`${place}.to`, 'has no address on the chain, so that no output can pay it');
  if (value !== undefined && to.amount !== undefined && value !== to.amount) {
    refuse(`${place}.value`, `differs from the ${to.amount} sat that the payment URI asks for: leave it out`);
  }
  return {
    to: address,
    value: value ?? to.amount ?? refuse(`${place}.value`, 'is missing, and the payment URI has no amount'),
  };
}

export function assertSpends(spends: readonly Spend[], network: Network): void {
  if (spends.length === 0) refuse('inputs', 'must name at least one coin');
  const seen = new Set<OutpointKey>();
  for (const [index, { outpoint, value }] of spends.entries()) {
    if (!isAmount(value, network)) refuse(`inputs[${index}].value`, NO_AMOUNT);
    if (seen.has(outpointKey(outpoint))) refuse(`inputs[${index}]`, 'an earlier input spends the same coin');
    seen.add(outpointKey(outpoint));
  }
}
