import { parseAddress } from '../../core/address/address.ts';
import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Derived } from '../../core/descriptors/derive.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { type Network, networks, resolveNetwork } from '../../core/network/networks.ts';
import type { Psbt, PsbtOutput } from '../../core/psbt/format/types.ts';
import { placeholderScript, toPsbtV0 } from '../../core/psbt/format/version.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { updatePsbt } from '../../core/psbt/roles/updater.ts';
import { isLacking, silentPaymentError } from '../../core/psbt/silentPayments/faults.ts';
import { readSender } from '../../core/psbt/silentPayments/verify.ts';
import { resolveLimits } from '../../core/review/policy.ts';
import { encodePush } from '../../core/script/build.ts';
import { OP_RETURN } from '../../core/script/opcodes.ts';
import { isPayToScriptHash, parseWitnessProgram } from '../../core/script/template.ts';
import { createDescriptorProvider } from '../../core/signing/signingProvider.ts';
import {
  isSilentPaymentText,
  parseSilentPaymentAddress,
  type SilentPaymentAddress,
} from '../../core/silentPayments/address.ts';
import { findUnclear, parseSameReceiver } from '../../core/silentPayments/oneReceiver.ts';
import { decodeTransaction } from '../../core/tx/codec.ts';
import { dustThreshold } from '../../core/tx/dust.ts';
import { SEQUENCE_REPLACEABLE } from '../../core/tx/replaceable.ts';
import { parseTxid, txid as txidOf } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxOut } from '../../core/tx/types.ts';
import type { KnownOutput } from './account.ts';
import {
  assertOptions,
  assertSpends,
  type BuildOptions,
  isAmount,
  isKnownOutput,
  isSilentChange,
  isSilentPayment,
  listOutputs,
  NO_AMOUNT,
  paymentUrisIn,
  refuse,
  type Spend,
  type SpendInput,
} from './buildOptions.ts';
import { type SizedInput, signedVsize, sizeInput } from './signedSize.ts';
import type { SilentPaymentChange, SilentPaymentOutput } from './silentPaymentAccount.ts';

/**
 * Builds a PSBT that spends all given coins, ready for review and signing.
 * @throws `build/*`, `argument/invalid`, `address/network`, `psbt/silent-payment`; as `parseAddress`, `parseTxid`,
 * `decodeTransaction`
 * @see BIP174 "Creator", "Updater"; BIP370
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * reviewWith(me, psbt).fee; // 282n
 * ```
 */
export function buildPsbt(options: BuildOptions): Psbt {
  assertOptions(options);
  const { locktime = 0, txVersion = 2, ecc = nobleEcc } = options;
  const { network, spends, paid, change } = prepareBuild(options);
  const outputs = [...paid, ...change];
  const paysSilently = outputs.some(({ silent }) => silent);
  assertOneReceiver(outputs, parseSameReceiver(options.sameReceiver, network));
  const isSilent = paysSilently || options.inputs.some(({ from }) => isSilentPayment(from));
  const { version = isSilent ? 2 : 0 } = options;
  if (isSilent && version === 0) refuse('version', 'must be 2, as silent payments need it');
  const tx: Transaction = {
    version: txVersion,
    locktime,
    inputs: spends.map(({ outpoint, sequence }) => ({ outpoint, sequence, scriptSig: NOTHING, witness: [] })),
    outputs,
  };
  const created = createPsbt(tx, { version: 2 });
  const withCoins = created.inputs.map((input, index) => ({ ...input, ...spends[index]?.records }));
  const withNames = created.outputs.map((output, index) => ({ ...output, ...outputs[index]?.named }));
  const provider = createDescriptorProvider(addressesIn(options).map(({ derived }) => derived));
  const updated = updatePsbt({ ...created, inputs: withCoins, outputs: withNames }, { provider, ecc });
  const sized = options.feeRate === undefined ? [] : spends.map((spend, index) => sizeInput(spend, index, locktime));
  const built = withChange(updated, { ...options, network, spends, sized, paid, hasChange: change.length > 0 });
  const whole = placeChange(paysSilently ? withSilentPayments(built, outputs, ecc) : built, paid.length, options);
  return version === 0 ? toPsbtV0(whole) : whole;
}

