export { quotedLine } from '../encoding/printable.ts';
export type { Contradiction } from '../holder/contradictions.ts';
export type { FalseClaim } from '../holder/role.ts';
export type {
  Finding,
  FindingData,
  LeafOddity,
  LockNeed,
  MessageMismatch,
  PolicyAction,
  PolicyCheck,
} from '../review/finding.ts';
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
} from '../review/inputReview.ts';
export type { Payee } from '../review/intent.ts';
export type { OutputReview } from '../review/outputs.ts';
export { POLICY_DEFAULTS, type Policy, type PolicyLimits } from '../review/policy.ts';
export type { Purpose } from '../review/purpose.ts';
export {
  type FeeReason,
  type FeeShare,
  type PsbtReview,
  type ReviewOptions,
  reviewPsbt,
} from '../review/reviewPsbt.ts';
export { controlTexts } from './ageText.ts';
export { assertAccepted } from './assertAccepted.ts';
export { ENGLISH } from './english.ts';
export { findingText } from './findingText.ts';
export type {
  FindingLine,
  LabelledRole,
  LineData,
  LineRole,
  OwnerData,
  PayeeData,
  QuestionData,
  ReportLine,
  SignedData,
  Tone,
} from './lines.ts';
export { type ReportOptions, reportReview } from './reportReview.ts';
export {
  type DataJson,
  type FindingJson,
  type InputReviewJson,
  type KeyJson,
  type LaterWayJson,
  type NeedJson,
  type OriginJson,
  type OutputReviewJson,
  type OwnerJson,
  type PurposeJson,
  type QuorumJson,
  type ReportLineJson,
  type ReviewJson,
  reviewToJson,
  type SignatureJson,
  type SignerJson,
} from './reviewJson.ts';
export { formatQuestion, formatReview, type ReviewTextOptions } from './reviewText.ts';
export { grouped } from './textLines.ts';
export { wordLine } from './wordLine.ts';
export type { CheckWords, FindingPlace, ReportWords } from './words.ts';
