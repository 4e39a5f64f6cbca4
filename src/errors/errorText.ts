import type { ErrorCode, ErrorData, PsbtMapKind } from './errorData.ts';

/** The sentence of each code: what is wrong, where, and what to do if that is not obvious. */
const SENTENCES: { readonly [C in ErrorCode]: (data: ErrorData[C]) => string } = {
  'bytes/end-of-data': (at) => `The data ends too early, ${place(at)}.`,
  'bytes/trailing': (at) => `${at.extra} bytes follow the end of the data, ${place(at)}.`,
  'bytes/size-not-minimal': (at) => `A size is written in more bytes than it needs, ${place(at)}.`,
  'bytes/size-too-large': (at) => `A size exceeds the limit, ${place(at)}.`,
  'bytes/out-of-range': ({ what, value }) => `${value} is out of range for ${what}.`,
  'hex/invalid': ({ offset, reason }) =>
    reason === 'odd-length'
      ? 'The hex text has an odd number of digits.'
      : `Character ${offset + 1} is not a hex digit.`,
  'base64/invalid': ({ offset, reason }) =>
    ({
      character: `Character ${offset + 1} is not base64.`,
      length: 'The base64 text is incomplete: its length must be a multiple of 4.',
      'padding-bits': 'The base64 text ends in unused bits that are not zero.',
    })[reason],
  'base58/invalid': ({ reason }) =>
    reason === 'checksum'
      ? 'The base58 checksum does not match: a character is wrong or missing.'
      : 'The text is not base58, or too long.',
  'bech32/invalid': () => 'The text is not valid bech32: a character is wrong or missing.',
  'address/invalid': ({ reason }) =>
    ({
      prefix: 'The prefix of the address is not one of this network.',
      length: 'The address has the wrong length.',
      version: 'The witness version of the address is above 16.',
      checksum: 'The address has the checksum of another witness version (BIP350).',
      padding: 'The address ends in bits that are not zero.',
    })[reason],
  'address/network': ({ found, network }) => `The address is for ${found}, not for ${network}.`,
  'wif/network': ({ found, network }) => `The private key is for ${found}, not for ${network}.`,
  'wif/invalid': ({ reason }) =>
    ({
      prefix: 'The private key is not for this network.',
      length: 'The private key has the wrong length.',
      range: 'The private key is out of range.',
    })[reason],
  'path/invalid': ({ step, reason }) =>
    reason === 'out of range'
      ? `The path step ${step} is out of range: use h for hardened steps.`
      : `The path step ${step} is not a number.`,
  'xkey/invalid': ({ reason }) => `The extended key is not valid: ${XKEY_FAULTS[reason] ?? reason}.`,
  'xkey/underivable': ({ child, reason }) =>
    ({
      range: `There is no child ${child}: child numbers are whole numbers below 2^32.`,
      hardened: 'A hardened child needs the private key.',
      depth: 'A key at depth 255 has no children.',
      'no key': `Child ${child} has no valid key: use the next one.`,
    })[reason],
  'xkey/network': ({ prefix, network }) => `A ${prefix} is for networks of another kind than ${network}.`,
  'words/count': ({ count }) => `A seed phrase has 12, 15, 18, 21 or 24 words, not ${count}.`,
  'words/unknown': ({ positions }) => `Not in the word list: word ${positions}. Check the spelling.`,
  'words/checksum': () => 'The checksum of the seed words does not match: a word is wrong, or their order.',
  'descriptor/invalid': ({ reason, hint }) => `${sentence(reason)}${hint ? ` (${hint})` : ''}`,
  'descriptor/checksum': ({ reason, hint }) => `${sentence(reason)}${hint ? ` (${hint})` : ''}`,
  'descriptor/range': ({ reason }) => sentence(reason),
  'descriptor/underivable': () => 'The descriptor has hardened steps, which need its private key.',
  'ecc/secret-key': () => 'The private key is not a number from 1 to the order of the curve minus 1.',
  'ecc/fault': () =>
    'A new signature is not valid: the hardware or the curve arithmetic is faulty. Nothing was signed.',
  'ecc/size': ({ what, size, expected }) => `The ${what} has ${size} bytes instead of ${expected}.`,
  'musig2/public-key': ({ participant }) => `The public key of participant ${participant} is not valid.`,
  'musig2/public-nonce': ({ participant }) => `The public nonce of participant ${participant} is not valid.`,
  'musig2/partial-signature': ({ participant }) => `The partial signature of participant ${participant} is not valid.`,
  'musig2/aggregate-nonce': () => 'The aggregate nonce is not valid.',
  'musig2/count': ({ what, expected, found }) => `There are ${found} ${what} instead of ${expected}.`,
  'musig2/infinity': () => 'The keys add up to the point at infinity.',
  'musig2/tweak': () => 'The tweak is out of range.',
  'musig2/rand': () => 'The random bytes are missing or have the wrong size.',
  'musig2/nonce-used': () => 'The nonce was used before: a second signature with it would reveal the private key.',
  'musig2/signed': () => 'The participant has signed already.',
  'musig2/nonce-key': () => 'The nonce was made for another key.',
  'musig2/not-participant': () => 'The key does not belong to a participant.',
  'network/unknown': ({ name, known }) => `There is no network ${name}. Known networks: ${known}.`,
  'network/invalid': ({ member, reason }) => `The network's ${member} ${reason}.`,
  'dialect/unknown': ({ name, known }) => `There is no dialect ${name}. Known dialects: ${known}.`,
  'tx/superfluous-witness': (at) => `The transaction has a witness marker but no witness, ${place(at)}.`,
  'tx/unknown-optional-data': (at) => `The transaction has unknown flags (${at.flags}), ${place(at)}.`,
  'tx/hogex-without-output': (at) => `The HogEx transaction has no output, ${place(at)}.`,
  'tx/mweb-body': (at) => `The transaction carries MWEB data, which is not supported, ${place(at)}.`,
  'tx/txid-length': ({ length }) => `A txid has 32 bytes, not ${length}.`,
  'sighash/input-index': ({ inputIndex, inputs }) => `There is no input ${inputIndex}: the transaction has ${inputs}.`,
  'sighash/prevouts': ({ expected, found }) => `Taproot signs all coins: ${expected} are needed, ${found} were given.`,
  'sighash/midstate': ({ of }) => `The midstate was computed for ${of}.`,
  'sighash/type': ({ sighashType, algorithm }) => `The sighash type ${sighashType} is not defined for ${algorithm}.`,
  'sighash/single-without-output': ({ inputIndex, outputs }) =>
    `SIGHASH_SINGLE of input ${inputIndex} has no output to sign: there are ${outputs}.`,
  'sighash/script-code': ({ inputIndex, reason }) => `The script of input ${inputIndex} cannot be signed: ${reason}.`,
  'sighash/leaf': ({ inputIndex, reason }) => `The leaf or annex of input ${inputIndex} cannot be signed: ${reason}.`,
  'sighash/unsignable': ({ inputIndex, scriptType }) => `Input ${inputIndex} (${scriptType}) takes no signature.`,
  'script/flag-unknown': ({ name, known }) => `There is no script flag ${name}. Known flags: ${known}.`,
  'psbt/unrecognized': () => 'This is not a PSBT: it is neither binary, nor base64, nor hex of one.',
  'psbt/magic': () => 'This is not a PSBT: its first bytes are wrong.',
  'psbt/trailing': ({ extra }) => `${extra} bytes follow the end of the PSBT.`,
  'psbt/separator-missing': ({ map, index }) => `The PSBT ends within ${mapName(map, index)}.`,
  'psbt/map-count': ({ map, expected, found }) => `The PSBT has ${found} ${map} maps for ${expected} ${map}s.`,
  'psbt/duplicate-key': (at) => `A record is there twice, ${place(at)}.`,
  'psbt/key-size': (at) => `A key has ${at.size} bytes instead of ${at.expected}, ${place(at)}.`,
  'psbt/key-invalid': (at) => `A key is not a valid ${at.reason}, ${place(at)}.`,
  'psbt/value-size': (at) => `A value states ${at.stated} bytes and takes ${at.used}, ${place(at)}.`,
  'psbt/value-invalid': (at) => `A value is not valid (${at.reason}), ${place(at)}.`,
  'psbt/version-unsupported': ({ version }) => `PSBT version ${version} is not supported.`,
  'psbt/version-undefined': ({ version }) => `There is no PSBT version ${version}.`,
  'psbt/unsigned-tx-signed': ({ inputIndex }) => `Input ${inputIndex} of the unsigned transaction is signed.`,
  'psbt/field-not-allowed': ({ map, index, field, version }) =>
    `PSBT version ${version} does not allow ${field} in ${mapName(map, index)}.`,
  'psbt/field-required': ({ map, index, field, version }) =>
    `PSBT version ${version} requires ${field} in ${mapName(map, index)}.`,
  'psbt/utxo-txid-mismatch': ({ inputIndex }) => `Input ${inputIndex} does not spend its previous transaction.`,
  'psbt/utxo-index': ({ inputIndex, vout, outputs }) =>
    `Input ${inputIndex} spends output ${vout} of a transaction with ${outputs}.`,
  'psbt/no-coin': ({ inputIndex }) => `The coin that input ${inputIndex} spends is unknown.`,
  'signature/invalid': ({ inputIndex, reason }) => `The signature for input ${inputIndex} is refused: ${reason}.`,
  'account/no-addresses': () =>
    'The account has keys of a multisig only, and no addresses of its own: use a descriptor with all keys.',
  'account/purpose': () =>
    'The extended key does not say which kind of addresses it has: set purpose to 44, 49, 84, 86, or 48 for multisig.',
  'account/nothing-signed': ({ inputs }) => `Nothing was signed: ${inputs}.`,
  'build/insufficient-funds': ({ available, needed }) =>
    `The inputs hold ${available} sat, but outputs and fee take ${needed} sat.`,
  'build/dust': ({ outputIndex, value, limit }) =>
    `Output ${outputIndex} pays ${value} sat, which is dust: pay at least ${limit} sat.`,
  'build/previous-transaction': ({ inputIndex, reason }) =>
    ({
      missing: `Input ${inputIndex} spends a legacy coin: pass the transaction that created it as previousTransaction.`,
      txid: `The previous transaction of input ${inputIndex} has another txid.`,
      output: `The previous transaction of input ${inputIndex} has no such output to that address.`,
      value: `The previous transaction of input ${inputIndex} shows another amount.`,
    })[reason],
  'build/unknown-size': () =>
    'The size of the signed transaction is unknown, because an input is of another wallet: set fee instead of feeRate.',
  'build/invalid': ({ member, reason }) => `${member}: ${reason}.`,
  'policy/invalid': ({ name, value }) => `The policy has no ${name}, or does not take ${value} for it.`,
  'policy/refused': ({ findings, checks }) => `The review refuses the PSBT: ${findings} [${checks}]`,
  'psbt/silent-payment': ({ outputIndex }) => `Output ${outputIndex} is a silent payment without a script yet.`,
  'psbt/not-modifiable': ({ reason }) => `The PSBT does not allow this change: ${NOT_MODIFIABLE[reason] ?? reason}.`,
  'psbt/empty': () => 'At least one PSBT is needed.',
  'psbt/different': ({ psbt }) => `PSBT ${psbt} is for another transaction than the first.`,
  'psbt/not-final': ({ inputIndex }) => `Input ${inputIndex} is not final and valid: sign and finalize it first.`,
  'psbt/duplicate-input': ({ psbt, inputIndex }) => `Input ${inputIndex} of PSBT ${psbt} was there before.`,
  'psbt/not-v0': ({ psbt }) => `PSBT ${psbt} is not of version 0.`,
  'psbt/locktime-conflict': ({ inputIndex }) =>
    `Input ${inputIndex} requires a locktime of another kind than other inputs: height or time.`,
  'block/unknown': () => 'The block or its parent was never submitted, or it is the genesis block.',
  'secret/size': ({ what, size, expected }) => `The ${what} has ${size} bytes instead of ${expected}.`,
  'secret/cost': ({ N, r, p }) => `The scrypt costs N=${N}, r=${r}, p=${p} are out of range.`,
  'store/locked': ({ directory, process, lockFile }) =>
    `${directory} is in use by process ${process}. If that process has ended, remove ${lockFile}.`,
  'store/corrupt': ({ path, offset }) =>
    `${path} is damaged at offset ${offset}. Nothing was changed: restore a backup.`,
  'store/unsafe': ({ path, reason, mode }) => `Other users could replace ${path} (${reason}, mode ${mode}).`,
  'store/full': ({ path, reason }) => `The disk is full, so that ${path} was not changed (${reason}).`,
  'store/version': ({ path, version, newest }) =>
    `${path} has version ${version}, and this release reads up to ${newest}: use a newer one.`,
  'store/mismatch': ({ found, wanted }) => `The store belongs to ${found}, not to ${wanted}.`,
  'store/failed': ({ path, reason }) => (path === '' ? sentence(reason) : `Cannot use ${path}: ${reason}.`),
};

