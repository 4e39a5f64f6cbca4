export type PsbtMapKind = 'global' | 'input' | 'output';

export interface PsbtPlace {
  readonly map: PsbtMapKind;
  /** 0-based; 0 for the global map. */
  readonly index: number;
  /** 0-based, within its map. */
  readonly record: number;
  /** Such as `partialSigs`; `unknown` for an unknown key type. */
  readonly field: string;
}

interface At {
  /** In bytes of the decoded data. */
  readonly offset: number;
}
type BytesAt = At & Partial<PsbtPlace>;
type PsbtAt = At & PsbtPlace;
type FieldRule = {
  readonly map: PsbtMapKind;
  readonly index: number;
  readonly field: string;
  readonly version: number;
};

/** The data of each error code. */
export interface ErrorData {
  /** `isPart`: within a key, or a value of several parts. */
  'bytes/end-of-data': BytesAt & { readonly isPart?: true };
  'bytes/trailing': BytesAt & { readonly extra: number };
  'bytes/size-not-minimal': BytesAt;
  'bytes/size-too-large': BytesAt;
  'bytes/out-of-range': { readonly what: string; readonly value: string };
  'hex/invalid': { readonly offset: number; readonly reason: 'character' | 'odd-length' };
  'base64/invalid': { readonly offset: number; readonly reason: 'character' | 'length' | 'padding-bits' };
  'base58/invalid': { readonly reason: 'character' | 'checksum' };
  'bech32/invalid': { readonly reason: 'encoding' };
  'address/invalid': {
    readonly reason: 'prefix' | 'length' | 'version' | 'checksum' | 'padding' | 'key' | 'white-space';
  };
  /** `found`: the built-in networks of the address. */
  'address/network': { readonly found: string; readonly network: string };
  /** `found`: the built-in networks of the key. */
  'wif/network': { readonly found: string; readonly network: string };
  'wif/invalid': { readonly reason: 'form' | 'prefix' | 'length' | 'range' };
  /** The decrypted key has another address than the encrypted one names. */
  'bip38/passphrase': Record<never, never>;
  'bip38/invalid': { readonly reason: 'form' | 'flags' };
  /** `position` is 1-based. */
  'codex32/invalid': {
    readonly position: number;
    readonly reason: 'form' | 'case' | 'character' | 'length' | 'checksum' | 'threshold';
  };
  /** `position` is 1-based. */
  'codex32/shares':
    | { readonly reason: 'count'; readonly needed: number; readonly given: number }
    | { readonly reason: 'secret' | 'identifier' | 'threshold' | 'length' | 'index'; readonly position: number };
  'path/invalid': { readonly step: string; readonly reason: 'not a number' | 'out of range' | 'no index' };
  'xkey/invalid': { readonly reason: string };
  'xkey/underivable': { readonly child: number; readonly reason: 'range' | 'hardened' | 'depth' | 'no key' };
  /** Only one of the two is for test networks. */
  'xkey/network': { readonly prefix: string; readonly network: string };
  'words/count': { readonly count: number };
  /** 1-based; the words themselves may be secret. */
  'words/unknown': { readonly positions: string };
  /** One of the words is wrong, or their order. */
  'words/checksum': Record<never, never>;
  /** Missing or unknown words, of which only one can be found. */
  'words/gaps': { readonly gaps: number };
  /** Electrum does not derive keys as in BIP39. */
  'words/electrum': Record<never, never>;
  /** Two of three keys of a wallet of Electrum whose third key a service holds. */
  'words/second-factor': Record<never, never>;
  /** Core's wording; anything that might be a private key is masked. */
  'descriptor/invalid': { readonly reason: string; readonly hint?: string };
  'descriptor/checksum': { readonly reason: string; readonly hint?: string };
  'descriptor/range': { readonly reason: string };
  /** A hardened step needs the private key. */
  'descriptor/underivable': Record<never, never>;
  'ecc/secret-key': Record<never, never>;
  /** A new signature does not verify: a hardware fault or a bug. */
  'ecc/fault': Record<never, never>;
  'ecc/point': { readonly what: 'base' | 'generator' | 'scan key' | 'spend key' | 'tweak data' };
  'ecc/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** `participant` is 0-based. */
  'musig2/public-key': { readonly participant: number };
  'musig2/public-nonce': { readonly participant: number };
  'musig2/partial-signature': { readonly participant: number };
  /** The sum of `all` public nonces, or of all but the signer's own (`others`). */
  'musig2/aggregate-nonce': { readonly of: 'all' | 'others' };
  'musig2/count': { readonly what: string; readonly expected: string; readonly found: number };
  'musig2/infinity': Record<never, never>;
  'musig2/tweak': Record<never, never>;
  'musig2/rand': Record<never, never>;
  'musig2/nonce-used': Record<never, never>;
  'musig2/nonce-state': { readonly reason: 'missing' | 'used' | 'foreign' };
  'musig2/signed': Record<never, never>;
  /** The nonce is for another key. */
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
  'sighash/leaf': SighashScriptAt & { readonly reason: 'not-taproot' | 'annex-tag' | 'not-committed' };
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
  /** Keys of a multisig have no addresses without the other keys. */
  'account/no-addresses': Record<never, never>;
  /** Another type than declared; the value is not shown. */
  'argument/invalid': { readonly argument: string; readonly reason: string };
  /** Where the addresses of a master key lie is not stated, or cannot be true. */
  'account/at': Record<never, never>;
  /** `found`: the key's account number, if it has one. */
  'account/number': { readonly wanted: number; readonly found?: number };
  /** They are of different wallets, or two keys have one origin. */
  'account/descriptors': Record<never, never>;
  /** An extended key below the master does not say which kind of addresses its account has. */
  'account/purpose': Record<never, never>;
  /** `inputs` says why, input by input. */
  'account/nothing-signed': { readonly inputs: string };
  /** `reason`: the likely kind of text, or the formats that can be read. */
  'walletfile/format': { readonly reason: string };
  /** In bytes. */
  'walletfile/size': { readonly size: number; readonly limit: number };
  /** `reason` holds no private key. */
  'walletfile/invalid': { readonly format: string; readonly reason: string };
  /** Without `network`, the caller must name one. */
  'walletfile/network': { readonly format: string; readonly found: string; readonly network?: string };
  /** In satoshi. */
  'build/insufficient-funds': { readonly available: bigint; readonly needed: bigint };
  /** In satoshi: less than it would cost to spend the output. */
  'build/dust': { readonly outputIndex: number; readonly value: bigint; readonly limit: bigint };
  /** Only its previous transaction proves the amount of a legacy coin. */
  'build/previous-transaction': {
    readonly inputIndex: number;
    readonly reason: 'missing' | 'txid' | 'output' | 'value';
  };
  /** No descriptor says how the coin is spent. */
  'build/unknown-size': { readonly inputIndex: number };
  'build/invalid': { readonly member: string; readonly reason: string };
  'policies/unsupported': { readonly reason: 'chains' | 'private-key' | 'keys' };
  /** What the signer refuses. */
  'policies/registration': { readonly what: 'format' | 'name' | 'keys' | 'template' | 'wallet' };
  'message/file': { readonly reason: string };
  'message/request': { readonly reason: string };
  /** `line` is 1-based. */
  'labels/invalid': { readonly line: number; readonly reason: string };
  'labels/size': Record<never, never>;
  'labels/origin': Record<never, never>;
  /** `parameter`: that at fault, without `req-`. */
  'payment-uri/invalid': {
    readonly reason: 'size' | 'scheme' | 'encoding' | 'address' | 'amount' | 'duplicate' | 'required';
    readonly parameter?: string;
  };
  'policy/invalid': { readonly name: string; readonly value: string };
  /** Names of the failed checks, and findings in words. */
  'policy/refused': { readonly checks: string; readonly findings: string };
  /** `none`: no input has one key; `sum`: they cancel each other out. */
  'silent-payment/inputs': { readonly reason: 'none' | 'sum' };
  'holder/name': Record<never, never>;
  'silent-payment/count': { readonly most: number };
  /**
   * The output does not provably pay its address. `no-script`: not computed yet; `coin`, `key`, `internal-key`, `share`,
   * `no-proof`: a record is missing; `receivers`: outputs with one scan key may be of several receivers; `proof`, `script`:
   * false; `input`, `no-key`, `sighash`, `modifiable`: not allowed.
   * @see BIP375
   */
  'psbt/silent-payment': {
    readonly outputIndex: number;
    readonly inputIndex?: number;
    readonly reason:
      | 'no-script'
      | 'coin'
      | 'key'
      | 'internal-key'
      | 'share'
      | 'no-proof'
      | 'receivers'
      | 'proof'
      | 'script'
      | 'input'
      | 'no-key'
      | 'sighash'
      | 'modifiable';
  };
  /** Not modifiable, or signed already, or PSBT version 0. */
  'psbt/not-modifiable': { readonly reason: string };
  'psbt/empty': Record<never, never>;
  /** 0-based index of one that differs from the first. */
  'psbt/different': { readonly psbt: number };
  'psbt/not-final': { readonly inputIndex: number };
  'psbt/duplicate-input': { readonly psbt: number; readonly inputIndex: number };
  'psbt/not-v0': { readonly psbt: number };
  'psbt/locktime-conflict': { readonly inputIndex: number };
  /** Never submitted, or the genesis block, which cannot be invalidated. */
  'block/unknown': Record<never, never>;
  'filter/invalid': { readonly reason: 'truncated' | 'count' | 'range' | 'trailing' };
  'qr/invalid': { readonly option: string; readonly reason: string };
  /** The message says why. */
  'page/refused': Record<never, never>;
  /** The node cannot be reached or gives no usable reply. `isPassing`: a later call may succeed. */
  'client/failed': { readonly isPassing: boolean };
  'secret/size': { readonly what: string; readonly size: number; readonly expected: number };
  /** Too low to protect a secret, or implausibly high. */
  'secret/cost': { readonly N: number; readonly r: number; readonly p: number };
  /** Once that process has ended, the lock file may be deleted. */
  'store/locked': { readonly directory: string; readonly process: number; readonly lockFile: string };
  /**
   * Damage that no crash explains; nothing has been changed. `missing`: what was written is gone; `log`: the files beside
   * it are not those that it needs.
   */
  'store/corrupt': {
    readonly path: string;
    readonly reason: 'header' | 'record' | 'structure' | 'missing' | 'log';
  };
  /** Another user created the file or directory, or could replace it. `mode` is octal. */
  'store/unsafe': {
    readonly path: string;
    readonly reason: 'link' | 'links' | 'file' | 'directory' | 'owner' | 'writable' | 'parent';
    readonly mode: string;
  };
  /** All earlier changes are kept. */
  'store/full': { readonly path: string; readonly reason: string };
  /** A newer release wrote the store. */
  'store/version': { readonly path: string; readonly version: number; readonly newest: number };
  /** The store belongs to another network or dialect. */
  'store/mismatch': { readonly found: string; readonly wanted: string };
  /** `reason`: the system's error name, or a description. `isUnsure`: the last change may have been kept. */
  'store/failed': { readonly path: string; readonly reason: string; readonly isUnsure?: true };
  /** In satoshi, what a chain for tests can give away. */
  'regtest/no-funds': { readonly most: string };
  /** A text that a chain for tests does not load: damaged, of another kind, of a newer release, or of another dialect. */
  'regtest/state':
    | { readonly reason: 'damaged' | 'format' }
    | { readonly reason: 'version'; readonly version: number }
    | { readonly reason: 'dialect'; readonly dialect: string };
  /** A page cannot listen. */
  'regtest/no-server': Record<never, never>;
}

interface SighashScriptAt {
  readonly inputIndex: number;
  /** By Core's name, of the prevout's scriptPubKey. */
  readonly scriptType: string;
}

type SignatureFault = 'input' | 'encoding' | 'sighash-type' | 'high-s' | 'not-valid';

export type SighashScriptFault = 'missing' | 'hash-mismatch' | 'not-used' | 'too-large';

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

/** The code of a `BtcError`, which determines its data. */
export type ErrorCode = keyof ErrorData;