/** Coins and outputs, checked. */
export interface PreparedBuild {
  readonly network: Network;
  readonly spends: readonly Spend[];
  readonly paid: readonly Paid[];
  /** One output or none, without an amount. */
  readonly change: readonly Paid[];
}

/** @throws `build/*`, `address/network`; as `parseAddress`, `parseTxid`, `decodeTransaction` */
export function prepareBuild(options: BuildOptions): PreparedBuild {
  const network = commonNetwork(options);
  const spends = options.inputs.map((input, index) => prepareSpend(input, index, network));
  assertSpends(spends, network);
  const paid = buildOutputs(options.outputs, network);
  assertAmounts(paid, network, options.fee === 0n);
  return { network, spends, paid, change: options.change === undefined ? [] : [payTo(options.change, 0n, network)] };
}

/** Moves the change, which is the last output. */
function placeChange(psbt: Psbt, payments: number, { changePosition = payments }: BuildOptions): Psbt {
  if (changePosition > payments) refuse('changePosition', `must be ${payments} or less, the number of payments`);
  const others = psbt.outputs.slice(0, payments);
  const change = psbt.outputs.slice(payments);
  return { ...psbt, outputs: [...others.slice(0, changePosition), ...change, ...others.slice(changePosition)] };
}

/** An output, with a placeholder for a script that is not computed yet. */
interface Paid extends TxOut {
  readonly silent?: SilentPaymentChange['records'];
  readonly named?: Pick<PsbtOutput, 'dnssecProof'>;
}

function assertOneReceiver(paid: readonly Paid[], sameReceiver: readonly SilentPaymentAddress[]): void {
  const silent = paid.flatMap(({ silent: records }, outputIndex) =>
    records ? [{ outputIndex, address: records.spV0Info }] : [],
  );
  const unclear = findUnclear(silent, ({ address }) => address, sameReceiver);
  if (!unclear) return;
  const [first] = unclear;
  const other = unclear.find(({ address }) => !equalBytes(address.spendKey, first.address.spendKey)) ?? first;
  refuse(
    'sameReceiver',
    `outputs ${first.outputIndex} and ${other.outputIndex} share a scan key: name all addresses with it if one receiver gave you them, as a stranger's would hide the others`,
  );
}

/** @see BIP375 "Constructor" */
function withSilentPayments(psbt: Psbt, paid: readonly Paid[], ecc: Ecc): Psbt {
  const outputs = psbt.outputs.map(({ script = NOTHING, ...output }, index) => {
    const silent = paid[index]?.silent;
    return silent ? { ...output, ...silent } : { ...output, script };
  });
  const built = { ...psbt, outputs };
  const { fault } = readSender(built, { ecc });
  const outputIndex = paid.findIndex(({ silent }) => silent);
  // What lacks may still be added.
  if (fault && !isLacking(fault)) throw silentPaymentError(outputIndex, fault);
  return built;
}

const NOTHING = new Uint8Array(0);

function addressesIn({ inputs, outputs, change }: BuildOptions): readonly KnownOutput[] {
  const recipients = listOutputs(outputs).map((output) => ('to' in output ? output.to : undefined));
  return [...inputs.map(({ from }) => from), ...recipients, change].filter(isKnownOutput);
}

function commonNetwork(options: BuildOptions): Network {
  const silentCoins = options.inputs.map(({ from }) => from).filter(isSilentPayment);
  const changes = [options.change].filter(isSilentChange);
  const addresses = [...addressesIn(options), ...silentCoins, ...changes, ...paymentUrisIn(options.outputs)];
  const network = options.network ? resolveNetwork(options.network) : (addresses[0]?.network ?? networks.main);
  const foreign = addresses.find((address) => address.network.name !== network.name);
  if (!foreign) return network;
  return refuse('network', `an address on ${foreign.network.name} cannot be used on ${network.name}`);
}

const toScript = (address: SpendInput['from'], network: Network): Uint8Array =>
  typeof address === 'string' ? parseAddress(address, network) : address.scriptPubKey;

