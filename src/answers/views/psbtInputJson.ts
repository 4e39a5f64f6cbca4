import { equalBytes } from '../../core/bytes/compare.ts';
import { readWitnessUtxo } from '../../core/psbt/format/inputCoin.ts';
import type { HashPreimage, Musig2Signer, PsbtInput } from '../../core/psbt/format/types.ts';
import { sighashName } from '../../core/script/signatureEncoding.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Outpoint, TxOut } from '../../core/tx/types.ts';
import type { Dialect, RpcContext } from '../dialect/dialect.ts';
import type { Draft, Json, JsonForm, Members } from '../json/jsonForm.ts';
import {
  derivationsJson,
  isSet,
  musig2ParticipantsJson,
  setRest,
  setScripts,
  tapDerivationsJson,
} from './psbtFields.ts';
import type { HexMap, Musig2SignerJson, PsbtInputJson, TapScriptJson } from './psbtResults.ts';
import { psbtRules } from './psbtRules.ts';
import { scriptSigJson, utxoScriptPubKeyJson } from './scriptJson.ts';
import { transactionJson } from './transactionJson.ts';

type InputDraft = Draft<Members<PsbtInputJson>>;
type Leaf = NonNullable<PsbtInput['tapLeafScripts']>[number];
type ScriptPathSig = NonNullable<PsbtInputJson['taproot_script_path_sigs']>[number];
type PubNonceJson = NonNullable<PsbtInputJson['musig2_pubnonces']>[number];
type PartialSigJson = NonNullable<PsbtInputJson['musig2_partial_sigs']>[number];
type UtxoJson = NonNullable<PsbtInputJson['witness_utxo']>;

/** Expects that a previous transaction has the outpoint's txid, which the decoder has checked. */
export function psbtInputJson(
  input: PsbtInput,
  outpoint: Outpoint | undefined,
  context: RpcContext,
): Json<PsbtInputJson> {
  const { dialect, json } = context;
  const members: InputDraft = {};
  const witnessUtxo = readWitnessUtxo(input);
  if (witnessUtxo) members.witness_utxo = utxoJson(witnessUtxo, context);
  if (input.nonWitnessUtxo) members.non_witness_utxo = transactionJson(input.nonWitnessUtxo, context, outpoint?.txid);
  if (input.partialSigs) members.partial_signatures = partialSigsJson(input.partialSigs, json);
  if (showsSighash(input, dialect)) members.sighash = json.plain(sighashName(input.sighashType ?? 0));
  setScripts(members, input, context);
  if (input.bip32Derivations) members.bip32_derivs = derivationsJson(input.bip32Derivations, context);
  setFinal(members, input, context);
  setPreimages(members, input, json);
  setOutpoint(members, input, json);
  setTaproot(members, input, json);
  setMusig2(members, input, json);
  setRest(members, input, context);
  return json.object<PsbtInputJson>(members);
}

function utxoJson({ value, scriptPubKey }: TxOut, context: RpcContext): Json<UtxoJson> {
  const { json } = context;
  return json.object<UtxoJson>({
    amount: json.amount(value),
    scriptPubKey: utxoScriptPubKeyJson(scriptPubKey, context),
  });
}

type PartialSig = NonNullable<PsbtInput['partialSigs']>[number];

function partialSigsJson(partialSigs: readonly PartialSig[], json: JsonForm): Json<HexMap> {
  return json.hexMap(
    partialSigs,
    ({ pubkey }) => pubkey,
    ({ signature }) => signature,
  );
}

function showsSighash({ sighashType }: PsbtInput, { psbts }: Dialect): boolean {
  return sighashType !== undefined && (!psbtRules[psbts].dropsSighashBelow1 || (sighashType | 0) > 0);
}

function setFinal(
  members: InputDraft,
  { finalScriptSig, finalScriptWitness = [] }: PsbtInput,
  { dialect, json }: RpcContext,
): void {
  if (finalScriptSig?.length) members[dialect.finalScriptSigMember] = scriptSigJson(finalScriptSig, json);
  if (finalScriptWitness.length > 0 || dialect.showsEmptyRecords) {
    members.final_scriptwitness = json.list(finalScriptWitness, json.hex);
  }
}

function setPreimages(members: InputDraft, input: PsbtInput, json: JsonForm): void {
  if (input.ripemd160Preimages) members.ripemd160_preimages = preimagesJson(input.ripemd160Preimages, json);
  if (input.sha256Preimages) members.sha256_preimages = preimagesJson(input.sha256Preimages, json);
  if (input.hash160Preimages) members.hash160_preimages = preimagesJson(input.hash160Preimages, json);
  if (input.hash256Preimages) members.hash256_preimages = preimagesJson(input.hash256Preimages, json);
}

