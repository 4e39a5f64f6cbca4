import {
  type BtcError,
  type ErrorCode,
  type ErrorData,
  type PsbtMapKind,
  type PsbtValueFault,
  RpcError,
} from '../../errors.ts';
import type { Dialect } from '../dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from '../errorCodes.ts';

type Generation = Dialect['generation'];
type PsbtText = Readonly<Record<string, string>>;

/** Core 31's record names in `Size of key was not N for the type …`, with the N that it states. */
const KEY_SIZE_LABELS: Readonly<Record<PsbtMapKind, Readonly<Record<string, readonly [label: string, size: number]>>>> =
  {
    global: {
      unsignedTx: ['Global Unsigned TX', 1],
      xpubs: ['Global XPUB', 79],
      txVersion: ['Global Transaction Version', 1],
      fallbackLocktime: ['Global Fallback Locktime', 1],
      inputCount: ['Global Input Count', 1],
      outputCount: ['Global Output Count', 1],
      txModifiable: ['Global TX Modifiable Flags', 1],
      version: ['Global PSBT Version', 1],
    },
    input: {
      nonWitnessUtxo: ['Input Non-witness UTXO', 1],
      witnessUtxo: ['Input Witness UTXO', 1],
      sighashType: ['Input Sighash Type', 1],
      redeemScript: ['Input redeemScript', 1],
      witnessScript: ['Input witnessScript', 1],
      finalScriptSig: ['Input Final scriptSig', 1],
      finalScriptWitness: ['Input Final scriptWitness', 1],
      ripemd160Preimages: ['Input RIPEMD160 Preimage', 21],
      sha256Preimages: ['Input SHA256 Preimage', 33],
      hash160Preimages: ['Input Hash160 Preimage', 21],
      hash256Preimages: ['Input Hash256 Preimage', 33],
      previousTxid: ['Input Previous TXID', 1],
      outputIndex: ["Input Previous Output's Index", 1],
      sequence: ['Input Sequence', 1],
      requiredTimeLocktime: ['Input Required Time Based Locktime', 1],
      requiredHeightLocktime: ['Input Required Height Based Locktime', 1],
      tapKeySig: ['Input Taproot Key Path Signature', 1],
      tapScriptSigs: ['Input Taproot Script Path Signature', 65],
      tapBip32Derivations: ['Input Taproot BIP32 Keypath', 33],
      tapInternalKey: ['Input Taproot Internal Key', 1],
      tapMerkleRoot: ['Input Taproot Merkle Root', 1],
      musig2Participants: ['Input MuSig2 Participants Pubkeys', 34],
    },
    output: {
      redeemScript: ['Output redeemScript', 1],
      witnessScript: ['Output witnessScript', 1],
      amount: ['Output Amount', 1],
      script: ['Output Script', 1],
      tapInternalKey: ['Output Taproot Internal Key', 1],
      tapTree: ['Output Taproot Tree Key', 1],
      tapBip32Derivations: ['Output Taproot BIP32 Keypath', 33],
      musig2Participants: ['Output MuSig2 Participants Pubkeys', 34],
    },
  };

/** Key size texts that follow no pattern. */
const KEY_SIZE_TEXTS: PsbtText = {
  partialSigs: 'Size of key was not the expected size for the type partial signature pubkey',
  bip32Derivations: 'Size of key was not the expected size for the type BIP32 keypath',
  musig2PubNonces: 'Input musig2 pubnonce key is not expected size of 67 or 99 bytes',
  musig2PartialSigs: 'Input musig2 partial sig key is not expected size of 67 or 99 bytes',
};

/** 0.21's record names: first those in its texts on duplicate keys, then those in its texts on key sizes. */
const LEGACY_NAMES: Readonly<
  Record<PsbtMapKind, Readonly<Record<string, readonly [duplicate: string, keySize?: string]>>>
> = {
  global: { unsignedTx: ['unsigned tx', 'Global unsigned tx'] },
  input: {
    nonWitnessUtxo: ['input non-witness utxo', 'Non-witness utxo'],
    witnessUtxo: ['input witness utxo', 'Witness utxo'],
    partialSigs: ['input partial signature for pubkey'],
    sighashType: ['input sighash type', 'Sighash type'],
    redeemScript: ['input redeemScript', 'Input redeemScript'],
    witnessScript: ['input witnessScript', 'Input witnessScript'],
    bip32Derivations: ['pubkey derivation path'],
    finalScriptSig: ['input final scriptSig', 'Final scriptSig'],
    finalScriptWitness: ['input final scriptWitness', 'Final scriptWitness'],
  },
  output: {
    redeemScript: ['output redeemScript', 'Output redeemScript'],
    witnessScript: ['output witnessScript', 'Output witnessScript'],
    bip32Derivations: ['pubkey derivation path'],
  },
};

/** The subject of `… is not allowed in PSBTv0` and `… is required in PSBTv2`. */
const VERSIONED_NAMES: Readonly<Record<PsbtMapKind, PsbtText>> = {
  global: {
    unsignedTx: 'PSBT_GLOBAL_UNSIGNED_TX',
    txVersion: 'PSBT_GLOBAL_TX_VERSION',
    fallbackLocktime: 'PSBT_GLOBAL_FALLBACK_LOCKTIME',
    inputCount: 'PSBT_GLOBAL_INPUT_COUNT',
    outputCount: 'PSBT_GLOBAL_OUTPUT_COUNT',
    txModifiable: 'PSBT_GLOBAL_TX_MODIFIABLE',
  },
  input: {
    previousTxid: 'Previous txid',
    outputIndex: "Previous output's index",
    sequence: 'Sequence',
    requiredTimeLocktime: 'Required time based locktime',
    requiredHeightLocktime: 'Required height based locktime',
  },
  output: { amount: 'Output amount', script: 'Output script' },
};

