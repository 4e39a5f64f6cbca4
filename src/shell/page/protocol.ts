import type { WalletFault } from '../../core/holder/heldWallets.ts';
import type { Musig2Counts } from '../../core/job/musig2Round.ts';
import type { NextStep } from '../../core/job/nextStep.ts';
import type { OpenReason } from '../../core/job/openReason.ts';
import type { NetworkName } from '../../core/network/networks.ts';
import type { ReviewJson } from '../../core/report/reviewJson.ts';
import type { PolicyCheck } from '../../core/review/finding.ts';
import type { ScriptTemplate } from '../../core/script/template.ts';
import type { MultisigScript, SignerKey } from '../../kit/account/walletFiles/walletFile.ts';
import type { SignedMessageFile } from '../../kit/message/signedMessageFile.ts';
import type { MessageOutcome } from '../../kit/message/verifyMessage.ts';
import type { SecretKind } from '../../kit/open/open.ts';
import type { FoundPayment } from '../../kit/payment/findPayment.ts';
import type { PaymentJson } from '../../kit/payment/paymentJson.ts';
import type { WalletProposal } from '../../kit/policies/registerWallet.ts';
import type { FrameFormat } from '../../kit/qr/frameReader.ts';

/** RGBA, of a camera frame or an image file. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  /** True for an image file, which is worth more effort than one of many camera frames. */
  readonly isStill?: boolean;
}

export type ScanView =
  | { readonly status: 'none' }
  | { readonly status: 'ignored'; readonly reason: 'damaged' | 'other' | 'unreadable' }
  | {
      readonly status: 'partial';
      readonly format: FrameFormat;
      readonly count: number;
      /** From 0. */
      readonly missing: readonly number[];
      /** False if this scan had read the code before. */
      readonly isNew: boolean;
    }
  | { readonly status: 'complete'; readonly opened: OpenedView };

export type OpenedView =
  | { readonly kind: 'psbt'; readonly document: DocumentView; readonly isCombined: boolean }
  | { readonly kind: 'transaction'; readonly document: DocumentView }
  /** Its outputs are spent by the open document at `inputs`, which proves their amounts. */
  | { readonly kind: 'previous-transaction'; readonly document: DocumentView; readonly inputs: readonly number[] }
  /** Has no secrets. */
  | { readonly kind: 'wallet'; readonly wallet: WalletView }
  /** The worker keeps the secret until `addKeys`. */
  | { readonly kind: 'secret'; readonly secret: SecretKind }
  /** One signer's keys for a multisig, which needs those of the others, too. */
  | { readonly kind: 'signer'; readonly signer: SignerView }
  | { readonly kind: 'address'; readonly search: SearchView }
  | { readonly kind: 'signed-message'; readonly text: string }
  | { readonly kind: 'message-request'; readonly text: string }
  | { readonly kind: 'payment'; readonly payment: PaymentView }
  /** `reason` quotes no secret. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A payment URI, and what the page has of it. */
export interface PaymentView extends PaymentJson {
  /** The address that a payment would go to, if it is on the chain, and its owner, if an open wallet derives it. */
  readonly address: string | undefined;
  readonly owner: OwnerView | undefined;
  /** What the outputs of the open document make of it. */
  readonly found: FoundPayment | undefined;
}

export interface DocumentView {
  readonly kind: 'psbt' | 'transaction';
  readonly name: string | undefined;
  readonly txid: string;
  readonly parts: number;
  readonly network: NetworkName;
  /** Sentences for the user. */
  readonly warnings: readonly string[];
  readonly review: ReviewJson;
  /** The review as SVG, for wide screens and for phones. */
  readonly pictures: { readonly wide: string; readonly narrow: string };
  /** One line for each input. */
  readonly progress: readonly string[];
  readonly canSign: boolean;
  /** What keys at hand add to the MuSig2 keys of the PSBT in the next round. */
  readonly musig2: Musig2Counts;
  /** The complete transaction, unless it pays more than it spends. */
  readonly final: FinalView | undefined;
  readonly openReason?: OpenReason;
  /** What helps, if not a further signature. */
  readonly nextStep?: NextStep;
  /** Of a message, once it is signed, in the place of `final`. */
  readonly signature?: string;
}

export interface FinalView {
  readonly txid: string;
  readonly hex: string;
  readonly vsize: number;
}

export interface WalletView {
  readonly id: number;
  readonly name: string;
  readonly network: NetworkName;
  readonly hasPrivateKeys: boolean;
  readonly fingerprints: readonly string[];
  /** Public keys only, with checksums; multipath where they cover both chains. */
  readonly descriptors: readonly string[];
  /** Keys of a multisig signer, with origins; empty for other wallets. */
  readonly publicKeys: readonly string[];
  /** Reveals a wrong passphrase; empty for keys of a multisig. */
  readonly firstAddresses: readonly string[];
  /** True if `addresses` has the chain `silent`. @see BIP352 */
  readonly hasSilentPayments: boolean;
  /** Of `fingerprints`, those whose keys the keys at hand prove; the others are only what a file says. */
  readonly provenFingerprints: readonly string[];
  /** True if others can spend the coins without the user, as soon as the user alone or sooner; not told of a registered wallet. */
  readonly isShared: boolean;
  /** How soon others can spend the coins without the user, and the user without others, if the user has one of several keys; not told of a registered wallet. */
  readonly control?: { readonly others: string; readonly alone: string };
  readonly standing: WalletStanding;
  /** Says that its file names another key than a key at hand, or contradicts itself. */
  readonly contradiction?: string;
  /** True if a key at hand may register it. */
  readonly canRegister: boolean;
  /** True if it was registered in this session: its file can be exported as `registration`. */
  readonly hasRegistrationFile: boolean;
}

