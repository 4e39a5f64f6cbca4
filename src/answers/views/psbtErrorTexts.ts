import {
  type BtcError,
  type ErrorCode,
  type ErrorData,
  type PsbtMapKind,
  type PsbtValueFault,
  RpcError,
} from '../../core/errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { type PsbtRules, psbtRules } from './psbtRules.ts';

type PsbtText = Readonly<Record<string, string>>;

/** In `Size of key was not N for the type …`, after the name of the map. */
const KEY_SIZE_LABELS: PsbtText = {
  unsignedTx: 'Unsigned TX',
  xpubs: 'XPUB',
  txVersion: 'Transaction Version',
  fallbackLocktime: 'Fallback Locktime',
  inputCount: 'Input Count',
  outputCount: 'Output Count',
  txModifiable: 'TX Modifiable Flags',
  version: 'PSBT Version',
  nonWitnessUtxo: 'Non-witness UTXO',
  witnessUtxo: 'Witness UTXO',
  sighashType: 'Sighash Type',
  redeemScript: 'redeemScript',
  witnessScript: 'witnessScript',
  finalScriptSig: 'Final scriptSig',
  finalScriptWitness: 'Final scriptWitness',
  ripemd160Preimages: 'RIPEMD160 Preimage',
  sha256Preimages: 'SHA256 Preimage',
  hash160Preimages: 'Hash160 Preimage',
  hash256Preimages: 'Hash256 Preimage',
  previousTxid: 'Previous TXID',
  outputIndex: "Previous Output's Index",
  sequence: 'Sequence',
  requiredTimeLocktime: 'Required Time Based Locktime',
  requiredHeightLocktime: 'Required Height Based Locktime',
  tapKeySig: 'Taproot Key Path Signature',
  tapScriptSigs: 'Taproot Script Path Signature',
  tapBip32Derivations: 'Taproot BIP32 Keypath',
  tapInternalKey: 'Taproot Internal Key',
  tapMerkleRoot: 'Taproot Merkle Root',
  musig2Participants: 'MuSig2 Participants Pubkeys',
  amount: 'Amount',
  script: 'Script',
  tapTree: 'Taproot Tree Key',
};

const KEY_SIZE_TEXTS: PsbtText = {
  partialSigs: 'Size of key was not the expected size for the type partial signature pubkey',
  bip32Derivations: 'Size of key was not the expected size for the type BIP32 keypath',
  musig2PubNonces: 'Input musig2 pubnonce key is not expected size of 67 or 99 bytes',
  musig2PartialSigs: 'Input musig2 partial sig key is not expected size of 67 or 99 bytes',
};

const TOO_LONG = 'is more than one byte type';

/** Before Core 32: the names of duplicate keys, and what is said of a key's size. `#` stands for the map. */
const EARLIER_TEXTS: Readonly<Record<string, readonly [duplicate: string, keySize?: string]>> = {
  unsignedTx: ['unsigned tx', `Global unsigned tx key ${TOO_LONG}`],
  xpubs: ['global xpub', 'Size of key was not the expected size for the type global xpub'],
  version: ['version', `Global version key ${TOO_LONG}`],
  nonWitnessUtxo: ['input non-witness utxo', `Non-witness utxo key ${TOO_LONG}`],
  witnessUtxo: ['input witness utxo', `Witness utxo key ${TOO_LONG}`],
  partialSigs: ['input partial signature for pubkey'],
  sighashType: ['input sighash type', `Sighash type key ${TOO_LONG}`],
  redeemScript: ['# redeemScript', `# redeemScript key ${TOO_LONG}`],
  witnessScript: ['# witnessScript', `# witnessScript key ${TOO_LONG}`],
  bip32Derivations: ['pubkey derivation path'],
  finalScriptSig: ['input final scriptSig', `Final scriptSig key ${TOO_LONG}`],
  finalScriptWitness: ['input final scriptWitness', `Final scriptWitness key ${TOO_LONG}`],
  ripemd160Preimages: preimageTexts('ripemd160'),
  sha256Preimages: preimageTexts('sha256'),
  hash160Preimages: preimageTexts('hash160'),
  hash256Preimages: preimageTexts('hash256'),
  tapKeySig: ['input Taproot key signature', `Input Taproot key signature key ${TOO_LONG}`],
  tapScriptSigs: ['input Taproot script signature', 'Input Taproot script signature key is not 65 bytes'],
  tapLeafScripts: ['input Taproot leaf script'],
  tapBip32Derivations: ['# Taproot BIP32 keypath', '# Taproot BIP32 keypath key is not at 33 bytes'],
  tapInternalKey: ['# Taproot internal key', `# Taproot internal key key ${TOO_LONG}`],
  tapMerkleRoot: ['input Taproot merkle root', `Input Taproot merkle root key ${TOO_LONG}`],
  tapTree: ['output Taproot tree', `Output Taproot tree key ${TOO_LONG}`],
  musig2Participants: [
    '# participant pubkeys for an aggregate key',
    '# musig2 participants pubkeys aggregate key is not 34 bytes',
  ],
  musig2PubNonces: ['input musig2 pubnonce'],
  musig2PartialSigs: ['input musig2 partial sig'],
};

