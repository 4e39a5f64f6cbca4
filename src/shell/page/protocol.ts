import type { NetworkName } from '../../core/network/networks.ts';
import type { OpenReason } from '../../core/review/openReason.ts';
import type { PolicyCheck } from '../../core/review/policy.ts';
import type { ReviewJson } from '../../core/review/text/reviewJson.ts';
import type { FrameFormat } from '../../kit/qr/frameReader.ts';

/** The pixels of a camera frame or of an image file: four bytes each, RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  /** True if it is an image file, which is worth more effort than one of many frames of a camera. */
  readonly isStill?: boolean;
}

/** The state of scanning after a picture. */
export type ScanView =
  /** No code in the picture. */
  | { readonly status: 'none' }
  /** A code that was read and cannot be used, with the reason. */
  | { readonly status: 'ignored'; readonly reason: 'damaged' | 'other' | 'unreadable' }
  | {
      readonly status: 'partial';
      readonly format: FrameFormat;
      readonly count: number;
      /** The frames that are still missing, from 0. */
      readonly missing: readonly number[];
      /** True if this scan had not read the code before. */
      readonly isNew: boolean;
    }
  /** All frames: the content was opened. */
  | { readonly status: 'complete'; readonly opened: OpenedView };

/** A file, a paste or a scan, recognized and kept by the worker. */
export type OpenedView =
  | { readonly kind: 'psbt'; readonly document: DocumentView; readonly isCombined: boolean }
  | { readonly kind: 'transaction'; readonly document: DocumentView }
  /** A transaction whose outputs the open document spends: it proves their amounts. `inputs`: those that spend it. */
  | { readonly kind: 'previous-transaction'; readonly document: DocumentView; readonly inputs: readonly number[] }
  /** Keys or descriptors without secrets, added to the wallets. */
  | { readonly kind: 'wallet'; readonly wallet: WalletView }
  /** Seed words or private keys, which the worker keeps until `addKeys` says how to use them. */
  | { readonly kind: 'secret'; readonly secret: SecretKind }
  /** A single address, which is looked for among the wallets' own. */
  | { readonly kind: 'address'; readonly address: string; readonly owner: OwnerView | undefined }
  /** Nothing that the page can use; `reason` is a sentence that quotes no secret. */
  | { readonly kind: 'refused'; readonly reason: string };

export type SecretKind = 'words' | 'extended-key' | 'wif' | 'descriptors' | 'wallet-file';

/** The PSBT or transaction that is open. */
export interface DocumentView {
  readonly kind: 'psbt' | 'transaction';
  readonly name: string | undefined;
  /** Of the transaction, unsigned or not. */
  readonly txid: string;
  /** The number of PSBTs that were combined into this one. */
  readonly parts: number;
  /** The network whose addresses are shown. */
  readonly network: NetworkName;
  /** Sentences for the user, such as that the key paths are for another network than the one shown. */
  readonly warnings: readonly string[];
  readonly review: ReviewJson;
  /** The id of the wallet of each descriptor that `verifiedOwner.descriptor` and `verifiedChange.descriptor` count. */
  readonly descriptorWallets: readonly number[];
  /** One line for each input: how far signing has come. */
  readonly progress: readonly string[];
  /** True if keys at hand can add a signature. */
  readonly canSign: boolean;
  /** The final transaction, once it is complete, unless it pays more than it spends. */
  readonly final: FinalView | undefined;
  /** Reason why a complete transaction is not ready to be broadcast. */
  readonly openReason?: OpenReason;
}

export interface FinalView {
  readonly txid: string;
  readonly hex: string;
  readonly vsize: number;
}

/** A wallet whose keys or descriptors the page holds. */
export interface WalletView {
  readonly id: number;
  readonly name: string;
  readonly network: NetworkName;
  readonly hasPrivateKeys: boolean;
  /** In hex. */
  readonly fingerprints: readonly string[];
  /** Descriptors with public keys only, multipath where they cover both chains, with checksums. */
  readonly descriptors: readonly string[];
  /** For keys of a multisig: their public keys with origins, to give to the other signers. Empty for others. */
  readonly publicKeys: readonly string[];
  /** The first three receive addresses, by which a wrong passphrase is noticed; empty for keys of a multisig. */
  readonly firstAddresses: readonly string[];
  /** True if another key in it can spend its coins without the keys that are open, as soon as they or sooner. */
  readonly isShared: boolean;
  /** Says when another key can spend its coins without the keys that are open, if only later than they. */
  readonly othersLater?: string;
}

/** A place in a wallet. */
export interface OwnerView {
  readonly walletId: number;
  readonly chain: 'receive' | 'change';
  readonly index: number;
}

export interface AddressView {
  readonly index: number;
  readonly address: string;
}