function preimagesJson(preimages: readonly HashPreimage[], json: JsonForm): Json<HexMap> {
  return json.hexMap(
    preimages,
    ({ hash }) => hash,
    ({ preimage }) => preimage,
  );
}

function setOutpoint(members: InputDraft, input: PsbtInput, json: JsonForm): void {
  if (input.previousTxid) members.previous_txid = json.plain(formatTxid(input.previousTxid));
  if (input.outputIndex !== undefined) members.previous_vout = input.outputIndex;
  if (input.sequence !== undefined) members.sequence = input.sequence;
  if (input.requiredTimeLocktime !== undefined) members.time_locktime = input.requiredTimeLocktime;
  if (input.requiredHeightLocktime !== undefined) members.height_locktime = input.requiredHeightLocktime;
}

function setTaproot(members: InputDraft, input: PsbtInput, json: JsonForm): void {
  if (input.tapKeySig) members.taproot_key_path_sig = json.hex(input.tapKeySig);
  if (input.tapScriptSigs) members.taproot_script_path_sigs = tapScriptSigsJson(input.tapScriptSigs, json);
  if (input.tapLeafScripts) members.taproot_scripts = tapScriptsJson(input.tapLeafScripts, json);
  if (input.tapBip32Derivations) members.taproot_bip32_derivs = tapDerivationsJson(input.tapBip32Derivations, json);
  if (isSet(input.tapInternalKey)) members.taproot_internal_key = json.hex(input.tapInternalKey);
  if (isSet(input.tapMerkleRoot)) members.taproot_merkle_root = json.hex(input.tapMerkleRoot);
}

type TapScriptSig = NonNullable<PsbtInput['tapScriptSigs']>[number];

function tapScriptSigsJson(sigs: readonly TapScriptSig[], json: JsonForm): Json<readonly ScriptPathSig[]> {
  return json.list(sigs, ({ pubkey, leafHash, signature }) =>
    json.object<ScriptPathSig>({
      pubkey: json.hex(pubkey),
      leaf_hash: json.hex(leafHash),
      sig: json.hex(signature),
    }),
  );
}

const isSameLeaf = (a: Leaf, b: Leaf): boolean => a.leafVersion === b.leafVersion && equalBytes(a.script, b.script);

/** Returns one element per script and leaf version, each with its control blocks, shortest first. */
function tapScriptsJson(leaves: readonly Leaf[], json: JsonForm): Json<readonly TapScriptJson[]> {
  const scripts: { readonly leaf: Leaf; readonly controlBlocks: Uint8Array[] }[] = [];
  for (const leaf of leaves) {
    const last = scripts.at(-1);
    if (last && isSameLeaf(last.leaf, leaf)) last.controlBlocks.push(leaf.controlBlock);
    else scripts.push({ leaf, controlBlocks: [leaf.controlBlock] });
  }
  return json.list(scripts, ({ leaf, controlBlocks }) =>
    json.object<TapScriptJson>({
      script: json.hex(leaf.script),
      leaf_ver: leaf.leafVersion,
      control_blocks: json.list(controlBlocks, json.hex),
    }),
  );
}

function setMusig2(
  members: InputDraft,
  { musig2Participants, musig2PubNonces, musig2PartialSigs }: PsbtInput,
  json: JsonForm,
): void {
  if (musig2Participants) members.musig2_participant_pubkeys = musig2ParticipantsJson(musig2Participants, json);
  if (musig2PubNonces) {
    members.musig2_pubnonces = json.list(musig2PubNonces, (entry) =>
      json.object<PubNonceJson>({ ...signerMembers(entry, json), pubnonce: json.hex(entry.pubNonce) }),
    );
  }
  if (musig2PartialSigs) {
    members.musig2_partial_sigs = json.list(musig2PartialSigs, (entry) =>
      json.object<PartialSigJson>({ ...signerMembers(entry, json), partial_sig: json.hex(entry.partialSig) }),
    );
  }
}

function signerMembers(
  { participantPubkey, aggregatePubkey, leafHash }: Musig2Signer,
  json: JsonForm,
): Members<Musig2SignerJson> {
  const keys = { participant_pubkey: json.hex(participantPubkey), aggregate_pubkey: json.hex(aggregatePubkey) };
  return isSet(leafHash) ? { ...keys, leaf_hash: json.hex(leafHash) } : keys;
}
