import { equalBytes } from '../../bytes/compare.ts';
import { formatHex } from '../../bytes/hex.ts';
import { psbtRules } from '../../generations.ts';
import { witnessUtxoOf } from '../../psbt/format/inputCoin.ts';
import type { HashPreimage, Musig2Signer, PsbtInput } from '../../psbt/format/types.ts';
import { sighashName } from '../../script/signatureEncoding.ts';
import { formatTxid } from '../../tx/txid.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import type { Dialect, RpcContext } from '../dialect.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import type { Draft, HexMap, Musig2SignerJson, PsbtInputJson, TapScriptJson } from './jsonTypes.ts';
import {
  derivationsJson,
  hexMap,
  isSet,
  musig2ParticipantsJson,
  setRest,
  setScripts,
  tapDerivationsJson,
} from './psbtFields.ts';
import { scriptSigJson, utxoScriptPubKeyJson } from './scriptJson.ts';
import { transactionJson } from './transactionJson.ts';

type InputDraft = Draft<PsbtInputJson>;

/** Returns one element of `inputs`. The decoder has checked that a previous transaction has the outpoint's txid. */
export function psbtInputJson(input: PsbtInput, outpoint: Outpoint | undefined, context: RpcContext): PsbtInputJson {
  const { dialect } = context;
  const json: InputDraft = {};
  const witnessUtxo = witnessUtxoOf(input);
  if (witnessUtxo) json.witness_utxo = utxoJson(witnessUtxo, context);
  if (input.nonWitnessUtxo) json.non_witness_utxo = transactionJson(input.nonWitnessUtxo, context, outpoint?.txid);
  if (input.partialSigs) json.partial_signatures = partialSigsJson(input.partialSigs);
  if (showsSighash(input, dialect)) json.sighash = sighashName(input.sighashType ?? 0);
  setScripts(json, input, context);
  if (input.bip32Derivations) json.bip32_derivs = derivationsJson(input.bip32Derivations, dialect.hardenedMark);
  setFinal(json, input, dialect);
  setPreimages(json, input);
  setOutpoint(json, input);
  setTaproot(json, input);
  setMusig2(json, input);
  setRest(json, input, context);
  return json;
}

function utxoJson({ value, scriptPubKey }: TxOut, context: RpcContext): NonNullable<PsbtInputJson['witness_utxo']> {
  const json = { amount: toCoins(value), scriptPubKey: utxoScriptPubKeyJson(scriptPubKey, context) };
  return keepExact(json, 'amount', value);
}

type PartialSig = NonNullable<PsbtInput['partialSigs']>[number];

function partialSigsJson(partialSigs: readonly PartialSig[]): HexMap {
  return hexMap(
    partialSigs,
    ({ pubkey }) => pubkey,
    ({ signature }) => signature,
  );
}

/** Tells whether the sighash type is shown. */
function showsSighash({ sighashType }: PsbtInput, { generation }: Dialect): boolean {
  return sighashType !== undefined && (!psbtRules[generation].dropsSighashBelow1 || (sighashType | 0) > 0);
}

function setFinal(json: InputDraft, { finalScriptSig, finalScriptWitness = [] }: PsbtInput, dialect: Dialect): void {
  if (finalScriptSig?.length) json[dialect.finalScriptSigMember] = scriptSigJson(finalScriptSig);
  if (finalScriptWitness.length > 0 || dialect.showsEmptyRecords) {
    json.final_scriptwitness = finalScriptWitness.map(formatHex);
  }
}

function setPreimages(json: InputDraft, input: PsbtInput): void {
  if (input.ripemd160Preimages) json.ripemd160_preimages = preimagesJson(input.ripemd160Preimages);
  if (input.sha256Preimages) json.sha256_preimages = preimagesJson(input.sha256Preimages);
  if (input.hash160Preimages) json.hash160_preimages = preimagesJson(input.hash160Preimages);
  if (input.hash256Preimages) json.hash256_preimages = preimagesJson(input.hash256Preimages);
}