/**
 * What makes a wallet the user's: keys at hand, which alone spend it or derive its descriptors; a registration, whose name and
 * id `title` quotes; or, without any key at hand, that it is listed. Else `none`, or why it is not registered.
 */
export type WalletStanding =
  | { readonly kind: 'registered'; readonly title: string }
  | { readonly kind: 'keys' | 'listed' | 'none' | WalletFault };

/** What the user must see before registering a wallet. */
export interface ProposalView
  extends Pick<WalletProposal, 'id' | 'template' | 'suggestedName' | 'hashes' | 'addresses' | 'related'> {
  readonly network: NetworkName;
  readonly control: NonNullable<WalletView['control']>;
  readonly keys: WalletProposal['walletKeys'];
  /** Of a wallet that is a plain multisig: how many of its keys sign. */
  readonly quorum?: { readonly required: number };
  /** Registrations of others that its file holds, which are kept under the same name if it replaces the same wallets. */
  readonly carried?: { readonly name: string; readonly count: number };
}

export interface RegisterForm {
  readonly walletId: number;
  /** As the user typed it. */
  readonly name: string;
  /** The ids of the wallets that it replaces. */
  readonly replaces: readonly string[];
}

export interface OwnerView {
  readonly walletId: number;
  readonly chain: 'receive' | 'change' | 'silent';
  /** The label of a silent payment address; 0 for the one without a label. */
  readonly index: number;
}

/** Whose an address is. `address` is empty if there is none. */
export type SearchView =
  | { readonly kind: 'found'; readonly address: string; readonly owner: OwnerView; readonly place: string }
  | {
      readonly kind: 'not-found';
      readonly address: string;
      /** Continues "not among". */
      readonly searched: string;
      /** How many indexes of each chain the next search may look through. */
      readonly next?: number;
    }
  /** It is not an address, or that of a network of which nothing is open. */
  | { readonly kind: 'fault'; readonly address: string; readonly reason: string };

/** A message to sign, and its address; or what a wallet writes to ask for it. */
export type MessageForm = { readonly address: string; readonly message: string } | { readonly request: string };

export type SignatureForm = 'bip322' | 'legacy';

/** What the user must see before signing a message. */
export interface PreparedMessageView {
  readonly address: string;
  readonly message: string;
  readonly network: NetworkName;
  readonly forms: readonly SignatureForm[];
  /** The form that most verifiers of such an address know. */
  readonly usual: SignatureForm;
}

export interface SignedMessageView {
  readonly signature: string;
  /** With the message and the address, between lines such as `-----BEGIN BITCOIN SIGNED MESSAGE-----`. */
  readonly block: string;
}

export interface MessageVerdictView {
  readonly kind: MessageOutcome['kind'];
  readonly address: string;
  readonly message: string;
  /** Continues the verdict. */
  readonly reason: string;
}

/** The keys of one signer of a multisig, of which the wallet takes the one for its script. */
export interface SignerView {
  readonly name: string;
  readonly keys: readonly SignerKey[];
  readonly isOwn: boolean;
}

export interface QuorumForm {
  /** How many signers sign. */
  readonly required: number;
  readonly signers: readonly SignerView[];
  /** Default: the most usual for which all signers have a key. */
  readonly script?: MultisigScript;
  readonly network: NetworkName;
}

export interface AddressRange {
  readonly walletId: number;
  readonly chain: OwnerView['chain'];
  readonly from: number;
  readonly count: number;
}

export interface AddressView {
  readonly index: number;
  readonly address: string;
}

export interface KeysForm {
  /** Absent for the secret that was opened last. */
  readonly text?: string;
  readonly passphrase?: string;
  readonly network: NetworkName;
  /** BIP44 purpose; 48 for a multisig. By default, as the key says, else 84. */
  readonly purpose?: 44 | 48 | 49 | 84 | 86;
  readonly account?: number;
  /** Where the addresses of a master key lie: below an account, or right below the key. */
  readonly at?: 'account' | 'root';
}

export interface WordsView {
  readonly count: number;
  /** Positions of words outside the list, from 1, except a last word that may still grow. */
  readonly unknown: readonly number[];
  /** Words near each of the first eight unknown ones, with its position. */
  readonly near: readonly { readonly position: number; readonly word: string }[];
  /** Undefined until the number of words is right and all are in the list. */
  readonly isChecksumRight: boolean | undefined;
  /** Continuations of the last word, at most eight. */
  readonly completions: readonly string[];
  /** Words that complete the phrase, at most eight. */
  readonly lastWords: readonly string[];
}

