import type { Contradiction } from '../holder/contradictions.ts';
import type { NoData, RoleFindingData } from '../holder/role.ts';
import type { SignatureCause } from '../psbt/signatureVerifier.ts';
import type { SilentPaymentFault } from '../psbt/silentPayments/faults.ts';
import type { EffectiveLock } from '../tx/absoluteLock.ts';
import type { RelativeLock } from '../tx/relativeLock.ts';
import type { UnmetLock } from './inputReview.ts';
import type { PolicyAction, PolicyCheck } from './policy.ts';

/** What is wrong with a leaf: it is of an undefined version, does not parse, or holds OP_SUCCESS or OP_CODESEPARATOR. */
export type LeafOddity = 'version' | 'unparsed' | 'op-success' | 'code-separator';

/** What a transaction needs to meet a lock: at least this version, sequence or locktime, or a sequence below this one. */
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
  readonly 'amount-unproven': NoData;
  /** The same amounts if only the scripts differ. */
  readonly 'amount-mismatch': { readonly claimed: bigint; readonly shown: bigint };
  readonly 'previous-transaction-mismatch': NoData;
  readonly 'coin-unknown': NoData;
  /** `isHidden` if a P2SH coin does not show whether it is segwit. */
  readonly 'legacy-unproven': { readonly isHidden: boolean };
  readonly 'sighash-unnamed': { readonly sighashType: number };
  readonly 'sighash-unusual': { readonly sighashType: number };
  readonly 'sighash-undefined': { readonly sighashType: number };
  readonly 'single-without-output': NoData;
  /** The type to sign with, and those of other signatures. */
  readonly 'signature-sighash': { readonly sighashType: number; readonly others: readonly number[] };
  readonly 'script-mismatch': NoData;
  readonly 'signature-invalid':
    | { readonly of: 'signature'; readonly cause?: SignatureCause }
    /** The final scriptSig and witness. */
    | { readonly of: 'final-fields' };
  readonly 'signature-foreign': NoData;
  readonly 'fee-high': LargeRate | LargeShare | (Fee & { readonly by: 'amount'; readonly limit: number });
  readonly 'fee-absurd': LargeRate | LargeShare;
  /** By so much the outputs exceed the coins. */
  readonly 'fee-negative': { readonly excess: bigint };
  readonly 'fee-low': { readonly fee: bigint; readonly rate: number };
  readonly 'amount-impossible': NoData;
  readonly 'key-contradicted': Contradiction;
  /** The coin type of the keys that are of another network, if it is known. @see SLIP-0044 */
  readonly 'network-mixed': { readonly coinType?: number };
  /** Of the transaction if no output is named: it is not a payment. */
  readonly 'pays-other': NoData;
  readonly 'taproot-mismatch': NoData;
  readonly 'leaf-unusual': { readonly oddity: LeafOddity };
  readonly 'script-unread': {
    readonly of: 'script' | 'leaf';
    readonly bytes: number;
    /** True if a key signs it. */
    readonly isSigned: boolean;
    /** True if a signature for the key path spends the coin without the leaf. */
    readonly hasKeyPath: boolean;
  };
  readonly 'coin-repeated': NoData;
  readonly 'key-uncompressed': NoData;
  readonly 'locktime-unusual':
    | { readonly reason: 'age'; readonly age: RelativeLock }
    /** No input enables it. */
    | { readonly reason: 'disabled'; readonly locktime: number }
    | { readonly reason: 'until'; readonly lock: EffectiveLock }
    | { readonly reason: 'message'; readonly locktime: number; readonly sequence: number };
  readonly 'lock-unmet':
    | { readonly reason: 'all-ways'; readonly locks: readonly UnmetLock[]; readonly needs: readonly LockNeed[] }
    /** The holder's ways open at this age in seconds, or if it is absent, once an absolute lock has passed. */
    | { readonly reason: 'own-ways'; readonly age?: number };
  readonly 'version-unusual': { readonly version: number };
  readonly 'nonce-repeated': NoData;
  readonly 'silent-payment-refuted': { readonly fault?: SilentPaymentFault };
  readonly 'silent-payment-open': { readonly fault?: SilentPaymentFault };
  readonly 'silent-payment-unproven': { readonly fault?: SilentPaymentFault };
  readonly 'silent-payment-receivers': { readonly fault?: SilentPaymentFault };
  /** Other outputs have its scan key, coins are only claimed, or signatures leave something open. */
  readonly 'silent-payment-conditional': { readonly reason: 'receivers' | 'coins' | 'signatures' };
  readonly dust: { readonly value: bigint };
  readonly burn: { readonly value: bigint };
  readonly 'anyone-can-spend': { readonly value: bigint };
  /** Of outputs on other chains if no input or output is named. */
  readonly 'search-cut': NoData;
  readonly 'owner-unknown': NoData;
  /** The indexes of the coins. */
  readonly 'coin-foreign': { readonly inputs: readonly number[] };
  readonly 'message-mismatch': { readonly reason: MessageMismatch };
  /** `length` in characters of a text that is too long to be read. */
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
