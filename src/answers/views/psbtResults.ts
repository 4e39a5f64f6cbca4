import { PSBT_2 } from '../dialect/dialectNames.ts';
import {
  type Answer,
  amount,
  dictionary,
  flag,
  hex,
  likeAnswer,
  list,
  maybe,
  members,
  numeric,
  type Result,
  text,
} from '../method/results.ts';
import {
  scriptPubKeyResult,
  scriptResult,
  scriptSigResult,
  transactionResult,
  utxoScriptPubKeyResult,
} from './transactionResults.ts';

const hexMapResult = dictionary(hex(), 'by key');

export const proprietaryResult = members({ identifier: hex(), subtype: numeric(), key: hex(), value: hex() });

const originMembers = { master_fingerprint: hex(), path: text() };

export const derivationResult = members({ pubkey: hex(), ...originMembers });

export const tapDerivationResult = members({ ...derivationResult.members, leaf_hashes: list(hex()) });

export const musig2ParticipantsResult = members({ aggregate_pubkey: hex(), participant_pubkeys: list(hex()) });

export const musig2SignerResult = members({
  participant_pubkey: hex(),
  aggregate_pubkey: hex(),
  leaf_hash: maybe(hex()),
});

export const tapScriptResult = members({ script: hex(), leaf_ver: numeric(), control_blocks: list(hex()) });

/** Declares members that earlier nodes lack: they show such a record among the unknown ones. */
const since29 = <R extends Result>(result: R) => maybe(result, { since: 'core-29' });
const since30 = <R extends Result>(result: R) => maybe(result, { since: 'core-30' });
const ofVersion2 = <R extends Result>(result: R) => maybe(result, PSBT_2);

/** The first members of an input and of an output. */
export const scriptMembers = {
  redeem_script: maybe(scriptResult),
  witness_script: maybe(scriptResult),
  bip32_derivs: maybe(list(derivationResult)),
};

export const participantMembers = { musig2_participant_pubkeys: since30(list(musig2ParticipantsResult)) };

/** The last members of an input and of an output. */
export const restMembers = {
  proprietary: since29(list(proprietaryResult)),
  unknown: maybe(hexMapResult),
};

export const psbtInputResult = members({
  witness_utxo: maybe(members({ amount: amount(), scriptPubKey: utxoScriptPubKeyResult })),
  non_witness_utxo: maybe(likeAnswer('decoderawtransaction', transactionResult)),
  partial_signatures: maybe(dictionary(hex(), 'by public key')),
  sighash: maybe(text()),
  ...scriptMembers,
  final_scriptSig: maybe(scriptSigResult),
  final_scriptsig: maybe(scriptSigResult, { onlyInDialect: 'documented' }),
  final_scriptwitness: maybe(list(hex())),
  ripemd160_preimages: since29(dictionary(hex(), 'by hash')),
  sha256_preimages: since29(dictionary(hex(), 'by hash')),
  hash160_preimages: since29(dictionary(hex(), 'by hash')),
  hash256_preimages: since29(dictionary(hex(), 'by hash')),
  previous_txid: ofVersion2(hex('of version 2, as the next four')),
  previous_vout: ofVersion2(numeric()),
  sequence: ofVersion2(numeric()),
  time_locktime: ofVersion2(numeric()),
  height_locktime: ofVersion2(numeric()),
  taproot_key_path_sig: since29(hex()),
  taproot_script_path_sigs: since29(list(members({ pubkey: hex(), leaf_hash: hex(), sig: hex() }))),
  taproot_scripts: since29(list(tapScriptResult)),
  taproot_bip32_derivs: since29(list(tapDerivationResult)),
  taproot_internal_key: since29(hex()),
  taproot_merkle_root: since29(hex()),
  ...participantMembers,
  musig2_pubnonces: since30(list(members({ ...musig2SignerResult.members, pubnonce: hex() }))),
  musig2_partial_sigs: since30(list(members({ ...musig2SignerResult.members, partial_sig: hex() }))),
  ...restMembers,
});

/** One input in the answer of `decodepsbt`. */
export type PsbtInputJson = Answer<typeof psbtInputResult>;

export const psbtOutputResult = members({
  ...scriptMembers,
  amount: ofVersion2(amount('of version 2')),
  script: ofVersion2(scriptPubKeyResult),
  taproot_internal_key: since29(hex()),
  taproot_tree: since29(list(members({ depth: numeric(), leaf_ver: numeric(), script: hex() }))),
  taproot_bip32_derivs: since29(list(tapDerivationResult)),
  ...participantMembers,
  ...restMembers,
});

/** One output in the answer of `decodepsbt`. */
export type PsbtOutputJson = Answer<typeof psbtOutputResult>;

export const psbtResult = members({
  tx: maybe(likeAnswer('decoderawtransaction', transactionResult, 'the unsigned transaction')),
  global_xpubs: since29(list(members({ xpub: text(), ...originMembers }))),
  tx_version: ofVersion2(numeric('of version 2, as the next six')),
  fallback_locktime: ofVersion2(numeric()),
  input_count: ofVersion2(numeric()),
  output_count: ofVersion2(numeric()),
  inputs_modifiable: ofVersion2(flag()),
  outputs_modifiable: ofVersion2(flag()),
  has_sighash_single: ofVersion2(flag()),
  psbt_version: since29(numeric()),
  proprietary: since29(list(proprietaryResult)),
  unknown: hexMapResult,
  inputs: list(psbtInputResult),
  outputs: list(psbtOutputResult),
  fee: maybe(amount('if the PSBT has all UTXOs')),
});

/** The answer of `decodepsbt`; the PSBT and the dialect decide which members it has. */
export type PsbtJson = Answer<typeof psbtResult>;
