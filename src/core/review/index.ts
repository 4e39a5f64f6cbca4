export type {
  AmountProof,
  AmountTrust,
  InputReview,
  LaterWay,
  Need,
  QuorumProgress,
  SignatureReview,
  SignerReview,
  UnmetLock,
} from './inputReview.ts';
export type { Payee } from './intent.ts';
export type { OutputReview } from './outputs.ts';
export {
  assertAccepted,
  type Finding,
  POLICY_DEFAULTS,
  type Policy,
  type PolicyAction,
  type PolicyCheck,
  type PolicyLimits,
} from './policy.ts';
export type { Purpose } from './purpose.ts';
export { type FeeReason, type FeeShare, type PsbtReview, type ReviewOptions, reviewPsbt } from './reviewPsbt.ts';
export {
  type InputReviewJson,
  type KeyJson,
  type LaterWayJson,
  type NeedJson,
  type OriginJson,
  type OutputReviewJson,
  type OwnerJson,
  type PurposeJson,
  type QuorumJson,
  type ReviewJson,
  reviewToJson,
  type SignatureJson,
  type SignerJson,
} from './text/reviewJson.ts';
export { formatReview, type ReviewTextOptions } from './text/reviewText.ts';