function preimagesJson(preimages: readonly HashPreimage[]): HexMap {
  return hexMap(
    preimages,
    ({ hash }) => hash,
    ({ preimage }) => preimage,
  );
}

/** @see BIP370, per-input fields */
function setOutpoint(json: InputDraft, input: PsbtInput): void {
  if (input.previousTxid) json.previous_txid = formatTxid(input.previousTxid);
  if (input.outputIndex !== undefined) json.previous_vout = input.outputIndex;
  if (input.sequence !== undefined) json.sequence = input.sequence;
  if (input.requiredTimeLocktime !== undefined) json.time_locktime = input.requiredTimeLocktime;
  if (input.requiredHeightLocktime !== undefined) json.height_locktime = input.requiredHeightLocktime;
}

/** @see BIP371, per-input fields */
function setTaproot(json: InputDraft, input: PsbtInput): void {
  if (input.tapKeySig) json.taproot_key_path_sig = formatHex(input.tapKeySig);
  if (input.tapScriptSigs) json.taproot_script_path_sigs = tapScriptSigsJson(input.tapScriptSigs);
  if (input.tapLeafScripts) json.taproot_scripts = tapScriptsJson(input.tapLeafScripts);
  if (input.tapBip32Derivations) json.taproot_bip32_derivs = tapDerivationsJson(input.tapBip32Derivations);
  if (isSet(input.tapInternalKey)) json.taproot_internal_key = formatHex(input.tapInternalKey);
  if (isSet(input.tapMerkleRoot)) json.taproot_merkle_root = formatHex(input.tapMerkleRoot);
}

type TapScriptSig = NonNullable<PsbtInput['tapScriptSigs']>[number];

function tapScriptSigsJson(sigs: readonly TapScriptSig[]): NonNullable<PsbtInputJson['taproot_script_path_sigs']> {
  return sigs.map(({ pubkey, leafHash, signature }) => ({
    pubkey: formatHex(pubkey),
    leaf_hash: formatHex(leafHash),
    sig: formatHex(signature),
  }));
}

type Leaf = NonNullable<PsbtInput['tapLeafScripts']>[number];

const isSameLeaf = (a: Leaf, b: Leaf): boolean => a.leafVersion === b.leafVersion && equalBytes(a.script, b.script);

/** Returns one element per script and leaf version, each with its control blocks, shortest first. */
function tapScriptsJson(leaves: readonly Leaf[]): readonly TapScriptJson[] {
  const scripts: (TapScriptJson & { readonly control_blocks: string[] })[] = [];
  leaves.forEach((leaf, i) => {
    const previous = leaves[i - 1];
    const block = formatHex(leaf.controlBlock);
    if (previous && isSameLeaf(previous, leaf)) scripts.at(-1)?.control_blocks.push(block);
    else scripts.push({ script: formatHex(leaf.script), leaf_ver: leaf.leafVersion, control_blocks: [block] });
  });
  return scripts;
}

/** @see BIP373, per-input fields */
function setMusig2(json: InputDraft, { musig2Participants, musig2PubNonces, musig2PartialSigs }: PsbtInput): void {
  if (musig2Participants) json.musig2_participant_pubkeys = musig2ParticipantsJson(musig2Participants);
  if (musig2PubNonces) {
    json.musig2_pubnonces = musig2PubNonces.map((entry) => ({
      ...signerJson(entry),
      pubnonce: formatHex(entry.pubNonce),
    }));
  }
  if (musig2PartialSigs) {
    json.musig2_partial_sigs = musig2PartialSigs.map((entry) => ({
      ...signerJson(entry),
      partial_sig: formatHex(entry.partialSig),
    }));
  }
}

function signerJson({ participantPubkey, aggregatePubkey, leafHash }: Musig2Signer): Musig2SignerJson {
  const json = { participant_pubkey: formatHex(participantPubkey), aggregate_pubkey: formatHex(aggregatePubkey) };
  return isSet(leafHash) ? { ...json, leaf_hash: formatHex(leafHash) } : json;
}
