import { formatBase58Check } from '../../core/encoding/base58check.ts';
import { psbtVersion } from '../../core/psbt/format/fields.ts';
import { inputOutpoint, readWitnessUtxo } from '../../core/psbt/format/inputCoin.ts';
import { inNodeOrder } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt, PsbtGlobal, PsbtInput, PsbtOutput } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import type { ScriptKey } from '../../core/script/scriptKey.ts';
import type { Outpoint, TxOut } from '../../core/tx/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Draft, Json, JsonForm, Members } from '../json/jsonForm.ts';
import {
  derivationsJson,
  isSet,
  musig2ParticipantsJson,
  originMembers,
  proprietaryJson,
  setRest,
  setScripts,
  tapDerivationsJson,
  unknownJson,
} from './psbtFields.ts';
import { psbtInputJson } from './psbtInputJson.ts';
import type { PsbtJson, PsbtOutputJson } from './psbtResults.ts';
import { psbtRules } from './psbtRules.ts';
import { scriptPubKeyJson } from './scriptJson.ts';
import { transactionJson } from './transactionJson.ts';
import type { ScriptPubKeyJson } from './transactionResults.ts';

/** @throws `psbt/locktime-conflict` if the dialect shows `tx`, but a version 2 PSBT needs conflicting locktimes */
export function psbtJson(decoded: Psbt, { network, dialect, json }: RpcContext): Json<PsbtJson> {
  const psbt = inNodeOrder(decoded);
  const context = { network, dialect, json, shown: new Map<ScriptKey, Json<ScriptPubKeyJson>>() };
  const { global } = psbt;
  const head: Draft<Members<Head>> = {};
  if (global.unsignedTx || dialect.alwaysShowsTx) head.tx = transactionJson(unsignedTransaction(psbt), context);
  if (psbtRules[dialect.psbts].showsGlobals) setGlobals(head, psbt, context);
  const members = {
    ...head,
    unknown: unknownJson(global.unknown ?? [], json),
    inputs: json.list(psbt.inputs, (input, index) => psbtInputJson(input, inputOutpoint(psbt, index), context)),
    outputs: json.list(psbt.outputs, (output) => outputJson(output, context)),
  };
  const fee = computeFee(psbt, network.maxMoney);
  return json.object<PsbtJson>(fee === undefined ? members : { ...members, fee: json.amount(fee) });
}

/** The members before `unknown`. */
type Head = Omit<PsbtJson, 'unknown' | 'inputs' | 'outputs' | 'fee'>;

function setGlobals(head: Draft<Members<Head>>, psbt: Psbt, { dialect, json }: RpcContext): void {
  const { global } = psbt;
  const shows = (content: unknown): boolean => content !== undefined || dialect.showsEmptyNewLists;
  if (shows(global.xpubs)) head.global_xpubs = xpubsJson(global.xpubs ?? [], json);
  if (global.txVersion !== undefined) head.tx_version = global.txVersion;
  if (global.fallbackLocktime !== undefined) head.fallback_locktime = global.fallbackLocktime;
  if (!global.unsignedTx) {
    head.input_count = psbt.inputs.length;
    head.output_count = psbt.outputs.length;
  }
  if (global.txModifiable !== undefined) setModifiable(head, global.txModifiable);
  if (shows(global.version)) head.psbt_version = psbtVersion(psbt);
  if (shows(global.proprietary)) head.proprietary = proprietaryJson(global.proprietary ?? [], json);
}

/** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
function setModifiable(head: Draft<Members<Head>>, flags: number): void {
  head.inputs_modifiable = (flags & 1) !== 0;
  head.outputs_modifiable = (flags & 2) !== 0;
  head.has_sighash_single = (flags & 4) !== 0;
}

type Xpub = NonNullable<PsbtGlobal['xpubs']>[number];
type XpubJson = NonNullable<PsbtJson['global_xpubs']>[number];

function xpubsJson(xpubs: readonly Xpub[], json: JsonForm): Json<readonly XpubJson[]> {
  return json.list(xpubs, (entry) =>
    json.object<XpubJson>({ xpub: json.plain(formatBase58Check(entry.xpub)), ...originMembers(entry, 'h', json) }),
  );
}

/** Prefers the whole previous transaction to the output alone. */
function findUtxo(input: PsbtInput, outpoint: Outpoint | undefined): TxOut | undefined {
  if (input.nonWitnessUtxo) return outpoint && input.nonWitnessUtxo.outputs[outpoint.vout];
  return readWitnessUtxo(input);
}

/** Returns `undefined` unless every UTXO is known and every running sum is in the money range. */
function computeFee(psbt: Psbt, maxMoney: bigint): bigint | undefined {
  const spent = psbt.inputs.map((input, index) => findUtxo(input, inputOutpoint(psbt, index))?.value);
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

function outputJson(output: PsbtOutput, context: RpcContext): Json<PsbtOutputJson> {
  const { json } = context;
  const { amount, script, tapInternalKey, tapTree, tapBip32Derivations, musig2Participants } = output;
  const members: Draft<Members<PsbtOutputJson>> = {};
  setScripts(members, output, context);
  if (output.bip32Derivations) members.bip32_derivs = derivationsJson(output.bip32Derivations, context);
  if (amount !== undefined) members.amount = json.amount(amount);
  if (script) members.script = scriptPubKeyJson(script, context);
  if (isSet(tapInternalKey)) members.taproot_internal_key = json.hex(tapInternalKey);
  if (tapTree) members.taproot_tree = tapTreeJson(tapTree, json);
  if (tapBip32Derivations) members.taproot_bip32_derivs = tapDerivationsJson(tapBip32Derivations, json);
  if (musig2Participants) members.musig2_participant_pubkeys = musig2ParticipantsJson(musig2Participants, json);
  setRest(members, output, context);
  return json.object<PsbtOutputJson>(members);
}

type TreeLeafJson = NonNullable<PsbtOutputJson['taproot_tree']>[number];

function tapTreeJson(leaves: NonNullable<PsbtOutput['tapTree']>, json: JsonForm): Json<readonly TreeLeafJson[]> {
  return json.list(leaves, ({ depth, leafVersion, script }) =>
    json.object<TreeLeafJson>({ depth, leaf_ver: leafVersion, script: json.hex(script) }),
  );
}