/** Describes an error in a sentence. */
export function errorText<C extends ErrorCode>(code: C, data: ErrorData[C]): string {
  return SENTENCES[code](data);
}

const sentence = (reason: string): string => (/[.!?)]$/.test(reason) ? reason : `${reason}.`);

const mapName = (map: PsbtMapKind, index: number): string => (map === 'global' ? 'the global map' : `${map} ${index}`);

interface Place {
  readonly offset: number;
  readonly map?: PsbtMapKind;
  readonly index?: number;
  readonly field?: string;
}

/** Names a place: `at byte 7`, or `at byte 7 (partialSigs of input 0)`. */
function place({ offset, map, index, field }: Place): string {
  if (map === undefined) return `at byte ${offset}`;
  const record = field === undefined || field === 'unknown' ? 'a record' : field;
  return `at byte ${offset} (${record} of ${mapName(map, index ?? 0)})`;
}

const XKEY_FAULTS: Readonly<Record<string, string>> = {
  length: 'it has the wrong length',
  version: 'its prefix is not one of this network',
  seed: 'the seed must have 16 to 64 bytes',
  'not private': 'it is not private',
  'public key': 'its public key is not on the curve',
  'private key': 'its private key is out of range',
  'parent of a master key': 'it is a master key with a parent',
};

const NOT_MODIFIABLE: Readonly<Record<string, string>> = {
  version: 'it is of version 0',
  inputs: 'its inputs may not change',
  outputs: 'its outputs may not change',
  single: 'a signature pairs an input with its output',
  duplicate: 'it spends that coin already',
  locktime: 'signatures commit to its locktime',
  index: 'there is none with that index',
};