/** Names that Core spells differently in `… is required`. */
const REQUIRED_NAMES: PsbtText = { previousTxid: 'Previous TXID' };

/** Faults whose text depends on neither map nor record. */
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

/** Faults of an empty value, by record. */
const EMPTY_TEXTS: PsbtText = {
  tapLeafScripts: 'Input Taproot leaf script must be at least 1 byte',
  tapTree: 'Output Taproot tree must not be empty',
};

/** Names of records in texts on signatures of a wrong length. */
const SIGNATURE_NAMES: PsbtText = {
  tapKeySig: 'Input Taproot key path signature',
  tapScriptSigs: 'Input Taproot script path signature',
};

const SIDE: Readonly<Record<PsbtMapKind, string>> = { global: 'Global', input: 'Input', output: 'Output' };

function keySizeText({ map, field, size }: ErrorData['psbt/key-size'], generation: Generation): string {
  if (field === 'tapLeafScripts') {
    return size < 34
      ? 'Input Taproot leaf script key is not at least 34 bytes'
      : "Input Taproot leaf script key's control block size is not valid";
  }
  const legacy = generation === 'core-0.21' ? LEGACY_NAMES[map][field]?.[1] : undefined;
  if (legacy !== undefined) return `${legacy} key is more than one byte type`;
  const special = KEY_SIZE_TEXTS[field];
  if (special !== undefined) return special;
  const [label = field, expected = 1] = KEY_SIZE_LABELS[map][field] ?? [];
  return `Size of key was not ${expected} for the type ${label}`;
}

function duplicateText({ map, field, key }: ErrorData['psbt/duplicate-key'], generation: Generation): string {
  if (generation === 'core-31') return `Duplicate Key, ${map} key "${key}" already provided`;
  const name = LEGACY_NAMES[map][field]?.[0] ?? 'key for unknown value';
  return `Duplicate Key, ${name} already provided`;
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
  { map, field, version }: ErrorData['psbt/field-required'],
  isRequired: boolean,
  generation: Generation,
): string {
  if (isRequired && field === 'unsignedTx') {
    return generation === 'core-0.21' ? 'No unsigned transcation was provided' : 'No unsigned transaction was provided';
  }
  const name = (isRequired ? REQUIRED_NAMES[field] : undefined) ?? VERSIONED_NAMES[map][field] ?? field;
  return `${name} is ${isRequired ? 'required' : 'not allowed'} in PSBTv${version}`;
}

const SEPARATOR_TEXTS: Readonly<Record<PsbtMapKind, string>> = {
  global: 'Separator is missing at the end of the global map',
  input: 'Separator is missing at the end of an input map',
  output: 'Separator is missing at the end of an output map',
};

const END_OF_DATA: Readonly<Record<Generation, string>> = {
  'core-0.21': 'CDataStream::read(): end of data',
  'core-31': 'SpanReader::read(): end of data',
};

/** The node's texts for failures inside its stream, without the suffix that its stream library adds. */
const STREAM_TEXTS: { readonly [C in ErrorCode]?: (data: ErrorData[C], generation: Generation) => string } = {
  'bytes/end-of-data': (_, generation) => END_OF_DATA[generation],
  'bytes/size-not-minimal': () => 'non-canonical ReadCompactSize()',
  'bytes/size-too-large': () => 'ReadCompactSize(): size too large',
  'tx/superfluous-witness': () => 'Superfluous witness record',
  'tx/unknown-optional-data': () => 'Unknown transaction optional data',
  'tx/hogex-without-output': () => 'Missing HogEx output',
  'tx/mweb-body': () => 'MWEB transactions are not decoded',
  'psbt/magic': () => 'Invalid PSBT magic bytes',
  'psbt/separator-missing': ({ map }) => SEPARATOR_TEXTS[map],
  'psbt/map-count': ({ map }) => `${SIDE[map]}s provided does not match the number of ${map}s in transaction.`,
  'psbt/duplicate-key': duplicateText,
  'psbt/key-size': keySizeText,
  'psbt/key-invalid': keyText,
  'psbt/value-size': () => 'Size of value was not the stated size',
  'psbt/value-invalid': valueText,
  'psbt/unsigned-tx-signed': () => 'Unsigned tx does not have empty scriptSigs and scriptWitnesses.',
  'psbt/version-unsupported': () => 'Unsupported version number',
  'psbt/version-undefined': () => 'There is no PSBT version 1',
  'psbt/field-required': (data, generation) => fieldText(data, true, generation),
  'psbt/field-not-allowed': (data, generation) => fieldText(data, false, generation),
  'psbt/utxo-txid-mismatch': () => 'Non-witness UTXO does not match outpoint hash',
  'psbt/utxo-index': () => 'Input specifies output index that does not exist',
};

function streamText<C extends ErrorCode>({ code, data, message }: BtcError<C>, generation: Generation): string {
  return STREAM_TEXTS[code]?.(data, generation) ?? message;
}

/** The node's texts for failures outside its stream. */
const OUTER_TEXTS: Partial<Record<BtcError['code'], string>> = {
  'base64/invalid': 'invalid base64',
  'psbt/trailing': 'extra data after PSBT',
  'psbt/locktime-conflict': 'inputs require both a height and a time locktime',
};

/** Returns the node's error for a PSBT that cannot be decoded. @see Bitcoin Core `DecodeBase64PSBT` */
export function psbtRpcError(error: BtcError, { generation }: Dialect): RpcError {
  const detail = OUTER_TEXTS[error.code] ?? `${streamText(error, generation)}: iostream error`;
  return new RpcError(RPC_DESERIALIZATION_ERROR, `TX decode failed ${detail}`, { cause: error });
}
