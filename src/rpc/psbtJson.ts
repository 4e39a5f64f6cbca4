import { compactSize, encode, varBytes } from '../bytes/codec.ts';
import { compareBytes, concatBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { hash160 } from '../crypto/hash.ts';
import { psbtVersion } from '../psbt/fields.ts';
import type {
  HashPreimage,
  KeyOrigin,
  Musig2Participants,
  Musig2Signer,
  ProprietaryRecord,
  Psbt,
  PsbtGlobal,
  PsbtInput,
  PsbtOutput,
  TapKeyOrigin,
  UnknownRecord,
} from '../psbt/types.ts';
import { unsignedTransaction } from '../psbt/version.ts';
import { sighashName } from '../script/signatureEncoding.ts';
import { formatBase58Check } from '../text/base58check.ts';
import { formatTxid } from '../tx/txid.ts';
import type { Outpoint, TxOut } from '../tx/types.ts';
import type { Dialect, RpcContext } from './dialect.ts';
import { keepExact, orderedObject, toCoins } from './exact.ts';
import {
  type ScriptJson,
  type ScriptPubKeyJson,
  type ScriptSigJson,
  scriptJson,
  scriptPubKeyJson,
  scriptSigJson,
  utxoScriptPubKeyJson,
} from './scriptJson.ts';
import { type TransactionJson, transactionJson } from './transactionJson.ts';

type HexMap = Readonly<Record<string, string>>;

interface ProprietaryJson {
  readonly identifier: string;
  readonly subtype: number;
  readonly key: string;
  readonly value: string;
}

interface DerivationJson {
  readonly pubkey: string;
  readonly master_fingerprint: string;
  readonly path: string;
}

interface TapDerivationJson extends DerivationJson {
  readonly leaf_hashes: readonly string[];
}

interface Musig2ParticipantsJson {
  readonly aggregate_pubkey: string;
  readonly participant_pubkeys: readonly string[];
}

interface Musig2SignerJson {
  readonly participant_pubkey: string;
  readonly aggregate_pubkey: string;
  readonly leaf_hash?: string;
}

/** What `decodepsbt` answers; which members are there depends on the PSBT and the dialect. */
export interface PsbtJson {
  readonly tx?: TransactionJson;
  readonly global_xpubs?: readonly {
    readonly xpub: string;
    readonly master_fingerprint: string;
    readonly path: string;
  }[];
  readonly tx_version?: number;
  readonly fallback_locktime?: number;
  readonly input_count?: number;
  readonly output_count?: number;
  readonly inputs_modifiable?: boolean;
  readonly outputs_modifiable?: boolean;
  readonly has_sighash_single?: boolean;
  readonly psbt_version?: number;
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown: HexMap;
  readonly inputs: readonly PsbtInputJson[];
  readonly outputs: readonly PsbtOutputJson[];
  /** In coins. */
  readonly fee?: number;
}

export interface PsbtInputJson {
  readonly witness_utxo?: {
    readonly amount: number;
    readonly scriptPubKey: ScriptPubKeyJson;
  };
  readonly non_witness_utxo?: TransactionJson;
  readonly partial_signatures?: HexMap;
  readonly sighash?: string;
  readonly redeem_script?: ScriptJson;
  readonly witness_script?: ScriptJson;
  readonly bip32_derivs?: readonly DerivationJson[];
  /** What nodes print. */
  readonly final_scriptSig?: ScriptSigJson;
  /** What the contract writes. */
  readonly final_scriptsig?: ScriptSigJson;
  readonly final_scriptwitness?: readonly string[];
  readonly ripemd160_preimages?: HexMap;
  readonly sha256_preimages?: HexMap;
  readonly hash160_preimages?: HexMap;
  readonly hash256_preimages?: HexMap;
  readonly previous_txid?: string;
  readonly previous_vout?: number;
  readonly sequence?: number;
  readonly time_locktime?: number;
  readonly height_locktime?: number;
  readonly taproot_key_path_sig?: string;
  readonly taproot_script_path_sigs?: readonly {
    readonly pubkey: string;
    readonly leaf_hash: string;
    readonly sig: string;
  }[];
  readonly taproot_scripts?: readonly TapScriptJson[];
  readonly taproot_bip32_derivs?: readonly TapDerivationJson[];
  readonly taproot_internal_key?: string;
  readonly taproot_merkle_root?: string;
  readonly musig2_participant_pubkeys?: readonly Musig2ParticipantsJson[];
  readonly musig2_pubnonces?: readonly (Musig2SignerJson & {
    readonly pubnonce: string;
  })[];
  readonly musig2_partial_sigs?: readonly (Musig2SignerJson & {
    readonly partial_sig: string;
  })[];
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown?: HexMap;
}

export interface PsbtOutputJson {
  readonly redeem_script?: ScriptJson;
  readonly witness_script?: ScriptJson;
  readonly bip32_derivs?: readonly DerivationJson[];
  readonly amount?: number;
  readonly script?: ScriptPubKeyJson;
  readonly taproot_internal_key?: string;
  readonly taproot_tree?: readonly {
    readonly depth: number;
    readonly leaf_ver: number;
    readonly script: string;
  }[];
  readonly taproot_bip32_derivs?: readonly TapDerivationJson[];
  readonly musig2_participant_pubkeys?: readonly Musig2ParticipantsJson[];
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown?: HexMap;
}

interface TapScriptJson {
  readonly script: string;
  readonly leaf_ver: number;
  readonly control_blocks: readonly string[];
}

/** A value that a map is ordered by, and what it is ordered as. */
const byBytes =
  <T>(bytesOf: (item: T) => Uint8Array) =>
  (a: T, b: T): number =>
    compareBytes(bytesOf(a), bytesOf(b));

const sorted = <T>(items: readonly T[] | undefined, compare: (a: T, b: T) => number): T[] =>
  [...(items ?? [])].sort(compare);

/** @see Bitcoin Core `decodepsbt` */
export function psbtJson(psbt: Psbt, context: RpcContext): PsbtJson {
  const { dialect } = context;
  const { global } = psbt;
  const tx = global.unsignedTx ?? (dialect.followsContract ? unsignedTransaction(psbt) : undefined);
  const json = {
    ...(tx && { tx: transactionJson(tx, context) }),
    ...(dialect.generation === 'core-31' && modernGlobals(psbt, dialect)),
    unknown: unknownJson(global.unknown),
    inputs: psbt.inputs.map((input, index) => inputJson(input, outpointOf(psbt, index), context)),
    outputs: psbt.outputs.map((output) => outputJson(output, context)),
  };
  const fee = feeOf(psbt, context.network.maxMoney);
  return fee === undefined ? json : keepExact({ ...json, fee: toCoins(fee) }, 'fee', fee);
}

/** What 0.21 does not know of: the members between `tx` and `unknown`. */
function modernGlobals(psbt: Psbt, dialect: Dialect): Partial<PsbtJson> {
  const { global } = psbt;
  const xpubs = xpubsJson(global);
  const proprietary = proprietaryJson(global.proprietary);
  const shows = (content: readonly unknown[]): boolean => content.length > 0 || !dialect.followsContract;
  return {
    ...(shows(xpubs) && { global_xpubs: xpubs }),
    ...(global.txVersion !== undefined && { tx_version: global.txVersion }),
    ...(global.fallbackLocktime !== undefined && {
      fallback_locktime: global.fallbackLocktime,
    }),
    ...(!global.unsignedTx && {
      input_count: psbt.inputs.length,
      output_count: psbt.outputs.length,
    }),
    ...(global.txModifiable !== undefined && modifiableJson(global.txModifiable)),
    ...((global.version !== undefined || !dialect.followsContract) && {
      psbt_version: psbtVersion(psbt),
    }),
    ...(shows(proprietary) && { proprietary }),
  };
}

/** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
function modifiableJson(flags: number): Partial<PsbtJson> {
  return {
    inputs_modifiable: (flags & 1) !== 0,
    outputs_modifiable: (flags & 2) !== 0,
    has_sighash_single: (flags & 4) !== 0,
  };
}

/** Ordered by origin, then public key and chain code; an xpub that differs in its version bytes only shows once. */
function xpubsJson({ xpubs }: PsbtGlobal): NonNullable<PsbtJson['global_xpubs']> {
  type Entry = NonNullable<PsbtGlobal['xpubs']>[number];
  const compareKeys = byBytes<Entry>(({ xpub }) => concatBytes(xpub.subarray(45), xpub.subarray(13, 45)));
  const compare = (a: Entry, b: Entry): number => compareOrigins(a, b) || compareKeys(a, b);
  const ordered = sorted(xpubs, compare);
  const distinct = ordered.filter((entry, i) => {
    const previous = ordered[i - 1];
    return !previous || compare(previous, entry) !== 0;
  });
  return distinct.map((entry) => ({
    xpub: formatBase58Check(entry.xpub),
    ...originJson(entry, 'h'),
  }));
}

/** @see Bitcoin Core `KeyOriginInfo::operator<` */
function compareOrigins(a: KeyOrigin, b: KeyOrigin): number {
  const difference = compareBytes(a.fingerprint, b.fingerprint) || a.path.length - b.path.length;
  if (difference !== 0) return difference;
  const step = a.path.findIndex((child, i) => child !== b.path[i]);
  return step < 0 ? 0 : (a.path[step] ?? 0) - (b.path[step] ?? 0);
}

function originJson(origin: KeyOrigin, hardenedMark: string): { master_fingerprint: string; path: string } {
  const steps = origin.path.map((child) => `/${child & 0x7fffffff}${child > 0x7fffffff ? hardenedMark : ''}`);
  return {
    master_fingerprint: formatHex(origin.fingerprint),
    path: `m${steps.join('')}`,
  };
}

function unknownJson(records: readonly UnknownRecord[] | undefined): HexMap {
  const ordered = sorted(
    records,
    byBytes(({ key }) => key),
  );
  return orderedObject(ordered.map(({ key, value }) => [formatHex(key), formatHex(value)] as const));
}

const PROPRIETARY_TYPE = Uint8Array.of(0xfc);

function proprietaryJson(records: readonly ProprietaryRecord[] | undefined): ProprietaryJson[] {
  const keyed = (records ?? []).map((record) => {
    const { identifier, subtype, keyData } = record;
    return {
      record,
      key: concatBytes(PROPRIETARY_TYPE, encode(varBytes, identifier), encode(compactSize, subtype), keyData),
    };
  });
  return sorted(
    keyed,
    byBytes(({ key }) => key),
  ).map(({ record, key }) => ({
    identifier: formatHex(record.identifier),
    subtype: record.subtype,
    key: formatHex(key),
    value: formatHex(record.value),
  }));
}

/** The output that an input spends, where the PSBT says so. */
function outpointOf({ global, inputs }: Psbt, index: number): Outpoint | undefined {
  const { previousTxid: txid, outputIndex: vout } = inputs[index] ?? {};
  if (global.unsignedTx) return global.unsignedTx.inputs[index]?.outpoint;
  return txid && vout !== undefined ? { txid, vout } : undefined;
}

/** The output that an input spends; the whole previous transaction counts more than the output alone. */
function utxoOf(input: PsbtInput, outpoint: Outpoint | undefined): TxOut | undefined {
  if (input.nonWitnessUtxo) return outpoint && input.nonWitnessUtxo.outputs[outpoint.vout];
  return hasWitnessUtxo(input) ? input.witnessUtxo : undefined;
}

const NO_VALUE = -1n;
const hasWitnessUtxo = ({ witnessUtxo }: PsbtInput): boolean =>
  witnessUtxo !== undefined && witnessUtxo.value !== NO_VALUE;

/** Inputs less outputs, if every input's UTXO is known and every running sum is an amount that can exist. */
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

function inputJson(input: PsbtInput, outpoint: Outpoint | undefined, context: RpcContext): PsbtInputJson {
  return {
    ...utxosJson(input, outpoint, context),
    ...signaturesJson(input, context.dialect),
    ...scriptsJson(input, context),
    ...derivationsJson(input, context.dialect),
    ...finalJson(input, context.dialect),
    ...preimagesJson(input),
    ...outpointJson(input),
    ...tapInputJson(input),
    ...musig2Json(input),
    ...restJson(input, context.dialect),
  };
}

function utxosJson(input: PsbtInput, outpoint: Outpoint | undefined, context: RpcContext): PsbtInputJson {
  const { witnessUtxo, nonWitnessUtxo } = input;
  return {
    ...(witnessUtxo &&
      hasWitnessUtxo(input) && {
        witness_utxo: utxoJson(witnessUtxo, context),
      }),
    // The decoder has compared the previous transaction's hash to the outpoint's.
    ...(nonWitnessUtxo && {
      non_witness_utxo: transactionJson(nonWitnessUtxo, context, outpoint?.txid),
    }),
  };
}

function utxoJson({ value, scriptPubKey }: TxOut, context: RpcContext): NonNullable<PsbtInputJson['witness_utxo']> {
  const json = {
    amount: toCoins(value),
    scriptPubKey: utxoScriptPubKeyJson(scriptPubKey, context),
  };
  return keepExact(json, 'amount', value);
}

function signaturesJson({ partialSigs, sighashType }: PsbtInput, { generation }: Dialect): PsbtInputJson {
  const isShown = sighashType !== undefined && (generation === 'core-31' || (sighashType | 0) > 0);
  return {
    ...(partialSigs && { partial_signatures: partialSigsJson(partialSigs) }),
    ...(isShown && { sighash: sighashName(sighashType) }),
  };
}

/** Ordered by the hash of the key, as the node's map is. */
function partialSigsJson(partialSigs: NonNullable<PsbtInput['partialSigs']>): HexMap {
  const hashed = partialSigs.length === 1 ? partialSigs : sortedByHash(partialSigs);
  return Object.fromEntries(hashed.map(({ pubkey, signature }) => [formatHex(pubkey), formatHex(signature)]));
}

function sortedByHash<T extends { readonly pubkey: Uint8Array }>(entries: readonly T[]): readonly T[] {
  const hashed = entries.map((entry) => ({
    entry,
    hash: hash160(entry.pubkey),
  }));
  return sorted(
    hashed,
    byBytes(({ hash }) => hash),
  ).map(({ entry }) => entry);
}

/** Scripts that hold something; an empty one counts as absent. */
function scriptsJson({ redeemScript, witnessScript }: PsbtInput | PsbtOutput, context: RpcContext) {
  return {
    ...(redeemScript?.length && {
      redeem_script: scriptJson(redeemScript, context),
    }),
    ...(witnessScript?.length && {
      witness_script: scriptJson(witnessScript, context),
    }),
  };
}

function derivationsJson({ bip32Derivations }: PsbtInput | PsbtOutput, { hardenedMark }: Dialect) {
  if (!bip32Derivations) return {};
  const ordered = sorted(
    bip32Derivations,
    byBytes(({ pubkey }) => pubkey),
  );
  return {
    bip32_derivs: ordered.map((entry) => ({
      pubkey: formatHex(entry.pubkey),
      ...originJson(entry, hardenedMark),
    })),
  };
}

function finalJson({ finalScriptSig, finalScriptWitness = [] }: PsbtInput, dialect: Dialect): PsbtInputJson {
  const showsWitness = finalScriptWitness.length > 0 || dialect.followsContract;
  return {
    ...(finalScriptSig?.length && {
      [dialect.finalScriptSigMember]: scriptSigJson(finalScriptSig),
    }),
    ...(showsWitness && {
      final_scriptwitness: finalScriptWitness.map(formatHex),
    }),
  };
}

function preimagesJson(input: PsbtInput): PsbtInputJson {
  const hexMap = (preimages: readonly HashPreimage[]): HexMap => {
    const ordered = sorted(
      preimages,
      byBytes(({ hash }) => hash),
    );
    return Object.fromEntries(ordered.map(({ hash, preimage }) => [formatHex(hash), formatHex(preimage)]));
  };
  return {
    ...(input.ripemd160Preimages && {
      ripemd160_preimages: hexMap(input.ripemd160Preimages),
    }),
    ...(input.sha256Preimages && {
      sha256_preimages: hexMap(input.sha256Preimages),
    }),
    ...(input.hash160Preimages && {
      hash160_preimages: hexMap(input.hash160Preimages),
    }),
    ...(input.hash256Preimages && {
      hash256_preimages: hexMap(input.hash256Preimages),
    }),
  };
}

/** @see BIP370, per-input fields */
function outpointJson(input: PsbtInput): PsbtInputJson {
  return {
    ...(input.previousTxid && {
      previous_txid: formatTxid(input.previousTxid),
    }),
    ...(input.outputIndex !== undefined && {
      previous_vout: input.outputIndex,
    }),
    ...(input.sequence !== undefined && { sequence: input.sequence }),
    ...(input.requiredTimeLocktime !== undefined && {
      time_locktime: input.requiredTimeLocktime,
    }),
    ...(input.requiredHeightLocktime !== undefined && {
      height_locktime: input.requiredHeightLocktime,
    }),
  };
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** @see BIP371, per-input fields */
function tapInputJson(input: PsbtInput): PsbtInputJson {
  const { tapKeySig, tapScriptSigs, tapLeafScripts, tapMerkleRoot } = input;
  return {
    ...(tapKeySig && { taproot_key_path_sig: formatHex(tapKeySig) }),
    ...(tapScriptSigs && {
      taproot_script_path_sigs: tapScriptSigsJson(tapScriptSigs),
    }),
    ...(tapLeafScripts && { taproot_scripts: tapScriptsJson(tapLeafScripts) }),
    ...tapDerivationsJson(input),
    ...tapInternalKeyJson(input),
    ...(tapMerkleRoot &&
      !isZero(tapMerkleRoot) && {
        taproot_merkle_root: formatHex(tapMerkleRoot),
      }),
  };
}

function tapScriptSigsJson(sigs: NonNullable<PsbtInput['tapScriptSigs']>) {
  const ordered = sorted(
    sigs,
    byBytes(({ pubkey, leafHash }) => concatBytes(pubkey, leafHash)),
  );
  return ordered.map(({ pubkey, leafHash, signature }) => ({
    pubkey: formatHex(pubkey),
    leaf_hash: formatHex(leafHash),
    sig: formatHex(signature),
  }));
}

/** One element per script and leaf version; its control blocks shortest first. */
function tapScriptsJson(leaves: NonNullable<PsbtInput['tapLeafScripts']>): TapScriptJson[] {
  type Leaf = (typeof leaves)[number];
  const compareLeaves = (a: Leaf, b: Leaf): number => compareBytes(a.script, b.script) || a.leafVersion - b.leafVersion;
  const compareBlocks = (a: Leaf, b: Leaf): number =>
    a.controlBlock.length - b.controlBlock.length || compareBytes(a.controlBlock, b.controlBlock);
  const groups: Leaf[][] = [];
  for (const leaf of sorted(leaves, (a, b) => compareLeaves(a, b) || compareBlocks(a, b))) {
    const [first] = groups.at(-1) ?? [];
    if (first && compareLeaves(first, leaf) === 0) groups.at(-1)?.push(leaf);
    else groups.push([leaf]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const control_blocks = group.map(({ controlBlock }) => formatHex(controlBlock));
    return [
      {
        script: formatHex(first.script),
        leaf_ver: first.leafVersion,
        control_blocks,
      },
    ];
  });
}

function tapInternalKeyJson({ tapInternalKey }: PsbtInput | PsbtOutput) {
  return tapInternalKey && !isZero(tapInternalKey) ? { taproot_internal_key: formatHex(tapInternalKey) } : {};
}

function tapDerivationsJson({ tapBip32Derivations }: PsbtInput | PsbtOutput) {
  if (!tapBip32Derivations) return {};
  const ordered = sorted(
    tapBip32Derivations,
    byBytes(({ pubkey }) => pubkey),
  );
  return { taproot_bip32_derivs: ordered.map(tapDerivationJson) };
}

function tapDerivationJson(entry: TapKeyOrigin): TapDerivationJson {
  const hashes = entry.leafHashes.map(formatHex);
  return {
    pubkey: formatHex(entry.pubkey),
    ...originJson(entry, 'h'),
    leaf_hashes: [...new Set(hashes)].sort(),
  };
}

/** @see BIP373, per-input fields */
function musig2Json(input: PsbtInput): PsbtInputJson {
  const { musig2PubNonces, musig2PartialSigs } = input;
  return {
    ...musig2ParticipantsJson(input),
    ...(musig2PubNonces && {
      musig2_pubnonces: sorted(musig2PubNonces, compareMusig2).map((entry) => ({
        ...musig2SignerJson(entry),
        pubnonce: formatHex(entry.pubNonce),
      })),
    }),
    ...(musig2PartialSigs && {
      musig2_partial_sigs: sorted(musig2PartialSigs, compareMusig2).map((entry) => ({
        ...musig2SignerJson(entry),
        partial_sig: formatHex(entry.partialSig),
      })),
    }),
  };
}

const NO_LEAF = new Uint8Array(32);

const compareMusig2 = byBytes<Musig2Signer>(({ aggregatePubkey, leafHash = NO_LEAF, participantPubkey }) =>
  concatBytes(aggregatePubkey, leafHash, participantPubkey),
);

function musig2SignerJson({ participantPubkey, aggregatePubkey, leafHash }: Musig2Signer): Musig2SignerJson {
  return {
    participant_pubkey: formatHex(participantPubkey),
    aggregate_pubkey: formatHex(aggregatePubkey),
    ...(leafHash && !isZero(leafHash) && { leaf_hash: formatHex(leafHash) }),
  };
}

function musig2ParticipantsJson({ musig2Participants }: PsbtInput | PsbtOutput) {
  if (!musig2Participants) return {};
  const ordered = sorted<Musig2Participants>(
    musig2Participants,
    byBytes(({ aggregatePubkey }) => aggregatePubkey),
  );
  return {
    musig2_participant_pubkeys: ordered.map(({ aggregatePubkey, participants }) => ({
      aggregate_pubkey: formatHex(aggregatePubkey),
      participant_pubkeys: participants.map(formatHex),
    })),
  };
}

/** Proprietary and unknown records, where a map has any; `unknown` always in the contract's shape. */
function restJson({ proprietary, unknown }: PsbtInput | PsbtOutput, { followsContract }: Dialect) {
  return {
    ...(proprietary && { proprietary: proprietaryJson(proprietary) }),
    ...((unknown || followsContract) && { unknown: unknownJson(unknown) }),
  };
}

function outputJson(output: PsbtOutput, context: RpcContext): PsbtOutputJson {
  const { amount, script, tapTree } = output;
  const json = {
    ...scriptsJson(output, context),
    ...derivationsJson(output, context.dialect),
    ...(amount !== undefined && { amount: toCoins(amount) }),
    ...(script && { script: scriptPubKeyJson(script, context) }),
    ...tapInternalKeyJson(output),
    ...(tapTree && {
      taproot_tree: tapTree.map(({ depth, leafVersion, script: leaf }) => ({
        depth,
        leaf_ver: leafVersion,
        script: formatHex(leaf),
      })),
    }),
    ...tapDerivationsJson(output),
    ...musig2ParticipantsJson(output),
    ...restJson(output, context.dialect),
  };
  return amount === undefined ? json : keepExact(json, 'amount', amount);
}
