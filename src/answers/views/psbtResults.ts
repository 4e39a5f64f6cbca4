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
  text,
} from '../method/results.ts';
import { scriptPubKeyResult, scriptResult, scriptSigResult, transactionResult } from './transactionResults.ts';

const hexMapResult = dictionary(hex());

export type HexMap = Answer<typeof hexMapResult>;

const proprietaryResult = members({ identifier: hex(), subtype: numeric(), key: hex(), value: hex() });

export type ProprietaryJson = Answer<typeof proprietaryResult>;

const originMembers = { master_fingerprint: hex(), path: text() };

const derivationResult = members({ pubkey: hex(), ...originMembers });

export type DerivationJson = Answer<typeof derivationResult>;

const tapDerivationResult = members({ ...derivationResult.members, leaf_hashes: list(hex()) });

export type TapDerivationJson = Answer<typeof tapDerivationResult>;

const musig2ParticipantsResult = members({ aggregate_pubkey: hex(), participant_pubkeys: list(hex()) });

export type Musig2ParticipantsJson = Answer<typeof musig2ParticipantsResult>;

const musig2SignerResult = members({ participant_pubkey: hex(), aggregate_pubkey: hex(), leaf_hash: maybe(hex()) });

export type Musig2SignerJson = Answer<typeof musig2SignerResult>;

const tapScriptResult = members({ script: hex(), leaf_ver: numeric(), control_blocks: list(hex()) });

export type TapScriptJson = Answer<typeof tapScriptResult>;

/** The first members of an input and of an output. */
const scriptMembers = {
  redeem_script: maybe(scriptResult),
  witness_script: maybe(scriptResult),
  bip32_derivs: maybe(list(derivationResult)),
};

/** The last members of an input and of an output. */
const restMembers = {
  musig2_participant_pubkeys: maybe(list(musig2ParticipantsResult)),
  proprietary: maybe(list(proprietaryResult)),
  unknown: maybe(hexMapResult),
};

const psbtInputResult = members({
  witness_utxo: maybe(members({ amount: amount(), scriptPubKey: scriptPubKeyResult })),
  non_witness_utxo: maybe(likeAnswer('decoderawtransaction', transactionResult)),
  partial_signatures: maybe(dictionary(hex(), 'by public key')),
  sighash: maybe(text()),
  ...scriptMembers,
  final_scriptSig: maybe(scriptSigResult),
  final_scriptsig: maybe(scriptSigResult, { onlyInDialect: 'documented' }),
  final_scriptwitness: maybe(list(hex())),
  ripemd160_preimages: maybe(dictionary(hex(), 'by hash')),
  sha256_preimages: maybe(dictionary(hex(), 'by hash')),
  hash160_preimages: maybe(dictionary(hex(), 'by hash')),
  hash256_preimages: maybe(dictionary(hex(), 'by hash')),
  previous_txid: maybe(hex('of version 2, as the next four')),
  previous_vout: maybe(numeric()),
  sequence: maybe(numeric()),
  time_locktime: maybe(numeric()),
  height_locktime: maybe(numeric()),
  taproot_key_path_sig: maybe(hex()),
  taproot_script_path_sigs: maybe(list(members({ pubkey: hex(), leaf_hash: hex(), sig: hex() }))),
  taproot_scripts: maybe(list(tapScriptResult)),
  taproot_bip32_derivs: maybe(list(tapDerivationResult)),
  taproot_internal_key: maybe(hex()),
  taproot_merkle_root: maybe(hex()),
  musig2_pubnonces: maybe(list(members({ ...musig2SignerResult.members, pubnonce: hex() }))),
  musig2_partial_sigs: maybe(list(members({ ...musig2SignerResult.members, partial_sig: hex() }))),
  ...restMembers,
});

/** One input in the answer of `decodepsbt`. */
export type PsbtInputJson = Answer<typeof psbtInputResult>;

const psbtOutputResult = members({
  ...scriptMembers,
  amount: maybe(amount('of version 2')),
  script: maybe(scriptPubKeyResult),
  taproot_internal_key: maybe(hex()),
  taproot_tree: maybe(list(members({ depth: numeric(), leaf_ver: numeric(), script: hex() }))),
  taproot_bip32_derivs: maybe(list(tapDerivationResult)),
  ...restMembers,
});

/** One output in the answer of `decodepsbt`. */
export type PsbtOutputJson = Answer<typeof psbtOutputResult>;

export const psbtResult = members({
  tx: maybe(likeAnswer('decoderawtransaction', transactionResult, 'the unsigned transaction')),
  global_xpubs: maybe(list(members({ xpub: text(), ...originMembers }))),
  tx_version: maybe(numeric('of version 2, as the next seven')),
  fallback_locktime: maybe(numeric()),
  input_count: maybe(numeric()),
  output_count: maybe(numeric()),
  inputs_modifiable: maybe(flag()),
  outputs_modifiable: maybe(flag()),
  has_sighash_single: maybe(flag()),
  psbt_version: maybe(numeric()),
  proprietary: maybe(list(proprietaryResult)),
  unknown: hexMapResult,
  inputs: list(psbtInputResult),
  outputs: list(psbtOutputResult),
  fee: maybe(amount('if the PSBT has all UTXOs')),
});

/** The answer of `decodepsbt`; the PSBT and the dialect decide which members it has. */
export type PsbtJson = Answer<typeof psbtResult>;
