import type { Contradiction } from '../holder/contradictions.ts';
import type { NoData, RoleFindingData } from '../holder/role.ts';
import type { SignatureCause } from '../psbt/signatureVerifier.ts';
import type { SilentPaymentFault } from '../psbt/silentPayments/faults.ts';
import type { EffectiveLock } from '../tx/absoluteLock.ts';
import type { RelativeLock } from '../tx/relativeLock.ts';
import type { UnmetLock } from './inputReview.ts';
import type { NameFault } from './paymentName.ts';

/**
 * What is wrong with a leaf: it is of an undefined version, does not parse, or holds OP_SUCCESS or OP_CODESEPARATOR.
 */
export type LeafOddity = 'version' | 'unparsed' | 'op-success' | 'code-separator';

/**
 * What a transaction needs to meet a lock: at least this version, sequence or locktime, or a sequence below this one.
 */
export interface LockNeed {
  readonly kind: 'version' | 'sequence' | 'locktime' | 'sequence-below';
  readonly value: number;
}

/** `isLeast` if coins are unknown, so that the fee is higher. */
interface Fee {
  /** In satoshi. */
  readonly fee: bigint;
  readonly isLeast: boolean;
}

/** In satoshi per virtual byte; `isMost` if the size may be larger than known. */
interface LargeRate extends Fee {
  readonly by: 'rate';
  readonly rate: number;
  readonly limit: number;
  readonly isMost: boolean;
}

interface LargeShare extends Fee {
  readonly by: 'share';
  readonly percent: number;
  readonly of: 'payments' | 'coins';
}

/**
 * What a finding says, by its check: numbers and names, from which `ReportWords` make sentences. Amounts are in satoshi, hash
 * types are numbers, and origins of keys are texts: `[73c5da0a/84h/0h/0h/1/0]`.
 */