/** The form with which the user opens keys. */
export interface KeysForm {
  /** Seed words, an extended private key, WIF, descriptors; absent to use the secret that was opened last. */
  readonly text?: string;
  readonly passphrase?: string;
  readonly network: NetworkName;
  /** BIP44 purposes: the kind of addresses; 48 for the keys of a multisig. Absent: as the key says, else 84. */
  readonly purpose?: 44 | 48 | 49 | 84 | 86;
  readonly account?: number;
}

/** The state of seed words while they are typed. */
export interface WordsView {
  readonly count: number;
  /** The positions of words that are not in the list, from 1. The last word is not listed while it may still grow. */
  readonly unknown: readonly number[];
  /** `undefined` until the number of words is right and all are known. */
  readonly isChecksumRight: boolean | undefined;
  /** Words that the last one can become, at most eight, in order. */
  readonly completions: readonly string[];
  /** Words that would be a right last word, if one is missing; at most eight. */
  readonly lastWords: readonly string[];
}

/** A result that leaves the page as a file, text or codes. */
export type ExportKind = 'psbt' | 'transaction' | 'descriptors' | 'json' | 'address';

export interface ExportForm {
  readonly kind: ExportKind;
  /** For `descriptors`: the wallet. */
  readonly walletId?: number;
  /** For `address`: the address. */
  readonly address?: string;
  readonly code: 'bbqr' | 'ur' | 'plain';
  /** The most characters in a code. */
  readonly density: number;
}

/** Codes to show in turn. A `ur` stream has no end: the page requests more by `from`, which counts from 0. */
export interface CodesView {
  /** A `BbqrType`, the type of a UR, or `text`. */
  readonly type: string;
  /** The number of codes after which the stream repeats, or could have been read. */
  readonly count: number;
  readonly codes: readonly CodeView[];
}

/** A code as rows of modules without a border, and the text in it. */
export interface CodeView {
  readonly text: string;
  readonly size: number;
  /** `size * size` bytes, 1 for dark. */
  readonly modules: Uint8Array;
}

/** A file or text to save or copy. */
export interface ExportView {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
  /** The same as text: base64 of a PSBT, hex of a transaction. */
  readonly text: string;
}

/** The result of running all scripts of a transaction. */
export interface VerdictView {
  readonly isValid: boolean;
  /** One sentence for each input that fails, or whose coin is unknown. */
  readonly faults: readonly string[];
}

/** The calls that the page makes to its worker. Secrets go in and never come out; errors quote none. */
export interface PageSession {
  /** Looks for a code in a picture, and adds it to those that were read. */
  readonly scan: (picture: Picture) => ScanView;
  /** Adds the text of a code, as `scan` does with what it finds. */
  readonly scanText: (text: string) => ScanView;
  readonly resetScan: () => void;
  /** Opens a file or a pasted text. */
  readonly open: (given: { readonly name?: string; readonly content: Uint8Array | string }) => OpenedView;
  readonly checkWords: (text: string) => WordsView;
  readonly addKeys: (form: KeysForm) => WalletView;
  readonly wallets: () => readonly WalletView[];
  readonly removeWallet: (id: number) => void;
  /** The document after wallets, network or policy changed. */
  readonly document: () => DocumentView | undefined;
  readonly setNetwork: (network: NetworkName) => DocumentView | undefined;
  readonly closeDocument: () => void;
  /** Signs with all wallets. `overrides`: the refusals that the user accepts by name. */
  readonly sign: (overrides: readonly PolicyCheck[]) => DocumentView;
  readonly verify: () => VerdictView;
  /** The JSON of `decodepsbt` or `decoderawtransaction`, as a node prints it. */
  readonly nodeJson: () => string;
  readonly addresses: (form: {
    readonly walletId: number;
    readonly chain: 'receive' | 'change';
    readonly from: number;
    readonly count: number;
  }) => readonly AddressView[];
  readonly findAddress: (address: string) => OwnerView | undefined;
  readonly exported: (form: Omit<ExportForm, 'code' | 'density'>) => ExportView;
  readonly codes: (form: ExportForm & { readonly from: number; readonly count: number }) => CodesView;
  /** The SHA-256 of bytes, in hex. */
  readonly sha256: (content: Uint8Array) => string;
  /** Forgets all keys, documents and codes. */
  readonly wipe: () => void;
}

export type MethodName = keyof PageSession;

/** A message to the worker. */
export type RequestMessage = {
  [Name in MethodName]: { readonly id: number; readonly method: Name; readonly args: Parameters<PageSession[Name]> };
}[MethodName];

/** A message from the worker. `error` is a sentence for the user. */
export type ResponseMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  /** Progress of a long call: signatures made, of all. */
  | { readonly id: number; readonly progress: { readonly done: number; readonly total: number } };
