import { placePath } from '../holder/accounts.ts';
import type { Owner, Root } from '../holder/owner.ts';
import type { NoData, Role } from '../holder/role.ts';
import type { FindingData, PolicyCheck } from '../review/finding.ts';
import type { AmountProof, AmountTrust, QuorumProgress, SignatureReview, SignerReview } from '../review/inputReview.ts';
import type { FeeReason, FeeShare } from '../review/reviewPsbt.ts';
import type { AbsoluteLock } from '../tx/absoluteLock.ts';
import type { RelativeLock } from '../tx/relativeLock.ts';

/** How loud a line is: `good` is proven to be right, `warn` asks for attention, `stop` refuses. */
export type Tone = 'plain' | 'good' | 'warn' | 'stop';

/** Roles of lines that begin with a label. */
export type LabelledRole =
  | 'leaves'
  | 'comes'
  | 'pays'
  | 'fee'
  | 'change'
  | 'signed'
  | 'mined'
  | 'spends'
  | 'proves'
  | 'signs'
  | 'moves';

/**
 * Where a line stands: after a label, as a verdict or a finding above all, as an `output` or `input` in its list, as a `note`
 * about the line before it, or as a `proof` of the amounts at the end.
 */
export type LineRole = LabelledRole | 'verdict' | 'finding' | 'output' | 'input' | 'note' | 'proof';

/** Whose a coin or an output is, in words: paths are as in `84h/0h/0h/1/5`. */
export type OwnerData =
  | { readonly kind: 'account'; readonly root: Root; readonly path: string; readonly title?: string }
  | {
      readonly kind: 'wallet';
      readonly root: Root;
      readonly title: string;
      /** A chain by its use, or by its position; absent if the wallet has but one. */
      readonly chain?: 'receive' | 'change' | number;
      readonly index: number;
    }
  | { readonly kind: 'key' | 'silent' | 'none'; readonly root: Root };

/** What an output pays, or a coin is locked by: an address, by its proven name if it has one, the texts of data, or another script. */
export type PayeeData =
  | { readonly kind: 'address' | 'silent-payment'; readonly address: string; readonly name?: string }
  | { readonly kind: 'data'; readonly texts: readonly string[] }
  /** `asm` of the first 520 bytes; `hex` in its place if there are more. */
  | { readonly kind: 'script'; readonly bytes: number; readonly asm?: string; readonly hex?: string };

/** How far an input is signed. */
export type SignedData =
  | { readonly kind: 'final' | 'not-valid' | 'unknown' }
  /** By way to spend the coin; `isClosed` if the transaction meets the locks of none. */
  | {
      readonly kind: 'counts';
      readonly counts: readonly Pick<QuorumProgress, 'have' | 'required'>[];
      readonly isClosed: boolean;
    };

