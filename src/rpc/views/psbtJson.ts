import { formatHex } from '../../bytes/hex.ts';
import { formatBase58Check } from '../../encoding/base58check.ts';
import { psbtRules } from '../../generations.ts';
import { psbtVersion } from '../../psbt/format/fields.ts';
import { outpointOf, witnessUtxoOf } from '../../psbt/format/inputCoin.ts';
import { inNodeOrder } from '../../psbt/format/nodeOrder.ts';
import type { Psbt, PsbtGlobal, PsbtInput, PsbtOutput } from '../../psbt/format/types.ts';
import { unsignedTransaction } from '../../psbt/format/version.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import type { RpcContext } from '../dialect.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import type { Draft, PsbtJson, PsbtOutputJson, ScriptPubKeyJson } from './jsonTypes.ts';
import {
  derivationsJson,
  isSet,
  musig2ParticipantsJson,
  originJson,
  proprietaryJson,
  setRest,
  setScripts,
  tapDerivationsJson,
  unknownJson,
} from './psbtFields.ts';
import { psbtInputJson } from './psbtInputJson.ts';
import { scriptPubKeyJson } from './scriptJson.ts';
import { transactionJson } from './transactionJson.ts';

/**
 * Builds the answer of `decodepsbt`.
 * @throws `psbt/locktime-conflict` if the dialect shows `tx`, but a version 2 PSBT needs conflicting locktimes
 * @see Bitcoin Core `decodepsbt`
 */
export function psbtJson(decoded: Psbt, { network, dialect }: RpcContext): PsbtJson {
  const psbt = inNodeOrder(decoded);
  const context = { network, dialect, shown: new Map<string, ScriptPubKeyJson>() };
  const { global } = psbt;
  const json: Draft<Partial<PsbtJson>> = {};
  if (global.unsignedTx || dialect.alwaysShowsTx) json.tx = transactionJson(unsignedTransaction(psbt), context);
  if (psbtRules[dialect.generation].showsGlobals) setGlobals(json, psbt, context);
  const answer: Draft<PsbtJson> = Object.assign(json, {
    unknown: unknownJson(global.unknown ?? []),
    inputs: psbt.inputs.map((input, index) => psbtInputJson(input, outpointOf(psbt, index), context)),
    outputs: psbt.outputs.map((output) => outputJson(output, context)),
  });
  const fee = feeOf(psbt, network.maxMoney);
  if (fee === undefined) return answer;
  answer.fee = toCoins(fee);
  return keepExact(answer, 'fee', fee);
}

/** Sets the members between `tx` and `unknown`. */
function setGlobals(json: Draft<Partial<PsbtJson>>, psbt: Psbt, { dialect }: RpcContext): void {
  const { global } = psbt;
  const shows = (content: unknown): boolean => content !== undefined || dialect.showsEmptyNewLists;
  if (shows(global.xpubs)) json.global_xpubs = xpubsJson(global.xpubs ?? []);
  if (global.txVersion !== undefined) json.tx_version = global.txVersion;
  if (global.fallbackLocktime !== undefined) json.fallback_locktime = global.fallbackLocktime;
  if (!global.unsignedTx) {
    json.input_count = psbt.inputs.length;
    json.output_count = psbt.outputs.length;
  }
  if (global.txModifiable !== undefined) setModifiable(json, global.txModifiable);
  if (shows(global.version)) json.psbt_version = psbtVersion(psbt);
  if (shows(global.proprietary)) json.proprietary = proprietaryJson(global.proprietary ?? []);
}

/** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
function setModifiable(json: Draft<Partial<PsbtJson>>, flags: number): void {
  json.inputs_modifiable = (flags & 1) !== 0;
  json.outputs_modifiable = (flags & 2) !== 0;
  json.has_sighash_single = (flags & 4) !== 0;
}

type Xpub = NonNullable<PsbtGlobal['xpubs']>[number];

function xpubsJson(xpubs: readonly Xpub[]): NonNullable<PsbtJson['global_xpubs']> {
  return xpubs.map((entry) => ({ xpub: formatBase58Check(entry.xpub), ...originJson(entry, 'h') }));
}

/** Finds the coin that an input spends; prefers the whole previous transaction to the output alone. */
function utxoOf(input: PsbtInput, outpoint: Outpoint | undefined): TxOut | undefined {
  if (input.nonWitnessUtxo) return outpoint && input.nonWitnessUtxo.outputs[outpoint.vout];
  return witnessUtxoOf(input);
}

/** Returns inputs minus outputs, if every input's UTXO is known and every running sum is in the money range. */
function feeOf(psbt: Psbt, maxMoney: bigint): bigint | undefined {
  const spent = psbt.inputs.map((input, index) => utxoOf(input, outpointOf(psbt, index))?.value);
  const paid = psbt.global.unsignedTx?.outputs.map(({ value }) => value) ?? psbt.outputs.map(({ amount }) => amount);
  const valueIn = sumWithin(spent, maxMoney);
  const valueOut = sumWithin(paid, maxMoney);
  return valueIn === undefined || valueOut === undefined ? undefined : valueIn - valueOut;
}

function sumWithin(values: readonly (bigint | undefined)[], maxMoney: bigint): bigint | undefined {
  let sum = 0n;
  for (const value of values) {
    if (value === undefined || value < 0n || value > maxMoney) return undefined;
    sum += value;
    if (sum > maxMoney) return undefined;
  }
  return sum;
}

/** Returns one element of `outputs`. */
function outputJson(output: PsbtOutput, context: RpcContext): PsbtOutputJson {
  const { amount, script } = output;
  const json: Draft<PsbtOutputJson> = {};
  setScripts(json, output, context);
  if (output.bip32Derivations) {
    json.bip32_derivs = derivationsJson(output.bip32Derivations, context.dialect.hardenedMark);
  }
  if (amount !== undefined) json.amount = toCoins(amount);
  if (script) json.script = scriptPubKeyJson(script, context);
  if (isSet(output.tapInternalKey)) json.taproot_internal_key = formatHex(output.tapInternalKey);
  if (output.tapTree) json.taproot_tree = tapTreeJson(output.tapTree);
  if (output.tapBip32Derivations) json.taproot_bip32_derivs = tapDerivationsJson(output.tapBip32Derivations);
  if (output.musig2Participants) json.musig2_participant_pubkeys = musig2ParticipantsJson(output.musig2Participants);
  setRest(json, output, context);
  return amount === undefined ? json : keepExact(json, 'amount', amount);
}

function tapTreeJson(leaves: NonNullable<PsbtOutput['tapTree']>): NonNullable<PsbtOutputJson['taproot_tree']> {
  return leaves.map(({ depth, leafVersion, script }) => ({ depth, leaf_ver: leafVersion, script: formatHex(script) }));
}