export interface FindingData extends RoleFindingData {
  /**
   * Segwit v0 signatures commit to their own amount only: two signing sessions with different false amounts can add up
   * to a fee that was never shown.
   */
  readonly 'amount-unproven': NoData;
  /** The previous transaction shows another coin than the PSBT claims. The same amounts if only the scripts differ. */
  readonly 'amount-mismatch': { readonly claimed: bigint; readonly shown: bigint };
  /** The previous transaction is not the one spent, or lacks the output. */
  readonly 'previous-transaction-mismatch': NoData;
  readonly 'coin-unknown': NoData;
  /**
   * A legacy signature does not commit to the amount, and no previous transaction proves it. `isHidden` if a P2SH coin
   * does not show whether it is segwit.
   */
  readonly 'legacy-unproven': { readonly isHidden: boolean };
  /** The PSBT asks for a hash type that the caller has not named. */
  readonly 'sighash-unnamed': { readonly sighashType: number };
  /** A named type that leaves inputs or outputs open. */
  readonly 'sighash-unusual': { readonly sighashType: number };
  readonly 'sighash-undefined': { readonly sighashType: number };
  /** SINGLE without an output at the input's index. */
  readonly 'single-without-output': NoData;
  /**
   * A signature has another hash type than the one to sign with. The type to sign with, and those of other signatures.
   */
  readonly 'signature-sighash': { readonly sighashType: number; readonly others: readonly number[] };
  /** A redeemScript or witnessScript that the coin or output does not commit to. */
  readonly 'script-mismatch': NoData;
  readonly 'signature-invalid':
    | { readonly of: 'signature'; readonly cause?: SignatureCause }
    /** The final scriptSig and witness. */
    | { readonly of: 'final-fields' };
  /** A signature by a key that the coin does not take. */
  readonly 'signature-foreign': NoData;
  /** A fee above `warnFeePercent` and 10 000 satoshi, `warnFeeRate` or `warnFee`. */
  readonly 'fee-high': LargeRate | LargeShare | (Fee & { readonly by: 'amount'; readonly limit: number });
  /** A fee above `maxFeePercent` and 100 000 satoshi, or `maxFeeRate`. */
  readonly 'fee-absurd': LargeRate | LargeShare;
  /** By so much the outputs exceed the coins. */
  readonly 'fee-negative': { readonly excess: bigint };
  /** Below what any node relays. */
  readonly 'fee-low': { readonly fee: bigint; readonly rate: number };
  readonly 'amount-impossible': NoData;
  /** Two statements about a key that cannot both be true, or one that a key at hand refutes. */
  readonly 'key-contradicted': Contradiction;
  /**
   * Keys or paths of another network. The coin type of the keys that are of another network, if it is known. @see
   * SLIP-0044
   */
  readonly 'network-mixed': { readonly coinType?: number };
  /**
   * An output that was not named as what is to be paid. Of the transaction if no output is named: it is not a payment.
   */
  readonly 'pays-other': { readonly value?: bigint };
  /** An internal key, Merkle root or leaf that the output key does not commit to. */
  readonly 'taproot-mismatch': NoData;
  /** A leaf of another version, or with OP_SUCCESS or OP_CODESEPARATOR. */
  readonly 'leaf-unusual': { readonly oddity: LeafOddity };
  /** A script that is neither a standard template nor a miniscript. */
  readonly 'script-unread': {
    readonly of: 'script' | 'leaf';
    readonly bytes: number;
    /** True if a key signs it. */
    readonly isSigned: boolean;
    /** True if a signature for the key path spends the coin without the leaf. */
    readonly hasKeyPath: boolean;
  };
  readonly 'coin-repeated': NoData;
  /** An uncompressed or invalid key in segwit, which can never sign. */
  readonly 'key-uncompressed': NoData;
  /** A locktime that no input enables or that is not a recent height, or a coin that must age. */
  readonly 'locktime-unusual':
    | { readonly reason: 'age'; readonly age: RelativeLock }
    /** No input enables it. */
    | { readonly reason: 'disabled'; readonly locktime: number }
    | { readonly reason: 'until'; readonly lock: EffectiveLock }
    | { readonly reason: 'message'; readonly locktime: number; readonly sequence: number };
  /** A coin whose every way to spend waits for a lock that the transaction does not meet: no signature completes it. */
  readonly 'lock-unmet':
    | { readonly reason: 'all-ways'; readonly locks: readonly UnmetLock[]; readonly needs: readonly LockNeed[] }
    /** The holder's ways open at this age in seconds, or if it is absent, once an absolute lock has passed. */
    | { readonly reason: 'own-ways'; readonly age?: number };
  /** A version other than 1 to 3. */
  readonly 'version-unusual': { readonly version: number };
  /** Two signatures with one nonce reveal the private key. */
  readonly 'nonce-repeated': NoData;
  /** What the PSBT says of it is false or forbidden. */
  readonly 'silent-payment-refuted': { readonly fault?: SilentPaymentFault };
  /** Its script is not computed yet: shares lack. */
  readonly 'silent-payment-open': { readonly fault?: SilentPaymentFault };
  /** It claims to pay an address, without the shares or proofs that show it. */
  readonly 'silent-payment-unproven': { readonly fault?: SilentPaymentFault };
  /** It would be found only if other outputs go to the same receiver, and its script is not computed yet. */
  readonly 'silent-payment-receivers': { readonly fault?: SilentPaymentFault };
  /**
   * Its receiver finds it if the coins are what the PSBT claims, other outputs go to the same receiver, or nothing
   * changes. Other outputs have its scan key, coins are only claimed, or signatures leave something open.
   */
  readonly 'silent-payment-conditional': { readonly reason: 'receivers' | 'coins' | 'signatures' };
  /** The payment name that the PSBT has for it is not proven, and so not shown. */
  readonly 'name-unproven':
    | { readonly reason: 'not-checked' | 'too-many' | 'no-address' }
    | { readonly reason: 'unreadable'; readonly fault: NameFault }
    /** `from` and `until` in Unix seconds. */
    | { readonly reason: 'no-clock' | 'early' | 'expired'; readonly from: number; readonly until: number };
  /** The payment name that the PSBT has for it is not borne out by its proof, or asks for another payment. Amounts are in satoshi. */
  readonly 'name-refuted':
    | { readonly reason: 'proof'; readonly fault: NameFault }
    | { readonly reason: 'address' }
    | { readonly reason: 'amount'; readonly asked: bigint; readonly paid: bigint };
  /** It would cost more to spend than it is worth. */
  readonly dust: { readonly value: bigint };
  readonly burn: { readonly value: bigint };
  readonly 'anyone-can-spend': { readonly value: bigint };
  /**
   * More claims than the review searches. Refused with keys at hand. Of outputs on other chains if no input or output
   * is named.
   */
  readonly 'search-cut': NoData;
  /** A coin that no wallet at hand derives, but a key at hand can sign for. */
  readonly 'owner-unknown': NoData;
  /**
   * Coins beside yours that are not: a PSBT that hides one of yours in each of two sessions shows them so. The indexes
   * of the coins.
   */
  readonly 'coin-foreign': { readonly inputs: readonly number[] };
  /** The PSBT shows a text that its transaction does not sign. @see BIP322, BIP127 */
  readonly 'message-mismatch': { readonly reason: MessageMismatch };
  /**
   * It signs a text that it does not show, which may be consent to anything. `length` in characters of a text that is
   * too long to be read.
   */
  readonly 'message-hidden': { readonly reason: 'message' | 'proof' | 'not-text' | 'long'; readonly length?: number };
}

/** Why a PSBT does not sign the text that it shows. */
export type MessageMismatch =
  | 'two-texts'
  | 'other-input'
  | 'no-script'
  | 'other-transaction'
  | 'not-a-message'
  | 'other-commitment'
  | 'not-all-coins'
  | 'open-signatures';

/** The name of a check. */
export type PolicyCheck = keyof FindingData;

/** The action for a finding: `refuse` prevents signing, `warn` shows it, `allow` drops it. */
export const POLICY_ACTIONS = ['refuse', 'warn', 'allow'] as const;

/** What a policy does about a check that fails. */
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** The finding of a check, before the policy decides on its action. */
type Found<Check extends PolicyCheck> = {
  readonly check: Check;
  readonly data: FindingData[Check];
  readonly inputIndex?: number;
  readonly outputIndex?: number;
};

/** A finding before the policy decides on its action; `action` stands in for the default of its check. */
export type Observation = { [Check in PolicyCheck]: Found<Check> }[PolicyCheck] & { readonly action?: PolicyAction };

/**
 * A fact about a PSBT that its signer should know: the check that found it, and `data` of the check's own shape
 * (`FindingData`). `findingText` words it.
 */
export type Finding = { [Check in PolicyCheck]: Found<Check> }[PolicyCheck] & {
  readonly action: Exclude<PolicyAction, 'allow'>;
};

/** Returns the finding of a check if the condition holds. */
export const when = <Check extends PolicyCheck>(
  condition: boolean,
  check: Check,
  data: FindingData[Check],
): readonly Observation[] => (condition ? [{ check, data } as Observation] : []);
