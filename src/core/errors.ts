export type PsbtMapKind = 'global' | 'input' | 'output';

/** Place in a PSBT where a fault was found. */
export interface PsbtPlace {
  readonly map: PsbtMapKind;
  /** 0-based input or output index; 0 for the global map. */
  readonly index: number;
  /** 0-based position of the record within its map. */
  readonly record: number;
  /** The field name in our plain data, e.g. `partialSigs`; `unknown` for an unknown key type. */
  readonly field: string;
}

interface At {
  /** Byte offset in the decoded data. */
  readonly offset: number;
}
type BytesAt = At & Partial<PsbtPlace>;
type PsbtAt = At & PsbtPlace;
/** A broken rule about a whole map, checked once all its records are read. */
type FieldRule = {
  readonly map: PsbtMapKind;
  readonly index: number;
  readonly field: string;
  readonly version: number;
};

/** Maps every error code to the data it carries. */
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
  /** The address is valid on other built-in networks: `found` names them. */
  'address/network': { readonly found: string; readonly network: string };
  /** The private key is for other built-in networks: `found` names them. */
  'wif/network': { readonly found: string; readonly network: string };
  'wif/invalid': { readonly reason: 'form' | 'prefix' | 'length' | 'range' };
  'path/invalid': { readonly step: string; readonly reason: 'not a number' | 'out of range' };
  'xkey/invalid': { readonly reason: string };
  'xkey/underivable': { readonly child: number; readonly reason: 'range' | 'hardened' | 'depth' | 'no key' };
  /** An extended key is for test networks and the network is not, or the reverse. */
  'xkey/network': { readonly prefix: string; readonly network: string };
  /** A seed phrase has this number of words, which BIP39 does not allow. */
  'words/count': { readonly count: number };
  /** Words that are not in the list, by their 1-based positions; the words themselves may be secret. */
  'words/unknown': { readonly positions: string };
  /** All words are in the list, but one is wrong, or their order is. */
  'words/checksum': Record<never, never>;
  /** The words are a seed of Electrum, whose keys are derived otherwise than BIP39 says. */
  'words/electrum': Record<never, never>;
  /** `reason` has Bitcoin Core's wording, with anything that might be a private key masked. */
  'descriptor/invalid': { readonly reason: string; readonly hint?: string };
  'descriptor/checksum': { readonly reason: string; readonly hint?: string };
  'descriptor/range': { readonly reason: string };
  /** A hardened step needs the private key, which is missing. */
  'descriptor/underivable': Record<never, never>;
  'ecc/secret-key': Record<never, never>;
  /** A freshly made signature does not verify: a hardware fault or a bug in the curve arithmetic. */
  'ecc/fault': Record<never, never>;
  'ecc/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** A MuSig2 participant's contribution is invalid; `participant` is its 0-based index. */
  'musig2/public-key': { readonly participant: number };
  'musig2/public-nonce': { readonly participant: number };
  'musig2/partial-signature': { readonly participant: number };
  /** The aggregate nonce is invalid: the sum of `all` public nonces, or of the `others`, all but the signer's own. */
  'musig2/aggregate-nonce': { readonly of: 'all' | 'others' };
  'musig2/count': { readonly what: string; readonly expected: string; readonly found: number };
  'musig2/infinity': Record<never, never>;
  'musig2/tweak': Record<never, never>;
  'musig2/rand': Record<never, never>;
  'musig2/nonce-used': Record<never, never>;
  /** The participant has already signed. */
  'musig2/signed': Record<never, never>;
  /** The nonce was generated for a key other than the signing key. */
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
  'message/format': Record<never, never>;
  'message/incomplete': { readonly inputIndex: number };
  'sighash/prevouts': { readonly expected: number; readonly found: number };
  'sighash/midstate': { readonly of: 'another transaction' | 'other prevouts' };
  'sighash/type': { readonly sighashType: number; readonly algorithm: string };
  'sighash/single-without-output': { readonly inputIndex: number; readonly outputs: number };
  'sighash/script-code': SighashScriptAt & { readonly reason: SighashScriptFault };
  'sighash/leaf': SighashScriptAt & { readonly reason: 'not-taproot' | 'annex-tag' };
  'sighash/unsignable': SighashScriptAt;
  'script/flag-unknown': { readonly name: string; readonly known: string };
  /** Neither binary, nor base64, nor hex that begins like a PSBT. */
  'psbt/unrecognized': Record<never, never>;
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
  /** An account that only has keys of a multisig has no addresses: they need the other keys, in a descriptor. */
  'account/no-addresses': Record<never, never>;
  /** A value has another type than its declaration says; it is not shown. */
  'argument/invalid': { readonly argument: string; readonly reason: string };
  /** The key belongs to the account number `found`, or to none, and another was wanted. */
  'account/number': { readonly wanted: number; readonly found?: number };
  /** The two descriptors for receive and change addresses are of different wallets, or two keys have one origin. */
  'account/descriptors': Record<never, never>;
  /** An extended key below the master does not say which kind of addresses its account has. */
  'account/purpose': Record<never, never>;
  /** The PSBT is not complete, and the account could add no signature; `inputs` says why, input by input. */
  'account/nothing-signed': { readonly inputs: string };
  /** The text is not a wallet file; `reason` says what it looks like instead, or lists the formats that can be read. */
  'walletfile/format': { readonly reason: string };
  /** The file has more bytes than any wallet writes. */
  'walletfile/size': { readonly size: number; readonly limit: number };
  /** A part of the file is missing or wrong; `format` is the name of its format. No private key is in `reason`. */
  'walletfile/invalid': { readonly format: string; readonly reason: string };
  /** The keys of the file are for the networks `found`, not for `network`; without it, the caller must name the network. */
  'walletfile/network': { readonly format: string; readonly found: string; readonly network?: string };
  /** The inputs hold less than the outputs and the fee, all in satoshi. */
  'build/insufficient-funds': { readonly available: bigint; readonly needed: bigint };
  /** An output pays less than it would cost to spend, in satoshi. */
  'build/dust': { readonly outputIndex: number; readonly value: bigint; readonly limit: bigint };
  /** A legacy coin is only proven by its previous transaction, which is missing. */
  'build/previous-transaction': {
    readonly inputIndex: number;
    readonly reason: 'missing' | 'txid' | 'output' | 'value';
  };
  /** No descriptor says how the coin is spent, so that the size of the transaction cannot be estimated. */
  'build/unknown-size': Record<never, never>;
  'build/invalid': { readonly member: string; readonly reason: string };
  /** The policy has no such check or limit, or does not accept this value for it. */
  'policy/invalid': { readonly name: string; readonly value: string };
  /** The policy refuses the PSBT: names of the failed checks, and its findings in words. */
  'policy/refused': { readonly checks: string; readonly findings: string };
  /** The script of a silent payment output has not been computed yet, so there is no transaction to sign. @see BIP375 */
  'psbt/silent-payment': { readonly outputIndex: number };
  /** A Constructor may not make this change: that part is not modifiable, signatures commit to it, or it is version 0. */
  'psbt/not-modifiable': { readonly reason: string };
  'psbt/empty': Record<never, never>;
  /** A PSBT is for a different transaction than the first one; `psbt` is its 0-based index. */
  'psbt/different': { readonly psbt: number };
  'psbt/not-final': { readonly inputIndex: number };
  'psbt/duplicate-input': { readonly psbt: number; readonly inputIndex: number };
  'psbt/not-v0': { readonly psbt: number };
  'psbt/locktime-conflict': { readonly inputIndex: number };
  /** The block or its parent was never submitted, or it is the genesis block, which cannot be invalidated. */
  'block/unknown': Record<never, never>;
  /** The bytes are not a BIP158 filter: cut off, too many elements, a value out of range, or more bytes than elements need. */
  'filter/invalid': { readonly reason: 'truncated' | 'count' | 'range' | 'trailing' };
  /** An option of an encoder of QR frames is wrong, or the content is too long. */
  'qr/invalid': { readonly option: string; readonly reason: string };
  /** The offline signer cannot do what its user asks for; the message says why. */
  'page/refused': Record<never, never>;
  'secret/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** Scrypt costs outside the accepted range: too low to protect a secret, or implausibly high. */
  'secret/cost': { readonly N: number; readonly r: number; readonly p: number };
  /** Another process appears to use the directory; once that process has ended, the lock file may be deleted. */
  'store/locked': { readonly directory: string; readonly process: number; readonly lockFile: string };
  /**
   * A file of the store is damaged in a way no crash explains. `offset` is the start of the damaged part, where one is
   * known; with `length`, the journal ends there, before its recorded end. The database has lost changes with `state`,
   * lacks a file with `missing`, and belongs to another store with `owner`. Nothing has been changed.
   */
  'store/corrupt': {
    readonly path: string;
    readonly offset?: number;
    readonly reason: 'header' | 'record' | 'length' | 'page' | 'structure' | 'state' | 'missing' | 'owner';
  };
  /**
   * Another user created the file or directory, or could replace it. `mode` is in octal where it is the reason. Nothing
   * has been changed.
   */
  'store/unsafe': {
    readonly path: string;
    readonly reason: 'link' | 'links' | 'kind' | 'owner' | 'writable' | 'parent';
    readonly mode: string;
  };
  /** There is no space for the change: it was refused, and all earlier changes are kept. */
  'store/full': { readonly path: string; readonly reason: string };
  /** A newer release wrote the store. */
  'store/version': { readonly path: string; readonly version: number; readonly newest: number };
  /** The journal belongs to another network or dialect, or is not a journal of this store at all. */
  'store/mismatch': { readonly found: string; readonly wanted: string };
  /**
   * Any other failure of the system or the store; `reason` is the system's error name, or a description. `isUnsure`: the
   * last change may or may not be kept; without it, nothing was changed.
   */
  'store/failed': { readonly path: string; readonly reason: string; readonly isUnsure?: true };
}