function preimageTexts(hash: string): readonly [duplicate: string, keySize: string] {
  return [`input ${hash} preimage`, `Size of key was not the expected size for the type ${hash} preimage`];
}

/** In `… is not allowed in PSBTv0` and `… is required in PSBTv2`. */
const VERSIONED_NAMES: PsbtText = {
  unsignedTx: 'PSBT_GLOBAL_UNSIGNED_TX',
  txVersion: 'PSBT_GLOBAL_TX_VERSION',
  fallbackLocktime: 'PSBT_GLOBAL_FALLBACK_LOCKTIME',
  inputCount: 'PSBT_GLOBAL_INPUT_COUNT',
  outputCount: 'PSBT_GLOBAL_OUTPUT_COUNT',
  txModifiable: 'PSBT_GLOBAL_TX_MODIFIABLE',
  previousTxid: 'Previous txid',
  outputIndex: "Previous output's index",
  sequence: 'Sequence',
  requiredTimeLocktime: 'Required time based locktime',
  requiredHeightLocktime: 'Required height based locktime',
  amount: 'Output amount',
  script: 'Output script',
};

const VALUE_TEXTS: Partial<Record<PsbtValueFault, string>> = {
  'signature-encoding': 'Signature is not a valid encoding',
  'key-path-length': 'Invalid length for HD key path',
  'not-66-bytes': 'Input musig2 pubnonce value is not 66 bytes',
  'time-locktime': 'Required time based locktime is invalid (less than 500000000)',
  'height-locktime': 'Required height based locktime is invalid (greater than or equal to 500000000)',
  'zero-height': 'Required height based locktime is invalid (0)',
  'tree-depth': 'Output Taproot tree has as leaf greater than Taproot maximum depth',
  'tree-leaf-version': 'Output Taproot tree has a leaf with an invalid leaf version',
  'tree-malformed': 'Output Taproot tree is malformed',
};

const EMPTY_TEXTS: PsbtText = {
  tapLeafScripts: 'Input Taproot leaf script must be at least 1 byte',
  tapTree: 'Output Taproot tree must not be empty',
};

/** In texts on signatures of a wrong length. */
const SIGNATURE_NAMES: PsbtText = {
  tapKeySig: 'Input Taproot key path signature',
  tapScriptSigs: 'Input Taproot script path signature',
};

const SIDE: Readonly<Record<PsbtMapKind, string>> = { global: 'Global', input: 'Input', output: 'Output' };

function keySizeText({ map, field, size, expected }: ErrorData['psbt/key-size'], rules: PsbtRules): string {
  if (field === 'tapLeafScripts') {
    return size < 34
      ? `${rules.quotesKeys ? 'Input ' : ''}Taproot leaf script key is not at least 34 bytes`
      : "Input Taproot leaf script key's control block size is not valid";
  }
  const earlier = rules.quotesKeys ? undefined : EARLIER_TEXTS[field]?.[1];
  if (earlier !== undefined) return earlier.replace('#', SIDE[map]);
  const special = KEY_SIZE_TEXTS[field];
  if (special !== undefined) return special;
  const label = KEY_SIZE_LABELS[field];
  const type = label === undefined ? field : `${SIDE[map]} ${label}`;
  return `Size of key was not ${expected} for the type ${type}`;
}

function duplicateText({ map, field, key }: ErrorData['psbt/duplicate-key'], rules: PsbtRules): string {
  if (rules.quotesKeys) return `Duplicate Key, ${map} key "${key}" already provided`;
  if (field === 'proprietary') return 'Duplicate Key, proprietary key already found';
  const [name = 'key for unknown value'] = EARLIER_TEXTS[field] ?? [];
  return `Duplicate ${field === 'xpubs' ? 'key' : 'Key'}, ${name.replace('#', map)} already provided`;
}

function keyText({ map, field, reason }: ErrorData['psbt/key-invalid']): string {
  if (reason === 'pubkey') return 'Invalid pubkey';
  const role = reason === 'aggregate-pubkey' ? 'aggregate' : 'participant';
  // Nonces and partial signatures exist in inputs only, so their texts do not name the map.
  return field === 'musig2Participants'
    ? `${SIDE[map]} musig2 ${role} pubkey is invalid`
    : `musig2 ${role} pubkey is invalid`;
}