function prepareSpend(input: SpendInput, inputIndex: number, network: Network): Spend {
  const { from, vout, sequence = SEQUENCE_REPLACEABLE } = input;
  const coin = { outpoint: { txid: parseTxid(input.txid), vout }, scriptPubKey: toScript(from, network) };
  const previous = decodePrevious(input, network);
  const fault = previous && previousFault(previous, coin, input.value);
  if (fault) throw unproven(inputIndex, fault);
  const value = previous?.outputs[vout]?.value ?? input.value;
  if (value === undefined) return refuse(`inputs[${inputIndex}].value`, NO_AMOUNT);
  const isWitness = !isLegacy(coin.scriptPubKey, isKnownOutput(from) ? from.derived : undefined);
  if (!previous && !isWitness) throw unproven(inputIndex, 'missing');
  const witnessUtxo = { value, scriptPubKey: coin.scriptPubKey };
  const records = {
    ...(isWitness && { witnessUtxo }),
    ...(previous && { nonWitnessUtxo: previous }),
    ...(isSilentPayment(from) && silentRecords(from)),
  };
  return { input, ...coin, sequence, value, records };
}

/** @see BIP376 "Updater" */
const silentRecords = ({ tweak, spendKey, spendOrigin = NO_ORIGIN }: SilentPaymentOutput): Spend['records'] => ({
  spTweak: tweak,
  spSpendBip32Derivations: [{ spendKey, ...spendOrigin }],
});

/** What BIP376 writes if the origin is not known. */
const NO_ORIGIN = { fingerprint: /* @__PURE__ */ new Uint8Array(4), path: [] };

function decodePrevious({ previousTransaction: encoded }: SpendInput, { mweb }: Network): Transaction | undefined {
  if (encoded === undefined) return undefined;
  return decodeTransaction(typeof encoded === 'string' ? parseHex(encoded) : encoded, { mweb });
}

type PreviousFault = ErrorData['build/previous-transaction']['reason'];

function previousFault(
  previous: Transaction,
  { outpoint, scriptPubKey }: { readonly outpoint: Outpoint; readonly scriptPubKey: Uint8Array },
  value: bigint | undefined,
): PreviousFault | undefined {
  if (!equalBytes(txidOf(previous), outpoint.txid)) return 'txid';
  const coin = previous.outputs[outpoint.vout];
  if (!coin || !equalBytes(coin.scriptPubKey, scriptPubKey)) return 'output';
  return value === undefined || value === coin.value ? undefined : 'value';
}

function unproven(inputIndex: number, reason: PreviousFault): BtcError {
  const message = {
    missing: `Input ${inputIndex} spends a legacy coin: pass the transaction that created it as previousTransaction`,
    txid: `The previousTransaction of input ${inputIndex} has a different txid from the input`,
    output: `The previousTransaction of input ${inputIndex} has no output vout that pays to the address in from`,
    value: `The previousTransaction of input ${inputIndex} has an amount that differs from value`,
  }[reason];
  return new BtcError('build/previous-transaction', { inputIndex, reason }, message);
}

/** Signatures of non-segwit coins do not commit to the amount. */
function isLegacy(scriptPubKey: Uint8Array, derived: Derived | undefined): boolean {
  if (parseWitnessProgram(scriptPubKey)) return false;
  if (!isPayToScriptHash(scriptPubKey)) return true;
  return derived !== undefined && !derived.scripts.some((script) => parseWitnessProgram(script));
}

function buildOutputs(outputs: BuildOptions['outputs'], network: Network): readonly Paid[] {
  return listOutputs(outputs).map((output) => {
    if ('data' in output) {
      return { value: 0n, scriptPubKey: concatBytes(Uint8Array.of(OP_RETURN), encodePush(output.data)) };
    }
    if ('script' in output) return { value: output.value, scriptPubKey: output.script };
    const { to, value, dnssecProof } = output;
    return { ...payTo(to, value, network), ...(dnssecProof && { named: { dnssecProof } }) };
  });
}

function payTo(to: NonNullable<BuildOptions['change']>, value: bigint, network: Network): Paid {
  if (isSilentChange(to)) return paySilently(to.records, value);
  if (isKnownOutput(to) || !isSilentPaymentText(to)) return { value, scriptPubKey: toScript(to, network) };
  return paySilently({ spV0Info: parseSilentPaymentAddress(to, network) }, value);
}

