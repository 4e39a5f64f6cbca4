import { equalBytes } from '../../core/bytes/compare.ts';
import { readWitnessUtxo } from '../../core/psbt/format/inputCoin.ts';
import type { HashPreimage, Musig2Signer, PsbtInput } from '../../core/psbt/format/types.ts';
import { sighashName } from '../../core/script/signatureEncoding.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Outpoint, TxOut } from '../../core/tx/types.ts';
import type { Dialect, RpcContext } from '../dialect/dialect.ts';
import type { Draft, Entries } from '../method/results.ts';
import { byHex, isSet, restDraft, scriptsDraft, tapDerivationDraft } from './psbtFields.ts';
import type { musig2SignerResult, psbtInputResult, tapScriptResult } from './psbtResults.ts';
import { psbtRules } from './psbtRules.ts';
import { scriptSigDraft, utxoScriptPubKeyDraft } from './scriptJson.ts';
import { transactionDraft } from './transactionJson.ts';

type InputDraft = Draft<typeof psbtInputResult>;

/** Expects that a previous transaction has the outpoint's txid, which the decoder has checked. */
export function psbtInputDraft(input: PsbtInput, outpoint: Outpoint | undefined, context: RpcContext): InputDraft {
  const { partialSigs, nonWitnessUtxo } = input;
  const witnessUtxo = readWitnessUtxo(input);
  return {
    witness_utxo: witnessUtxo && utxoDraft(witnessUtxo, context),
    non_witness_utxo: nonWitnessUtxo && transactionDraft(nonWitnessUtxo, context, outpoint?.txid),
    partial_signatures:
      partialSigs &&
      byHex(
        partialSigs,
        ({ pubkey }) => pubkey,
        ({ signature }) => signature,
      ),
    sighash: showsSighash(input, context.dialect) ? sighashName(input.sighashType ?? 0) : undefined,
    ...scriptsDraft(input, context),
    ...finalDraft(input, context),
    ripemd160_preimages: preimagesDraft(input.ripemd160Preimages),
    sha256_preimages: preimagesDraft(input.sha256Preimages),
    hash160_preimages: preimagesDraft(input.hash160Preimages),
    hash256_preimages: preimagesDraft(input.hash256Preimages),
    previous_txid: input.previousTxid && formatTxid(input.previousTxid),
    previous_vout: input.outputIndex,
    sequence: input.sequence,
    time_locktime: input.requiredTimeLocktime,
    height_locktime: input.requiredHeightLocktime,
    ...taprootDraft(input),
    ...musig2Draft(input),
    ...restDraft(input, context),
  };
}

const utxoDraft = ({ value, scriptPubKey }: TxOut, context: RpcContext): NonNullable<InputDraft['witness_utxo']> => ({
  amount: value,
  scriptPubKey: utxoScriptPubKeyDraft(scriptPubKey, context),
});

function showsSighash({ sighashType }: PsbtInput, { psbts }: Dialect): boolean {
  return sighashType !== undefined && (!psbtRules[psbts].dropsSighashBelow1 || (sighashType | 0) > 0);
}

const finalDraft = (
  { finalScriptSig, finalScriptWitness = [] }: PsbtInput,
  { dialect }: RpcContext,
): Pick<InputDraft, 'final_scriptSig' | 'final_scriptsig' | 'final_scriptwitness'> => ({
  [dialect.finalScriptSigMember]: finalScriptSig?.length ? scriptSigDraft(finalScriptSig) : undefined,
  final_scriptwitness: finalScriptWitness.length > 0 || dialect.showsEmptyRecords ? finalScriptWitness : undefined,
});

const preimagesDraft = (preimages: readonly HashPreimage[] | undefined): Entries<Uint8Array> | undefined =>
  preimages &&
  byHex(
    preimages,
    ({ hash }) => hash,
    ({ preimage }) => preimage,
  );

type TaprootMember = Extract<keyof InputDraft, `taproot_${string}`>;

const taprootDraft = (input: PsbtInput): Pick<InputDraft, TaprootMember> => ({
  taproot_key_path_sig: input.tapKeySig,
  taproot_script_path_sigs: input.tapScriptSigs?.map(({ pubkey, leafHash, signature }) => ({
    pubkey,
    leaf_hash: leafHash,
    sig: signature,
  })),
  taproot_scripts: input.tapLeafScripts && tapScriptsDraft(input.tapLeafScripts),
  taproot_bip32_derivs: input.tapBip32Derivations?.map(tapDerivationDraft),
  taproot_internal_key: isSet(input.tapInternalKey) ? input.tapInternalKey : undefined,
  taproot_merkle_root: isSet(input.tapMerkleRoot) ? input.tapMerkleRoot : undefined,
});

type Leaf = NonNullable<PsbtInput['tapLeafScripts']>[number];

const isSameLeaf = (a: Leaf, b: Leaf): boolean => a.leafVersion === b.leafVersion && equalBytes(a.script, b.script);

/** Returns one element per script and leaf version, each with its control blocks, shortest first. */
function tapScriptsDraft(leaves: readonly Leaf[]): readonly Draft<typeof tapScriptResult>[] {
  const scripts: { readonly leaf: Leaf; readonly controlBlocks: Uint8Array[] }[] = [];
  for (const leaf of leaves) {
    const last = scripts.at(-1);
    if (last && isSameLeaf(last.leaf, leaf)) last.controlBlocks.push(leaf.controlBlock);
    else scripts.push({ leaf, controlBlocks: [leaf.controlBlock] });
  }
  return scripts.map(({ leaf, controlBlocks }) => ({
    script: leaf.script,
    leaf_ver: leaf.leafVersion,
    control_blocks: controlBlocks,
  }));
}

const musig2Draft = ({
  musig2PubNonces,
  musig2PartialSigs,
}: PsbtInput): Pick<InputDraft, 'musig2_pubnonces' | 'musig2_partial_sigs'> => ({
  musig2_pubnonces: musig2PubNonces?.map((entry) => ({ ...signerDraft(entry), pubnonce: entry.pubNonce })),
  musig2_partial_sigs: musig2PartialSigs?.map((entry) => ({ ...signerDraft(entry), partial_sig: entry.partialSig })),
});

const signerDraft = ({
  participantPubkey,
  aggregatePubkey,
  leafHash,
}: Musig2Signer): Draft<typeof musig2SignerResult> => ({
  participant_pubkey: participantPubkey,
  aggregate_pubkey: aggregatePubkey,
  leaf_hash: isSet(leafHash) ? leafHash : undefined,
});