/** The data of each line by its key. Amounts are in satoshi. */
export interface LineData {
  readonly clean: NoData;
  /** As far as the wallet file is true: no key at hand proves it. */
  readonly 'clean-listed': NoData;
  readonly leaves: {
    readonly amount: bigint;
    /** Of the amount, if no one else pays it. */
    readonly fee?: bigint;
    readonly stays: bigint;
    readonly isClaimed: boolean;
  };
  readonly comes: { readonly amount: bigint; readonly isClaimed: boolean };
  /** The number of different scripts, all with an address or not. */
  readonly pays: { readonly amount: bigint; readonly payees: number; readonly haveAddresses: boolean };
  readonly 'pays-nothing': NoData;
  /** `rate` in satoshi per virtual byte. */
  readonly fee: {
    readonly fee: bigint;
    readonly rate?: number;
    readonly share?: FeeShare;
    readonly trust: AmountTrust;
  };
  readonly 'fee-unknown': NoData;
  readonly change: { readonly amount: bigint };
  /** `text` is absent if it is not shown. */
  readonly signs: {
    readonly kind: 'message' | 'proof-of-reserves';
    readonly payee?: PayeeData;
    readonly text?: string;
  };
  readonly 'moves-nothing': NoData;
  readonly signed: { readonly groups: readonly { readonly inputs: readonly number[]; readonly signed: SignedData }[] };
  readonly mined: {
    readonly lock: AbsoluteLock;
    /** The transaction meets the locks of a coin by no way. */
    readonly isNever: boolean;
    readonly isWaiting: boolean;
    readonly isReplaceable: boolean;
  };
  /** `amount` if all are known. */
  readonly spends: { readonly amount?: bigint; readonly inputs: number };
  /** In the place of the inputs, where all are the signer's and proven. */
  readonly 'own-coins': {
    readonly owners: readonly { readonly owner: OwnerData; readonly indexes: readonly number[] }[];
    /** The fingerprints of the master keys that have signed all of them, in hex. */
    readonly signers: readonly string[];
  };
  readonly output: { readonly value: bigint; readonly payee: PayeeData; readonly role: Role };
  readonly role: { readonly role: Role; readonly stays: boolean; readonly owner: OwnerData };
  readonly 'silent-proven': NoData;
  readonly 'silent-conditional': NoData;
  readonly 'silent-open': NoData;
  readonly 'silent-claimed': { readonly address?: string };
  /** The name in the place of an address is proven, up to a Unix time in seconds. */
  readonly 'name-proven': { readonly address: string; readonly until: number; readonly isWildcard: boolean };
  /** The name has letters beyond ASCII, and is shown as it is written. */
  readonly 'name-punycode': NoData;
  /** The address is of silent payments, of which an attacker can grind one half. */
  readonly 'compare-all': NoData;
  /** A finding about the output refuses the PSBT. */
  readonly 'output-refused': { readonly checks: readonly PolicyCheck[] };
  /** Others can change the output while a signature of the signer stays valid. */
  readonly 'output-open': NoData;
  readonly input: { readonly value?: bigint; readonly payee?: PayeeData };
  /** `isOwn` is absent if no coin is known to be the signer's. */
  readonly owner: { readonly owner: OwnerData; readonly isOwn?: boolean; readonly trust: AmountTrust };
  readonly age: { readonly age: RelativeLock };
  readonly outpoint: { readonly txid: string; readonly vout: number };
  readonly final: NoData;
  readonly 'final-invalid': NoData;
  readonly signers: { readonly signers: readonly SignerReview[] };
  readonly doubt: { readonly signature: SignatureReview };
  readonly quorum: { readonly quorum: QuorumProgress; readonly isAlternative: boolean };
  readonly 'amounts-proven': { readonly proofs: readonly AmountProof[] };
  readonly 'amounts-claimed': NoData;
  readonly 'fee-trust': { readonly reason: Exclude<FeeReason, 'unknown-coins'> };
}

/** What a person is asked before a PSBT is signed. */
export interface QuestionData {
  /** What leaves, largest first. */
  readonly payments?: readonly { readonly value: bigint; readonly payee: PayeeData }[];
  /** In the place of payments. */
  readonly signs?: LineData['signs'];
  readonly fee?: bigint;
  readonly feeTrust: AmountTrust;
  /** Of the signer in all, where others pay in the transaction, too; negative if more comes in. */
  readonly leaves?: bigint;
  readonly warnings: number;
}

interface Placed {
  readonly tone: Tone;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
}

/** A finding in a report, with all places where its check found the same. */
export type FindingLine = {
  [Check in PolicyCheck]: Placed & {
    readonly role: 'finding';
    readonly key: Check;
    readonly data: FindingData[Check];
    /** Where else it was found. */
    readonly also: { readonly inputs: readonly number[]; readonly outputs: readonly number[]; readonly count: number };
  };
}[PolicyCheck];

type FactLine = {
  [Key in keyof LineData]: Placed & {
    readonly role: Exclude<LineRole, 'finding'>;
    readonly key: Key;
    readonly data: LineData[Key];
  };
}[keyof LineData];

/** A line of a report: where it stands, how loud it is, and what it says by `key` and `data`. `ReportWords` word it. */
export type ReportLine = FindingLine | FactLine;

/** Takes from an owner what is said of it, without descriptors. */
export function ownerData(owner: Owner): OwnerData {
  const { root } = owner;
  if (owner.kind === 'account') {
    const { title, place } = owner;
    return { kind: 'account', root, path: placePath(place), ...(title !== undefined && { title }) };
  }
  if (owner.kind !== 'wallet') return { kind: owner.kind, root };
  const { wallet, place } = owner;
  const { position, index } = place;
  const isUsual = place.wallet.hasUsualChains;
  // A third chain is neither for receiving nor for change.
  const chain = isUsual
    ? position === 0
      ? 'receive'
      : 'change'
    : place.wallet.chains.length > 1
      ? position
      : undefined;
  return { kind: 'wallet', root, title: wallet.title, ...(chain !== undefined && { chain }), index };
}