const paySilently = (silent: SilentPaymentChange['records'], value: bigint): Paid => ({
  value,
  scriptPubKey: placeholderScript(silent.spV0Info),
  silent,
});

const isData = (scriptPubKey: Uint8Array): boolean => scriptPubKey[0] === OP_RETURN;

const dustLimitFor = (scriptPubKey: Uint8Array, network: Network): bigint =>
  BigInt(dustThreshold(scriptPubKey, resolveLimits(network).dustFeeRate));

/** `isFree`: the transaction pays no fee, so that one output may be dust. @see Bitcoin Core "ephemeral dust" */
function assertAmounts(outputs: readonly TxOut[], network: Network, isFree: boolean): void {
  let allowed = Number(isFree);
  for (const [outputIndex, { value, scriptPubKey }] of outputs.entries()) {
    if (!isAmount(value, network)) refuse(`outputs[${outputIndex}]`, NO_AMOUNT);
    const limit = dustLimitFor(scriptPubKey, network);
    if (isData(scriptPubKey) || value >= limit) continue;
    allowed -= 1;
    if (allowed >= 0) continue;
    const message = `Output ${outputIndex} pays ${value} sat, less than it costs to spend: pay at least ${limit} sat`;
    throw new BtcError('build/dust', { outputIndex, value, limit }, message);
  }
}

interface ChangeContext extends Pick<BuildOptions, 'feeRate' | 'fee'> {
  readonly network: Network;
  readonly spends: readonly Spend[];
  readonly sized: readonly SizedInput[];
  readonly paid: readonly TxOut[];
  readonly hasChange: boolean;
}

/** Sets the amount of the change, the last output, or removes it if it would be dust. */
function withChange(psbt: Psbt, context: ChangeContext): Psbt {
  const { spends, paid, network, hasChange } = context;
  const available = spends.reduce((sum, { value }) => sum + value, 0n);
  const spent = paid.reduce((sum, { value }) => sum + value, 0n);
  const computeRest = (candidate: Psbt): bigint => available - spent - computeFee(candidate, context);
  const assertFunds = (rest: bigint): void => {
    if (rest >= 0n) return;
    const needed = available - rest;
    const message = `The inputs hold ${available} sat, but outputs and fee take ${needed} sat: add inputs or pay less`;
    throw new BtcError('build/insufficient-funds', { available, needed }, message);
  };
  const rest = computeRest(psbt);
  if (!hasChange) {
    assertFunds(rest);
    assertSmallRest(rest, context);
    return psbt;
  }
  const { script = NOTHING, ...records } = psbt.outputs.at(-1) ?? {};
  const others = psbt.outputs.slice(0, -1);
  if (rest >= dustLimitFor(script, network))
    return { ...psbt, outputs: [...others, { ...records, script, amount: rest }] };
  const withoutChange = { ...psbt, outputs: others };
  assertFunds(computeRest(withoutChange));
  return withoutChange;
}

function computeFee({ outputs }: Psbt, { fee, feeRate, network, sized }: ChangeContext): bigint {
  if (fee !== undefined && feeRate !== undefined) refuse('fee', 'cannot be combined with feeRate');
  if (fee !== undefined) return fee;
  if (feeRate === undefined || !(feeRate > 0) || !Number.isFinite(feeRate)) {
    return refuse('feeRate', 'must be a number of satoshi per virtual byte, above 0');
  }
  const vsize = signedVsize(
    sized,
    outputs.map(({ amount = 0n, script = NOTHING }) => ({ value: amount, scriptPubKey: script })),
  );
  const rated = Math.ceil(vsize * feeRate);
  return rated <= Number(network.maxMoney)
    ? BigInt(rated)
    : refuse('feeRate', 'the fee would exceed the maximum supply');
}

/** Refuses to leave to the miners what is worth a change output. */
function assertSmallRest(rest: bigint, { fee, network, spends }: ChangeContext): void {
  const [first] = spends;
  const script = first?.records.witnessUtxo?.scriptPubKey ?? NOTHING;
  if (rest === 0n || (fee === undefined && rest < dustLimitFor(script, network))) return;
  refuse('change', `${rest} sat are left over: name a change address, or a fee that includes them`);
}