interface SighashScriptAt {
  readonly inputIndex: number;
  /** The type of the prevout's scriptPubKey, by Core's name. */
  readonly scriptType: string;
}

/** Reason why a signature was not added to a PSBT. */
type SignatureFault = 'input' | 'encoding' | 'sighash-type' | 'high-s' | 'not-valid';

/** Faults of the script that a signature would commit to. */
export type SighashScriptFault = 'missing' | 'hash-mismatch' | 'not-used' | 'too-large';

/** Faults in the value of a PSBT record whose key is valid. */
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

/** The code of a `BtcError`; `ErrorData` says which data comes with it. */
export type ErrorCode = keyof ErrorData;

/** Mark errors: a program that loads the library both as ESM and as CommonJS has two copies of each class. */
const BTC_ERROR = /* @__PURE__ */ Symbol.for('countersign.BtcError');
const RPC_ERROR = /* @__PURE__ */ Symbol.for('countersign.RpcError');

function mark(error: Error, kind: symbol): void {
  Object.defineProperty(error, kind, { value: true });
}

function isMarked(value: unknown, kind: symbol): boolean {
  return typeof value === 'object' && value !== null && kind in value;
}

/** The arguments of `BtcError`, by code. */
type ErrorArgs = { [C in ErrorCode]: [code: C, data: ErrorData[C], message: string] }[ErrorCode];