function valueText({ map, field, reason }: ErrorData['psbt/value-invalid']): string {
  switch (reason) {
    case 'too-short':
      return `${SIGNATURE_NAMES[field] ?? field} is shorter than 64 bytes`;
    case 'too-long':
      return `${SIGNATURE_NAMES[field] ?? field} is longer than 65 bytes`;
    case 'empty':
      return EMPTY_TEXTS[field] ?? `${field} must not be empty`;
    case 'taproot-path-length':
      return `${SIDE[map]} Taproot BIP32 keypath has an invalid length`;
    case 'participant-pubkey':
      return `${SIDE[map]} musig2 participant pubkey is invalid`;
    case 'participants-length':
      return `${SIDE[map]} musig2 participants pubkeys value size is not a multiple of 33`;
    default:
      return VALUE_TEXTS[reason] ?? reason;
  }
}

function fieldText(
  { field, version }: ErrorData['psbt/field-required'],
  isRequired: boolean,
  rules: PsbtRules,
): string {
  if (isRequired && field === 'unsignedTx') return rules.noUnsignedTx;
  // Core spells the name of one record in two ways.
  const name = isRequired && field === 'previousTxid' ? 'Previous TXID' : (VERSIONED_NAMES[field] ?? field);
  return `${name} is ${isRequired ? 'required' : 'not allowed'} in PSBTv${version}`;
}

/** Failures inside the node's stream, without the suffix of its stream library. */
const FIXED_TEXTS: Partial<Record<ErrorCode, string>> = {
  'bytes/size-not-minimal': 'non-canonical ReadCompactSize()',
  'bytes/size-too-large': 'ReadCompactSize(): size too large',
  'tx/superfluous-witness': 'Superfluous witness record',
  'tx/unknown-optional-data': 'Unknown transaction optional data',
  'tx/hogex-without-output': 'Missing HogEx output',
  'tx/mweb-body': 'MWEB transactions are not decoded',
  'psbt/magic': 'Invalid PSBT magic bytes',
  'psbt/value-size': 'Size of value was not the stated size',
  'psbt/unsigned-tx-signed': 'Unsigned tx does not have empty scriptSigs and scriptWitnesses.',
  'psbt/version-unsupported': 'Unsupported version number',
  'psbt/version-undefined': 'There is no PSBT version 1',
  'psbt/utxo-txid-mismatch': 'Non-witness UTXO does not match outpoint hash',
  'psbt/utxo-index': 'Input specifies output index that does not exist',
};

const STREAM_TEXTS: { readonly [C in ErrorCode]?: (data: ErrorData[C], rules: PsbtRules) => string } = {
  'bytes/end-of-data': ({ isPart }, { endOfData, endOfPart }) => (isPart ? endOfPart : endOfData),
  'psbt/separator-missing': ({ map }) =>
    `Separator is missing at the end of ${map === 'global' ? 'the' : 'an'} ${map} map`,
  'psbt/map-count': ({ map }) => `${SIDE[map]}s provided does not match the number of ${map}s in transaction.`,
  'psbt/duplicate-key': duplicateText,
  'psbt/key-size': keySizeText,
  'psbt/key-invalid': keyText,
  'psbt/value-invalid': valueText,
  'psbt/field-required': (data, rules) => fieldText(data, true, rules),
  'psbt/field-not-allowed': (data, rules) => fieldText(data, false, rules),
};

function streamText({ code, data, message }: BtcError, rules: PsbtRules): string {
  // The compiler does not see that the row of a code takes the data of that code.
  const formatText = STREAM_TEXTS[code] as ((data: ErrorData[ErrorCode], rules: PsbtRules) => string) | undefined;
  return FIXED_TEXTS[code] ?? formatText?.(data, rules) ?? message;
}

export const streamFault = (error: BtcError, { psbts }: Dialect): string =>
  `${streamText(error, psbtRules[psbts])}: iostream error`;

/** Failures outside the stream. */
const OUTER_TEXTS: Partial<Record<BtcError['code'], string>> = {
  'base64/invalid': 'invalid base64',
  'psbt/trailing': 'extra data after PSBT',
  'psbt/locktime-conflict': 'inputs require both a height and a time locktime',
};

/** @see Core `DecodeBase64PSBT` */
export function psbtRpcError(error: BtcError, dialect: Dialect): RpcError {
  const detail = OUTER_TEXTS[error.code] ?? streamFault(error, dialect);
  return new RpcError(RPC_DESERIALIZATION_ERROR, `TX decode failed ${detail}`, { cause: error });
}
