export type PsbtMapKind = 'global' | 'input' | 'output';

/** Where in a PSBT something was found. */
export interface PsbtPlace {
  readonly map: PsbtMapKind;
  /** 0-based input or output index; 0 for the global map. */
  readonly index: number;
  /** 0-based position of the record within its map. */
  readonly record: number;
  /** The record's name in our plain data, e.g. `partialSigs`; `unknown` for a type that is not known. */
  readonly field: string;
}

interface At {
  /** Byte offset in what was decoded. */
  readonly offset: number;
}
type BytesAt = At & Partial<PsbtPlace>;
type PsbtAt = At & PsbtPlace;
/** A rule about a whole map, found when it has been read. */
type FieldRule = {
  readonly map: PsbtMapKind;
  readonly index: number;
  readonly field: string;
  readonly version: number;
};

/** Every error code with the data that it carries. */
export interface ErrorData {
  'bytes/end-of-data': BytesAt;
  'bytes/trailing': BytesAt & { readonly extra: number };
  'bytes/size-not-minimal': BytesAt;
  'bytes/size-too-large': BytesAt;
  'bytes/out-of-range': { readonly what: string; readonly value: string };
  'hex/invalid': { readonly offset: number; readonly reason: 'character' | 'odd-length' };
  'base64/invalid': { readonly offset: number; readonly reason: 'character' | 'length' | 'padding-bits' };
  'base58/invalid': { readonly reason: 'character' | 'checksum' };
  'bech32/invalid': { readonly reason: 'encoding' };
  'address/invalid': { readonly reason: 'prefix' | 'length' | 'version' | 'checksum' | 'padding' };
  'wif/invalid': { readonly reason: 'prefix' | 'length' | 'range' };
  'path/invalid': { readonly step: string; readonly reason: 'not a number' | 'out of range' };
  'xkey/invalid': { readonly reason: string };
  'xkey/underivable': { readonly child: number; readonly reason: 'range' | 'hardened' | 'depth' | 'no key' };
  /** The reason is worded as Bitcoin Core words it; what might be a private key is left out. */
  'descriptor/invalid': { readonly reason: string; readonly hint?: string };
  'descriptor/checksum': { readonly reason: string; readonly hint?: string };
  'descriptor/range': { readonly reason: string };
  /** A hardened step needs a private key that is not there. */
  'descriptor/underivable': Record<never, never>;
  'ecc/secret-key': Record<never, never>;
  /** A signature that was just made is not valid: a fault of the machine, or of its arithmetic. */
  'ecc/fault': Record<never, never>;
  'ecc/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** What a participant of MuSig2 contributed is invalid: his 0-based index. */
  'musig2/public-key': { readonly participant: number };
  'musig2/public-nonce': { readonly participant: number };
  'musig2/partial-signature': { readonly participant: number };
  /** What the aggregator of nonces contributed: the sum of all, or of all but one. */
  'musig2/aggregate-nonce': { readonly of: 'all' | 'others' };
  'musig2/count': { readonly what: string; readonly expected: string; readonly found: number };
  'musig2/infinity': Record<never, never>;
  'musig2/tweak': Record<never, never>;
  'musig2/rand': Record<never, never>;
  'musig2/nonce-used': Record<never, never>;
  /** The participant has signed already. */
  'musig2/signed': Record<never, never>;
  /** The nonce was generated for another key than the one that is to sign. */
  'musig2/nonce-key': Record<never, never>;
  'musig2/not-participant': Record<never, never>;
  'network/unknown': { readonly name: string; readonly known: string };
  'network/invalid': { readonly member: string; readonly reason: string };
  'dialect/unknown': { readonly name: string; readonly known: string };
  'tx/superfluous-witness': BytesAt;
  'tx/unknown-optional-data': BytesAt & { readonly flags: number };
  'tx/hogex-without-output': BytesAt;
  'tx/mweb-body': BytesAt;
  'tx/txid-length': { readonly length: number };
  'sighash/input-index': { readonly inputIndex: number; readonly inputs: number };
  'sighash/prevouts': { readonly expected: number; readonly found: number };
  'sighash/midstate': { readonly of: 'another transaction' | 'other prevouts' };
  'sighash/type': { readonly sighashType: number; readonly algorithm: string };
  'sighash/single-without-output': { readonly inputIndex: number; readonly outputs: number };
  'sighash/script-code': SighashScriptAt & { readonly reason: SighashScriptFault };
  'sighash/leaf': SighashScriptAt & { readonly reason: 'not-taproot' | 'annex-tag' };
  'sighash/unsignable': SighashScriptAt;
  'script/flag-unknown': { readonly name: string; readonly known: string };
  'psbt/magic': At;
  'psbt/trailing': At & { readonly extra: number };
  'psbt/separator-missing': At & { readonly map: PsbtMapKind; readonly index: number };
  'psbt/map-count': At & { readonly map: 'input' | 'output'; readonly expected: number; readonly found: number };
  'psbt/duplicate-key': PsbtAt & { readonly key: string };
  'psbt/key-size': PsbtAt & { readonly size: number; readonly expected: string };
  'psbt/key-invalid': PsbtAt & { readonly reason: 'pubkey' | 'aggregate-pubkey' | 'participant-pubkey' };
  'psbt/value-size': PsbtAt & { readonly stated: number; readonly used: number };
  'psbt/value-invalid': PsbtAt & { readonly reason: PsbtValueFault };
  'psbt/version-unsupported': Partial<PsbtAt> & { readonly version: number };
  'psbt/version-undefined': { readonly version: number };
  'psbt/unsigned-tx-signed': { readonly inputIndex: number };
  'psbt/field-not-allowed': FieldRule;
  'psbt/field-required': FieldRule;
  'psbt/utxo-txid-mismatch': { readonly inputIndex: number };
  'psbt/utxo-index': { readonly inputIndex: number; readonly vout: number; readonly outputs: number };
  'psbt/no-coin': { readonly inputIndex: number };
  'signature/invalid': { readonly inputIndex: number; readonly reason: SignatureFault };
  /** What a policy refuses: the names of its checks, and its findings in words. */
  /** A check or limit that does not exist, or cannot be set to this. */
  'policy/invalid': { readonly name: string; readonly value: string };
  'policy/refused': { readonly checks: string; readonly findings: string };
  /** A silent payment whose script nobody has made yet: there is no transaction to sign. @see BIP375 */
  'psbt/silent-payment': { readonly outputIndex: number };
  /** What a Constructor may not do: what is not modifiable, or would change what signatures commit to. */
  'psbt/not-modifiable': { readonly reason: string };
  'psbt/empty': Record<never, never>;
  /** PSBTs that are not for one transaction; which of them, from 0 on. */
  'psbt/different': { readonly psbt: number };
  'psbt/not-final': { readonly inputIndex: number };
  'psbt/duplicate-input': { readonly psbt: number; readonly inputIndex: number };
  'psbt/not-v0': { readonly psbt: number };
  'psbt/locktime-conflict': { readonly inputIndex: number };
  /** No such block was fed, or it is the first one. */
  'block/unknown': Record<never, never>;
  'secret/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** Costs of scrypt that are too cheap to protect anything, or too dear to be meant. */
  'secret/cost': { readonly N: number; readonly r: number; readonly p: number };
  /** Another process uses the directory, as far as can be told; once it is gone, the lock file may be deleted. */
  'store/locked': { readonly directory: string; readonly process: number; readonly lockFile: string };
  /**
   * Damage that no crash explains, and where the part begins that it is in; `length`: the journal ends there, before
   * the end that it has noted. Nothing has been changed.
   */
  'store/corrupt': { readonly path: string; readonly offset: number; readonly reason: 'header' | 'record' | 'length' };
  /**
   * A file or directory that another user made or could replace; `mode` in octal, where it is the reason. Nothing has
   * been changed.
   */
  'store/unsafe': {
    readonly path: string;
    readonly reason: 'link' | 'links' | 'kind' | 'owner' | 'writable' | 'parent';
    readonly mode: string;
  };
  /** No room for the change: it was refused, and all before it is there. */
  'store/full': { readonly path: string; readonly reason: string };
  /** Written by a newer release than this one. */
  'store/version': { readonly path: string; readonly version: number; readonly newest: number };
  /** The journal of another network or dialect, or of something else altogether. */
  'store/mismatch': { readonly found: string; readonly wanted: string };
  /** What else the system or the state of the store forbids; the reason is the system's name of it, or words. */
  'store/failed': { readonly path: string; readonly reason: string };
}