export type ExportKind = 'psbt' | 'transaction' | 'descriptors' | 'registration' | 'json' | 'address' | 'message';

export interface ExportSubject {
  readonly kind: ExportKind;
  readonly walletId?: number;
  readonly address?: string;
}

export interface ExportForm extends ExportSubject {
  readonly code: 'bbqr' | 'ur' | 'plain';
  /** The most characters in a code. */
  readonly density: number;
}

/** Codes to show in turn from `from`, which counts from 0. A `ur` stream never ends. */
export interface CodesView {
  /** A `BbqrType`, a UR type, or `text`. */
  readonly type: string;
  /** Number after which the stream repeats or could have been read. */
  readonly count: number;
  readonly codes: readonly CodeView[];
}

/** Without a border. */
export interface CodeView {
  readonly text: string;
  readonly size: number;
  /** `size * size` bytes, 1 for dark. */
  readonly modules: Uint8Array;
}

export interface ExportView {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
  readonly text: string;
}

/** What a text or a file is. */
export type IdentifiedView =
  | { readonly kind: 'document' }
  /** `type` is that of the script, or `silent-payment`; several networks may have the address. */
  | {
      readonly kind: 'address';
      readonly address: string;
      readonly type: ScriptTemplate['type'] | 'silent-payment';
      readonly networks: readonly NetworkName[];
    }
  /** A sentence that quotes no secret; the page can open what is `other`. */
  | { readonly kind: 'other' | 'unknown'; readonly text: string };

/**
 * What running the scripts of a transaction shows: `incomplete` if an input lacks signatures, and `unknown` if a coin that one spends
 * is not known, as long as nothing is `invalid`.
 */
export interface VerdictView {
  readonly kind: 'valid' | 'invalid' | 'incomplete' | 'unknown';
  /** Sentences that say why it is not valid. */
  readonly reasons: readonly string[];
}

/** How the scripts of an input ran. */
export interface TraceView {
  readonly isValid: boolean;
  /** Sentences that say what is demanded, what is offered, and why it fails. */
  readonly explanation: readonly string[];
  /** The steps, in lines of 80 columns. */
  readonly steps: string;
}

/** The calls of the page to its worker. Secrets go in and never come out; errors quote none. */
export interface PageSession {
  /** Adds the code in a picture to those that were read. */
  readonly scan: (picture: Picture) => ScanView;
  readonly scanText: (text: string) => ScanView;
  readonly resetScan: () => void;
  readonly open: (file: { readonly name?: string; readonly content: Uint8Array | string }) => OpenedView;
  readonly checkWords: (text: string) => WordsView;
  readonly addKeys: (form: KeysForm) => WalletView;
  readonly wallets: () => readonly WalletView[];
  /** Inspects an open wallet that the user may register. */
  readonly propose: (walletId: number) => ProposalView;
  /** Registers a wallet, which stays open as registered. */
  readonly register: (form: RegisterForm) => WalletView;
  readonly removeWallet: (id: number) => void;
  readonly document: () => DocumentView | undefined;
  readonly setNetwork: (network: NetworkName) => DocumentView | undefined;
  readonly closeDocument: () => void;
  /** `overrides` are refusals that the user accepts by name. */
  readonly sign: (overrides: readonly PolicyCheck[]) => DocumentView;
  readonly identify: (content: Uint8Array | string) => IdentifiedView;
  readonly verify: () => VerdictView;
  readonly trace: (inputIndex: number) => TraceView;
  readonly nodeJson: () => string;
  readonly addresses: (range: AddressRange) => readonly AddressView[];
  /** Looks through `count` indexes of each chain, by default 1000, for an address or that of a payment URI. */
  readonly findAddress: (text: string, count?: number) => SearchView;
  /** Finds what signs a message, for the user to read before `signMessage`. */
  readonly prepareMessage: (form: MessageForm) => PreparedMessageView;
  /** Signs the message that was prepared last. */
  readonly signMessage: (form: SignatureForm) => SignedMessageView;
  /** Takes a block with message, address and signature, or each by itself. */
  readonly verifyMessage: (form: string | SignedMessageFile) => MessageVerdictView;
  readonly readSigner: (content: string | Uint8Array, name: string) => SignerView;
  readonly ownSigners: (network: NetworkName) => readonly SignerView[];
  /** Makes a multisig wallet, which stays open. */
  readonly makeQuorum: (form: QuorumForm) => WalletView;
  readonly exported: (subject: ExportSubject) => ExportView;
  readonly codes: (form: ExportForm & { readonly from: number; readonly count: number }) => CodesView;
  /** In hex. */
  readonly sha256: (content: Uint8Array) => string;
  readonly wipe: () => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type MethodName = keyof PageSession;

export type RequestMessage = {
  [Name in MethodName]: { readonly id: number; readonly method: Name; readonly args: Parameters<PageSession[Name]> };
}[MethodName];

/** `error` is a sentence for the user. */
export type ResponseMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly progress: Progress };