/**
 * The only error this library throws besides `RpcError`. Switch on `code`, or narrow with `isBtcError`.
 *
 * - `message`: for people, an English sentence that says what is wrong and what to do. It takes one line, without a full
 *   stop, so that it can follow a colon, and never quotes a key or seed words
 */
export class BtcError extends Error {
  override readonly name = 'BtcError';
  readonly code: ErrorCode;
  readonly data: ErrorData[ErrorCode];

  constructor(...[code, data, message]: ErrorArgs) {
    super(message);
    this.code = code;
    this.data = data;
    mark(this, BTC_ERROR);
  }

  /** Recognizes the errors of every copy of the library in a program. */
  static override [Symbol.hasInstance](value: unknown): value is BtcError {
    return isMarked(value, BTC_ERROR);
  }
}

/**
 * Tells whether a caught value is a `BtcError`, with this code if one is given; then `data` has the type of the code.
 * @example
 * ```ts
 * import { accountFromWords, isBtcError } from 'countersign';
 *
 * try {
 *   accountFromWords('abandon abandon abandon');
 * } catch (error) {
 *   if (isBtcError(error, 'words/count')) error.data.count; // 3
 * }
 * ```
 */
export function isBtcError(error: unknown): error is BtcError;
export function isBtcError<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is BtcError & { readonly code: C; readonly data: ErrorData[C] };
export function isBtcError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof BtcError && (code === undefined || error.code === code);
}

/**
 * The error with which a node would have replied.
 *
 * - `code`: the node's numeric error code, e.g. -22
 * - `message`: the node's text, byte for byte, in the chosen dialect
 * - `cause`: the underlying `BtcError`, if any
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    mark(this, RPC_ERROR);
  }

  /** Recognizes the errors of every copy of the library in a program. */
  static override [Symbol.hasInstance](value: unknown): value is RpcError {
    return isMarked(value, RPC_ERROR);
  }
}

/** The most characters of a message. */
const LONGEST = 200;

/** Shortens a text for a message, by default to the longest message. */
export function shortened(text: string, most: number = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

/** Returns the result of a call, or `undefined` if it throws a BtcError; for callers with their own error text. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