interface SighashScriptAt {
  readonly inputIndex: number;
  /** The type of the prevout's scriptPubKey, as nodes name it. */
  readonly scriptType: string;
}

/** Why a signature was not put into a PSBT. */
type SignatureFault = 'input' | 'encoding' | 'sighash-type' | 'high-s' | 'not-valid';

/** What can be wrong with the script that a signature is to commit to. */
export type SighashScriptFault = 'missing' | 'hash-mismatch' | 'not-used' | 'too-large' | 'code-separator';

/** What can be wrong in the value of a PSBT record whose key is good. */
export type PsbtValueFault =
  | 'signature-encoding'
  | 'too-short'
  | 'too-long'
  | 'empty'
  | 'key-path-length'
  | 'taproot-path-length'
  | 'pubkey'
  | 'participant-pubkey'
  | 'participants-length'
  | 'not-66-bytes'
  | 'time-locktime'
  | 'height-locktime'
  | 'zero-height'
  | 'tree-depth'
  | 'tree-leaf-version'
  | 'tree-malformed';

export type ErrorCode = keyof ErrorData;

/** The only error that this library throws, `RpcError` apart. Switch on `code`; `message` is for people. */
export class BtcError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'BtcError';
  readonly code: C;
  readonly data: ErrorData[C];

  constructor(code: C, data: ErrorData[C]) {
    const facts = Object.entries(data).map(([name, value]) => `${name}=${value}`);
    super([code, ...facts].join(' '));
    this.code = code;
    this.data = data;
  }
}

/**
 * What a node would have answered instead of a result.
 *
 * - `code`: the node's numeric error code, e.g. -22
 * - `message`: the node's text, byte for byte in the dialect that was asked for
 * - `cause`: the `BtcError` behind it, where there is one
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
